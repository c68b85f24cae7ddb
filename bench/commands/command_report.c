/* `meshsim report`: a page of a result file. All of it is analysis/report.h, but for the runs that
 * verdicts ask for and for the error table against hardware. */
#include <argp.h>
#include <stdio.h>

#include "analysis/report.h"
#include "base/text.h"
#include "bench/options/options.h"
#include "bench/reference/report_errors.h"
#include "bench/results/version.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "rerun.h"

enum { KEY_NO_ERRORS = 256, KEY_MODEL };

struct options {
	const char *file, *output;
	struct question_options questions;
	struct report_options report;
	bool no_errors;
};

static const struct argp_option option_table[] = {
	{"output", 'o', "FILE.html", 0, "where to write the page; - is standard output", 0},
	{"no-errors", KEY_NO_ERRORS, NULL, 0,
		"leave out the error table against hardware; to make it takes seconds, once", 0},
	{"model", KEY_MODEL, NULL, 0, "write only the figures, as JSON", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->questions;
		break;
	case 'o':
		options->output = argument;
		break;
	case KEY_NO_ERRORS:
		options->no_errors = true;
		break;
	case KEY_MODEL:
		options->report.model_only = true;
		break;
	case ARGP_KEY_END:
		if (!options->file || !options->output)
			argp_error(state, "give a result file, and -o with a name for the page");
		break;
	default:
		return option_file(state, key, argument, &options->file);
	}
	return 0;
}

static const struct argp_child children[] = {{&option_questions, 0, NULL, 0}, {0}};

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.children = children,
	.args_doc = "FILE.h5 -o FILE.html",
	.doc = "Writes a result file as one HTML page that needs nothing else."
	       "\vVerdicts come first, then latencies, scaling, load of links, critical paths, "
	       "threads and firmware, queues, the errors of this program against figures "
	       "measured on hardware, scenario and constants.",
};

static void write_errors(void *context, struct text *out)
{
	const struct options *options = context;

	report_errors(options->questions.jobs, out);
}

static int run(int argc, char **argv)
{
	struct options options = {0};
	struct rerun rerun;
	int code = EXIT_BAD_INPUT;

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	options.report.compare = options.questions.compare;
	if (!options.no_errors)
		options.report.errors = write_errors;
	options.report.errors_context = &options;
	options.report.writer_version = version_number();
	options.report.writer_commit = version_commit();
	if (rerun_start(&rerun, &options.report.compare, options.questions.jobs))
		code = analysis_report(options.file, &options.report, rerun.runner, options.output);
	rerun_stop(&rerun);
	return code;
}

const struct command command_report = {
	.name = "report",
	.help = "writes a result file as one HTML page",
	.parser = &parser,
	.run = run,
};
