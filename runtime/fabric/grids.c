/* Makes broadcast grids: splits a mesh into rectangles and chooses an initiator for each rectangle.
 * multicast.c makes the trees. */
#include "fabric/grids.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"

/* Cuts `lines` x `length` devices into `count` parts: first into bands of lines, and then each band
 * into one or more parts of its length. Lines are rows, or columns if `transpose` is set. Bands
 * differ by at most one line; the parts of a band differ in length by at most one device. */
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

static uint32_t grids_largest(const struct device_range *ranges, uint32_t count)
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
	if (grids_largest(other, count) < grids_largest(ranges, count)) {
		qsort(other, count, sizeof(*other), compare_ranges);
		for (uint32_t i = 0; i < count; i++)
			ranges[i] = other[i];
	}
	free(other);
}

/* Writes to `candidates` the chips that may be initiators for a mesh: chips that have PCIe, can
 * reach the mesh, and are not excluded by `barred`. Returns the number of these chips. */
static uint32_t find_candidates(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	const bool *barred, uint16_t *candidates)
{
	uint32_t chips = graph->info->chip_count, count = 0;
	uint16_t *distance = malloc(chips * sizeof(*distance));

	ensure_memory(distance != NULL, "%u chips", chips);
	fabric_graph_distances(graph, mesh->chips[0], distance);
	for (uint16_t chip = 0; chip < chips; chip++)
		if (graph->info->chips[chip].has_pcie && distance[chip] != UINT16_MAX &&
			(barred == NULL || !barred[chip]))
			candidates[count++] = chip;
	free(distance);
	return count;
}

uint32_t fabric_grid_reach(const struct grid_candidate *candidate)
{
	struct device_range range = candidate->range;
	uint32_t best = UINT16_MAX, row_reach, column_reach;
	uint16_t entry_row = range.row0, entry_column = range.column0;

	for (uint16_t row = range.row0; row <= range.row1; row++)
		for (uint16_t column = range.column0; column <= range.column1; column++) {
			uint16_t chip = virtual_mesh_chip(candidate->mesh, row, column);

			if (candidate->distance[chip] < best) {
				best = candidate->distance[chip];
				entry_row = row;
				entry_column = column;
			}
		}
	row_reach = entry_row - range.row0 > range.row1 - entry_row
			    ? (uint32_t)(entry_row - range.row0)
			    : (uint32_t)(range.row1 - entry_row);
	column_reach = entry_column - range.column0 > range.column1 - entry_column
			       ? (uint32_t)(entry_column - range.column0)
			       : (uint32_t)(range.column1 - entry_column);
	return best + row_reach + column_reach;
}

/* ---- gateways ---- */

static uint16_t gateway_of(const struct fabric_graph *graph, uint16_t chip)
{
	const struct chip_info *info = &graph->info->chips[chip];

	return info->has_pcie ? chip : info->gateway;
}

static void include(struct device_range *range, uint16_t row, uint16_t column)
{
	if (column < range->column0)
		range->column0 = column;
	if (column > range->column1)
		range->column1 = column;
	range->row1 = row; /* devices come row by row */
}

/* Makes one grid for each gateway of the mesh, in the order of the gateways' first devices. Sets
 * the initiator of grid i to the gateway, and its range to the smallest rectangle that contains all
 * devices that the host reaches through the gateway. Sets count[i] to the number of these devices.
 * Returns the number of gateways. */
static uint32_t find_gateways(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct broadcast_grid *grids, uint32_t *count)
{
	uint32_t found = 0;

	for (uint16_t row = 0; row < mesh->shape.rows; row++)
		for (uint16_t column = 0; column < mesh->shape.columns; column++) {
			uint16_t chip = virtual_mesh_chip(mesh, row, column);
			uint16_t gateway = gateway_of(graph, chip);
			uint32_t i = 0;

			while (i < found && grids[i].initiator != gateway)
				i++;
			if (i == found) {
				grids[found] = (struct broadcast_grid){
					.initiator = gateway, .range = {row, column, row, column}};
				count[found++] = 0;
			}
			include(&grids[i].range, row, column);
			count[i]++;
		}
	return found;
}

static enum status gateway_grids(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	const struct grid_plan *how, struct arena *arena, struct text *why,
	struct broadcast_grid *grids)
{
	uint32_t *count = allocate(mesh_shape_count(mesh->shape), sizeof(*count));
	uint32_t found = find_gateways(graph, mesh, grids, count);
	enum status status = STATUS_OK;

	for (uint32_t g = 0; g < found && status == STATUS_OK; g++) {
		if (grids[g].initiator == CHIP_NONE)
			status = refuse(why, STATUS_NO_SPACE, "a device without a gateway");
		else if (device_range_count(grids[g].range) != count[g])
			status = refuse(why, STATUS_UNSUPPORTED,
				"the devices behind chip %u form no rectangle", grids[g].initiator);
		else
			status = how->tree(graph, mesh, grids[g].range, grids[g].initiator, arena,
				why, &grids[g].tree);
	}
	free(count);
	return status;
}

uint32_t fabric_grid_count(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	enum grid_split split, uint32_t count)
{
	uint32_t devices = mesh_shape_count(mesh->shape), *behind;
	struct broadcast_grid *grids;

	if (split == GRIDS_ROWS)
		return mesh->shape.rows;
	if (split == GRIDS_COLUMNS)
		return mesh->shape.columns;
	if (split == GRIDS_EVEN)
		return count;
	grids = allocate(devices, sizeof(*grids));
	behind = allocate(devices, sizeof(*behind));
	count = find_gateways(graph, mesh, grids, behind);
	free(grids);
	free(behind);
	return count;
}

/* ---- initiators of ranges ---- */

/* Returns the index of the candidate that has the lowest rank for grid `g`. Skips candidates that
 * are CHIP_NONE, because they were already chosen. */
static uint32_t grids_choose(const struct virtual_mesh *mesh, const struct grid_plan *how,
	uint32_t g, struct device_range range, const uint16_t *candidates, uint32_t found,
	const uint16_t *distances, uint32_t chips)
{
	uint64_t best = UINT64_MAX;
	uint32_t chosen = 0;

	for (uint32_t i = 0; i < found; i++) {
		const struct grid_candidate candidate = {.mesh = mesh,
			.range = range,
			.chip = candidates[i],
			.distance = distances + (size_t)i * chips,
			.load = how->load && candidates[i] != CHIP_NONE ? how->load[candidates[i]]
									: 0,
			.named = how->named && how->named[g] == candidates[i]};
		uint64_t rank;

		if (candidates[i] == CHIP_NONE)
			continue;
		rank = how->rank ? how->rank(&candidate) : fabric_grid_reach(&candidate);
		if (rank < best) {
			best = rank;
			chosen = i;
		}
	}
	return chosen;
}

static void split_mesh(
	struct mesh_shape shape, enum grid_split split, uint32_t count, struct device_range *ranges)
{
	if (split == GRIDS_COLUMNS)
		split_bands(shape.columns, shape.rows, count, true, ranges);
	else
		fabric_split(shape, count, ranges);
}

static enum status initiate_ranges(const struct fabric_graph *graph,
	const struct virtual_mesh *mesh, const struct grid_plan *how,
	const struct device_range *ranges, struct arena *arena, struct text *why,
	struct broadcast_grid *grids)
{
	uint32_t chips = graph->info->chip_count, count = how->count, found;
	uint16_t *candidates = allocate(chips, sizeof(*candidates)), *distances = NULL;
	enum status status = STATUS_OK;

	found = find_candidates(graph, mesh, how->barred, candidates);
	if (count > found) {
		status = refuse(why, STATUS_NO_SPACE,
			"%u initiators, but only %u chips with PCIe reach the mesh of platform %s",
			count, found, graph->info->platform);
		goto out;
	}
	distances = allocate((size_t)found * chips, sizeof(*distances));
	for (uint32_t i = 0; i < found; i++)
		fabric_graph_distances(graph, candidates[i], distances + (size_t)i * chips);
	for (uint32_t g = 0; g < count && status == STATUS_OK; g++) {
		uint32_t chosen =
			grids_choose(mesh, how, g, ranges[g], candidates, found, distances, chips);

		grids[g] = (struct broadcast_grid){
			.initiator = candidates[chosen], .range = ranges[g]};
		status = how->tree(
			graph, mesh, ranges[g], candidates[chosen], arena, why, &grids[g].tree);
		candidates[chosen] = CHIP_NONE;
	}
out:
	free(distances);
	free(candidates);
	return status;
}

enum status fabric_grids_split(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	struct grid_plan how, struct arena *arena, struct text *why, struct broadcast_grid *grids)
{
	uint32_t devices = mesh_shape_count(mesh->shape);
	struct device_range *ranges;
	enum status status;

	if (how.split == GRIDS_GATEWAYS)
		return gateway_grids(graph, mesh, &how, arena, why, grids);
	how.count = fabric_grid_count(graph, mesh, how.split, how.count);
	if (how.count == 0 || how.count > devices)
		return refuse(why, how.count == 0 ? STATUS_INVALID : STATUS_OUT_OF_RANGE,
			"%u initiators for %u devices", how.count, devices);
	ranges = allocate(how.count, sizeof(*ranges));
	split_mesh(mesh->shape, how.split, how.count, ranges);
	status = initiate_ranges(graph, mesh, &how, ranges, arena, why, grids);
	free(ranges);
	return status;
}

enum status fabric_grids(const struct fabric_graph *graph, const struct virtual_mesh *mesh,
	uint32_t count, struct arena *arena, struct text *why, struct broadcast_grid *grids)
{
	const struct grid_plan how = {
		.split = GRIDS_EVEN, .count = count, .tree = fabric_line_columns};

	return fabric_grids_split(graph, mesh, how, arena, why, grids);
}
