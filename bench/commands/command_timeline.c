/* `meshsim timeline`: one run as a trace. All of it is analysis/timeline.h. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/timeline.h"
#include "command.h"

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

static uint32_t parse_run(struct argp_state *state, const char *text)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value > UINT32_MAX)
		argp_error(state, "'%s' is no number of a run", text);
	return (uint32_t)value;
}

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
		options->run = parse_run(state, argument);
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
	.arguments = "FILE.h5 RUN -o FILE",
	.help = "writes one run as a Perfetto trace",
	.run = run,
};
