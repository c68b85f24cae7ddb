/* Builds multicast trees along a ring through all chips of a part of a mesh, in both directions
 * from the chip where the tree enters the ring (spec 3.8.8.2). Returns UNSUPPORTED if the links of
 * this part form no ring. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "fabric/tree.h"
#include "path.h"

/* A sub-grid, possibly transposed. */
struct frame {
	const struct fabric_graph *graph;
	const struct virtual_mesh *mesh;
	struct device_range range;
	bool transposed;
	uint32_t rows, columns;
	uint16_t *chips; /* the chips of the ring, in order */
	uint32_t count;
};

static uint16_t chip_at(const struct frame *frame, uint32_t row, uint32_t column)
{
	uint32_t down = frame->transposed ? column : row, right = frame->transposed ? row : column;

	return virtual_mesh_chip(frame->mesh, (uint16_t)(frame->range.row0 + down),
		(uint16_t)(frame->range.column0 + right));
}

/* Appends the chips of a row from column `from` to column `to`. `to` may be below `from`. */
static void go_along(struct frame *frame, uint32_t row, uint32_t from, uint32_t to)
{
	for (uint32_t at = from;; at = from < to ? at + 1 : at - 1) {
		frame->chips[frame->count++] = chip_at(frame, row, at);
		if (at == to)
			break;
	}
}

/* Appends all rows from column `from` on, in alternating directions. */
static void go_there_and_back(struct frame *frame, uint32_t from)
{
	uint32_t last = frame->columns - 1;

	for (uint32_t row = 0; row < frame->rows; row++)
		go_along(frame, row, row % 2 == 0 ? from : last, row % 2 == 0 ? last : from);
}

/* Appends the first column, from bottom to top. */
static void go_back_up(struct frame *frame)
{
	for (uint32_t row = frame->rows; row-- > 0;)
		frame->chips[frame->count++] = chip_at(frame, row, 0);
}

/* Returns true if links join all consecutive chips, and the last chip to the first chip. */
static bool is_closed(const struct frame *frame)
{
	bool closed = frame->count == frame->rows * frame->columns;

	for (uint32_t i = 0; i < frame->count && frame->count > 1 && closed; i++)
		closed = fabric_graph_joined(
			frame->graph, frame->chips[i], frame->chips[(i + 1) % frame->count]);
	return closed;
}

/* Tries a ring that follows all lines, back and forth, and then goes over one link from its last
 * chip to its first. There is such a link if there are two lines, or if a wrap-around link joins
 * the two chips. */
static bool try_lines(struct frame *frame)
{
	frame->count = 0;
	go_there_and_back(frame, 0);
	return is_closed(frame);
}

/* Tries a ring that runs back and forth along all lines without their first column, and then
 * returns through the first column. This ring exists if the number of lines is even, or if the last
 * line has a wrap-around link. */
static bool try_comb(struct frame *frame)
{
	frame->count = 0;
	if (frame->columns < 2)
		return false;
	go_there_and_back(frame, 1);
	go_back_up(frame);
	return is_closed(frame);
}

static bool find_ring(struct frame *frame)
{
	bool found = try_lines(frame) || try_comb(frame);

	if (!found) {
		uint32_t rows = frame->rows;

		frame->transposed = true;
		frame->rows = frame->columns;
		frame->columns = rows;
		found = try_lines(frame) || try_comb(frame);
	}
	return found;
}

/* ---- the tree ---- */

/* Returns the chip of the ring that is nearest to the initiator; if several are equally near, the
 * one with the lowest number. Returns CHIP_NONE if the initiator reaches no chip of the ring. */
static uint16_t nearest(const struct frame *frame, uint16_t initiator)
{
	uint16_t *distance = allocate(frame->graph->info->chip_count, sizeof(*distance));
	uint16_t best = CHIP_NONE;

	fabric_graph_distances(frame->graph, initiator, distance);
	for (uint32_t i = 0; i < frame->count; i++) {
		uint16_t chip = frame->chips[i];

		if (distance[chip] == UINT16_MAX)
			continue;
		if (best == CHIP_NONE || distance[chip] < distance[best] ||
			(distance[chip] == distance[best] && chip < best))
			best = chip;
	}
	free(distance);
	return best;
}

/* Adds the route from the initiator to the ring. Returns the index, in the ring, of the chip where
 * the route enters the ring. */
static uint32_t approach(
	const struct frame *frame, uint16_t initiator, uint16_t entry, uint16_t *before)
{
	uint16_t *way = allocate(frame->graph->info->chip_count, sizeof(*way));
	uint32_t hops = entry == initiator ? 0 : fabric_way(frame->graph, initiator, entry, way);
	uint32_t at = 0;

	way[0] = initiator;
	for (uint32_t hop = 0;; hop++) {
		if (hop > 0)
			before[way[hop]] = way[hop - 1];
		/* on a machine with holes, the route may pass another chip of the ring first */
		for (at = 0; at < frame->count && frame->chips[at] != way[hop]; at++)
			;
		if (at < frame->count)
			break;
		ensure(hop < hops, "no way from chip %u to chip %u", initiator, entry);
	}
	free(way);
	return at;
}

/* Routes along the ring from index `entry`: one half of the chips is reached in one direction, and
 * the other half in the other direction. Sets before[chip] to the previous chip on the route. */
static void go_round(const struct frame *frame, uint32_t entry, uint16_t *before)
{
	const uint16_t *chips = frame->chips;
	uint32_t count = frame->count;

	for (uint32_t k = 1; k <= count / 2; k++)
		before[chips[(entry + k) % count]] = chips[(entry + k - 1) % count];
	for (uint32_t k = 1; k <= (count - 1) / 2; k++)
		before[chips[(entry + count - k) % count]] = chips[(entry + count - k + 1) % count];
}

static enum status grow(const struct frame *frame, uint16_t initiator, struct arena *arena,
	struct text *why, struct fabric_tree **tree)
{
	uint32_t machine = frame->graph->info->chip_count;
	uint16_t *before, entry = nearest(frame, initiator);
	bool *member;

	if (entry == CHIP_NONE)
		return refuse(why, STATUS_NOT_FOUND, "chip %u reaches no chip of the sub-grid",
			initiator);
	before = allocate(machine, sizeof(*before));
	member = allocate(machine, sizeof(*member));
	for (uint32_t i = 0; i < machine; i++)
		before[i] = CHIP_NONE;
	for (uint32_t i = 0; i < frame->count; i++)
		member[frame->chips[i]] = true;
	go_round(frame, approach(frame, initiator, entry, before), before);
	*tree = fabric_grow(frame->graph, initiator, before, member, arena);
	free(before);
	free(member);
	return STATUS_OK;
}

enum status fabric_ring(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct device_range range, uint16_t initiator, struct arena *arena, struct text *why,
	struct fabric_tree **tree)
{
	struct frame frame = {.graph = graph,
		.mesh = mesh,
		.range = range,
		.rows = (uint32_t)(range.row1 - range.row0) + 1,
		.columns = (uint32_t)(range.column1 - range.column0) + 1};
	enum status status;

	ensure(device_range_valid(range, mesh->shape), "range outside the mesh");
	frame.chips = allocate(device_range_count(range), sizeof(*frame.chips));
	if (find_ring(&frame))
		status = grow(&frame, initiator, arena, why, tree);
	else
		status = refuse(why, STATUS_UNSUPPORTED,
			"no ring of links leads through the %u x %u devices from %u,%u on: that "
			"takes an even number of rows or columns, both above 1, or wrap-around "
			"links",
			range.row1 - range.row0 + 1, range.column1 - range.column0 + 1, range.row0,
			range.column0);
	free(frame.chips);
	return status;
}
