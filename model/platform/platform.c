/* The platform object: binds an expanded tree and answers questions about it. Refuses to guess a
 * constant: one that is asked for and not in a table is a bug. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "private.h"

struct platform *platform_new(const struct tree_node *node, const struct constant_table *tables,
	size_t table_count, struct diag *diag)
{
	struct platform *platform = calloc(1, sizeof(*platform));
	const struct constant_table *all;

	ensure(platform, "out of memory");
	arena_init(&platform->arena);
	all = constants_all_tables(&platform->arena, tables, &table_count);
	bool good = shape_bind(platform, node, diag);
	if (node->kind == TREE_MAP)
		good &= constants_bind(platform, node, all, table_count, diag);
	if (!good || !cluster_build(platform, diag)) {
		platform_free(platform);
		return NULL;
	}
	return platform;
}

void platform_free(struct platform *platform)
{
	if (!platform)
		return;
	arena_fini(&platform->arena);
	tree_free(platform->tree);
	free(platform);
}

const char *platform_name(const struct platform *platform)
{
	return platform->shape.name;
}

const char *platform_description(const struct platform *platform)
{
	return platform->shape.description;
}

const struct cluster_info *platform_cluster(const struct platform *platform)
{
	return &platform->cluster;
}

bool platform_dispatches_on_ethernet(const struct platform *platform)
{
	return platform->shape.tiles.dispatch_cores == DISPATCH_CORES_ETHERNET;
}

uint32_t platform_tensix_tiles(const struct platform *platform)
{
	bool tensix = !platform_dispatches_on_ethernet(platform);
	uint32_t tiles = 0;

	for (uint32_t i = 0; i < platform->cluster.chip_count; i++) {
		const struct chip_geometry *geometry = platform->cluster.chips[i].geometry;
		tiles += (uint32_t)geometry->worker_columns * geometry->worker_rows +
			 (tensix ? geometry->dispatch_tile_count : 0);
	}
	return tiles;
}

static void store(const struct constant_spec *spec, double value, void *object)
{
	char *member = (char *)object + spec->offset;
	uint64_t whole = spec->real ? 0 : (uint64_t)llround(value);

	if (spec->real) {
		ensure(spec->size == sizeof(double), "%s", spec->name);
		memcpy(member, &value, sizeof(value));
	} else {
		switch (spec->size) {
		case 1:
			*(uint8_t *)member = (uint8_t)whole;
			break;
		case 2:
			*(uint16_t *)member = (uint16_t)whole;
			break;
		case 4:
			*(uint32_t *)member = (uint32_t)whole;
			break;
		default:
			ensure(spec->size == 8, "%s has %u bytes", spec->name, spec->size);
			*(uint64_t *)member = whole;
		}
	}
}

void platform_bind(
	const struct platform *platform, const struct constant_table *table, void *object)
{
	struct arena scratch;

	arena_init(&scratch);
	for (size_t i = 0; i < table->count; i++) {
		const struct constant_spec *spec = &table->specs[i];
		const char *name = constant_file_name(&scratch, spec->name);
		const struct platform_constant *constant = platform_find(platform, name);
		double value = 0;
		ensure(constant, "constant %s of %s is in no table", name, table->consumer);
		ensure(unit_convert(
			       constant->given.value, constant->given.unit, spec->unit, &value),
			"%s: unit %s for %s", name, spec->unit, constant->given.unit);
		store(spec, value, object);
	}
	arena_fini(&scratch);
}

const struct platform_constant *platform_find(const struct platform *platform, const char *name)
{
	for (size_t i = 0; i < platform->constant_count; i++)
		if (strcmp(platform->constants[i].name, name) == 0)
			return &platform->constants[i];
	return NULL;
}

double platform_real(const struct platform *platform, const char *name)
{
	const struct platform_constant *constant = platform_find(platform, name);

	ensure(constant, "no constant %s", name);
	return constant->value;
}

int64_t platform_integer(const struct platform *platform, const char *name)
{
	return llround(platform_real(platform, name));
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
