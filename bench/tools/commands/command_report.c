/* `meshsim report`: writes a result file as a page. analysis/report.h does the work.
 * bench/tools/rerun makes additional runs that verdicts need, and bench/tools/reference makes the
 * table of errors against hardware. */
#include <stdio.h>

#include "analysis/report.h"
#include "base/text.h"
#include "bench/tools/reference/errors.h"
#include "bench/tools/rerun/rerun.h"
#include "bench/results/version.h"
#include "bench/run/runner.h"
#include "commands.h"

struct options {
	const char *file, *output;
	struct question_options questions;
	bool no_errors, model_only;
};

static const struct option_row option_table[] = {
	OPTION_RESULT_FILE(struct options, file),
	OPTION_QUESTION(struct options, questions),
	{"output", 'o', "FILE.html", "where to write the page; - is standard output", OPTION_TEXT,
		.offset = offsetof(struct options, output),
		.missing = "give a name for the page: -o FILE.html"},
	{"no-errors", 0, NULL, "leave out the error table against hardware", OPTION_FLAG,
		.offset = offsetof(struct options, no_errors)},
	{"model", 0, NULL, "write only the figures, as JSON", OPTION_FLAG,
		.offset = offsetof(struct options, model_only)},
	{0},
};

static void command_report_write_errors(const void *unused, struct text *out)
{
	(void)unused;
	report_errors(out);
}

static int command_report_run(const void *given)
{
	const struct options *options = given;
	struct report_options report = {
		.compare = question_compare(&options->questions),
		.errors = options->no_errors ? NULL : command_report_write_errors,
		.model_only = options->model_only,
		.writer_version = version_number(),
		.writer_commit = version_commit(),
	};
	struct rerun rerun;
	int code = EXIT_BAD_INPUT;

	if (rerun_start(&rerun, &report.compare, options->questions.jobs))
		code = analysis_report(options->file, &report, rerun.rerun_ops, options->output);
	rerun_stop(&rerun);
	return code;
}

const struct command_work command_report = {
	OPTION_TABLE(option_table, struct options),
	.run = command_report_run,
};
