/* Fills routing tables: for each device, and for each mesh as seen from others, the shortest
 * climbing routes to it, found backwards by breadth. */
#include <stdlib.h>

#include "base/allocate.h"
#include "plane_private.h"

/* A search backwards from a target. All arrays are [state]. */
struct search {
	const struct control_plane *plane;
	uint32_t *hops; /* hops that follow after the state; TABLES_NONE: not reached */
	uint32_t *next; /* the state that follows; TABLES_NONE: the target */
	uint32_t *exit; /* the state that leaves the mesh; only of searches between meshes */
	uint64_t *key;	/* search_key() */
	uint32_t *queue;
	uint32_t head, tail;
};

/* Returns a number by which the ways out of a chip are chosen that have equally many hops; the
 * lowest is taken. Rows come before columns. Of both ways around a ring, even chips take one and
 * odd chips the other, so that all links of the ring carry equally many routes. */
static uint64_t search_key(const struct control_plane *plane, uint32_t out)
{
	const struct plane_arc *arc = plane_arc_of(plane, out);
	const struct plane_mesh *mesh = &plane->meshes[plane->mesh_of[arc->from]];
	uint32_t chip = arc->from - mesh->first, odd = 0;
	uint64_t dimension = 2;

	if (arc->direction == ROUTER_EAST || arc->direction == ROUTER_WEST) {
		dimension = 0;
		odd = (chip % mesh->columns + (arc->direction == ROUTER_WEST)) % 2;
	} else if (arc->direction == ROUTER_SOUTH || arc->direction == ROUTER_NORTH) {
		dimension = 1;
		odd = (chip / mesh->columns + (arc->direction == ROUTER_NORTH)) % 2;
	}
	return (uint64_t)(out % plane->vcs) << 40 | dimension << 36 | (uint64_t)odd << 32 |
	       plane->number[out];
}

static void search_begin(struct search *search, const struct control_plane *plane)
{
	size_t states = (size_t)plane->arc_count * plane->vcs + 1;

	*search = (struct search){.plane = plane,
		.hops = allocate(states, sizeof(uint32_t)),
		.next = allocate(states, sizeof(uint32_t)),
		.exit = allocate(states, sizeof(uint32_t)),
		.key = allocate(states, sizeof(uint64_t)),
		.queue = allocate(states, sizeof(uint32_t))};
	for (uint32_t i = 0; i < states; i++)
		search->hops[i] = TABLES_NONE;
	for (uint32_t i = 0; i + 1 < states; i++)
		search->key[i] = search_key(plane, i);
}

static void search_end(struct search *search)
{
	free(search->hops);
	free(search->next);
	free(search->exit);
	free(search->key);
	free(search->queue);
}

static void search_clear(struct search *search)
{
	for (uint32_t i = 0; i < search->tail; i++)
		search->hops[search->queue[i]] = TABLES_NONE;
	search->head = search->tail = 0;
}

/* Adds the states of an arc that leads to the target. */
static void search_start(struct search *search, uint32_t arc)
{
	const struct control_plane *plane = search->plane;

	for (uint32_t state = arc * plane->vcs; state < (arc + 1) * plane->vcs; state++) {
		if (plane->number[state] == TABLES_NONE)
			continue;
		search->hops[state] = 0;
		search->next[state] = TABLES_NONE;
		search->queue[search->tail++] = state;
	}
}

/* Takes `out` as what follows `in`, if it is the first or better than what is known. */
static void search_take(struct search *search, uint32_t in, uint32_t out)
{
	if (search->hops[in] == TABLES_NONE) {
		search->hops[in] = search->hops[out] + 1;
		search->next[in] = out;
		search->queue[search->tail++] = in;
	} else if (search->hops[in] == search->hops[out] + 1 && search->next[in] != TABLES_NONE &&
		   search->key[out] < search->key[search->next[in]]) {
		search->next[in] = out;
	}
}

/* Finds all states from which routes climb to the target. Routes begin in a mesh other than
 * `around`, and do not pass it. If `within` is set, they are of one mesh: arcs from others only
 * lead in. */
static void search_run(struct search *search, bool within, uint32_t around)
{
	const struct control_plane *plane = search->plane;

	for (; search->head < search->tail; search->head++) {
		uint32_t out = search->queue[search->head];
		uint32_t at = plane_arc_of(plane, out)->from;

		if (plane->mesh_of[at] == around || (within && plane_arc_of(plane, out)->exit))
			continue;
		for (uint32_t i = plane->first[at]; i < plane->first[at + 1]; i++) {
			uint32_t in = plane->arcs[i].reverse * plane->vcs;

			for (uint32_t vc = 0; vc < plane->vcs && i != out / plane->vcs; vc++, in++)
				if (plane->number[in] < plane->number[out])
					search_take(search, in, out);
		}
	}
}

/* Returns the best state in which a packet can leave a device; TABLES_NONE if there is none. */
static uint32_t search_best(const struct search *search, uint32_t device, bool within)
{
	const struct control_plane *plane = search->plane;
	uint32_t best = TABLES_NONE;

	for (uint32_t state = plane->first[device] * plane->vcs;
		state < plane->first[device + 1] * plane->vcs; state++) {
		if (search->hops[state] == TABLES_NONE ||
			(within && plane_arc_of(plane, state)->exit))
			continue;
		if (best == TABLES_NONE || search->hops[state] < search->hops[best] ||
			(search->hops[state] == search->hops[best] &&
				search->key[state] < search->key[best]))
			best = state;
	}
	return best;
}

/* The tables are public as constants. */
static struct hop *route_hops_of(const struct hop *table)
{
	return (struct hop *)(uintptr_t)table;
}

/* Fills the column of a device in the tables of all chips of its mesh. */
static void route_within(struct search *search, uint32_t target)
{
	const struct control_plane *plane = search->plane;
	const struct plane_mesh *mesh = &plane->meshes[plane->mesh_of[target]];
	uint32_t chip = target - mesh->first;

	for (uint32_t i = plane->first[target]; i < plane->first[target + 1]; i++)
		search_start(search, plane->arcs[i].reverse);
	search_run(search, true, TABLES_NONE);
	for (uint32_t i = 0; i < search->tail; i++) {
		uint32_t state = search->queue[i], next = search->next[state];
		struct chip_tables *tables = &plane->storage[plane_arc_of(plane, state)->to];
		uint32_t row = plane_row_of(plane, state);

		route_hops_of(tables->within)[(size_t)row * mesh->count + chip] =
			next == TABLES_NONE ? (struct hop){HOP_HERE, 0} : plane_hop_of(plane, next);
	}
	for (uint32_t device = mesh->first; device < mesh->first + mesh->count; device++) {
		uint32_t best = search_best(search, device, true);

		if (plane->tables[device] && best != TABLES_NONE && device != target)
			route_hops_of(plane->storage[device].within)[chip] =
				plane_hop_of(plane, best);
	}
	route_hops_of(plane->storage[target].within)[chip] = (struct hop){HOP_HERE, 0};
	search_clear(search);
}

/* Sets search->exit of the states that were found: the state that leaves the mesh in which a state
 * arrives. */
static void search_exits(struct search *search)
{
	for (uint32_t i = 0; i < search->tail; i++) {
		uint32_t state = search->queue[i], next = search->next[state];

		if (next == TABLES_NONE)
			continue;
		search->exit[state] =
			plane_arc_of(search->plane, next)->exit ? next : search->exit[next];
	}
}

static struct router_exit exit_of(const struct control_plane *plane, uint32_t state)
{
	uint32_t device = plane_arc_of(plane, state)->from;
	uint8_t port = plane_hop_of(plane, state).port;
	const struct chip_tables *tables = &plane->storage[device];

	return (struct router_exit){
		device, port, tables->routers[tables->ports[port].first_router].channel};
}

/* Fills the column of a mesh in the tables of all chips of other meshes. */
static void route_between(struct search *search, uint32_t target)
{
	const struct control_plane *plane = search->plane;

	for (uint32_t i = 0; i < plane->arc_count; i++)
		if (plane->arcs[i].exit && plane->mesh_of[plane->arcs[i].to] == target)
			search_start(search, i);
	search_run(search, false, target);
	search_exits(search);
	for (uint32_t i = 0; i < search->tail; i++) {
		uint32_t state = search->queue[i];
		struct chip_tables *tables = &plane->storage[plane_arc_of(plane, state)->to];
		uint32_t row = plane_row_of(plane, state);

		if (search->next[state] != TABLES_NONE)
			route_hops_of(tables->between)[(size_t)row * plane->mesh_count + target] =
				plane_hop_of(plane, search->next[state]);
	}
	for (uint32_t device = 0; device < plane->device_count; device++) {
		uint32_t best = search_best(search, device, false);
		struct router_exit *exits =
			(struct router_exit *)(uintptr_t)plane->storage[device].exits;

		if (!plane->tables[device] || best == TABLES_NONE ||
			plane->mesh_of[device] == target)
			continue;
		route_hops_of(plane->storage[device].between)[target] = plane_hop_of(plane, best);
		if (!plane_arc_of(plane, best)->exit)
			best = search->exit[best];
		exits[target] = exit_of(plane, best);
	}
	search_clear(search);
}

void plane_route_make(struct control_plane *plane)
{
	struct search search;

	search_begin(&search, plane);
	for (uint32_t device = 0; device < plane->device_count; device++)
		if (plane->tables[device])
			route_within(&search, device);
	for (uint32_t mesh = 0; mesh < plane->mesh_count; mesh++)
		route_between(&search, mesh);
	search_end(&search);
}
