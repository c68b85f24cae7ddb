/* `meshsim compare`: who wins, why, where it flips, and whether that can be relied on. All of it is
 * analysis/compare.h, but for the runs that it asks for. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/compare.h"
#include "bench/options/options.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "rerun.h"

enum { KEY_JSON = 256 };

struct options {
	const char *file;
	struct question_options questions;
};

static const struct argp_option option_table[] = {
	{"json", KEY_JSON, NULL, 0, "print JSON", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = &options->questions;
	else if (key == KEY_JSON)
		options->questions.compare.json = true;
	else
		return option_file(state, key, argument, &options->file);
	return 0;
}

static const struct argp_child children[] = {{&option_questions, 0, NULL, 0}, {0}};

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.children = children,
	.args_doc = "FILE.h5",
	.doc = "Names a winner per question, with margin, mechanism and robustness, or says "
	       "`undecided`."
	       "\vThe JSON has kind, metric, statistic, tie_band; points (run, status, seeds, "
	       "keys, "
	       "operations, value, p50, p90, p99, throughput, host_cpu); questions (question, "
	       "outcome, winner, contexts, mechanism, crossovers, front, rests_on, robust). Times "
	       "are in ps.",
};

static int run(int argc, char **argv)
{
	struct options options = {0};
	struct compare_options *compare = &options.questions.compare;
	struct rerun rerun;
	int code = EXIT_BAD_INPUT;

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	compare->color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	if (rerun_start(&rerun, compare, options.questions.jobs))
		code = analysis_compare(options.file, compare, rerun.runner, stdout);
	rerun_stop(&rerun);
	return code;
}

const struct command command_compare = {
	.name = "compare",
	.help = "names winners, margins, mechanisms and crossovers",
	.parser = &parser,
	.run = run,
};
