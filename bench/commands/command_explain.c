/* `meshsim explain`: why one run takes longer than another. All of it is analysis/explain.h. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/explain.h"
#include "bench/options/options.h"
#include "commands.h"

enum { KEY_JSON = 256, KEY_KIND, KEY_METRIC };

struct options {
	const char *file;
	int run_count;
	struct explain_options explain;
};

static const struct argp_option option_table[] = {
	{"kind", KEY_KIND, "K", 0, "kind of operation; enqueue_workload by default", 0},
	{"metric", KEY_METRIC, "M", 0,
		"round (a call to the next of the same step), latency, host, reach, done, skew", 0},
	{"json", KEY_JSON, NULL, 0, "print JSON", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_JSON:
		options->explain.json = true;
		break;
	case KEY_KIND:
		options->explain.kind = argument;
		break;
	case KEY_METRIC:
		options->explain.metric = argument;
		break;
	case ARGP_KEY_ARG:
		if (!options->file)
			options->file = argument;
		else if (options->run_count < 2)
			options->explain.runs[options->run_count++] = option_run(state, argument);
		else
			argp_error(state, "two runs at a time");
		break;
	case ARGP_KEY_END:
		if (options->run_count < 2)
			argp_error(state, "give a result file and the numbers of two runs");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "FILE.h5 RUN RUN",
	.doc = "Splits the critical paths of two runs into stages and shows where they differ."
	       "\vThe JSON has kind, metric, unit (ps), runs (run, status, count, keys), paths "
	       "(p50, "
	       "p99, mean: value, count, difference, stages), links and cores (name, busy), queues "
	       "(name, high_water, capacity, blocked_time), not_apart. Differences of stages sum "
	       "to the whole.",
};

static int run(int argc, char **argv)
{
	struct options options = {.run_count = 0};

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	options.explain.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	return analysis_explain(options.file, &options.explain, stdout);
}

const struct command command_explain = {
	.name = "explain",
	.help = "says where two runs differ, stage by stage",
	.parser = &parser,
	.run = run,
};
