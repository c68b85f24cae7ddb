/* The platform object. It is created from an expanded tree; all errors are reported in one pass. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "private.h"

const struct constant_table *constants_all_tables(
	struct arena *arena, const struct constant_table *tables, size_t *table_count)
{
	struct constant_table *all = arena_array(arena, *table_count + 3, sizeof(*all));

	all[0] = platform_table;
	all[1] = platform_simgrid_table;
	all[2] = platform_hosts_table;
	if (*table_count)
		memcpy(all + 3, tables, *table_count * sizeof(*all));
	*table_count += 3;
	return all;
}

/* True if the map has keys of a machine of several hosts. */
static bool has_hosts(const struct tree_node *node)
{
	return node->kind == TREE_MAP &&
	       (tree_get(node, "hosts") || tree_get(node, "transports") ||
		       tree_get(node, "codecs") || tree_get(node, "host_network"));
}

/* Removes from *tables the tables that only machines of several hosts need, and returns the number
 * of remaining tables. These tables would add more than 50 % to the number of constants that are
 * read. */
static size_t without_hosts(struct arena *arena, const struct constant_table **tables, size_t count)
{
	struct constant_table *kept = arena_array(arena, count, sizeof(*kept));
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		if (!(*tables)[i].of_hosts)
			kept[left++] = (*tables)[i];
	*tables = kept;
	return left;
}

struct platform *platform_new(const struct tree_node *node, const struct constant_table *tables,
	size_t table_count, struct diag *diag)
{
	struct platform *platform = allocate(1, sizeof(*platform));
	const struct constant_table *all;

	arena_init(&platform->arena);
	all = constants_all_tables(&platform->arena, tables, &table_count);
	if (!has_hosts(node))
		table_count = without_hosts(&platform->arena, &all, table_count);
	bool good = shape_bind(platform, node, diag);
	if (node->kind == TREE_MAP)
		good &= constants_bind(platform, node, all, table_count, diag);
	if (!good || !cluster_build(platform, diag)) {
		platform_free(platform);
		return NULL;
	}
	hosts_build(platform);
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
