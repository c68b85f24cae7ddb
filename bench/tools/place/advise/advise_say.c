/* Writes advice as text and as JSON. */
#include <string.h>

#include "advise.h"

static void say_target(const struct change *change, struct text *out)
{
	if (change->connection == NOT_OF_A_GRAPH)
		text_printf(out, "mesh descriptor %s", change->descriptor);
	else if (change->connection == OF_THE_LAYOUT)
		text_printf(out, "graph_topology of graph %s", change->descriptor);
	else
		text_printf(out, "connection %d of graph %s, in line %u", change->connection + 1,
			change->descriptor, change->line);
}

static void say_pin(const struct place_files *files, uint32_t number, struct text *out)
{
	const struct place_pin *pin = &files->options.pins[number];

	text_printf(out, "without the pin of mesh %u chip %u", pin->mesh, pin->chip);
	if (pin->where.line)
		text_printf(out, " in line %u", pin->where.line);
}

static void say_dims(const struct change *change, struct text *out)
{
	for (uint32_t i = 0; i < change->dim_count; i++)
		text_printf(out, "%s%d", i ? ", " : "", change->dims[i]);
	if (change->kind == CHANGE_SHAPE) {
		text_append(out, " ] dim_types: [ ");
		for (uint32_t i = 0; i < change->dim_count; i++)
			text_printf(out, "%s%s", i ? ", " : "",
				change->types[i] == DIM_RING ? "RING" : "LINE");
	}
}

static void say_channels(
	const struct place_files *files, const struct change *change, struct text *out)
{
	enum { SAID_MAX = 8 };

	text_append(out, "with the channels that are lacking here:");
	for (uint32_t i = 0; i < change->lack_count && i < SAID_MAX; i++) {
		text_append(out, "\n  ");
		place_lack_say(files->logical, files->machine, &change->lacks[i], "needed", out);
	}
	if (change->lack_count > SAID_MAX)
		text_printf(out, "\n  and %u more, in --json", change->lack_count - SAID_MAX);
}

static void say_change(
	const struct place_files *files, const struct change *change, struct text *out)
{
	switch (change->kind) {
	case CHANGE_OPTION:
		text_printf(out, "with %s", change->option);
		break;
	case CHANGE_WITHOUT:
		text_printf(out, "without %s", change->option);
		break;
	case CHANGE_UNPIN:
		say_pin(files, change->pin, out);
		break;
	case CHANGE_POLICY:
		text_append(out, "with policy RELAXED in ");
		say_target(change, out);
		break;
	case CHANGE_COUNT:
		text_printf(out, "with channels { count: %d } in ", change->count);
		say_target(change, out);
		break;
	case CHANGE_SHAPE:
	case CHANGE_HOSTS:
		text_printf(out, "with %s_topology { dims: [ ",
			change->kind == CHANGE_HOSTS ? "host" : "device");
		say_dims(change, out);
		text_append(out, " ] } in ");
		say_target(change, out);
		break;
	case CHANGE_INSTANCES:
		text_printf(out, "with the first %d instances of graph %s", change->count,
			change->descriptor);
		break;
	case CHANGE_CHANNELS:
		say_channels(files, change, out);
		break;
	}
}

void advise_text(const struct place_files *files, const struct advice *advice, struct text *out)
{
	enum { SAID_MAX = 8 };

	text_append(out, "it fits ");
	for (uint32_t i = 0; i < advice->change_count && i < SAID_MAX; i++) {
		text_append(out, i ? ", " : "");
		say_change(files, &advice->changes[i], out);
	}
	if (advice->change_count > SAID_MAX)
		text_printf(out, " and %u more, in --json", advice->change_count - SAID_MAX);
}

/* Explains a constraint if its name is not clear enough. */
static void print_obstacle(const struct advice *advice, FILE *out)
{
	static const struct {
		const char *obstacle, *says;
	} constraints[] = {
		{"boards", "two ranks may not have chips of one board"},
		{"hosts", "a rank may not have chips of two hosts"},
		{"policy", "STRICT needs every channel"},
		{"groupings", "a mesh goes onto a group as a whole"},
		{"bindings", "ranks have the devices that they bind"},
	};

	fprintf(out, "obstacle: %s", advice->obstacle);
	for (size_t i = 0; i < sizeof(constraints) / sizeof(*constraints); i++)
		if (strcmp(constraints[i].obstacle, advice->obstacle) == 0)
			fprintf(out, " (%s)", constraints[i].says);
	fprintf(out, ": %s\n", text_string(&advice->text));
}

/* Returns true for advice that lifts no constraint: smaller shapes and fewer meshes. Such advice is
 * printed in the separate line "nearest". */
static bool is_nearest(const struct advice *advice)
{
	return strcmp(advice->obstacle, "shape") == 0 || strcmp(advice->obstacle, "meshes") == 0;
}

void advices_print(const struct advices *advices, FILE *out)
{
	for (uint32_t i = 0; i < advices->count; i++)
		if (!is_nearest(&advices->at[i]))
			print_obstacle(&advices->at[i], out);
	if (advices->nearest.length)
		fprintf(out, "nearest: %s\n", text_string(&advices->nearest));
	if (!advices->count)
		fputs("no advice: nothing that was tried makes it fit\n", out);
	fputs(text_string(&advices->not_tried), out);
}

/* --- as JSON --------------------------------------------------------------------------------- */

static void put_target(struct json *json, const struct change *change)
{
	json_text(json, change->connection == NOT_OF_A_GRAPH ? "descriptor" : "graph",
		change->descriptor);
	if (change->connection >= 0)
		json_unsigned_of(json, "connection", (uint64_t)change->connection);
}

static void put_pin(struct json *json, const struct place_files *files, uint32_t number)
{
	const struct place_pin *pin = &files->options.pins[number];

	json_unsigned_of(json, "pin", number);
	json_unsigned_of(json, "mesh", pin->mesh);
	json_unsigned_of(json, "chip", pin->chip);
	json_text(json, "of", pin->where.line ? "descriptor" : "command");
}

static void put_dims(struct json *json, const struct change *change)
{
	json_key(json, "dims");
	json_array(json);
	for (uint32_t i = 0; i < change->dim_count; i++)
		json_unsigned(json, (uint64_t)change->dims[i]);
	json_array_end(json);
	if (change->kind == CHANGE_HOSTS)
		return;
	json_key(json, "dim_types");
	json_array(json);
	for (uint32_t i = 0; i < change->dim_count; i++)
		json_string(json, change->types[i] == DIM_RING ? "RING" : "LINE");
	json_array_end(json);
}

static void put_links(
	struct json *json, const struct place_files *files, const struct change *change)
{
	json_key(json, "links");
	json_array(json);
	for (uint32_t i = 0; i < change->lack_count; i++) {
		const struct place_lack *lack = &change->lacks[i];

		json_object(json);
		json_unsigned_of(json, "add", lack->needed - lack->found);
		json_key(json, "between");
		json_array(json);
		json_unsigned(json, files->machine->chips[lack->chip_a].id);
		json_unsigned(json, files->machine->chips[lack->chip_b].id);
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
}

static void put_change(
	struct json *json, const struct place_files *files, const struct change *change)
{
	static const char *const names[] = {"option", "without", "unpin", "policy", "count",
		"shape", "hosts", "instances", "channels"};

	json_object(json);
	json_text(json, "change", names[change->kind]);
	if (change->option)
		json_text(json, "option", change->option);
	if (change->descriptor)
		put_target(json, change);
	if (change->kind == CHANGE_UNPIN)
		put_pin(json, files, change->pin);
	if (change->kind == CHANGE_POLICY)
		json_text(json, "policy", "RELAXED");
	if (change->kind == CHANGE_COUNT || change->kind == CHANGE_INSTANCES)
		json_unsigned_of(json, "count", (uint64_t)change->count);
	if (change->kind == CHANGE_SHAPE || change->kind == CHANGE_HOSTS)
		put_dims(json, change);
	if (change->kind == CHANGE_CHANNELS)
		put_links(json, files, change);
	json_object_end(json);
}

void advices_json(struct json *json, const struct place_files *files, const struct advices *advices)
{
	const char *at = text_string(&advices->not_tried);

	json_text(json, "nearest", advices->nearest.length ? text_string(&advices->nearest) : NULL);
	json_key(json, "advice");
	json_array(json);
	for (uint32_t i = 0; i < advices->count; i++) {
		const struct advice *advice = &advices->at[i];

		json_object(json);
		json_text(json, "obstacle", advice->obstacle);
		json_text(json, "text", text_string(&advice->text));
		json_key(json, "changes");
		json_array(json);
		for (uint32_t k = 0; k < advice->change_count; k++)
			put_change(json, files, &advice->changes[k]);
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
	json_key(json, "not_tried");
	json_array(json);
	while (*at) {
		size_t length = strcspn(at, "\n");
		struct text line = {0};

		text_append_bytes(&line, at, length);
		json_string(json, text_string(&line));
		text_fini(&line);
		at += length + (at[length] == '\n');
	}
	json_array_end(json);
}
