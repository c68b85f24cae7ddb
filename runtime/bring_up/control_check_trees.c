/* Checks multicast trees by following their parts from chip to chip: each tree reaches each chip of
 * its mesh once. */
#include <stdlib.h>

#include "base/allocate.h"
#include "check_private.h"

/* Returns a chip's part of the tree from `source`; NULL if it has none. */
static const struct tree_part *part_of(const struct chip_tables *tables, uint32_t source)
{
	uint32_t low = 0, high = tables->part_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tables->parts[middle].source == source)
			return &tables->parts[middle];
		if (tables->parts[middle].source < source)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static enum status say_tree(
	const struct check *check, uint32_t source, uint32_t at, const char *what)
{
	const struct chip_tables *a = check->tables[source], *b = check->tables[at];

	return refuse(check->why, STATUS_INVALID, "the tree of mesh %u chip %u %s mesh %u chip %u",
		a->mesh, a->chip, what, b->mesh, b->chip);
}

/* A tree that is followed. `queue` has the devices that it reached, `came` [device] the state in
 * which its packets came there. */
struct follow {
	struct check *check;
	uint32_t source;
	uint32_t *queue, *came, *reached; /* reached: [device] source + 1 of the last tree */
	uint32_t tail;
};

static enum status follow_hop(struct follow *follow, uint32_t at, struct hop out)
{
	struct check *check = follow->check;
	struct hop in;
	uint32_t to;
	const struct tree_part *part;

	if (!check_exists(check->tables[at], out))
		return say_tree(check, follow->source, at, "leaves over a port that is not there:");
	in = check_arrives(check->tables[at], out);
	to = check->tables[at]->ports[out.port].peer;
	part = part_of(check->tables[to], follow->source);
	if (follow->reached[to] == follow->source + 1)
		return say_tree(check, follow->source, to, "reaches more than once");
	if (!part || part->in_port != in.port || part->in_vc != in.vc)
		return say_tree(check, follow->source, to, "is not expected where it comes to");
	if (at != follow->source)
		check_waits_add(check, follow->came[at], out);
	follow->reached[to] = follow->source + 1;
	follow->came[to] = check_state(check, at, out);
	follow->queue[follow->tail++] = to;
	return STATUS_OK;
}

static enum status check_tree(struct follow *follow)
{
	struct check *check = follow->check;
	const struct chip_tables *source = check->tables[follow->source];
	enum status status = STATUS_OK;

	follow->tail = 0;
	follow->queue[follow->tail++] = follow->source;
	follow->reached[follow->source] = follow->source + 1;
	for (uint32_t head = 0; head < follow->tail && status == STATUS_OK; head++) {
		uint32_t at = follow->queue[head];
		const struct tree_part *part = part_of(check->tables[at], follow->source);

		for (uint32_t i = 0; i < part->out_count && status == STATUS_OK; i++)
			status = follow_hop(
				follow, at, check->tables[at]->hops[part->first_out + i]);
	}
	for (uint32_t i = source->first_device;
		i < source->first_device + source->mesh_chips && status == STATUS_OK; i++)
		if (check->tables[i] && follow->reached[i] != follow->source + 1)
			status = say_tree(check, follow->source, i, "does not reach");
	return status;
}

enum status check_trees(struct check *check)
{
	size_t count = (size_t)check->count + 1;
	struct follow follow = {.check = check,
		.queue = allocate(count, sizeof(uint32_t)),
		.came = allocate(count, sizeof(uint32_t)),
		.reached = allocate(count, sizeof(uint32_t))};
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < check->count && status == STATUS_OK; i++) {
		const struct tree_part *part =
			check->tables[i] ? part_of(check->tables[i], i) : NULL;

		if (!part || part->in_port != HOP_HERE)
			continue;
		follow.source = i;
		status = check_tree(&follow);
	}
	free(follow.queue);
	free(follow.came);
	free(follow.reached);
	return status;
}
