/* Makes routes of kernels and their trees, see mesh/program.h. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "fabric/pattern.h"
#include "mesh/program/routes.h"

static bool routes_same(const struct route_config *a, const struct route_config *b)
{
	return a->count == b->count && a->each == b->each && a->round == b->round &&
	       a->link == b->link &&
	       memcmp(a->devices, b->devices, a->count * sizeof(*a->devices)) == 0;
}

struct kernel_route *kernel_route_find(struct kernel_route *list, const struct route_config *config)
{
	while (list != NULL && !routes_same(&list->config, config))
		list = list->next;
	return list;
}

struct kernel_route *kernel_route_new(struct arena *arena, const struct route_config *config,
	struct fabric_tree *tree, uint32_t number)
{
	struct kernel_route *route = arena_alloc(arena, sizeof *route);
	uint32_t *devices = arena_array(arena, config->count, sizeof *devices);

	memcpy(devices, config->devices, config->count * sizeof *devices);
	*route = (struct kernel_route){.config = *config, .tree = tree, .number = number};
	route->config.devices = devices;
	return route;
}

/* Returns the number of parallel links between two neighbours. */
static uint32_t links_between(const struct cluster_info *info, uint16_t a, uint16_t b)
{
	uint32_t links = 0;

	for (uint32_t i = 0; i < info->connection_count; i++) {
		const struct fabric_connection *one = &info->connections[i];

		if ((one->chip[0] == a && one->chip[1] == b) ||
			(one->chip[0] == b && one->chip[1] == a))
			links += one->links;
	}
	return links;
}

static enum status find_chips(const struct route_ground *ground, const struct route_config *config,
	uint16_t *chips, struct text *why)
{
	for (uint32_t i = 0; i < config->count; i++) {
		if (config->devices[i] >= ground->devices)
			return refuse(why, STATUS_OUT_OF_RANGE, "device %u of a mesh of %u",
				config->devices[i], ground->devices);
		chips[i] = ground->chips[config->devices[i]];
	}
	for (uint32_t i = 1; i < config->count; i++) {
		uint32_t links = links_between(ground->info, chips[i - 1], chips[i]);

		if (links > 0 && config->link >= links)
			return refuse(why, STATUS_OUT_OF_RANGE,
				"link %u of a route, but %u join devices %u and %u", config->link,
				links, config->devices[i - 1], config->devices[i]);
	}
	return STATUS_OK;
}

enum status kernel_route_tree(const struct route_ground *ground, const struct route_config *config,
	struct text *why, struct fabric_tree **tree)
{
	uint16_t *chips = allocate(config->count, sizeof *chips);
	struct fabric_tree *path;
	enum status status = find_chips(ground, config, chips, why);

	if (status == STATUS_OK && fabric_path(ground->graph, chips, config->count, config->each,
					   ground->arena, &path) != STATUS_OK)
		status = refuse(why, STATUS_UNSUPPORTED,
			"a route from device %u to device %u leads over links that are not there",
			config->devices[0], config->devices[config->count - 1]);
	if (status == STATUS_OK && !config->round)
		status = fabric_topology_routes(ground->graph, path, why);
	if (status == STATUS_OK) {
		path->lane = (uint8_t)(config->link + 1);
		path->cycle = config->round ? FABRIC_CYCLE_WAY : FABRIC_CYCLE_NONE;
		path->flush = true; /* when an increment arrives, everything sent before it has
				     * arrived */
		*tree = path;
	}
	free(chips);
	return status;
}
