/* The constants of a platform. This file reads them from the platform's map, and finds them by
 * name. A module that uses constants is called a consumer, and has a table of them. Each constant
 * is checked against these tables, and converted to the unit in the consumer's table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/nearest.h"
#include "private.h"

struct walk {
	struct platform *platform;
	struct listed *listed;
	size_t listed_count;
	struct diag *diag;
	char path[TREE_PATH_BYTES_MAX]; /* path of the present node */
};

/* Suffixes that say the unit, in the names of struct members. In files, the names of constants have
 * `words` instead. The first suffix of this list that matches is replaced. */
static const struct {
	const char *unit, *words;
} suffixes[] = {
	{"bandwidth_bytes_per_s", "bandwidth"},
	{"_bytes_per_s", "_bandwidth"},
	{"_bytes_per_cycle", "_rate"},
	{"_bytes", "_size"},
	{"_cycles", ""},
	{"_ps", ""},
	{"_ns", ""},
	{"_hz", ""},
};

/* Makes the name that a constant has in the file, from `prefix` and from the name `listed`, which
 * it has in a table of constants. Writes the name to `result`, and returns `result`. */
static const char *file_name(
	const char *prefix, const char *listed, char result[TREE_PATH_BYTES_MAX])
{
	size_t head = prefix ? strlen(prefix) : 0, length = head + strlen(listed), tail;
	const char *words = "";

	/* snprintf() would be too slow, because every run looks up hundreds of names. */
	ensure(length < TREE_PATH_BYTES_MAX, "%s", listed);
	if (head > 0)
		memcpy(result, prefix, head);
	memcpy(result + head, listed, length - head);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		tail = strlen(suffixes[i].unit);
		if (length > tail && memcmp(result + length - tail, suffixes[i].unit, tail) == 0) {
			length -= tail;
			words = suffixes[i].words;
			break;
		}
	}
	tail = strlen(words);
	ensure(length + tail < TREE_PATH_BYTES_MAX, "%s", listed);
	memcpy(result + length, words, tail + 1);
	for (char *c = result; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return result;
}

static struct listed *constant_find(struct listed *listed, size_t count, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < count; i++)
		if (listed[i].length == length && memcmp(listed[i].name, name, length) == 0)
			return &listed[i];
	return NULL;
}

/* Largest value that the member of an integer constant can hold exactly; 0: no limit. */
static double member_most(const struct constant_spec *spec)
{
	if (spec->real)
		return 0;
	return spec->size >= 8 ? 9e15 : (double)((UINT64_C(1) << (8 * spec->size)) - 1);
}

static void narrow(struct listed *listed, const char *unit, double least, double most)
{
	double converted;

	if (unit_convert(least, unit, listed->spec->unit, &converted) && converted > listed->least)
		listed->least = converted;
	if (most > 0 && unit_convert(most, unit, listed->spec->unit, &converted) &&
		(listed->most == 0 || converted < listed->most))
		listed->most = converted;
}

/* Narrows the bounds of a constant to those of one more consumer that lists it. If the consumer
 * gives no bounds, uses those of the unit. */
static void bound(struct listed *listed, const struct constant_spec *spec)
{
	double least, most;

	unit_bounds(spec->unit, &least, &most);
	narrow(listed, spec->unit, spec->least > 0 ? spec->least : least,
		spec->most > 0 ? spec->most : most);
	narrow(listed, spec->unit, 0, member_most(spec));
}

struct listed *constants_list(
	struct arena *arena, const struct constant_table *tables, size_t table_count, size_t *count)
{
	char name[TREE_PATH_BYTES_MAX];
	size_t total = 0;

	*count = 0;
	for (size_t t = 0; t < table_count; t++)
		total += tables[t].count;
	struct listed *listed = arena_array(arena, total, sizeof(*listed));
	for (size_t t = 0; t < table_count; t++)
		for (size_t i = 0; i < tables[t].count; i++) {
			const struct constant_spec *spec = &tables[t].specs[i];
			struct listed *known = constant_find(
				listed, *count, file_name(tables[t].prefix, spec->name, name));
			if (!known) {
				known = &listed[(*count)++];
				*known = (struct listed){.name = arena_string(arena, name),
					.length = strlen(name),
					.spec = spec,
					.consumer = tables[t].consumer,
					.of_hosts = true};
			}
			known->of_hosts &= tables[t].of_hosts;
			bound(known, spec);
		}
	return listed;
}

/* True if some listed constant lies below `path`. */
static bool is_section(const struct walk *walk, const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < walk->listed_count; i++)
		if (walk->listed[i].length > length && walk->listed[i].name[length] == '.' &&
			memcmp(walk->listed[i].name, path, length) == 0)
			return true;
	return false;
}

/* Passes all names that are allowed at one level of the map to `nearest`, which finds the one most
 * similar to a wrong name. The first `parents` bytes of walk->path are the path of the level. */
static void offer_level(struct walk *walk, size_t parents, struct nearest *nearest)
{
	for (size_t i = 0; i < walk->listed_count; i++) {
		const char *name = walk->listed[i].name;
		if (strncmp(name, walk->path, parents) != 0)
			continue;
		const char *rest = name + parents;
		nearest_offer(
			nearest, arena_copy(&walk->platform->arena, rest, strcspn(rest, ".")));
	}
}

static void report_unknown(struct walk *walk, const struct tree_pair *pair, size_t parents)
{
	struct nearest nearest;

	nearest_start(&nearest, pair->key);
	if (parents == 0)
		shape_has_key(pair->key, &nearest);
	offer_level(walk, parents, &nearest);
	const char *what = parents == 0 ? "key" : "constant";
	if (nearest.best)
		diag_error(walk->diag, pair->where, "unknown %s '%s', did you mean '%.*s%s'?", what,
			walk->path, (int)parents, walk->path, nearest.best);
	else
		diag_error(walk->diag, pair->where, "unknown %s '%s': no part of the model uses it",
			what, walk->path);
}

/* True if the value comes from another file or option than the `source` key beside it. */
static bool is_overridden(const struct tree_node *node)
{
	const struct tree_node *value = tree_get(node, "value");
	const struct tree_node *source = tree_get(node, "source");

	return value && source && value->where.source != source->where.source;
}

static void mark_overridden(
	struct platform *platform, struct platform_constant *constant, const struct tree_node *node)
{
	char cite[LOCATION_CITE_BYTES];
	const struct tree_node *value = tree_get(node, "value");

	constant->overridden = true;
	constant->given.where = value->where;
	constant->given.kind = CONSTANT_ASSUMED;
	constant->given.source = arena_printf(&platform->arena, "set at %s, in place of: %s",
		location_cite(value->where, cite, sizeof(cite)), constant->given.source);
}

/* Checks the range of the converted value. Checks that it is whole, if it must be. */
static void check_value(
	const struct listed *listed, double value, struct location where, struct diag *diag)
{
	const struct constant_spec *spec = listed->spec;

	if (value < listed->least)
		diag_error(diag, where, "constant '%s' must be at least %g %s", listed->name,
			listed->least, spec->unit);
	else if (listed->most > 0 && value > listed->most)
		diag_error(diag, where, "constant '%s' must be at most %g %s", listed->name,
			listed->most, spec->unit);
	else if (!spec->real && fabs(value - round(value)) > 1e-6 * fmax(1, fabs(value) * 1e-6))
		diag_error(diag, where, "constant '%s' must be a whole number of %s", listed->name,
			spec->unit);
}

/* Checks that the file's unit has the right dimension. */
static void check_unit(struct walk *walk, const struct listed *listed, const struct tree_node *unit)
{
	const char *needed = listed->spec->unit, *alike;
	struct text text;
	double ignored;

	if (unit_convert(1, unit->text, needed, &ignored))
		return;
	text_init(&text);
	for (size_t i = 0; (alike = unit_alike(needed, i)); i++)
		text_printf(&text, "%s%s", i ? ", " : "", alike);
	diag_error(walk->diag, unit->where, "constant '%s' is not in '%s' (valid: %s)",
		listed->name, unit->text, text_string(&text));
	text_fini(&text);
}

static void bind_constant(
	struct walk *walk, const struct listed *listed, const struct tree_pair *pair)
{
	struct platform *platform = walk->platform;
	const struct constant_spec *spec = listed->spec;
	struct platform_constant *constant = &platform->constants[platform->constant_count];
	const struct tree_node *unit = tree_get(pair->value, "unit");
	const struct tree_node *value = tree_get(pair->value, "value");
	struct schema_field field = {.name = listed->name,
		.kind = SCHEMA_KIND_CONSTANT,
		.size = sizeof(struct constant),
		.unit = spec->unit,
		.help = spec->what};
	struct schema_context context = {.arena = &platform->arena, .diag = walk->diag};
	size_t errors = diag_errors(walk->diag);

	ensure(platform->constant_count < walk->listed_count, "constant %s", listed->name);
	if (unit && unit->kind == TREE_SCALAR) {
		check_unit(walk, listed, unit);
		field.unit = unit->text;
	}
	memset(constant, 0, sizeof(*constant));
	constant->spec = spec;
	constant->name = listed->name;
	platform->constant_count++;
	schema_bind_value(&field, pair->value, &constant->given, &context);
	if (diag_errors(walk->diag) != errors)
		return;
	if (!unit_convert(constant->given.value, field.unit, spec->unit, &constant->value))
		ensure(false, "unit %s of %s", field.unit, spec->name);
	check_value(listed, constant->value, value->where, walk->diag);
	if (is_overridden(pair->value))
		mark_overridden(platform, constant, pair->value);
}

static void walk_map(struct walk *walk, const struct tree_node *node, size_t parents)
{
	for (uint32_t i = 0; i < node->count; i++) {
		const struct tree_pair *pair = &node->pairs[i];
		struct nearest unused;
		nearest_start(&unused, pair->key);
		if (parents == 0 && shape_has_key(pair->key, &unused))
			continue;
		int written = snprintf(
			walk->path + parents, sizeof(walk->path) - parents, "%s", pair->key);
		if (written < 0 || (size_t)written + 2 > sizeof(walk->path) - parents) {
			diag_error(walk->diag, pair->where, "the name is too long");
			continue;
		}
		size_t length = parents + (size_t)written;
		struct listed *listed = constant_find(walk->listed, walk->listed_count, walk->path);
		if (listed) {
			bind_constant(walk, listed, pair);
		} else if (!is_section(walk, walk->path)) {
			report_unknown(walk, pair, parents);
		} else if (pair->value->kind != TREE_MAP) {
			char text[TREE_DESCRIBE_BYTES];
			diag_error(walk->diag, pair->value->where,
				"'%s' must be a map of constants, not %s", walk->path,
				tree_describe(pair->value, text, sizeof(text)));
		} else {
			memcpy(walk->path + length, ".", 2);
			walk_map(walk, pair->value, length + 1);
		}
	}
}

static void report_missing(struct walk *walk, const struct tree_node *node)
{
	for (size_t i = 0; i < walk->listed_count; i++) {
		const struct listed *listed = &walk->listed[i];
		if (listed->of_hosts && !walk->platform->shape.hosts)
			continue;
		if (!platform_find(walk->platform, listed->name))
			diag_error(walk->diag, node->where,
				"missing constant '%s' in %s, which the %s model needs: %s",
				listed->name, listed->spec->unit, listed->consumer,
				listed->spec->what);
	}
}

static int constant_compare_names(const void *a, const void *b)
{
	const struct platform_constant *const *left = a, *const *right = b;

	return strcmp((*left)->name, (*right)->name);
}

/* Sorts the constants by name, so that look-ups are fast. A sweep of a thousand points looks up all
 * constants a thousand times. */
static void sort_names(struct platform *platform)
{
	size_t count = platform->constant_count;

	platform->by_name = arena_array(&platform->arena, count, sizeof(*platform->by_name));
	for (size_t i = 0; i < count; i++)
		platform->by_name[i] = &platform->constants[i];
	qsort(platform->by_name, count, sizeof(*platform->by_name), constant_compare_names);
}

bool constants_bind(struct platform *platform, const struct tree_node *node,
	const struct constant_table *tables, size_t table_count, struct diag *diag)
{
	struct walk walk = {.platform = platform, .diag = diag};
	size_t errors = diag_errors(diag);

	walk.listed = constants_list(&platform->arena, tables, table_count, &walk.listed_count);
	platform->constants =
		arena_array(&platform->arena, walk.listed_count, sizeof(*platform->constants));
	walk_map(&walk, node, 0);
	sort_names(platform);
	report_missing(&walk, node);
	return diag_errors(diag) == errors;
}

/* ---- queries ---- */

static void store(const struct constant_spec *spec, double value, void *object)
{
	char *member = (char *)object + spec->offset;
	uint64_t whole = spec->real ? 0 : (uint64_t)llround(value);

	if (spec->real) {
		ensure(spec->size == sizeof(double), "%s", spec->name);
		memcpy(member, &value, sizeof(value));
	} else {
		schema_store_integer(member, spec->size, (int64_t)whole);
	}
}

void platform_bind(
	const struct platform *platform, const struct constant_table *table, void *object)
{
	char in_file[TREE_PATH_BYTES_MAX];

	for (size_t i = 0; i < table->count; i++) {
		const struct constant_spec *spec = &table->specs[i];
		const struct platform_constant *constant =
			platform_find(platform, file_name(table->prefix, spec->name, in_file));
		ensure(constant, "constant %s of %s is in no table", in_file, table->consumer);
		double value = constant->value;
		ensure(spec == constant->spec || unit_convert(constant->given.value,
							 constant->given.unit, spec->unit, &value),
			"%s: unit %s for %s", spec->name, spec->unit, constant->given.unit);
		store(spec, value, (char *)object + table->offset);
	}
}

const struct platform_constant *platform_find(const struct platform *platform, const char *name)
{
	const struct platform_constant wanted = {.name = name}, *key = &wanted;
	struct platform_constant **found = bsearch(&key, platform->by_name,
		platform->constant_count, sizeof(*platform->by_name), constant_compare_names);

	return found ? *found : NULL;
}

const struct platform_constant *platform_find_listed(
	const struct platform *platform, const char *name)
{
	char in_file[TREE_PATH_BYTES_MAX];

	return platform_find(platform, file_name(NULL, name, in_file));
}

double platform_real(const struct platform *platform, const char *name)
{
	const struct platform_constant *constant = platform_find(platform, name);

	ensure(constant, "no constant %s", name);
	return constant->value;
}

size_t platform_constant_count(const struct platform *platform)
{
	return platform->constant_count;
}

const struct platform_constant *platform_constant(const struct platform *platform, size_t index)
{
	ensure(index < platform->constant_count, "%zu of %zu", index, platform->constant_count);
	return &platform->constants[index];
}
