/* Draws (chooses at random) the keys of platform, model and runtime from the scenario's schema,
 * and their values from the registries. So new keys and new variants are tried without a change of
 * this file. Variants that may fail by design are drawn seldom. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "bench/scenario/scenario.h"
#include "drawing.h"

/* True if a value of a key can cause a fault by design. */
static bool is_hazard(const struct schema_field *field, uint32_t value)
{
	return field->registry && field->registry->entry(value)->hazard != NULL;
}

/* Draws a value of an enum or a registry. */
static const char *draw_name(
	struct drawing *drawing, const struct schema_field *field, const char *path)
{
	uint32_t count = 0, at;

	while (schema_value_name(field, count))
		count++;
	do
		at = draw_below(drawing, count);
	while ((is_hazard(field, at) && (drawing->harmless || !draw_chance(drawing, 8))) ||
		draw_hosts_refuses(drawing, path, schema_value_name(field, at)));
	draw_hosts_note(drawing, path, schema_value_name(field, at));
	return schema_value_name(field, at);
}

/* Draws a value of a key that accepts a small number or a choice of its registry. */
static void draw_number_or_row(
	struct drawing *drawing, const struct registry *registry, char *out, size_t size)
{
	uint32_t count = 0;

	while (registry->entry(count))
		count++;
	if (draw_chance(drawing, 2))
		snprintf(out, size, "%s", registry->entry(draw_below(drawing, count))->name);
	else
		snprintf(out, size, "%" PRIu32, draw_magnitude(drawing, 2));
}

/* Draws the number of a key. A size in bytes is the default of the key, halved or doubled up to 3
 * times; without a default, it is 16, doubled up to 6 times. Any other number is small. The result
 * is within the key's bounds. */
static int64_t draw_number(struct drawing *drawing, const struct schema_field *field)
{
	enum { SIZE_OF_NONE = 16, HALVED = 3, DOUBLED = 4 };
	bool size = field->unit && strcmp(field->unit, "B") == 0;
	int64_t number = field->fallback ? strtoll(field->fallback, NULL, 10) : 0;

	if (size)
		number = (number > 0 ? number << draw_below(drawing, HALVED + DOUBLED) >> HALVED
				     : SIZE_OF_NONE << draw_below(drawing, HALVED + DOUBLED));
	else
		number = field->min + draw_magnitude(drawing, 3) - 1;
	if (number < field->min)
		number = field->min;
	return number > field->max ? field->max : number;
}

/* Draws the number of the key at `path`. If the key is the size of a memory region, records that
 * the scenario has this region, and makes it large enough for some of the buffers that are drawn
 * later. */
static int64_t draw_number_of(
	struct drawing *drawing, const struct schema_field *field, const char *path)
{
	enum { SMALL_BUFFERS = 256 };
	int64_t number = draw_hosts_number(drawing, path);

	if (number > 0)
		return number;
	number = draw_number(drawing, field);
	if (strcmp(path, "runtime.sizes.l1_small_bytes") == 0)
		drawing->l1_small = true;
	else if (strcmp(path, "runtime.sizes.trace_region_bytes") == 0)
		drawing->trace_region = true;
	else if (strcmp(path, "runtime.sizes.system_memory_bytes") == 0)
		drawing->system_memory = true;
	else
		return number;
	return number * SMALL_BUFFERS;
}

static bool is_drawn_apart(const struct drawing *drawing, const char *path)
{
	static const char *const apart[] = {"runtime.mesh", "runtime.meshes",
		"runtime.command_queues", "runtime.sub_devices", "runtime.sub_device_l1_bytes",
		"runtime.divisions", NULL};

	if (drawing->machine.hosts > 0 ? draw_hosts_keeps(path)
				       : strcmp(path, "runtime.distributed") == 0)
		return true;
	for (int i = 0; apart[i]; i++)
		if (strcmp(path, apart[i]) == 0)
			return true;
	return false;
}

/* Returns true for keys that are valid only on certain machines, or only together with certain
 * other keys. They are drawn seldom, because most scenarios with such a key are rejected. */
static bool is_rare(const char *path)
{
	static const char *const rare[] = {"runtime.dispatch_cores", "runtime.fabric.topology",
		"runtime.forward.dispatcher", "runtime.distributed.stages.deserialization",
		"runtime.distributed.stages.read",
		"runtime.distributed.stages.executor_deserialization", NULL};

	for (int i = 0; rare[i]; i++)
		if (strcmp(path, rare[i]) == 0)
			return true;
	return false;
}

/* Decides whether a key is drawn. runtime.forward.path is always drawn if there are several
 * devices, so that about half of these scenarios broadcast commands. The size of the trace region
 * is drawn in three of four scenarios with several hosts. Each other key is drawn in one of
 * `others` scenarios; a key of is_rare() is drawn less often. */
static bool draw_runtime_is_wanted(struct drawing *drawing, const char *path, uint32_t others)
{
	if (strcmp(path, "runtime.forward.path") == 0)
		return drawing->mesh->rows * drawing->mesh->columns > 1;
	if (drawing->machine.hosts > 0 && strcmp(path, "runtime.sizes.trace_region_bytes") == 0)
		return !draw_chance(drawing, 4); /* traces need such a region */
	return draw_chance(drawing, is_rare(path) ? 4 * others : others);
}

static void add_key(struct text *out, const char *name, const char *value)
{
	text_printf(out, "%s%s: %s", out->length ? ", " : "", name, value);
}

/* Draws the value of a key that is not a map. An empty value means to leave the key out. */
static void draw_value(struct drawing *drawing, const struct schema_field *field, const char *path,
	char *out, size_t size)
{
	out[0] = '\0';
	if (field->kind == SCHEMA_KIND_ENUM && draw_runtime_is_wanted(drawing, path, 3))
		snprintf(out, size, "%s", draw_name(drawing, field, path));
	else if (field->kind == SCHEMA_KIND_BOOL && draw_chance(drawing, 3))
		snprintf(out, size, "%s", draw_chance(drawing, 2) ? "true" : "false");
	else if (field->kind == SCHEMA_KIND_INT && draw_runtime_is_wanted(drawing, path, 6))
		snprintf(out, size, "%" PRId64, draw_number_of(drawing, field, path));
	else if (field->kind == SCHEMA_KIND_CUSTOM && field->registry && draw_chance(drawing, 3))
		draw_number_or_row(drawing, field->registry, out, size);
}

/* Draws some of the keys of a map, and appends them to `out`. */
static void draw_runtime_draw_keys(
	struct drawing *drawing, const struct schema *schema, const char *path, struct text *out)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct schema_field *field = &schema->fields[i];
		char below[128], value[64];
		struct text inner = {0};

		snprintf(below, sizeof below, "%s.%s", path, field->name);
		if (is_drawn_apart(drawing, below))
			continue;
		if (field->kind == SCHEMA_KIND_MAP) {
			draw_runtime_draw_keys(drawing, field->schema, below, &inner);
			if (strcmp(below, "runtime.distributed") == 0)
				draw_hosts_patience(drawing, &inner);
			if (inner.length)
				text_printf(out, "%s%s: {%s}", out->length ? ", " : "", field->name,
					text_string(&inner));
			text_fini(&inner);
			continue;
		}
		draw_value(drawing, field, below, value, sizeof value);
		if (value[0])
			add_key(out, field->name, value);
	}
}

/* Draws the platform. One in six large machines lacks some connections and links. */
static void draw_platform(struct drawing *drawing, uint64_t seed)
{
	const struct machine *machine = &drawing->machine;

	if (machine->hosts > 0 || (uint32_t)machine->rows * machine->columns < 8 ||
		!draw_chance(drawing, 6)) {
		draw_line(drawing, 0, "platform: %s", machine->name);
		return;
	}
	draw_line(drawing, 0,
		"platform: {extends: %s, topology: {missing: {connections: %" PRIu32
		" %%, links: %" PRIu32 " %%, seed: %" PRIu64 "}}}",
		machine->name, 1 + draw_below(drawing, 10), draw_below(drawing, 10), seed);
}

static uint16_t shorter(struct drawing *drawing, uint16_t extent)
{
	return (uint16_t)(1 + draw_below(drawing, extent < 8 ? extent : 8));
}

/* Draws two meshes side by side. */
static void draw_meshes(struct drawing *drawing, struct text *out)
{
	static const char *const names[DRAWN_MESHES] = {"left", "right"};
	const struct machine *machine = &drawing->machine;
	uint16_t column = 0;

	drawing->mesh_count = DRAWN_MESHES;
	text_append(out, "meshes: {");
	for (uint16_t i = 0; i < DRAWN_MESHES; i++) {
		struct drawn_mesh *mesh = &drawing->meshes[i];
		uint16_t after = (uint16_t)(DRAWN_MESHES - 1 - i);

		mesh->name = names[i];
		mesh->rows = shorter(drawing, machine->rows);
		mesh->columns = shorter(drawing, (uint16_t)(machine->columns - column - after));
		text_printf(out, "%s%s: {shape: [%u, %u], offset: [%" PRIu32 ", %u]}",
			i ? ", " : "", mesh->name, mesh->rows, mesh->columns,
			draw_below(drawing, machine->rows - mesh->rows + 1u), column);
		column = (uint16_t)(column + mesh->columns);
	}
	text_append(out, "}, ");
}

/* Draws one mesh, or sometimes several meshes. A single mesh is a part of the machine. If the
 * machine has at most 64 chips, it can also be the whole machine. */
static void draw_mesh(struct drawing *drawing, struct text *out)
{
	const struct machine *machine = &drawing->machine;
	uint32_t chips = (uint32_t)machine->rows * machine->columns;

	drawing->mesh_count = 1;
	drawing->mesh->rows = machine->rows;
	drawing->mesh->columns = machine->columns;
	if (machine->columns > 1 && machine->hosts == 0 && draw_chance(drawing, 5)) {
		draw_meshes(drawing, out);
		return;
	}
	if (chips == 1 || (chips <= 64 && draw_chance(drawing, 2)))
		return;
	drawing->mesh->rows = shorter(drawing, machine->rows);
	drawing->mesh->columns = shorter(drawing, machine->columns);
	text_printf(out, "mesh: {shape: [%u, %u], offset: [%" PRIu32 ", %" PRIu32 "]}, ",
		drawing->mesh->rows, drawing->mesh->columns,
		draw_below(drawing, machine->rows - drawing->mesh->rows + 1u),
		draw_below(drawing, machine->columns - drawing->mesh->columns + 1u));
}

/* In one of five scenarios, divides the devices into two or three sub-devices, which are side by
 * side. Some columns may belong to no sub-device. */
static void draw_sub_devices(struct drawing *drawing, struct text *out)
{
	static const char *const names[] = {"a", "b", "c"};
	uint32_t columns = drawing->machine.worker_columns, rows = drawing->machine.worker_rows;
	uint32_t count = 2 + draw_below(drawing, 2), from = 0;

	if (!draw_chance(drawing, 5) || columns < count)
		return;
	drawing->sub_device_count = count;
	text_append(out, "sub_devices: {");
	for (uint32_t i = 0; i < count; i++) {
		uint32_t wide = 1 + draw_below(drawing, columns - from - (count - 1 - i));
		struct sub_device_keys *keys = &drawing->sub_devices[i];

		*keys = (struct sub_device_keys){.name = names[i],
			.cores = {(uint8_t)wide, (uint8_t)(1 + draw_below(drawing, rows))},
			.offset = {(uint8_t)from, 0},
			.ethernet = i == 0};
		text_printf(out, "%s%s: {cores: [%u, %u], offset: [%u, 0], ethernet: %s}",
			i ? ", " : "", names[i], keys->cores[0], keys->cores[1], keys->offset[0],
			i == 0 ? "true" : "false");
		from += wide;
	}
	drawing->sub_device_l1 = draw_chance(drawing, 3) ? 0 : 1u << (14 + draw_below(drawing, 5));
	text_printf(out, "}, sub_device_l1_bytes: %" PRIu32 ", ", drawing->sub_device_l1);
}

/* In one of six scenarios, draws a second division of the devices into sub-devices, which steps can
 * load. Draws none if there are several meshes. Also draws none if the sub-devices of the first
 * division have L1 of their own, because that division could not be replaced while buffers are in
 * this L1. */
static void draw_division(struct drawing *drawing, struct text *out)
{
	uint32_t wide = drawing->machine.worker_columns / 2, rows = drawing->machine.worker_rows;

	if (!draw_chance(drawing, 6) || wide == 0 || drawing->sub_device_l1 > 0 ||
		drawing->mesh_count > 1)
		return;
	drawing->division_columns = 1 + draw_below(drawing, wide);
	text_printf(out,
		"divisions: {other: {sub_devices: {x: {cores: [%" PRIu32 ", %" PRIu32
		"]}, y: {cores: [%" PRIu32 ", %" PRIu32 "], offset: [%" PRIu32
		", 0]}}, l1_bytes: %" PRIu32 "}}, ",
		drawing->division_columns, 1 + draw_below(drawing, rows), drawing->division_columns,
		1 + draw_below(drawing, rows), drawing->division_columns,
		draw_chance(drawing, 3) ? 1u << 14 : 0);
}

/* Draws the network model. A run with the fluid model takes a hundred times as long as with the
 * packet model. So it is drawn seldom, and only for small machines of one host. */
static const char *draw_network(struct drawing *drawing)
{
	bool small = drawing->machine.rows * drawing->machine.columns <= 8 &&
		     drawing->machine.hosts == 0;

	if (small && draw_chance(drawing, 12))
		return "fluid";
	return DRAW_WORD(drawing, "packet", "packet", "packet", "ideal");
}

void draw_runtime(struct drawing *drawing, uint64_t seed)
{
	const struct schema_field *runtime = schema_find(scenario_schema(), "runtime");
	struct text keys = {0}, rest = {0}, fault = {0};
	const char *network, *noise;
	bool links;

	draw_platform(drawing, seed);
	network = draw_network(drawing);
	noise = DRAW_WORD(drawing, "on", "off");
	drawing->elides = draw_chance(drawing, 4) && drawing->machine.hosts == 0;
	draw_hosts_fault(drawing, &fault);
	links = strcmp(network, "packet") == 0 && draw_chance(drawing, 6);
	draw_line(drawing, 0, "model: {network: %s, noise: %s%s%s%s%s}", network, noise,
		drawing->elides ? ", elide_above_bytes: 4096" : "", text_string(&fault),
		links ? ", noc: links" : "", draw_chance(drawing, 6) ? ", scheduler: fair" : "");
	draw_mesh(drawing, &keys);
	draw_sub_devices(drawing, &keys);
	draw_division(drawing, &keys);
	drawing->queues = draw_chance(drawing, 3) ? 1 : 2;
	ensure(runtime && runtime->kind == SCHEMA_KIND_MAP, "no keys of the runtime");
	draw_runtime_draw_keys(drawing, runtime->schema, "runtime", &rest);
	text_printf(&keys, "command_queues: %" PRIu32, drawing->queues);
	if (rest.length)
		text_printf(&keys, ", %s", text_string(&rest));
	draw_line(drawing, 0, "runtime: {%s}", text_string(&keys));
	text_fini(&keys);
	text_fini(&rest);
	text_fini(&fault);
}
