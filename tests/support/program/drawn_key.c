/* See drawn_key.h. The keys come from the schema, so new keys are drawn without a change here. */
#include "test.h"

#include "drawn_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/scenario/load.h"
#include "bench/scenario/scenario.h"
#include "shell.h"

/* Keys that are not drawn, because changing them does not change the simulated design. A different
 * seed only draws other random numbers, more seeds only add runs, and a limit can only end a run.
 * `meshsim` is the version of the format. */
static const char *const passed_over[] = {"meshsim", "seed", "seeds", "measure.seeds",
	"measure.precision", "limits.events", "limits.simulated_ms", "limits.wall_s",
	"limits.silent_s", "limits.lost_s", NULL};

/* Shipped scenarios with few chips or steps. All other scenarios take too long. */
static const char *const shipped[] = {"quickstart", "choices", "coordinates", "noc-links", "tgg-go",
	"tgg-lowering", "tgg-dispatcher", "tgg-create", "tgg-feed", "tgg-order", "tgg-route",
	"tgg-traces", "tgg-sub-devices", "tgg-channels", "tgg-packetizer", "two-meshes",
	"end-to-end", "fabric-packet-rate", "distributed-threads", "distributed-serialization",
	"distributed-resolution", "distributed-allocator", "tgg-event-paths", "tgg-credits"};

enum { SHIPPED = sizeof shipped / sizeof *shipped, REPEATS_MOST = 2 };

/* ---- scenarios ---- */

/* Reduces the repetitions of steps. */
static void reduce(
	struct tree *tree, const struct tree_node *steps, const char *above, struct diag *diag)
{
	static const char *const times[] = {"repeat", "trace", "replays", "fabric_ping.samples",
		"fabric_traffic.packets", "replay_trace.times"};
	char path[DRAWN_PATH_BYTES];

	for (uint32_t i = 0; steps && steps->kind == TREE_SEQUENCE && i < steps->count; i++) {
		for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
			const struct tree_node *node = tree_find(steps->items[i], times[k]);
			int64_t count;

			snprintf(path, sizeof path, "%s.%u.%s", above, i, times[k]);
			if (node && tree_integer(node, &count) == STATUS_OK && count > REPEATS_MOST)
				tree_set(tree, path, k == 4 ? "120" : "2", "drawn", diag);
		}
		snprintf(path, sizeof path, "%.200s.%u.do", above, i);
		reduce(tree, tree_get(steps->items[i], "do"), path, diag);
	}
}

static void draw_shipped(struct stream *stream, struct text *out)
{
	const char *name = shipped[stream_below(stream, SHIPPED)];
	struct load_options load = {.platform_directory = MESHSIM_SOURCE_DIR "/platforms"};
	struct diag *diag = diag_new();
	struct scenario_file *file;
	struct run_plan plan;
	char path[512];

	snprintf(path, sizeof path, "%s/scenarios/%s.yaml", MESHSIM_SOURCE_DIR, name);
	file = scenario_open(path, &load, diag);
	assert_non_null(file);
	assert_true(run_plan_open(
		file, (uint32_t)stream_below(stream, scenario_run_count(file)), diag, &plan));
	tree_remove(plan.tree, "measure.warmup");
	tree_remove(plan.tree, "measure.precision");
	reduce(plan.tree, tree_get(tree_root(plan.tree), "workload"), "workload", diag);
	tree_write(tree_root(plan.tree), out);
	run_plan_close(&plan);
	scenario_close(file);
	diag_free(diag);
}

static void draw_fuzz(struct stream *stream, struct text *out)
{
	char line[4096];
	FILE *file = shell_open("'%s' fuzz --print -n 1 --seed %u%s",
		getenv("MESHSIM_BINARY") ? getenv("MESHSIM_BINARY") : MESHSIM_BINARY,
		1 + (unsigned)stream_below(stream, 1000000),
		stream_below(stream, 6) == 0 ? " --hosts" : "");

	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (strncmp(line, "sweep:", strlen("sweep:")) != 0)
			text_append(out, line);
	assert_int_equal(pclose(file), 0);
}

void drawn_scenario(uint64_t seed, struct text *out)
{
	struct stream stream;

	stream_init(&stream, seed, "test/scenario");
	if (stream_below(&stream, 3) == 0)
		draw_shipped(&stream, out);
	else
		draw_fuzz(&stream, out);
}

/* ---- keys ---- */

struct keys {
	struct drawn_key *keys;
	uint32_t count, room;
};

static void add(struct keys *keys, const char *path, const struct schema_field *field,
	const struct tree_node *own)
{
	struct drawn_key *key;

	for (int i = 0; passed_over[i]; i++)
		if (strcmp(path, passed_over[i]) == 0)
			return;
	if (keys->count == keys->room) {
		keys->room = keys->room ? 2 * keys->room : 64;
		keys->keys = allocate_more(keys->keys, keys->room, sizeof *keys->keys);
	}
	key = &keys->keys[keys->count++];
	memset(key, 0, sizeof *key);
	key->field = *field;
	snprintf(key->path, sizeof key->path, "%s", path);
	snprintf(key->own, sizeof key->own, "%s",
		own && own->kind == TREE_SCALAR ? own->text
						: (field->fallback ? field->fallback : ""));
	/* an alias is the same value, but would be drawn as a different one */
	for (const struct schema_alias *alias = field->aliases; alias && alias->alias; alias++)
		if (strcmp(alias->alias, key->own) == 0)
			snprintf(key->own, sizeof key->own, "%s", alias->name);
}

static void add_fields(struct keys *keys, const char *above, const struct schema_field *fields,
	size_t count, const struct tree_node *node)
{
	char path[DRAWN_PATH_BYTES];

	for (size_t i = 0; i < count; i++) {
		const struct schema_field *field = &fields[i];
		const struct tree_node *own = node ? tree_get(node, field->name) : NULL;

		snprintf(path, sizeof path, "%.180s%s%s", above, *above ? "." : "", field->name);
		if (field->kind == SCHEMA_KIND_MAP)
			add_fields(
				keys, path, field->schema->fields, field->schema->field_count, own);
		else if (field->kind == SCHEMA_KIND_BOOL || field->kind == SCHEMA_KIND_INT ||
			 field->kind == SCHEMA_KIND_ENUM)
			add(keys, path, field, own);
	}
}

static void add_step(struct keys *keys, const char *place, const struct tree_node *step);

static void add_steps(struct keys *keys, const char *above, const struct tree_node *steps)
{
	char place[DRAWN_PATH_BYTES];

	for (uint32_t i = 0; steps && steps->kind == TREE_SEQUENCE && i < steps->count; i++) {
		snprintf(place, sizeof place, "%.200s.%u", above, i);
		add_step(keys, place, steps->items[i]);
	}
}

static void add_body(struct keys *keys, const char *place, const struct schema_variant *variant,
	const struct tree_node *body)
{
	const struct tree_node *programs = tree_get(body, "programs");
	const struct schema *schema = variant->field.schema;
	char path[DRAWN_PATH_BYTES];

	snprintf(path, sizeof path, "%.180s.%s", place, variant->field.name);
	if (!programs) {
		add_fields(keys, path, schema->fields, schema->field_count, body);
		return;
	}
	for (uint32_t i = 0; i < programs->count; i++) {
		snprintf(path, sizeof path, "%.180s.%s.programs.%u", place, variant->field.name, i);
		add_fields(keys, path, schema->fields, schema->field_count, programs->items[i]);
	}
}

static void add_step(struct keys *keys, const char *place, const struct tree_node *step)
{
	char path[DRAWN_PATH_BYTES];

	if (step->kind != TREE_MAP)
		return;
	for (size_t i = 0; i < step_variants.variant_count; i++) {
		const struct schema_variant *variant = &step_variants.variants[i];
		const struct tree_node *body = tree_get(step, variant->field.name);

		if (!body)
			continue;
		add_fields(keys, place, variant->siblings, variant->sibling_count, step);
		if (variant->field.kind == SCHEMA_KIND_MAP && body->kind == TREE_MAP)
			add_body(keys, place, variant, body);
	}
	snprintf(path, sizeof path, "%.200s.do", place);
	add_steps(keys, path, tree_get(step, "do"));
}

void drawn_key(struct stream *stream, const char *scenario, struct drawn_key *key)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("drawn", scenario, strlen(scenario), diag);
	struct keys run = {0}, steps = {0}, *from;

	assert_non_null(tree);
	add_fields(&run, "", scenario_schema()->fields, scenario_schema()->field_count,
		tree_root(tree));
	add_steps(&steps, "workload", tree_get(tree_root(tree), "workload"));
	from = stream_below(stream, 3) == 0 && steps.count > 0 ? &steps : &run;
	*key = from->keys[stream_below(stream, from->count)];
	free(run.keys);
	free(steps.keys);
	tree_free(tree);
	diag_free(diag);
}

/* ---- values ---- */

static void add_value(const struct drawn_key *key, const char *value,
	char values[DRAWN_VALUES_MAX][DRAWN_VALUE_BYTES], uint32_t *count)
{
	bool known = strcmp(value, key->own) == 0;

	for (uint32_t i = 0; i < *count; i++)
		known |= strcmp(values[i], value) == 0;
	if (!known && *count < DRAWN_VALUES_MAX)
		snprintf(values[(*count)++], DRAWN_VALUE_BYTES, "%s", value);
}

static void add_numbers(const struct drawn_key *key,
	char values[DRAWN_VALUES_MAX][DRAWN_VALUE_BYTES], uint32_t *count)
{
	const struct schema_field *field = &key->field;
	int64_t own = strtoll(key->own, NULL, 10);
	const int64_t numbers[] = {2 * own, own / 2, own + 1, 16 * field->min, field->min, 500, 8,
		3, field->unit && strcmp(field->unit, "B") == 0 ? field->max : 100000};
	char value[DRAWN_VALUE_BYTES];

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (numbers[i] < field->min || (field->max > 0 && numbers[i] > field->max))
			continue;
		snprintf(value, sizeof value, "%" PRId64, numbers[i]);
		add_value(key, value, values, count);
	}
}

uint32_t drawn_values(struct stream *stream, const struct drawn_key *key,
	char values[DRAWN_VALUES_MAX][DRAWN_VALUE_BYTES])
{
	const struct schema_field *field = &key->field;
	const char *name;
	uint32_t count = 0;

	if (field->kind == SCHEMA_KIND_BOOL) {
		add_value(key, "true", values, &count);
		add_value(key, "false", values, &count);
	} else if (field->kind == SCHEMA_KIND_INT) {
		add_numbers(key, values, &count);
	} else {
		for (uint32_t i = 0; (name = schema_value_name(field, i)) != NULL; i++)
			add_value(key, name, values, &count);
	}
	for (uint32_t i = count; i > 1; i--) {
		uint32_t other = (uint32_t)stream_below(stream, i);
		char swap[DRAWN_VALUE_BYTES];

		memcpy(swap, values[i - 1], sizeof swap);
		memcpy(values[i - 1], values[other], sizeof swap);
		memcpy(values[other], swap, sizeof swap);
	}
	return count;
}
