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

/* The meshes and their joins, while an order of them is sought. */
struct mesh_order {
	uint32_t count;
	const struct join *joins;
	size_t join_count;
	uint32_t *rank;	 /* [mesh] its place; TABLES_NONE: none */
	uint32_t *found; /* the meshes that have a place, by their places */
	uint32_t found_count;
	uint32_t *away, *queue; /* [2 * mesh + (went down)] for order_hops() */
};

/* Gives places to all meshes that joins lead to from a root, by breadth. */
static void order_from(struct mesh_order *order, uint32_t root)
{
	uint32_t head = order->found_count;

	order->rank[root] = order->found_count;
	order->found[order->found_count++] = root;
	for (; head < order->found_count; head++)
		for (size_t k = joins_from(order->joins, order->join_count, order->found[head]);
			k < order->join_count && order->joins[k].from == order->found[head]; k++) {
			uint32_t to = order->joins[k].to;

			if (order->rank[to] != TABLES_NONE)
				continue;
			order->rank[to] = order->found_count;
			order->found[order->found_count++] = to;
		}
}

/* Takes the places back from the `first`-th on. */
static void order_forget(struct mesh_order *order, uint32_t first)
{
	while (order->found_count > first)
		order->rank[order->found[--order->found_count]] = TABLES_NONE;
}

/* Adds up the joins that routes take which go up and then down, from a mesh to all others. */
static uint64_t order_hops(struct mesh_order *order, uint32_t source)
{
	uint32_t head = 0, tail = 0;
	uint64_t hops = 0;

	for (uint32_t i = 0; i < 2 * order->count; i++)
		order->away[i] = TABLES_NONE;
	order->away[2 * source] = 0;
	order->queue[tail++] = 2 * source;
	for (; head < tail; head++) {
		uint32_t at = order->queue[head] / 2, went_down = order->queue[head] % 2, here,
			 other;

		/* a mesh counts once, in the state that is nearer */
		here = order->away[order->queue[head]];
		other = order->away[2 * at + !went_down];
		if (here < other || (here == other && !went_down))
			hops += here;
		for (size_t k = joins_from(order->joins, order->join_count, at);
			k < order->join_count && order->joins[k].from == at; k++) {
			uint32_t to = order->joins[k].to, down = order->rank[to] > order->rank[at];

			if ((went_down && !down) || order->away[2 * to + down] != TABLES_NONE)
				continue;
			order->away[2 * to + down] = order->away[order->queue[head]] + 1;
			order->queue[tail++] = 2 * to + down;
		}
	}
	return hops;
}

/* Returns the mesh without a place that is joined with the most others; TABLES_NONE: all have one.
 */
static uint32_t order_busiest(const struct mesh_order *order)
{
	uint32_t best = TABLES_NONE;
	size_t most = 0;

	for (uint32_t m = 0; m < order->count; m++) {
		size_t degree = joins_from(order->joins, order->join_count, m + 1) -
				joins_from(order->joins, order->join_count, m);

		if (order->rank[m] != TABLES_NONE || (best != TABLES_NONE && degree <= most))
			continue;
		best = m;
		most = degree;
	}
	return best;
}

/* Gives places to the meshes that are joined with `root`, from the root among them with which
 * routes are shortest; of many meshes, from `root` itself. */
static void order_group(struct mesh_order *order, uint32_t root)
{
	enum { TRIED_MAX = 128 };
	uint32_t first = order->found_count, members, best = root;
	uint64_t least = UINT64_MAX;
	uint32_t *tried;

	order_from(order, root);
	members = order->found_count - first;
	if (members > TRIED_MAX)
		return;
	tried = allocate(members, sizeof(*tried));
	for (uint32_t i = 0; i < members; i++)
		tried[i] = order->found[first + i];
	for (uint32_t i = 0; i < members; i++) {
		uint64_t hops = 0;

		order_forget(order, first);
		order_from(order, tried[i]);
		for (uint32_t k = 0; k < members; k++)
			hops += order_hops(order, tried[k]);
		if (hops < least) {
			least = hops;
			best = tried[i];
		}
	}
	order_forget(order, first);
	order_from(order, best);
	free(tried);
}

void plane_order_meshes(struct control_plane *plane)
{
	struct join *joins = allocate((size_t)plane->arc_count + 1, sizeof(*joins));
	size_t count = (size_t)plane->mesh_count + 1;
	struct mesh_order order = {.count = plane->mesh_count,
		.joins = joins,
		.join_count = collect_joins(plane, joins),
		.rank = allocate(count, sizeof(uint32_t)),
		.found = allocate(count, sizeof(uint32_t)),
		.away = allocate(2 * count, sizeof(uint32_t)),
		.queue = allocate(2 * count, sizeof(uint32_t))};
	uint32_t root;

	for (uint32_t m = 0; m < plane->mesh_count; m++)
		order.rank[m] = TABLES_NONE;
	while ((root = order_busiest(&order)) != TABLES_NONE) {
		uint32_t first = order.found_count;

		order_group(&order, root);
		for (uint32_t i = first; i < order.found_count; i++) {
			plane->meshes[order.found[i]].rank = i;
			plane->meshes[order.found[i]].group = plane->group_count;
		}
		plane->group_count++;
	}
	free(joins);
	free(order.rank);
	free(order.found);
	free(order.away);
	free(order.queue);
}
