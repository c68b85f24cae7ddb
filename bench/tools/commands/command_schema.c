/* `meshsim schema`: prints a JSON Schema. The schemas of scenario and platform files are generated
 * from the tables that validate these files. The schemas of the JSON that commands print come from
 * bench/tools/output_schema. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "bench/scenario/load.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "bench/tools/models/graph.h"
#include "bench/tools/models/model.h"
#include "bench/tools/output_schema/output_schema.h"

static void offer_outputs(struct nearest *nearest)
{
	nearest_offer(nearest, advise_outputs[0]->name);
	for (int i = 0; result_outputs[i]; i++)
		nearest_offer(nearest, result_outputs[i]->name);
	for (int i = 0; table_outputs[i]; i++)
		nearest_offer(nearest, table_outputs[i]->name);
	nearest_offer(nearest, "scenario");
	nearest_offer(nearest, "platform");
	nearest_offer(nearest, "model");
	nearest_offer(nearest, "graph");
}

struct options {
	const char *subject;
};

static const struct option_row option_table[] = {
	{NULL, 0, "scenario|platform|model|graph|COMMAND", NULL, OPTION_TEXT,
		.offset = offsetof(struct options, subject), .extra = "one schema at a time"},
	{0},
};

static bool command_schema_check_usage(void *given, struct text *why)
{
	struct options *options = given;
	struct nearest nearest;

	if (!options->subject)
		options->subject = "scenario";
	if (strcmp(options->subject, "scenario") == 0 ||
		strcmp(options->subject, "platform") == 0 ||
		strcmp(options->subject, "model") == 0 ||
		strcmp(options->subject, "graph") == 0 || output_schema_find(options->subject))
		return true;
	nearest_start(&nearest, options->subject);
	offer_outputs(&nearest);
	text_printf(why, "no schema '%s'", options->subject);
	if (nearest.best)
		text_printf(why, ", did you mean '%s'?", nearest.best);
	return false;
}

static int command_schema_run(const void *given)
{
	const char *subject = ((const struct options *)given)->subject;
	const struct constant_table *tables;
	struct text text;
	size_t count;

	if (strcmp(subject, "scenario") == 0) {
		schema_write_json(scenario_schema(), stdout);
		return EXIT_GOOD;
	}
	text_init(&text);
	if (output_schema_find(subject)) {
		output_schema_write(output_schema_find(subject), &text);
	} else if (strcmp(subject, "model") == 0) {
		model_append_schema(&text);
	} else if (strcmp(subject, "graph") == 0) {
		graph_append_schema(&text);
	} else {
		tables = constant_tables(&count);
		platform_write_schema(tables, count, &text);
	}
	fputs(text_string(&text), stdout);
	text_fini(&text);
	return EXIT_GOOD;
}

const struct command_work command_schema = {
	OPTION_TABLE(option_table, struct options),
	.check = command_schema_check_usage,
	.run = command_schema_run,
};
