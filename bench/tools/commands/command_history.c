/* `meshsim history`: draws how the figures change from one result file of a folder to the next.
 * analysis/report.h does the work. */
#include <stddef.h>

#include "analysis/report.h"
#include "commands.h"

static const struct option_row option_table[] = {
	{NULL, 0, "FOLDER", NULL, OPTION_TEXT, .offset = offsetof(struct history_options, folder),
		.missing = "no folder of result files given", .extra = "one folder at a time"},
	{"output", 'o', "FILE.html", "where to write the page; - is standard output", OPTION_TEXT,
		.offset = offsetof(struct history_options, output),
		.missing = "give a name for the page: -o FILE.html"},
	{"by-name", 0, NULL, "in the order of file names, not of the times they were made at",
		OPTION_FLAG, .offset = offsetof(struct history_options, by_name)},
	{"model", 0, NULL, "write only the figures, as JSON", OPTION_FLAG,
		.offset = offsetof(struct history_options, model_only)},
	{0},
};

static int run(const void *given)
{
	return analysis_history(given);
}

const struct command_work command_history = {
	OPTION_TABLE(option_table, struct history_options),
	.run = run,
};
