/* `meshsim timeline`: one run as a trace. All of it is analysis/timeline.h. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/timeline.h"
#include "bench/options/options.h"
#include "commands.h"

struct options {
	const char *file, *output;
	bool has_run;
	uint32_t run;
};

static const struct argp_option option_table[] = {
	{"output", 'o', "FILE", 0,
		"the trace: Chrome's JSON if it ends in .json, else Perfetto's; - is standard "
		"output",
		0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'o':
		options->output = argument;
		break;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			argp_error(state, "one run at a time");
		if (!options->file) {
			options->file = argument;
			break;
		}
		options->run = option_run(state, argument);
		options->has_run = true;
		break;
	case ARGP_KEY_END:
		if (!options->has_run)
			argp_error(state, "give a result file and the number of a run");
		if (!options->output)
			argp_error(state, "no file to write given: -o FILE");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "FILE.h5 RUN",
	.doc = "Writes one run as a trace for ui.perfetto.dev: calls per thread, operations per "
	       "command queue with the number in flight, stages of the dispatch path, flows from "
	       "call to completion; sums of threads, links, firmware and queues.",
};

static int run(int argc, char **argv)
{
	struct options options = {.file = NULL};

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	return analysis_timeline(options.file, options.run, options.output, stdout);
}

const struct command command_timeline = {
	.name = "timeline",
	.help = "writes one run as a Perfetto trace",
	.parser = &parser,
	.run = run,
};
