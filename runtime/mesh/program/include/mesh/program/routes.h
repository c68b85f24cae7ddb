/* Internal structures of routes of kernels (mesh/program.h, mesh/assembled.h). */
#ifndef MESH_PROGRAM_ROUTES_H
#define MESH_PROGRAM_ROUTES_H

#include "fabric/graph.h"
#include "fabric/tree.h"
#include "mesh/assembled.h"
#include "mesh/device/standing.h"

struct kernel_route {
	struct kernel_route *next;
	struct route_config config;
	struct fabric_tree *tree;
	uint32_t number;
};

/* The chips and links that routes may use. */
struct route_ground {
	const struct cluster_info *info;
	const struct fabric_graph *graph;
	const uint16_t *chips; /* [device] its chip */
	uint32_t devices;
	struct arena *arena; /* memory of the routes' trees */
};

/* The routes of a site over several hosts. */
struct site_routes {
	struct arena arena;
	struct route_ground ground;
	struct kernel_route *first, **end; /* the routes, in the order in which they were added */
	uint32_t *given;		   /* [device] number of routes that begin on the device */
	struct standing_semaphores standing;
};

/* Fills in *ground, which describes the machine and the mesh for routes of kernels. The mesh has
 * the shape `shape`, and its first device is at `offset` in `machine`. All parts of *ground are
 * allocated in the arena. */
void route_ground_init(struct route_ground *ground, const struct cluster_info *machine,
	struct mesh_shape shape, struct mesh_offset offset, enum fabric_topology topology,
	struct arena *arena);

/* Returns the route in a list that equals `config`, or NULL. */
struct kernel_route *kernel_route_find(
	struct kernel_route *list, const struct route_config *config);

/* Makes the tree of a route. Returns the errors of program_add_route(). */
enum status kernel_route_tree(const struct route_ground *ground, const struct route_config *config,
	struct text *why, struct fabric_tree **tree);

/* Makes a route with a copy of `config`. */
struct kernel_route *kernel_route_new(struct arena *arena, const struct route_config *config,
	struct fabric_tree *tree, uint32_t number);

/* Adds a route to a site over several hosts, like program_add_route(). */
enum status site_add_route(struct site_routes *routes, const struct route_config *config,
	struct text *why, uint32_t *number);

/* Frees the routes of a site; NULL is allowed. */
void site_routes_free(struct site_routes *routes);

/* Returns the standing semaphores (mesh/program.h) that programs of the site have reserved. Returns
 * NULL if programs of the site cannot reserve any. */
struct standing_semaphores *site_standing_semaphores(struct program_site *site);

/* Gives back the standing semaphores of a program that is being freed. Those that it shares stay
 * reserved until the last program that shares them is freed. */
void program_drop_standing_semaphores(struct program *program);

#endif
