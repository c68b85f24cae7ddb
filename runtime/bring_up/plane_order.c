/* Orders by breadth from a root, in which up-down routes go: the devices of each mesh, and the
 * meshes themselves. A step up leads to one that stands before. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "plane_private.h"

/* Returns the device of a mesh from which others are few links away: the one in the middle, or the
 * first one that has a chip. TABLES_NONE: no device has one. */
static uint32_t order_root_of(const struct control_plane *plane, const struct plane_mesh *mesh)
{
	uint32_t middle = mesh->first + mesh->rows / 2 * mesh->columns + mesh->columns / 2;

	if (plane->chip_of[middle] != MACHINE_NONE)
		return middle;
	for (uint32_t i = mesh->first; i < mesh->first + mesh->count; i++)
		if (plane->chip_of[i] != MACHINE_NONE)
			return i;
	return TABLES_NONE;
}

/* Returns the number of devices that were reached. */
static uint32_t order_mesh(struct control_plane *plane, uint32_t root, uint32_t *queue)
{
	uint32_t head = 0, tail = 0;

	if (root == TABLES_NONE)
		return 0;
	plane->above[root] = tail;
	queue[tail++] = root;
	for (; head < tail; head++)
		for (uint32_t i = plane->first[queue[head]]; i < plane->first[queue[head] + 1];
			i++) {
			uint32_t to = plane->arcs[i].to;

			if (plane->arcs[i].exit || plane->above[to] != TABLES_NONE)
				continue;
			plane->above[to] = tail;
			queue[tail++] = to;
		}
	return tail;
}

enum status plane_order_devices(struct control_plane *plane, struct text *why)
{
	uint32_t *queue = allocate((size_t)plane->device_count + 1, sizeof(*queue));
	enum status status = STATUS_OK;

	plane->above = arena_array(&plane->arena, plane->device_count, sizeof(uint32_t));
	for (uint32_t i = 0; i < plane->device_count; i++)
		plane->above[i] = TABLES_NONE;
	for (uint32_t m = 0; m < plane->mesh_count && status == STATUS_OK; m++) {
		const struct plane_mesh *mesh = &plane->meshes[m];
		uint32_t root = order_root_of(plane, mesh);

		if (order_mesh(plane, root, queue) == mesh->present)
			continue;
		for (uint32_t i = mesh->first; i < mesh->first + mesh->count; i++)
			if (plane->chip_of[i] != MACHINE_NONE && plane->above[i] == TABLES_NONE) {
				status = refuse(why, STATUS_NOT_FOUND,
					"no links of mesh %u lead from chip %u to chip %u", m,
					root - mesh->first, i - mesh->first);
				break;
			}
	}
	free(queue);
	return status;
}

/* A mesh that is joined with another. */
struct join {
	uint32_t from, to;
};

static int compare_joins(const void *left, const void *right)
{
	const struct join *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

/* Returns the first of the joins of a mesh, which are sorted. */
static size_t joins_from(const struct join *joins, size_t count, uint32_t mesh)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (joins[middle].from < mesh)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t collect_joins(const struct control_plane *plane, struct join *joins)
{
	size_t count = 0, kept = 0;

	for (uint32_t i = 0; i < plane->arc_count; i++)
		if (plane->arcs[i].exit)
			joins[count++] = (struct join){plane->mesh_of[plane->arcs[i].from],
				plane->mesh_of[plane->arcs[i].to]};
	if (count)
		qsort(joins, count, sizeof(*joins), compare_joins);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || compare_joins(&joins[i - 1], &joins[i]) != 0)
			joins[kept++] = joins[i];
	return kept;
}

/* Returns the mesh without a group that is joined with the most others; TABLES_NONE: all have one.
 */
static uint32_t next_root(const struct control_plane *plane, const struct join *joins, size_t count)
{
	uint32_t best = TABLES_NONE;
	size_t most = 0;

	for (uint32_t m = 0; m < plane->mesh_count; m++) {
		size_t degree = joins_from(joins, count, m + 1) - joins_from(joins, count, m);

		if (plane->meshes[m].group != TABLES_NONE ||
			(best != TABLES_NONE && degree <= most))
			continue;
		best = m;
		most = degree;
	}
	return best;
}

void plane_order_meshes(struct control_plane *plane)
{
	struct join *joins = allocate((size_t)plane->arc_count + 1, sizeof(*joins));
	size_t count = collect_joins(plane, joins);
	uint32_t *queue = allocate((size_t)plane->mesh_count + 1, sizeof(*queue));
	uint32_t head = 0, tail = 0, root;

	for (uint32_t m = 0; m < plane->mesh_count; m++)
		plane->meshes[m].group = TABLES_NONE;
	while ((root = next_root(plane, joins, count)) != TABLES_NONE) {
		plane->meshes[root].group = plane->group_count;
		plane->meshes[root].rank = tail;
		queue[tail++] = root;
		for (; head < tail; head++)
			for (size_t k = joins_from(joins, count, queue[head]);
				k < count && joins[k].from == queue[head]; k++) {
				struct plane_mesh *to = &plane->meshes[joins[k].to];

				if (to->group != TABLES_NONE)
					continue;
				to->group = plane->group_count;
				to->rank = tail;
				queue[tail++] = joins[k].to;
			}
		plane->group_count++;
	}
	free(queue);
	free(joins);
}
