/* Assigns broadcast grids to feeds, which are the issue queues of broadcasts (spec 3.8.8.2). Either
 * each grid has its own feed, or all grids share one. Also rejects an ordering of broadcasts and
 * unicasts that the configured dispatchers cannot keep. */
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

/* Checks that commands can address the devices of a feed. If commands contain a transaction number
 * for each device, also checks that these numbers fit into the ring of a broadcast prefetcher,
 * which needs all numbers of a command at once. */
static enum status check_feed(
	const struct mesh_config *config, struct device_range range, struct text *why)
{
	uint32_t rows = range.row1 - range.row0 + 1u, columns = range.column1 - range.column0 + 1u;
	uint32_t ring = config->limits->receive_ring_bytes;
	uint32_t numbers = COMMAND_BYTES + command_padded(rows * columns);

	if (rows > PREFETCH_EXTENT_MAX || columns > PREFETCH_EXTENT_MAX)
		return refuse(why, STATUS_UNSUPPORTED,
			"an issue queue for broadcasts to %u x %u chips: a command has 8 bits for "
			"a row or a column, so at most %d of each",
			rows, columns, PREFETCH_EXTENT_MAX);
	if (config->forward.ordering->numbers && numbers > ring)
		return refuse(why, STATUS_UNSUPPORTED,
			"an issue queue for broadcasts to %u chips: their transaction numbers take "
			"%u B of the ring of a broadcast prefetcher, which has %u B",
			rows * columns, numbers, ring);
	return STATUS_OK;
}

enum status feeds_plan(
	struct plan *plan, const struct mesh_config *config, struct arena *arena, struct text *why)
{
	bool shared = config->forward.feed->shared;
	enum status status = STATUS_OK;

	if (plan->grids == 0)
		return STATUS_OK;
	plan->feeds = shared ? 1 : plan->grids;
	plan->feed = arena_array(arena, plan->feeds, sizeof(*plan->feed));
	for (uint32_t i = 0; i < plan->feeds; i++) {
		plan->feed[i] = (struct feed_plan){.first = i,
			.count = shared ? plan->grids : 1,
			.range = shared ? device_range_all(plan->mesh.shape) : plan->grid[i].range};
		plan_feeds_number_devices(plan, i);
	}
	for (uint32_t i = 0; i < plan->feeds && status == STATUS_OK; i++)
		status = check_feed(config, plan->feed[i].range, why);
	return status == STATUS_OK ? check_order(&config->forward, why) : status;
}
