/* Assigns broadcast grids to issue queues (spec 3.8.8.2). Either each grid has a separate queue, or
 * all grids share one. Also rejects an ordering of broadcasts and unicasts that the dispatchers
 * cannot keep. */
#include "base/refuse.h"
#include "command/issue_queue.h"
#include "mesh/choice.h"
#include "mesh/plan/plan.h"

/* Numbers the devices of a feed from 0, in the order of its range. */
static void plan_feeds_number_devices(struct plan *plan, uint32_t feed)
{
	struct device_range range = plan->feed[feed].range;
	uint32_t width = (uint32_t)(range.column1 - range.column0) + 1;

	for (uint32_t number = 0; number < device_range_count(range); number++) {
		uint32_t row = range.row0 + number / width, column = range.column0 + number % width;
		struct device_routes *route =
			&plan->routes[row * plan->mesh.shape.columns + column];

		route->feed = feed;
		route->number = number;
	}
}

static const char *ordering_that_holds(void)
{
	size_t index = 0;

	while (!ordering_row(index)->holds)
		index++;
	return ordering_row(index)->entry.name;
}

static enum status check_order(const struct forward_config *forward, struct text *why)
{
	if (!forward->dispatcher->dedicated || forward->ordering->holds)
		return STATUS_OK;
	return refuse(why, STATUS_UNSUPPORTED,
		"with dispatcher '%s' no dispatcher sees the commands of both prefetchers: "
		"ordering "
		"must be '%s', not '%s'",
		forward->dispatcher->entry.name, ordering_that_holds(),
		forward->ordering->entry.name);
}

enum status feeds_plan(
	struct plan *plan, const struct mesh_config *config, struct arena *arena, struct text *why)
{
	bool shared = config->forward.feed->shared;

	if (plan->grids == 0)
		return STATUS_OK;
	if (shared && plan->grids > ISSUE_READERS_MAX)
		return refuse(why, STATUS_UNSUPPORTED,
			"%u initiators that read one issue queue, at most %d are supported",
			plan->grids, ISSUE_READERS_MAX);
	if (shared && plan->devices > PREFETCH_GRID_MAX)
		return refuse(why, STATUS_UNSUPPORTED,
			"an issue queue for %u chips, at most %d are supported", plan->devices,
			PREFETCH_GRID_MAX);
	plan->feeds = shared ? 1 : plan->grids;
	plan->feed = arena_array(arena, plan->feeds, sizeof(*plan->feed));
	for (uint32_t i = 0; i < plan->feeds; i++) {
		plan->feed[i] = (struct feed_plan){.first = i,
			.count = shared ? plan->grids : 1,
			.range = shared ? device_range_all(plan->mesh.shape) : plan->grid[i].range};
		plan_feeds_number_devices(plan, i);
	}
	return check_order(&config->forward, why);
}
