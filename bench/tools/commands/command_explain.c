/* `meshsim explain`: prints where the time of a run goes, or why one run takes longer than another
 * run. analysis/explain.h does the work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/explain.h"
#include "commands.h"

struct options {
	const char *file;
	struct option_texts rest; /* a second file, if any, then up to two runs */
	struct explain_options explain;
};

#define ASK "give a result file and the numbers of one or two runs, or two result files"

static const struct option_row option_table[] = {
	{NULL, 0, "FILE.h5", NULL, OPTION_TEXT, .offset = offsetof(struct options, file),
		.missing = ASK},
	{NULL, 0, "OTHER.h5|RUN", NULL, OPTION_TEXTS, .offset = offsetof(struct options, rest)},
	{"kind", 0, "K",
		"kind of operation, or KIND/STEP of a step that has a name; by default "
		"enqueue_workload, and of its steps the one that is called most",
		OPTION_TEXT, .offset = offsetof(struct options, explain.kind)},
	{"metric", 0, "M",
		"round (a call to the next of the same step), completion, latency, host, reach, "
		"done "
		"or skew, each with .p50 (default), .p90, .p99, .max or .mean; interval (between "
		"completions); bandwidth",
		OPTION_TEXT, .offset = offsetof(struct options, explain.metric)},
	{"all", 0, NULL, "all tables, not only the stages of the figure explained", OPTION_FLAG,
		.offset = offsetof(struct options, explain.all)},
	OPTION_JSON(struct options, explain.json),
	{0},
};

static bool parse_run(const char *text, uint32_t *run, struct text *why)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end || number > INT32_MAX) {
		text_printf(why, "'%s' is no number of a run", text);
		return false;
	}
	*run = (uint32_t)number;
	return true;
}

/* Checks the usage. The first of the remaining arguments is a file, unless it is a number. */
static bool command_explain_check_usage(void *given, struct text *why)
{
	struct options *options = given;
	struct option_texts runs = options->rest;

	if (runs.count > 0 && (runs.at[0][0] < '0' || runs.at[0][0] > '9' ||
				      strspn(runs.at[0], "0123456789") < strlen(runs.at[0]))) {
		options->explain.second = runs.at[0];
		runs.at++;
		runs.count--;
	}
	if (runs.count > 2)
		text_append(why, "two runs at a time");
	else if (options->explain.second ? runs.count == 1 : runs.count == 0)
		text_append(why, ASK);
	else
		for (uint32_t i = 0; i < runs.count; i++)
			if (!parse_run(runs.at[i], &options->explain.runs[i], why))
				return false;
	if (runs.count == 1)
		options->explain.runs[1] = options->explain.runs[0];
	options->explain.chosen = runs.count > 0;
	return why->length == 0;
}

static int command_explain_run(const void *given)
{
	const struct options *options = given;
	struct explain_options explain = options->explain;

	explain.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	return analysis_explain(options->file, &explain, stdout);
}

const struct command_work command_explain = {
	OPTION_TABLE(option_table, struct options),
	.check = command_explain_check_usage,
	.run = command_explain_run,
};
