/* `meshsim show`: prints the table of a result file. analysis/show.h does the work. */
#include <stdio.h>

#include "analysis/show.h"
#include "commands.h"

struct options {
	const char *file;
	bool json, wide;
};

static const struct option_row option_table[] = {
	OPTION_RESULT_FILE(struct options, file),
	OPTION_JSON(struct options, json),
	OPTION_WIDE(struct options, wide),
	{0},
};

static int command_show_run(const void *given)
{
	const struct options *options = given;

	return analysis_show(
		options->file, options->json ? SHOW_JSON : SHOW_TEXT, options->wide, stdout);
}

const struct command_work command_show = {
	OPTION_TABLE(option_table, struct options),
	.run = command_show_run,
};
