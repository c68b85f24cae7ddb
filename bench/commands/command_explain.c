/* `meshsim explain`: why one run takes longer than another. All of it is analysis/explain.h. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/explain.h"
#include "commands.h"

struct options {
	const char *file;
	struct explain_options explain;
};

static const struct option_row option_table[] = {
	{NULL, 0, "FILE.h5", NULL, OPTION_TEXT, .offset = offsetof(struct options, file),
		.missing = "give a result file and the numbers of two runs"},
	{NULL, 0, "RUN", NULL, OPTION_RUN, .offset = offsetof(struct options, explain.runs[0]),
		.missing = "give a result file and the numbers of two runs"},
	{NULL, 0, "RUN", NULL, OPTION_RUN, .offset = offsetof(struct options, explain.runs[1]),
		.missing = "give a result file and the numbers of two runs",
		.extra = "two runs at a time"},
	OPTION_KIND(struct options, explain.kind),
	{"metric", 0, "M",
		"round (a call to the next of the same step), latency, host, reach, done, skew",
		OPTION_TEXT, .offset = offsetof(struct options, explain.metric)},
	OPTION_JSON(struct options, explain.json),
	{0},
};

static int run(const void *given)
{
	const struct options *options = given;
	struct explain_options explain = options->explain;

	explain.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	return analysis_explain(options->file, &explain, stdout);
}

const struct command_work command_explain = {
	OPTION_TABLE(option_table, struct options),
	.run = run,
};
