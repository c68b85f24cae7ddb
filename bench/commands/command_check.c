/* `meshsim check`: the gate of continuous integration. All of it is analysis/check.h. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check.h"
#include "commands.h"

enum {
	KEY_BASELINE = 256,
	KEY_UPDATE,
	KEY_JUNIT,
	KEY_MARKDOWN,
	KEY_JSON,
	KEY_TOLERANCE,
	KEY_WALL,
	FILES_MAX = 1024,
	TOLERANCES_MAX = 64
};

struct options {
	const char *files[FILES_MAX];
	uint32_t file_count;
	bool wall;
	struct check_tolerance tolerances[TOLERANCES_MAX];
	struct check_options check;
};

static const struct argp_option option_table[] = {
	{"baseline", KEY_BASELINE, "B", 0, "a file, or a folder that holds SCENARIO.yaml", 0},
	{"update", KEY_UPDATE, NULL, 0, "write the baseline instead; keeps its tolerances", 0},
	{"tolerance", KEY_TOLERANCE, "METRIC=PERCENT", 0,
		"what may be worse by how much: latency, p99, enqueue_workload.latency.p99; with "
		"--wall: cpu_s (5)",
		0},
	{"junit", KEY_JUNIT, "F", 0, "write JUnit's XML, a test case per run", 0},
	{"markdown", KEY_MARKDOWN, NULL, 0, "print Markdown, for a pull request's summary", 0},
	{"json", KEY_JSON, NULL, 0, "print JSON", 0},
	{"wall", KEY_WALL, NULL, 0,
		"compare the CPU time of the simulator itself: 9 or more files of one scenario", 0},
	{0},
};

static void parse_tolerance(struct argp_state *state, struct options *options, char *argument)
{
	struct check_tolerance *tolerance = &options->tolerances[options->check.tolerance_count];
	char *equals = strrchr(argument, '='), *end;

	if (options->check.tolerance_count == TOLERANCES_MAX)
		argp_error(state, "more than %d tolerances", TOLERANCES_MAX);
	if (!equals || equals == argument || !equals[1])
		argp_error(state, "'%s' is not METRIC=PERCENT", argument);
	*equals = '\0';
	tolerance->metric = argument;
	tolerance->percent = strtod(equals + 1, &end);
	if (*end == '%')
		end++;
	if (*end || !(tolerance->percent >= 0) || !isfinite(tolerance->percent))
		argp_error(state, "tolerance of '%s': '%s' is no percentage", argument, equals + 1);
	options->check.tolerance_count++;
}

static void set_form(struct argp_state *state, struct options *options, enum check_form form)
{
	if (options->check.form != CHECK_TEXT && options->check.form != form)
		argp_error(state, "--json and --markdown exclude each other");
	options->check.form = form;
}

static void check_usage(struct argp_state *state, const struct options *options)
{
	if (options->file_count == 0)
		argp_error(state, "no result file given");
	if (!options->check.baseline)
		argp_error(state, "no --baseline given");
	if (!options->wall && options->file_count > 1)
		argp_error(state, "one result file at a time");
	if (options->check.update && (options->check.junit || options->check.form != CHECK_TEXT))
		argp_error(state, "--update compares nothing: no --junit, --markdown, --json");
	if (options->wall && (options->check.junit || options->check.form != CHECK_TEXT))
		argp_error(state, "--wall prints text only");
	for (uint32_t i = 0; options->wall && i < options->check.tolerance_count; i++)
		if (strcmp(options->tolerances[i].metric, "cpu_s") != 0)
			argp_error(state, "--wall has one metric: cpu_s");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_BASELINE:
		options->check.baseline = argument;
		break;
	case KEY_UPDATE:
		options->check.update = true;
		break;
	case KEY_JUNIT:
		options->check.junit = argument;
		break;
	case KEY_MARKDOWN:
		set_form(state, options, CHECK_MARKDOWN);
		break;
	case KEY_JSON:
		set_form(state, options, CHECK_JSON);
		break;
	case KEY_TOLERANCE:
		parse_tolerance(state, options, argument);
		break;
	case KEY_WALL:
		options->wall = true;
		break;
	case ARGP_KEY_ARG:
		if (options->file_count == FILES_MAX)
			argp_error(state, "more than %d files", FILES_MAX);
		options->files[options->file_count++] = argument;
		break;
	case ARGP_KEY_END:
		check_usage(state, options);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "FILE.h5...",
	.doc = "Compares simulated figures with a baseline: exactly, or within stated tolerances. "
	       "Missing and extra runs fail; what is better passes."
	       "\vExit codes: 0 nothing is worse; 1 something is; 2 bad input; 3 no baseline.\n"
	       "The JSON has scenario, baseline, runs, figures, counts (worse, better, tolerated) "
	       "and changes (verdict, what, keys, metric, unit, old, new, change, stages).",
};

static int run(int argc, char **argv)
{
	static struct options options;

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	options.check.tolerances = options.tolerances;
	if (options.wall) {
		uint32_t count = options.check.tolerance_count;
		struct cpu_time_options wall = {.baseline = options.check.baseline,
			.update = options.check.update,
			.percent = count ? options.tolerances[count - 1].percent : 5};
		return analysis_check_cpu_time(options.files, options.file_count, &wall, stdout);
	}
	return analysis_check(options.files[0], &options.check, stdout);
}

const struct command command_check = {
	.name = "check",
	.help = "the gate: fails if a simulated figure got worse",
	.parser = &parser,
	.run = run,
};
