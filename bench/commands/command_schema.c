/* `meshsim schema`: the JSON Schema of scenario or platform files, generated from the tables that
 * validate them, and of what commands print as JSON (bench/output_schema). */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "bench/scenario/load.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "bench/output_schema/output_schema.h"

static void offer_outputs(struct nearest *nearest)
{
	for (int i = 0; result_outputs[i]; i++)
		nearest_offer(nearest, result_outputs[i]->name);
	for (int i = 0; table_outputs[i]; i++)
		nearest_offer(nearest, table_outputs[i]->name);
	nearest_offer(nearest, "scenario");
	nearest_offer(nearest, "platform");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	const char **subject = state->input;
	struct nearest nearest;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	*subject = argument;
	if (strcmp(argument, "scenario") == 0 || strcmp(argument, "platform") == 0 ||
		output_schema_find(argument))
		return 0;
	nearest_start(&nearest, argument);
	offer_outputs(&nearest);
	argp_error(state, "no schema '%s'%s%s%s", argument, nearest.best ? ", did you mean '" : "",
		nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
	return 0;
}

static const struct argp parser = {
	.parser = parse_option,
	.args_doc = "[scenario|platform|COMMAND]",
	.doc = "Prints the JSON Schema of scenario files, of platform files, or of what a command "
	       "prints as JSON: show, compare, explain, check, list, platform-show, validate.",
};

static int run(int argc, char **argv)
{
	const char *subject = "scenario";
	const struct constant_table *tables;
	struct text text;
	size_t count;

	argp_parse(&parser, argc, argv, 0, NULL, &subject);
	if (strcmp(subject, "scenario") == 0) {
		schema_write_json(scenario_schema(), stdout);
		return EXIT_GOOD;
	}
	text_init(&text);
	if (output_schema_find(subject)) {
		output_schema_write(output_schema_find(subject), &text);
	} else {
		tables = constant_tables(&count);
		platform_write_schema(tables, count, &text);
	}
	fputs(text_string(&text), stdout);
	text_fini(&text);
	return EXIT_GOOD;
}

const struct command command_schema = {
	.name = "schema",
	.help = "prints the JSON Schema of a file, or of a command's JSON",
	.parser = &parser,
	.run = run,
};
