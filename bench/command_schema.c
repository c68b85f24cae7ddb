/* `meshsim schema`: the JSON Schema of scenario or platform files, generated from the tables that
 * validate them. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "bench/load.h"
#include "bench/runner.h"
#include "command.h"

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	bool *platform = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (strcmp(argument, "scenario") != 0 && strcmp(argument, "platform") != 0)
		argp_error(state, "'scenario' or 'platform', not '%s'", argument);
	*platform = strcmp(argument, "platform") == 0;
	return 0;
}

static const struct argp parser = {
	.parser = parse_option,
	.args_doc = "[scenario|platform]",
	.doc = "Prints the JSON Schema of scenario files, or of platform files.",
};

static int run(int argc, char **argv)
{
	bool platform = false;
	const struct constant_table *tables;
	struct text text;
	size_t count;

	argp_parse(&parser, argc, argv, 0, NULL, &platform);
	if (!platform) {
		schema_write_json(scenario_schema(), stdout);
		return EXIT_GOOD;
	}
	text_init(&text);
	tables = constant_tables(&count);
	platform_write_schema(tables, count, &text);
	fputs(text_string(&text), stdout);
	text_fini(&text);
	return EXIT_GOOD;
}

const struct command command_schema = {
	.name = "schema",
	.arguments = "[scenario|platform]",
	.help = "prints the JSON Schema of a file format",
	.run = run,
};
