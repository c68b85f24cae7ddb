/* `meshsim check`: compares a result file with a baseline. analysis/check.h does the work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check.h"
#include "base/text.h"
#include "commands.h"

enum { TOLERANCES_MAX = 64 };

struct options {
	struct option_texts files, baselines, tolerances;
	bool json, markdown, wall;
	struct check_tolerance parsed[TOLERANCES_MAX];
	struct check_options check;
};

static const struct option_row option_table[] = {
	{NULL, 0, "FILE.h5", NULL, OPTION_TEXTS, .offset = offsetof(struct options, files),
		.missing = "no result file given"},
	{"baseline", 0, "B",
		"a file, or a folder that holds SCENARIO.yaml; for several results a folder, or "
		"one for each",
		OPTION_TEXTS, .offset = offsetof(struct options, baselines),
		.missing = "no --baseline given"},
	{"update", 0, NULL, "write the baseline instead; keeps its tolerances", OPTION_FLAG,
		.offset = offsetof(struct options, check.update)},
	{"tolerance", 0, "METRIC=PERCENT",
		"what may be worse by how much: latency, p99, enqueue_workload.latency.p99; with "
		"--wall: cpu_s (5)",
		OPTION_TEXTS, .offset = offsetof(struct options, tolerances)},
	{"exact", 0, NULL, "fail on every difference, also on what is better", OPTION_FLAG,
		.offset = offsetof(struct options, check.exact)},
	{"junit", 0, "F", "write JUnit's XML, a test case per run", OPTION_TEXT,
		.offset = offsetof(struct options, check.junit)},
	{"markdown", 0, NULL, "print Markdown, for a pull request's summary", OPTION_FLAG,
		.offset = offsetof(struct options, markdown)},
	OPTION_JSON(struct options, json),
	{"rows", 0, NULL, "list every change of every seed below its cause", OPTION_FLAG,
		.offset = offsetof(struct options, check.rows)},
	{"wall", 0, NULL,
		"compare the CPU time of the simulator itself: 9 or more files of one scenario",
		OPTION_FLAG, .offset = offsetof(struct options, wall)},
	{0},
};

static bool parse_tolerance(char *text, struct check_tolerance *tolerance, struct text *why)
{
	char *equals = strrchr(text, '=');
	const char *end;

	if (!equals || equals == text || !equals[1]) {
		text_printf(why, "'%s' is not METRIC=PERCENT", text);
		return false;
	}
	*equals = '\0';
	tolerance->metric = text;
	end = number_read_real_until(equals + 1, "%", &tolerance->percent);
	if (!end || (*end && end[1]) || tolerance->percent < 0) {
		text_printf(why, "tolerance of '%s': '%s' is no percentage", text, equals + 1);
		return false;
	}
	return true;
}

/* Returns a message about options that exclude each other, or NULL. */
static const char *command_check_find_conflict(const struct options *options)
{
	bool prints = options->check.junit || options->json || options->markdown;

	if (options->json && options->markdown)
		return "--json and --markdown exclude each other";
	if (options->check.rows && (options->json || options->markdown || options->wall))
		return "--rows is of the text: no --json, --markdown, --wall";
	if (options->wall ? options->baselines.count > 1
			  : options->baselines.count > 1 &&
				    options->baselines.count != options->files.count)
		return "one --baseline for all result files, or one for each";
	if (options->check.update && prints)
		return "--update compares nothing: no --junit, --markdown, --json";
	if (options->check.exact && (options->check.update || options->tolerances.count > 0))
		return "--exact excludes --update and --tolerance";
	if (options->wall && options->check.exact)
		return "--wall compares times that are never the same: no --exact";
	if (options->wall && prints)
		return "--wall prints text only";
	for (uint32_t i = 0; options->wall && i < options->check.tolerance_count; i++)
		if (strcmp(options->parsed[i].metric, "cpu_s") != 0)
			return "--wall has one metric: cpu_s";
	return NULL;
}

static bool command_check_usage(void *given, struct text *why)
{
	struct options *options = given;

	if (options->tolerances.count > TOLERANCES_MAX) {
		text_printf(why, "more than %d tolerances", TOLERANCES_MAX);
		return false;
	}
	for (uint32_t i = 0; i < options->tolerances.count; i++)
		if (!parse_tolerance(options->tolerances.at[i], &options->parsed[i], why))
			return false;
	options->check.baselines = (const char *const *)options->baselines.at;
	options->check.baseline_count = options->baselines.count;
	options->check.tolerances = options->parsed;
	options->check.tolerance_count = options->tolerances.count;
	if (options->json || options->markdown)
		options->check.form = options->json ? CHECK_JSON : CHECK_MARKDOWN;
	if (command_check_find_conflict(options))
		text_append(why, command_check_find_conflict(options));
	return why->length == 0;
}

static int command_check_run(const void *given)
{
	const struct options *options = given;
	const struct check_options *check = &options->check;

	if (options->wall) {
		uint32_t count = check->tolerance_count;
		struct cpu_time_options wall = {.baseline = check->baselines[0],
			.update = check->update,
			.percent = count ? check->tolerances[count - 1].percent : 5};
		return analysis_check_cpu_time((const char *const *)options->files.at,
			options->files.count, &wall, stdout);
	}
	return analysis_check(
		(const char *const *)options->files.at, options->files.count, check, stdout);
}

const struct command_work command_check = {
	OPTION_TABLE(option_table, struct options),
	.check = command_check_usage,
	.run = command_check_run,
};
