/* `meshsim timeline`: writes one run as a trace. analysis/timeline.h does the work. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/timeline.h"
#include "commands.h"

struct options {
	const char *file, *output;
	uint32_t run;
};

static const struct option_row option_table[] = {
	{NULL, 0, "FILE.h5", NULL, OPTION_TEXT, .offset = offsetof(struct options, file),
		.missing = "give a result file and the number of a run"},
	{NULL, 0, "RUN", NULL, OPTION_RUN, .offset = offsetof(struct options, run),
		.missing = "give a result file and the number of a run",
		.extra = "one run at a time"},
	{"output", 'o', "FILE",
		"the trace: Chrome's JSON if it ends in .json, else Perfetto's; - is standard "
		"output",
		OPTION_TEXT, .offset = offsetof(struct options, output),
		.missing = "no file to write given: -o FILE"},
	{0},
};

static int command_timeline_run(const void *given)
{
	const struct options *options = given;

	return analysis_timeline(options->file, options->run, options->output, stdout);
}

const struct command_work command_timeline = {
	OPTION_TABLE(option_table, struct options),
	.run = command_timeline_run,
};
