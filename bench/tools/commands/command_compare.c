/* `meshsim compare`: prints which choice is best and why, where the order of the choices changes,
 * and how reliable the verdict is. analysis/compare.h does the work. It may request additional
 * runs, which bench/tools/rerun makes. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/compare.h"
#include "bench/tools/rerun/rerun.h"
#include "bench/run/runner.h"
#include "commands.h"

struct options {
	const char *file;
	struct question_options questions;
};

static const struct option_row option_table[] = {
	{NULL, 0, "FILE.h5", NULL, OPTION_TEXT, .offset = offsetof(struct options, file),
		.missing = "no result file given"},
	{NULL, 0, "OTHER.h5", NULL, OPTION_TEXT,
		.offset = offsetof(struct options, questions.compare.second),
		.extra = "two result files at most"},
	OPTION_QUESTION(struct options, questions),
	OPTION_JSON(struct options, questions.compare.json),
	OPTION_WIDE(struct options, questions.compare.wide),
	{0},
};

enum { RUN_OPTIONS_MAX = 64 };

/* Lists the options of `run`. When `compare` advises a command, it repeats the options of the
 * earlier command that made the results. It needs this list to recognize these options. */
static void list_run_options(struct compare_option list[RUN_OPTIONS_MAX])
{
	uint32_t count = 0;

	for (const struct option_row *row = command_run.options; row->kind; row++)
		if (row->name && count + 1 < RUN_OPTIONS_MAX)
			list[count++] =
				(struct compare_option){row->name, row->letter, row->value != NULL};
	list[count] = (struct compare_option){0};
}

static int command_compare_run(const void *given)
{
	const struct options *options = given;
	struct compare_options compare = question_compare(&options->questions);
	struct compare_option run_options[RUN_OPTIONS_MAX];
	struct rerun rerun;
	int code = EXIT_BAD_INPUT;

	list_run_options(run_options);
	compare.run_options = run_options;
	compare.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	if (rerun_start(&rerun, &compare, options->questions.jobs))
		code = analysis_compare(options->file, &compare, rerun.rerun_ops, stdout);
	rerun_stop(&rerun);
	return code;
}

const struct command_work command_compare = {
	OPTION_TABLE(option_table, struct options),
	.run = command_compare_run,
};
