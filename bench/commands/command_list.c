/* `meshsim list`: the registries of design choices, each row with its section of the specification
 * and what it takes; and what else scenarios may name. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "bench/scenario/platform_directory.h"
#include "base/json.h"
#include "bench/scenario/load.h"
#include "bench/run/runner.h"
#include "chip/sim_device.h"
#include "commands.h"
#include "firmware/resources.h"
#include "mesh/registry.h"

enum { KEY_JSON = 256, ROWS_MAX = 64 };

struct listed {
	const char *key; /* of the scenario */
	const char *name, *section, *description, *resources;
};

struct list {
	struct listed rows[ROWS_MAX];
	uint32_t count;
	struct arena arena;
};

static void add(struct list *list, const char *key, const char *name, const char *section,
	const char *description, const char *resources)
{
	if (list->count < ROWS_MAX)
		list->rows[list->count++] =
			(struct listed){key, name, section, description, resources};
}

static void add_entry(struct list *list, const char *key, const struct registry_entry *entry)
{
	add(list, key, entry->name, entry->section, entry->description, entry->resources);
}

static void add_registries(struct list *list)
{
	for (size_t i = 0; forward_row(i); i++)
		add_entry(list, "runtime.forward.path", forward_entry(forward_row(i)));
	for (size_t i = 0; completion_row(i); i++)
		add_entry(list, "runtime.completion", completion_entry(completion_row(i)));
	for (size_t i = 0; threads_row(i); i++)
		add_entry(list, "runtime.host.threads", threads_entry(threads_row(i)));
	for (size_t i = 0; sim_network_names()[i]; i++)
		add(list, "model.network", sim_network_names()[i], "", "", "");
	for (int i = 0; i < SIM_TOPOLOGY_COUNT; i++)
		add(list, "runtime.fabric.topology", sim_topology_name((enum sim_topology)i), "",
			"", "");
}

static void add_stages(struct list *list)
{
	struct firmware_limits limits;
	struct stage_resources stage;

	firmware_limits_plain(&limits);
	for (size_t i = 0; stage_resources_row(i, &limits, 1, 2, &stage); i++)
		add(list, "firmware", stage.role, stage.section, stage.description,
			arena_printf(&list->arena, "%u processor%s, %u B of L1%s%s",
				stage.processors, stage.processors == 1 ? "" : "s", stage.l1_bytes,
				stage.dram_bytes ? ", DRAM" : "", stage.pcie ? ", PCIe" : ""));
}

static void add_platforms(struct list *list)
{
	const char *const *names = platform_list(platform_directory(), &list->arena);
	const struct constant_table *tables;
	size_t count;

	tables = constant_tables(&count);
	for (size_t i = 0; names[i]; i++) {
		struct diag *diag = diag_new();
		struct platform *platform =
			platform_open(names[i], platform_directory(), tables, count, diag);

		add(list, "platform", names[i], "",
			platform ? arena_string(&list->arena, platform_description(platform))
				 : "has errors: see `meshsim platform show`",
			platform ? arena_printf(&list->arena, "%u chips, %u Tensix tiles",
					   platform_cluster(platform)->chip_count,
					   platform_tensix_tiles(platform))
				 : "");
		platform_free(platform);
		diag_free(diag);
	}
}

void print_columns(const char *const *cells, uint32_t rows, uint32_t columns)
{
	size_t widths[16] = {0};

	for (uint32_t i = 0; i < rows * columns; i++)
		if (strlen(cells[i]) > widths[i % columns])
			widths[i % columns] = strlen(cells[i]);
	for (uint32_t row = 0; row < rows; row++) {
		const char *const *cell = cells + (size_t)row * columns;

		for (uint32_t i = 0; i + 1 < columns; i++)
			printf("%-*s  ", (int)widths[i], cell[i]);
		printf("%s\n", cell[columns - 1]);
	}
}

static void print_list(const struct list *list)
{
	enum { COLUMNS = 5 };
	const char *cells[(ROWS_MAX + 1) * COLUMNS] = {
		"key", "name", "section", "what it takes", "what it is"};

	for (uint32_t i = 0; i < list->count; i++) {
		const char **cell = cells + (i + 1) * COLUMNS;

		cell[0] = list->rows[i].key;
		cell[1] = list->rows[i].name;
		cell[2] = list->rows[i].section;
		cell[3] = list->rows[i].resources;
		cell[4] = list->rows[i].description;
	}
	print_columns(cells, list->count + 1, COLUMNS);
}

static void print_json(const struct list *list)
{
	struct json json;
	struct text text;

	text_init(&text);
	json_start(&json, &text);
	json_array(&json);
	for (uint32_t i = 0; i < list->count; i++) {
		const struct listed *row = &list->rows[i];

		json_object(&json);
		json_key(&json, "key");
		json_string(&json, row->key);
		json_key(&json, "name");
		json_string(&json, row->name);
		json_key(&json, "section");
		json_string(&json, row->section);
		json_key(&json, "resources");
		json_string(&json, row->resources);
		json_key(&json, "description");
		json_string(&json, row->description);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_end(&json);
	fputs(text_string(&text), stdout);
	text_fini(&text);
}

static const struct argp_option option_table[] = {
	{"json", KEY_JSON, NULL, 0, "print JSON", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	(void)argument;
	if (key == ARGP_KEY_ARG)
		argp_error(state, "takes no arguments");
	if (key != KEY_JSON)
		return ARGP_ERR_UNKNOWN;
	*(bool *)state->input = true;
	return 0;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.doc = "Lists what scenarios may choose from: registries of design choices, firmware "
	       "stages "
	       "and platforms, with sections of the specification and what each takes.",
};

static int run(int argc, char **argv)
{
	static struct list list;
	bool json = false;

	argp_parse(&parser, argc, argv, 0, NULL, &json);
	arena_init(&list.arena);
	add_registries(&list);
	add_stages(&list);
	add_platforms(&list);
	if (json)
		print_json(&list);
	else
		print_list(&list);
	arena_fini(&list.arena);
	return EXIT_GOOD;
}

const struct command command_list = {
	.name = "list",
	.help = "lists design choices, firmware stages and platforms",
	.parser = &parser,
	.run = run,
};
