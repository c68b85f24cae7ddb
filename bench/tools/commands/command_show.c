/* `meshsim show`: prints the table of a result file. analysis/show.h does the work. */
#include <stdio.h>

#include "analysis/show.h"
#include "bench/run/runner.h"
#include "commands.h"

struct options {
	const char *file;
	bool json, log, wide;
};

static const struct option_row option_table[] = {
	OPTION_RESULT_FILE(struct options, file),
	OPTION_JSON(struct options, json),
	{"log", 0, NULL, "print the log lines of all runs (measure.log), and nothing else",
		OPTION_FLAG, .offset = offsetof(struct options, log)},
	OPTION_WIDE(struct options, wide),
	{0},
};

static int command_show_run(const void *given)
{
	const struct options *options = given;

	enum show_form form = options->log ? SHOW_LOG : options->json ? SHOW_JSON : SHOW_TEXT;

	if (options->log && options->json) {
		fputs("meshsim show: --json prints log lines, too: leave out --log\n", stderr);
		return EXIT_BAD_INPUT;
	}
	return analysis_show(options->file, form, options->wide, stdout);
}

const struct command_work command_show = {
	OPTION_TABLE(option_table, struct options),
	.run = command_show_run,
};
