/* `meshsim list`: lists the choices for scenarios. Workload steps, and keys with a fixed set of
 * values, come from the tables that validate scenarios. Variants of the runtime's design come from
 * their registries, and platforms from their folder. */
#include <stdio.h>
#include <string.h>

#include "analysis/print/wrap.h"
#include "base/ensure.h"
#include "base/json.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "bench/scenario/machine_constants.h"
#include "commands.h"
#include "firmware/resources.h"
#include "programs/library.h"
#include "transport/rows.h"
#include "wire/codec.h"

enum { CHOICES_MAX = 1024 };

struct choice {
	const char *name, *section, *description, *resources;
};

/* The choices of one key. Steps, stages and platforms are listed like keys. */
struct choices {
	const char *key, *help, *fallback;
	uint32_t first, count; /* `first` is the index of its first choice in struct list */
};

struct list {
	struct choice choices[CHOICES_MAX];
	struct choices keys[CHOICES_MAX];
	uint32_t choice_count, key_count;
	struct arena arena;
};

static void command_list_add_key(
	struct list *list, const char *key, const char *help, const char *fallback)
{
	ensure(list->key_count < CHOICES_MAX, "%u keys to list", list->key_count);
	list->keys[list->key_count++] =
		(struct choices){key, help, fallback ? fallback : "", list->choice_count, 0};
}

/* Adds a choice to the key that was added last. Its section and its resources may be NULL. */
static void command_list_add(struct list *list, struct choice choice)
{
	ensure(list->choice_count < CHOICES_MAX, "%u choices to list", list->choice_count);
	choice.section = choice.section ? choice.section : "";
	choice.resources = choice.resources ? choice.resources : "";
	list->choices[list->choice_count++] = choice;
	list->keys[list->key_count - 1].count++;
}

/* Returns a remark about a choice whose library this build does not have. */
static const char *absent(struct list *list, const char *packages)
{
	return arena_printf(
		&list->arena, "not in this build: apt install %s, and build again", packages);
}

static void add_codec(struct list *list, const struct wire_codec *codec)
{
	command_list_add(list,
		(struct choice){codec->entry.name, codec->entry.section, codec->entry.description,
			codec->ops ? "" : absent(list, codec->packages)});
}

/* Returns the limit on the window of a transport, like "a window of at most 8192", if it is lower
 * than the limit of all scenarios. Otherwise returns "". */
static const char *command_list_limits_of(struct list *list, const struct transport_row *row)
{
	uint32_t most = transport_window_max(row);

	return most < CHANNEL_WINDOW_MAX
		       ? arena_printf(&list->arena, "a window of at most %u", most)
		       : "";
}

/* Returns `said` with a note on how the transport rejects foreign processes in a native run. */
static const char *guarded(struct list *list, const struct transport_row *row, const char *said)
{
	return arena_printf(
		&list->arena, "%s%sstrangers: %s", said, said[0] ? "; " : "", row->strangers);
}

/* Adds value `index` of a key. Codecs and transports use no resources of chips. */
static void add_value(struct list *list, const struct schema_field *field, size_t index)
{
	const struct registry *registry = field->registry;
	const struct registry_entry *entry = registry ? registry->entry(index) : NULL;

	if (registry == &wire_codec_registry)
		add_codec(list, wire_codec_row(index));
	else if (registry == &transport_registry)
		command_list_add(
			list, (struct choice){entry->name, entry->section, entry->description,
				      command_list_limits_of(list, transport_row(index))});
	else if (entry)
		command_list_add(list, (struct choice){entry->name, entry->section,
					       entry->description, entry->resources});
	else
		command_list_add(
			list, (struct choice){schema_value_name(field, index), NULL, "", NULL});
}

/* Adds the choices of a key whose value is either a number or a name from a registry. */
static void add_rows(struct list *list, const struct schema_field *field, const char *key)
{
	if (!field->registry)
		return;
	command_list_add_key(list, key, field->help, field->fallback);
	for (size_t value = 0; field->registry->entry(value); value++)
		add_value(list, field, value);
}

/* Adds all keys below `prefix` whose values form a fixed set. */
static void add_keys(struct list *list, const struct schema *schema, const char *prefix)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct schema_field *field = &schema->fields[i];
		const char *key = arena_printf(
			&list->arena, "%s%s%s", prefix, *prefix ? "." : "", field->name);

		if (field->kind == SCHEMA_KIND_MAP || field->kind == SCHEMA_KIND_MAP_PTR)
			add_keys(list, field->schema, key);
		if (field->kind == SCHEMA_KIND_CUSTOM)
			add_rows(list, field, key);
		if (field->kind != SCHEMA_KIND_ENUM)
			continue;
		command_list_add_key(list, key, field->help, field->fallback);
		for (size_t value = 0; schema_value_name(field, value); value++)
			add_value(list, field, value);
	}
}

static void add_steps(struct list *list)
{
	command_list_add_key(list, "workload", step_variants.help, NULL);
	for (size_t i = 0; i < step_variants.variant_count; i++) {
		const struct schema_field *step = &step_variants.variants[i].field;
		const char *help = step->help || !step->schema ? step->help : step->schema->help;

		command_list_add(list, (struct choice){step->name, "", help ? help : "", ""});
	}
}

/* Adds the programs whose kernels act, with their buffers. */
static void add_library(struct list *list)
{
	const struct library_row *row;

	command_list_add_key(list, "workload.enqueue_workload.library",
		"programs whose kernels act, in place of filler", "none");
	for (size_t i = 0; (row = library_row(i)) != NULL; i++) {
		struct text takes = {0};

		for (uint32_t k = 0; k < row->port_count; k++)
			text_printf(&takes, "%s%s%s: %s", k ? "; " : "",
				row->ports[k].written ? "writes " : "", row->ports[k].name,
				row->ports[k].what);
		command_list_add(list, (struct choice){row->name, row->section, row->what,
					       arena_string(&list->arena, text_string(&takes))});
		text_fini(&takes);
	}
}

static void add_stages(struct list *list)
{
	struct firmware_limits limits;
	struct stage_resources stage;

	command_list_add_key(
		list, "firmware", "stages on dispatch cores; the designs above choose them", NULL);
	firmware_limits_plain(&limits);
	for (size_t i = 0; stage_resources_row(i, &limits, 1, 2, &stage); i++)
		command_list_add(
			list, (struct choice){stage.role, stage.section, stage.description,
				      arena_printf(&list->arena, "%u processor%s, %u B of L1%s%s",
					      stage.processors, stage.processors == 1 ? "" : "s",
					      stage.l1_bytes, stage.dram_bytes ? ", DRAM" : "",
					      stage.pcie ? ", PCIe" : "")});
}

static void add_transports(struct list *list)
{
	const struct transport_row *row;

	command_list_add_key(list, "transport",
		"messages between hosts, over sockets of this machine; natively scenarios run over "
		"them, "
		"else they are simulated: runtime.distributed.transport",
		NULL);
	for (size_t i = 0; (row = transport_row(i)) != NULL; i++)
		if (!row->needs_network)
			command_list_add(
				list, (struct choice){row->entry.name, row->entry.section,
					      row->entry.description,
					      guarded(list, row,
						      row->ops ? command_list_limits_of(list, row)
							       : absent(list, row->package))});
}

static void add_codecs(struct list *list)
{
	const struct wire_codec *codec;

	command_list_add_key(
		list, "serialization", "commands between hosts: runtime.distributed.codec", NULL);
	for (size_t i = 0; (codec = wire_codec_row(i)) != NULL; i++)
		add_codec(list, codec);
}

/* Returns a prefix such as "2 hosts of ", or "". */
static const char *hosts_of(const struct platform *platform, struct arena *arena)
{
	const struct platform_hosts *hosts = platform_hosts(platform);

	return hosts ? arena_printf(arena, "%u hosts of ", hosts->count) : "";
}

static void add_platforms(struct list *list)
{
	const char *const *names = platform_list(platform_directory(), &list->arena);

	command_list_add_key(
		list, "platform", "machines; `meshsim platform show NAME' prints one", NULL);
	for (size_t i = 0; names[i]; i++) {
		struct diag *diag = diag_new();
		struct platform *platform = machine_platform(names[i], diag);
		struct choice choice = {
			names[i], "", "has errors: see `meshsim platform show'", ""};

		if (platform) {
			choice.description =
				arena_string(&list->arena, platform_description(platform));
			choice.resources = arena_printf(&list->arena, "%s%u chips, %u Tensix tiles",
				hosts_of(platform, &list->arena),
				platform_cluster(platform)->chip_count,
				platform_tensix_tiles(platform));
		}
		command_list_add(list, choice);
		platform_free(platform);
		diag_free(diag);
	}
}

/* Prints choices without descriptions on one line. */
static void command_list_print_names(
	const struct list *list, const struct choices *key, uint32_t columns)
{
	const char *names = "";
	struct arena arena;

	arena_init(&arena);
	for (uint32_t i = 0; i < key->count; i++)
		names = arena_printf(
			&arena, "%s%s%s", names, i ? ", " : "", list->choices[key->first + i].name);
	wrap_print("", names, 0, 4, columns, stdout);
	arena_fini(&arena);
}

static void print_choices(const struct list *list, const struct choices *key, uint32_t columns)
{
	for (uint32_t i = 0; i < key->count; i++) {
		const struct choice *choice = &list->choices[key->first + i];
		char text[1024];

		snprintf(text, sizeof text, "%s%s%s%s%s%s", choice->description,
			choice->resources[0] ? "; " : "", choice->resources,
			choice->section[0] ? " (spec " : "", choice->section,
			choice->section[0] ? ")" : "");
		wrap_print(choice->name, text, 4, 22, columns, stdout);
	}
}

static void print_list(const struct list *list)
{
	uint32_t columns = terminal_columns(stdout);

	for (uint32_t i = 0; i < list->key_count; i++) {
		const struct choices *key = &list->keys[i];
		char text[512];

		snprintf(text, sizeof text, "%s%s%s%s", key->help ? key->help : "",
			key->fallback[0] ? "; " : "", key->fallback,
			key->fallback[0] ? " by default" : "");
		wrap_print(key->key, text, 0, 26, columns, stdout);
		if (key->count && list->choices[key->first].description[0])
			print_choices(list, key, columns);
		else
			command_list_print_names(list, key, columns);
		if (i + 1 < list->key_count)
			printf("\n");
	}
}

static void print_json(const struct list *list)
{
	struct json json;

	json_start(&json, NULL);
	json_array(&json);
	for (uint32_t i = 0; i < list->key_count; i++) {
		const struct choices *key = &list->keys[i];

		for (uint32_t row = key->first; row < key->first + key->count; row++) {
			json_object(&json);
			json_text(&json, "key", key->key);
			json_text(&json, "name", list->choices[row].name);
			json_text(&json, "section", list->choices[row].section);
			json_text(&json, "resources", list->choices[row].resources);
			json_text(&json, "description", list->choices[row].description);
			json_object_end(&json);
		}
	}
	json_array_end(&json);
	json_print(&json, stdout);
}

struct options {
	bool json;
};

static const struct option_row option_table[] = {OPTION_JSON(struct options, json), {0}};

static int command_list_run(const void *given)
{
	const struct options *options = given;
	static struct list list;

	arena_init(&list.arena);
	add_keys(&list, scenario_schema(), "");
	add_steps(&list);
	add_library(&list);
	add_stages(&list);
	add_transports(&list);
	add_codecs(&list);
	add_platforms(&list);
	if (options->json)
		print_json(&list);
	else
		print_list(&list);
	arena_fini(&list.arena);
	return EXIT_GOOD;
}

const struct command_work command_list = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.run = command_list_run,
};
