/* Broadcast grids: who initiates for which part of the mesh. Splits by rectangles and chooses
 * initiators; the trees are multicast.c's. */
#include "fabric/grids.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"

/* Cuts `lines` x `length` into bands of lines, and each band into one part or several, whose sizes
 * differ by one at most. With `transpose`, lines are columns. */
static void split_bands(uint32_t lines, uint32_t length, uint32_t count, bool transpose,
	struct device_range *ranges)
{
	uint32_t bands = count < lines ? count : lines, at = 0;

	for (uint32_t band = 0; band < bands; band++) {
		uint32_t line0 = band * lines / bands, line1 = (band + 1) * lines / bands - 1;
		uint32_t parts = (band + 1) * count / bands - band * count / bands;

		for (uint32_t part = 0; part < parts; part++) {
			uint16_t from = (uint16_t)(part * length / parts);
			uint16_t to = (uint16_t)((part + 1) * length / parts - 1);
			struct device_range range = {(uint16_t)line0, from, (uint16_t)line1, to};

			if (transpose)
				range = (struct device_range){
					from, (uint16_t)line0, to, (uint16_t)line1};
			ranges[at++] = range;
		}
	}
	ensure(at == count, "%u parts instead of %u", at, count);
}

static uint32_t largest(const struct device_range *ranges, uint32_t count)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < count; i++)
		if (device_range_count(ranges[i]) > most)
			most = device_range_count(ranges[i]);
	return most;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct device_range *x = a, *y = b;

	if (x->row0 != y->row0)
		return x->row0 < y->row0 ? -1 : 1;
	return x->column0 < y->column0 ? -1 : x->column0 > y->column0;
}

void fabric_split(struct mesh_shape shape, uint32_t count, struct device_range *ranges)
{
	struct device_range *other;

	ensure(count > 0 && count <= mesh_shape_count(shape), "%u parts of %u x %u devices", count,
		shape.rows, shape.columns);
	split_bands(shape.rows, shape.columns, count, false, ranges);
	if (count <= shape.rows || count % shape.rows == 0)
		return;
	other = allocate(count, sizeof(*other));
	split_bands(shape.columns, shape.rows, count, true, other);
	if (largest(other, count) < largest(ranges, count)) {
		qsort(other, count, sizeof(*other), compare_ranges);
		for (uint32_t i = 0; i < count; i++)
			ranges[i] = other[i];
	}
	free(other);
}

/* Chips that may initiate for a mesh: with PCIe, and able to reach it. */
static uint32_t find_candidates(
	const struct fabric_graph *graph, const struct virtual_mesh *mesh, uint16_t *candidates)
{
	uint32_t chips = graph->info->chip_count, count = 0;
	uint16_t *distance = malloc(chips * sizeof(*distance));

	ensure(distance != NULL, "no memory for %u chips", chips);
	fabric_graph_distances(graph, mesh->chips[0], distance);
	for (uint16_t chip = 0; chip < chips; chip++)
		if (graph->info->chips[chip].has_pcie && distance[chip] != UINT16_MAX)
			candidates[count++] = chip;
	free(distance);
	return count;
}

/* Hops to the farthest chip of `range`, were `initiator` to serve it: to the nearest chip, then
 * along the row, then along the columns. */
static uint32_t reach(
	const struct virtual_mesh *mesh, struct device_range range, const uint16_t *distance)
{
	uint32_t best = UINT16_MAX, row_reach, column_reach;
	uint16_t entry_row = range.row0, entry_column = range.column0;

	for (uint16_t row = range.row0; row <= range.row1; row++)
		for (uint16_t column = range.column0; column <= range.column1; column++)
			if (distance[virtual_mesh_chip(mesh, row, column)] < best) {
				best = distance[virtual_mesh_chip(mesh, row, column)];
				entry_row = row;
				entry_column = column;
			}
	row_reach = entry_row - range.row0 > range.row1 - entry_row
			    ? (uint32_t)(entry_row - range.row0)
			    : (uint32_t)(range.row1 - entry_row);
	column_reach = entry_column - range.column0 > range.column1 - entry_column
			       ? (uint32_t)(entry_column - range.column0)
			       : (uint32_t)(range.column1 - entry_column);
	return best + row_reach + column_reach;
}

enum status fabric_grids(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	uint32_t count, struct arena *arena, struct text *why, struct broadcast_grid *grids)
{
	uint32_t chips = graph->info->chip_count, devices = mesh_shape_count(mesh->shape);
	struct device_range *ranges = calloc(count + 1, sizeof(*ranges));
	uint16_t *candidates = malloc(chips * sizeof(*candidates));
	uint16_t *distances = NULL;
	enum status status = STATUS_OK;
	uint32_t found;

	ensure(ranges != NULL && candidates != NULL, "no memory for %u initiators", count);
	if (count == 0 || count > devices) {
		status = refuse(why, count == 0 ? STATUS_INVALID : STATUS_OUT_OF_RANGE,
			"%u initiators for %u devices", count, devices);
		goto out;
	}
	found = find_candidates(graph, mesh, candidates);
	if (count > found) {
		status = refuse(why, STATUS_NO_SPACE,
			"%u initiators, but only %u chips with PCIe reach the mesh of platform %s",
			count, found, graph->info->platform);
		goto out;
	}
	distances = malloc((size_t)found * chips * sizeof(*distances));
	ensure(distances != NULL, "no memory for %u x %u distances", found, chips);
	for (uint32_t i = 0; i < found; i++)
		fabric_graph_distances(graph, candidates[i], distances + (size_t)i * chips);
	fabric_split(mesh->shape, count, ranges);
	for (uint32_t g = 0; g < count && status == STATUS_OK; g++) {
		uint32_t best = UINT32_MAX, chosen = 0;

		for (uint32_t i = 0; i < found; i++) {
			uint32_t hops;

			if (candidates[i] == CHIP_NONE)
				continue;
			hops = reach(mesh, ranges[g], distances + (size_t)i * chips);
			if (hops < best) {
				best = hops;
				chosen = i;
			}
		}
		grids[g] = (struct broadcast_grid){
			.initiator = candidates[chosen], .range = ranges[g]};
		status = fabric_line_columns(
			graph, mesh, ranges[g], candidates[chosen], arena, why, &grids[g].tree);
		candidates[chosen] = CHIP_NONE;
	}
out:
	free(distances);
	free(candidates);
	free(ranges);
	return status;
}
