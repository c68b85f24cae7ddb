/* Parts of feeds. A feed carries the broadcasts of a command queue to one or several multicast
 * initiators. A part of a feed is a rectangle of the feed's devices. The trees of a part are
 * subtrees of the grids' trees, so they use only routes that were already checked for cycles. */
#include "mesh/device/bringup.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "firmware/broadcast/broadcast.h"
#include "mesh/device/device.h"

static struct feed_part feed_parts_part_of(const struct feed *feed, struct device_range range)
{
	struct device_range all = feed->plan->range;

	return (struct feed_part){.range = range,
		.rect = {.row0 = (uint8_t)(range.row0 - all.row0),
			.column0 = (uint8_t)(range.column0 - all.column0),
			.row1 = (uint8_t)(range.row1 - all.row0),
			.column1 = (uint8_t)(range.column1 - all.column0)}};
}

/* Returns the packetizer that sends a queue's broadcasts to a grid. Sets *socket to the number of
 * the queue's socket at this packetizer. */
static struct stage *feed_parts_packetizer_of(
	const struct command_queue *queue, uint32_t grid, uint32_t *socket)
{
	struct mesh_device *mesh = queue->mesh;
	bool shared = mesh->config.forward.packetizer->shared;

	*socket = shared ? queue->index : 0;
	return mesh->packetizers[(shared ? 0 : queue->index) * mesh->plan.grids + grid];
}

/* Makes the multicasts that reach the devices of `range` in a grid, and returns them. Registers
 * them with the grid's packetizer as tree `number`. If no device of `range` is in the grid,
 * registers a tree without receivers, so that trees have the same numbers at all packetizers of
 * the feed. */
static struct broadcast_tree *add_tree(
	struct command_queue *queue, uint32_t grid, struct device_range range, uint16_t number)
{
	struct mesh_device *mesh = queue->mesh;
	struct broadcast_tree *trees =
		plan_multicasts(&mesh->plan, queue->index, grid, range, &mesh->estate->arena);
	struct stage *packetizer;
	uint32_t socket;
	uint16_t added;

	packetizer = feed_parts_packetizer_of(queue, grid, &socket);
	if (packetizer == NULL) /* the packetizer belongs to another host */
		return trees;
	ensure(packetizer_add_tree(packetizer, socket, trees, &added) == STATUS_OK &&
			added == number,
		"tree %u of a packetizer", number);
	return trees;
}

static void part_new(struct command_queue *queue, struct feed *feed, struct device_range range)
{
	struct feed_part part = feed_parts_part_of(feed, range);

	part.tree = (uint16_t)feed->part_count;
	part.trees = allocate(feed->plan->count, sizeof(*part.trees));
	for (uint32_t i = 0; i < feed->plan->count; i++)
		part.trees[i] = add_tree(queue, feed->plan->first + i, range, part.tree);
	feed->parts[feed->part_count++] = part;
}

struct feed_part *feed_part(struct command_queue *queue, uint32_t number, struct device_range range)
{
	struct feed *feed = &queue->feeds[number];

	for (uint32_t i = 0; i < feed->part_count; i++)
		if (memcmp(&feed->parts[i].range, &range, sizeof(range)) == 0)
			return &feed->parts[i];
	if (feed->part_count == PREFETCH_TREES_MAX) {
		feed->parts[PREFETCH_TREES_MAX] = feed_parts_part_of(feed, range);
		return &feed->parts[PREFETCH_TREES_MAX];
	}
	part_new(queue, feed, range);
	return &feed->parts[feed->part_count - 1];
}

void feed_parts_init(struct feed *feed)
{
	feed->parts = allocate(PREFETCH_TREES_MAX + 1, sizeof(*feed->parts));
	feed->parts[0] = feed_parts_part_of(feed, feed->plan->range);
	feed->part_count = 1;
}

void multicasts_forget(const struct broadcast_tree *tree)
{
	for (; tree != NULL; tree = tree->next)
		device_row->fabric_tree_forget(tree->tree);
}

void feed_parts_forget(struct feed *feed)
{
	for (uint32_t i = 1; i < feed->part_count; i++)
		for (uint32_t k = 0; k < feed->plan->count; k++)
			multicasts_forget(feed->parts[i].trees[k]);
}

void feed_parts_fini(struct feed *feed)
{
	for (uint32_t i = 1; i < feed->part_count; i++)
		free(feed->parts[i].trees);
	free(feed->parts);
}
