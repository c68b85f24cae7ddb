/* Reads and writes baselines, see changes.h. */
#include "changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };

/* Written as a constant's value if the platform of the first run has the constant, but the platform
 * of this run does not. */
static const char no_constant[] = "none";

/* ---- reading ---- */

static const struct tree_node *get(
	const struct tree_node *map, const char *key, enum tree_kind kind, struct diag *diag)
{
	const struct tree_node *node = tree_get(map, key);
	char seen[TREE_DESCRIBE_BYTES];

	if (!node)
		diag_error(diag, map->where, "no '%s' in this baseline", key);
	else if (node->kind != kind) {
		diag_error(diag, node->where, "'%s' cannot be %s", key,
			tree_describe(node, seen, sizeof(seen)));
		node = NULL;
	}
	return node;
}

static void read_figure(const struct tree_pair *pair, struct measured_run *run, struct diag *diag)
{
	struct measurement *measurement = &run->measurements[run->measurement_count++];
	char seen[TREE_DESCRIBE_BYTES];

	*measurement = (struct measurement){.name = pair->key, .unit = ""};
	if (pair->value->kind == TREE_SCALAR &&
		tree_integer(pair->value, &measurement->integer) == STATUS_OK)
		return;
	measurement->is_real = true;
	if (pair->value->kind != TREE_SCALAR ||
		tree_real(pair->value, &measurement->real) != STATUS_OK)
		diag_error(diag, pair->value->where, "'%s' must be a number, not %s", pair->key,
			tree_describe(pair->value, seen, sizeof(seen)));
}

/* Reads the sums of stages that belong to a figure. Skips stages that this program does not know.
 * Stages never decide whether a check passes; they only show which stage caused a change of the
 * figure. */
static void read_stages(const struct tree_pair *pair, size_t prefix, struct measured_run *run,
	struct arena *arena, struct diag *diag)
{
	struct stage_sums *sums = &run->sums[run->sums_count++];
	const struct tree_node *count = get(pair->value, "count", TREE_SCALAR, diag);
	int64_t value = 0;

	sums->name = arena_copy(arena, pair->key, prefix);
	if (count && (tree_integer(count, &value) != STATUS_OK || value <= 0))
		diag_error(diag, count->where, "'count' must be a positive integer");
	sums->count = value > 0 ? (uint64_t)value : 1;
	for (int stage = 0; stage < STAGE_COUNT; stage++) {
		char key[32];
		stage_key((enum stage)stage, key, sizeof(key));
		const struct tree_node *node = tree_get(pair->value, key);
		if (node && (node->kind != TREE_SCALAR ||
				    tree_integer(node, &sums->time[stage]) != STATUS_OK))
			diag_error(diag, node->where, "'%s' must be an integer", key);
	}
}

static void baseline_read_keys(const struct tree_node *keys, struct measured_run *run,
	struct arena *arena, struct diag *diag)
{
	run->keys = arena_array(arena, keys->count, sizeof(*run->keys));
	for (uint32_t i = 0; i < keys->count; i++) {
		const struct tree_pair *pair = &keys->pairs[i];
		if (pair->value->kind != TREE_SCALAR)
			diag_error(diag, pair->where, "key '%s' must have one value", pair->key);
		else
			run->keys[run->key_count++] =
				(struct measured_key){pair->key, pair->value->text};
	}
	run->label = measured_label(run, false, arena);
	run->where = measured_where(run, arena);
}

/* Returns the constants of a run. `map` changes the constants of the list `common`: it replaces
 * constants, adds them, or removes them ("none"). If `map` is NULL, there are no changes. If
 * `common` is NULL, there are no common constants. Returns NULL if both are NULL. */
static const struct measured_constants *baseline_read_constants(const struct tree_node *map,
	const struct measured_constants *common, struct arena *arena, struct diag *diag)
{
	uint32_t count = common ? common->count : 0;
	struct measured_constants *constants;

	if (!map)
		return common;
	if (map->kind != TREE_MAP) {
		diag_error(diag, map->where, "'constants' must be a map");
		return common;
	}
	constants = arena_alloc(arena, sizeof(*constants));
	constants->at = arena_array(arena, count + map->count, sizeof(*constants->at));
	for (uint32_t i = 0; i < count; i++)
		if (!tree_get(map, common->at[i].path))
			constants->at[constants->count++] = common->at[i];
	for (uint32_t i = 0; i < map->count; i++) {
		const struct tree_pair *pair = &map->pairs[i];
		if (pair->value->kind != TREE_SCALAR)
			diag_error(
				diag, pair->where, "constant '%s' must have one value", pair->key);
		else if (strcmp(pair->value->text, no_constant) != 0)
			constants->at[constants->count++] =
				(struct measured_constant){pair->key, pair->value->text};
	}
	measured_constants_sort(constants);
	return constants;
}

static void baseline_read_run(const struct tree_node *node, struct measured_run *run,
	const struct measured_constants *common, struct arena *arena, struct diag *diag)
{
	static const char stages[] = ".stages";
	const struct tree_node *keys, *status, *constants;

	if (node->kind != TREE_MAP) {
		diag_error(diag, node->where, "a run must be a map");
		return;
	}
	keys = get(node, "keys", TREE_MAP, diag);
	status = get(node, "status", TREE_SCALAR, diag);
	if (!keys || !status)
		return;
	baseline_read_keys(keys, run, arena, diag);
	constants = tree_get(node, "constants");
	run->constants = baseline_read_constants(constants, common, arena, diag);
	run->status = status->text;
	run->measurements = arena_array(arena, node->count, sizeof(*run->measurements));
	run->sums = arena_array(arena, node->count, sizeof(*run->sums));
	for (uint32_t i = 0; i < node->count; i++) {
		const struct tree_pair *pair = &node->pairs[i];
		size_t length = strlen(pair->key), tail = strlen(stages);
		if (pair->value == keys || pair->value == status || pair->value == constants)
			continue;
		if (pair->value->kind == TREE_MAP && length > tail &&
			strcmp(pair->key + length - tail, stages) == 0)
			read_stages(pair, length - tail, run, arena, diag);
		else
			read_figure(pair, run, diag);
	}
}

static void read_tolerances(struct baseline *baseline, const struct tree_node *root,
	struct arena *arena, struct diag *diag)
{
	const struct tree_node *map = tree_get(root, "tolerance");

	if (!map || !get(root, "tolerance", TREE_MAP, diag))
		return;
	baseline->tolerances = arena_array(arena, map->count, sizeof(*baseline->tolerances));
	for (uint32_t i = 0; i < map->count; i++) {
		const struct tree_pair *pair = &map->pairs[i];
		struct check_tolerance *tolerance =
			&baseline->tolerances[baseline->tolerance_count++];
		tolerance->metric = pair->key;
		if (pair->value->kind != TREE_SCALAR ||
			tree_real(pair->value, &tolerance->percent) != STATUS_OK ||
			tolerance->percent < 0)
			diag_error(diag, pair->value->where,
				"the tolerance of '%s' must be a percentage, 0 or more", pair->key);
	}
}

static void read_root(struct baseline *baseline, const struct tree_node *root, struct arena *arena,
	struct diag *diag)
{
	const struct tree_node *format, *scenario, *runs;
	const struct measured_constants *constants;
	int64_t version = 0;

	if (root->kind != TREE_MAP || !tree_get(root, "baseline")) {
		diag_error(diag, root->where, "this is no baseline: it has no key 'baseline'");
		return;
	}
	format = get(root, "baseline", TREE_SCALAR, diag);
	if (!format || tree_integer(format, &version) != STATUS_OK || version != FORMAT) {
		diag_error(diag, format ? format->where : root->where,
			"this program reads baselines of format %d", FORMAT);
		return;
	}
	scenario = get(root, "scenario", TREE_SCALAR, diag);
	runs = get(root, "runs", TREE_SEQUENCE, diag);
	read_tolerances(baseline, root, arena, diag);
	constants = baseline_read_constants(tree_get(root, "constants"), NULL, arena, diag);
	if (!scenario || !runs)
		return;
	baseline->measured.scenario = scenario->text;
	baseline->measured.run_count = runs->count;
	baseline->measured.runs = arena_array(arena, runs->count, sizeof(struct measured_run));
	for (uint32_t i = 0; i < runs->count; i++)
		baseline_read_run(
			runs->items[i], &baseline->measured.runs[i], constants, arena, diag);
}

bool baseline_open(
	struct baseline *baseline, const char *path, struct arena *arena, struct diag *diag)
{
	memset(baseline, 0, sizeof(*baseline));
	baseline->tree = tree_read_file(path, diag);
	if (!baseline->tree)
		return false;
	read_root(baseline, tree_root(baseline->tree), arena, diag);
	if (diag_errors(diag) == 0)
		return true;
	baseline_close(baseline);
	return false;
}

void baseline_close(struct baseline *baseline)
{
	tree_free(baseline->tree);
	baseline->tree = NULL;
}

/* ---- writing ---- */

#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-"

static void write_plain(const char *text, const char *plain, struct text *out)
{
	if (text[0] && text[0] != '-' && strspn(text, plain) == strlen(text))
		text_append(out, text);
	else
		text_append_json(out, text);
}

/* Writes a text to YAML. It is quoted unless it has only letters, digits, and "._/-", and does not
 * begin with "-". */
static void write_text(const char *text, struct text *out)
{
	write_plain(text, PLAIN, out);
}

static void baseline_write_real(double value, struct text *out)
{
	char spelling[40];

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(spelling, sizeof(spelling), "%.*g", digits, value);
		if (strtod(spelling, NULL) == value)
			break;
	}
	text_append(out, spelling);
}

static void baseline_write_sums(const struct stage_sums *sums, struct text *out)
{
	text_printf(
		out, "    %s.stages: {count: %llu", sums->name, (unsigned long long)sums->count);
	for (int stage = 0; stage < STAGE_COUNT; stage++) {
		char key[32];
		if (sums->time[stage] == 0)
			continue;
		stage_key((enum stage)stage, key, sizeof(key));
		text_printf(out, ", %s: %lld", key, (long long)sums->time[stage]);
	}
	text_append(out, "}\n");
}

/* Writes a constant with its value, which is a number and a unit. */
static void write_constant(const char *path, const char *value, struct text *out)
{
	write_text(path, out);
	text_append(out, ": ");
	write_plain(value, PLAIN " ", out);
}

static void baseline_write_constants(const struct measured_constants *constants, struct text *out)
{
	text_append(out, constants->count ? "\nconstants:" : "\nconstants: {}");
	for (uint32_t i = 0; i < constants->count; i++) {
		text_append(out, "\n  ");
		write_constant(constants->at[i].path, constants->at[i].value, out);
	}
}

/* Writes the constants of a run that differ from the constants of the first run. */
static void write_other_constants(const struct measured_constants *first,
	const struct measured_constants *own, struct text *out)
{
	struct arena scratch;
	struct constant_moves moves;

	if (first == own)
		return;
	arena_init(&scratch);
	moves = constant_moves_find(first, own, &scratch);
	for (uint32_t i = 0; i < moves.count; i++) {
		const struct constant_move *move = &moves.at[i];
		text_append(out, i ? ", " : "    constants: {");
		write_constant(move->path, move->new ? move->new : no_constant, out);
	}
	text_append(out, moves.count ? "}\n" : "");
	arena_fini(&scratch);
}

static void baseline_write_run(
	const struct measured_run *run, const struct measured_constants *first, struct text *out)
{
	text_append(out, "  - keys: {");
	for (uint32_t i = 0; i < run->key_count; i++) {
		text_append(out, i ? ", " : "");
		write_text(run->keys[i].name, out);
		text_append(out, ": ");
		write_text(run->keys[i].value, out);
	}
	text_append(out, "}\n    status: ");
	write_text(run->status, out);
	text_append(out, "\n");
	write_other_constants(first, run->constants, out);
	for (uint32_t i = 0; i < run->measurement_count; i++) {
		const struct measurement *measurement = &run->measurements[i];
		text_printf(out, "    %s: ", measurement->name);
		if (measurement->is_real)
			baseline_write_real(measurement->real, out);
		else
			text_printf(out, "%lld", (long long)measurement->integer);
		text_append(out, "\n");
	}
	for (uint32_t i = 0; i < run->sums_count; i++)
		baseline_write_sums(&run->sums[i], out);
}

void baseline_write(const struct measured_runs *measured, const struct check_tolerance *tolerances,
	uint32_t tolerance_count, struct text *out)
{
	text_append(out, "# Simulated figures that `meshsim check` compares with; written by its "
			 "--update. Times are in ps,\n# rates in 1/s; `sum` and `stages` are sums "
			 "over all measured operations.\nbaseline: 1\nscenario: ");
	write_text(measured->scenario, out);
	if (tolerance_count) {
		text_append(out, "\ntolerance: {");
		for (uint32_t i = 0; i < tolerance_count; i++) {
			text_append(out, i ? ", " : "");
			write_text(tolerances[i].metric, out);
			text_append(out, ": ");
			baseline_write_real(tolerances[i].percent, out);
		}
		text_append(out, "}");
	}
	if (measured->run_count)
		baseline_write_constants(measured->runs[0].constants, out);
	text_append(out, measured->run_count ? "\nruns:\n" : "\nruns: []\n");
	for (uint32_t i = 0; i < measured->run_count; i++)
		baseline_write_run(&measured->runs[i], measured->runs[0].constants, out);
}
