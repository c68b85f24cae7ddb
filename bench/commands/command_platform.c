/* `meshsim platform show NAME`: a machine with every constant, its unit, kind and source. */

#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "bench/scenario/shipped.h"
#include "bench/scenario/load.h"
#include "bench/run/runner.h"
#include "commands.h"

enum { KEY_JSON = 256 };

struct options {
	const char *verb, *name;
	bool json;
};

static const struct argp_option option_table[] = {
	{"json", KEY_JSON, NULL, 0, "print JSON", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_JSON:
		options->json = true;
		break;
	case ARGP_KEY_ARG:
		if (!options->verb)
			options->verb = argument;
		else if (!options->name)
			options->name = argument;
		else
			argp_error(state, "one platform at a time");
		break;
	case ARGP_KEY_END:
		if (!options->verb || strcmp(options->verb, "show") != 0 || !options->name)
			argp_error(state, "expected `show NAME'");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "show NAME",
	.doc = "Prints a platform (a name or a file): shape, wiring, and every constant with unit, "
	       "kind and source.",
};

static int run(int argc, char **argv)
{
	struct options options = {0};
	const struct constant_table *tables;
	struct diag *diag = diag_new();
	struct platform *platform;
	size_t count;

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	tables = constant_tables(&count);
	platform = platform_open(options.name, platform_directory(), tables, count, diag);
	diag_print(diag, stderr);
	if (platform)
		platform_show(platform, options.json, stdout);

	int code = platform ? EXIT_GOOD : EXIT_BAD_INPUT;

	platform_free(platform);
	diag_free(diag);
	return code;
}

const struct command command_platform = {
	.name = "platform",
	.help = "prints a machine and its constants",
	.parser = &parser,
	.reads_platforms = true,
	.run = run,
};
