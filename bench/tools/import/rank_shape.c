/* Reads how many chips a rank has from what the user asks for (import.h). */
#include <stdio.h>
#include <string.h>

#include "bench/tools/import/import.h"
#include "world/bounds.h"

bool import_rank_shape(const char *rank, struct mesh_shape *shape)
{
	unsigned rows, columns;
	int end = 0;

	if (strlen(rank) > 9 || sscanf(rank, "%ux%u%n", &rows, &columns, &end) != 2 ||
		rank[end] != 0 || rows - 1 >= BOUND_EXTENT || columns - 1 >= BOUND_EXTENT)
		return false;
	*shape = (struct mesh_shape){(uint16_t)rows, (uint16_t)columns};
	return true;
}
