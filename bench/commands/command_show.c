/* `meshsim show`: the table of a result file. All of it is analysis/show.h. */
#include <argp.h>
#include <stdio.h>

#include "analysis/show.h"
#include "bench/options/options.h"
#include "commands.h"

enum { KEY_JSON = 256, KEY_WIDE };

struct options {
	const char *file;
	bool json, wide;
};

static const struct argp_option option_table[] = {
	{"json", KEY_JSON, NULL, 0, "print the table as JSON", 0},
	{"wide", KEY_WIDE, NULL, 0, "whole rows, even if they are wider than the terminal", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	if (key == KEY_JSON)
		options->json = true;
	else if (key == KEY_WIDE)
		options->wide = true;
	else
		return option_file(state, key, argument, &options->file);
	return 0;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "FILE.h5",
	.doc = "Prints runs, percentiles and throughput of a result file.",
};

static int run(int argc, char **argv)
{
	struct options options = {0};

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	return analysis_show(
		options.file, options.json ? SHOW_JSON : SHOW_TEXT, options.wide, stdout);
}

const struct command command_show = {
	.name = "show",
	.help = "prints the table of a result file",
	.parser = &parser,
	.run = run,
};
