/* Checks whether a machine is a whole mesh. In a whole mesh, routes in dimension order (first along
 * the row, then along the column) reach every chip. Parallel links count as one link. */
#include <stdlib.h>

#include "base/allocate.h"
#include "fabric/graph.h"

/* Returns the chips of the mesh, indexed by place; NULL if a place has no chip. */
static uint16_t *chips_by_place(const struct cluster_info *info)
{
	uint32_t count = (uint32_t)info->mesh_rows * info->mesh_columns, taken = 0;
	uint16_t *chips = allocate(count, sizeof(*chips));

	for (uint32_t i = 0; i < info->chip_count; i++) {
		const struct chip_info *chip = &info->chips[i];

		if (chip->mesh_row < 0 || chip->mesh_column < 0 ||
			chip->mesh_row >= info->mesh_rows ||
			chip->mesh_column >= info->mesh_columns)
			continue;
		chips[chip->mesh_row * info->mesh_columns + chip->mesh_column] = (uint16_t)i;
		taken++;
	}
	if (taken == count)
		return chips;
	free(chips);
	return NULL;
}

/* The rows of the mesh, or its columns. */
struct lines {
	/* count and length of the lines; distance in places along a line, and to the next line */
	uint32_t count, length, step, next;
};

/* Returns the number of links between neighbours, added over all lines. Returns UINT32_MAX if two
 * neighbours in a line have no link, or if some lines are rings and others are not. */
static uint32_t whole_links_of(
	const struct fabric_graph *graph, const uint16_t *chips, struct lines lines)
{
	uint32_t rings = 0;

	for (uint32_t line = 0; line < lines.count; line++) {
		const uint16_t *first = &chips[line * lines.next];

		for (uint32_t i = 1; i < lines.length; i++)
			if (!fabric_graph_joined(
				    graph, first[(i - 1) * lines.step], first[i * lines.step]))
				return UINT32_MAX;
		rings += lines.length > 2 && fabric_graph_joined(graph, first[0],
						     first[(lines.length - 1) * lines.step]);
	}
	if (rings != 0 && rings != lines.count)
		return UINT32_MAX;
	return lines.count * (lines.length - 1) + rings;
}

bool fabric_is_whole(const struct fabric_graph *graph)
{
	const struct cluster_info *info = graph->info;
	uint32_t rows = info->mesh_rows, columns = info->mesh_columns, beside = 0, across, down;
	uint16_t *chips = chips_by_place(info);

	if (chips == NULL)
		return false;
	across = whole_links_of(graph, chips, (struct lines){rows, columns, 1, columns});
	down = whole_links_of(graph, chips, (struct lines){columns, rows, columns, 1});
	free(chips);
	for (uint32_t chip = 0; chip < info->chip_count; chip++) {
		uint32_t degree = graph->first[chip + 1] - graph->first[chip];

		if (info->chips[chip].mesh_row >= 0)
			continue;
		if (degree > 1)
			return false;
		beside += degree;
	}
	return across != UINT32_MAX && down != UINT32_MAX &&
	       graph->first[info->chip_count] == 2 * (across + down + beside);
}
