/* Routes of kernels (mesh/program.h) over the devices of several hosts, if links join the chips of
 * the hosts (spec 3.1.1). A controller without devices makes the programs. It checks the routes
 * against the machine of all hosts, and gives each route a number. The host of a route's first
 * device then adds the route under the same number, before it runs a program that uses the
 * route. */
#ifndef MESH_JOINED_H
#define MESH_JOINED_H

#include "fabric/graph.h"
#include "mesh/config.h"
#include "mesh/program.h"

/* Lets the programs of a site without a mesh device have routes and standing semaphores
 * (mesh/program.h). `machine` has the chips and links of all hosts, and must outlive the site.
 * `offset` is the position of the site's first device in the mesh of this machine; every device of
 * the site must lie in that mesh. Must be called once, before the first program is made. */
void program_site_join(struct program_site *site, const struct cluster_info *machine,
	struct mesh_offset offset, enum fabric_topology topology);

/* Returns route `index` of the site, counted from 0 in the order in which routes were added. Sets
 * *number to the route's number on its first device. Returns NULL if there is no route `index`. The
 * result is valid until the site is freed. */
const struct route_config *program_site_route(
	const struct program_site *site, uint32_t index, uint32_t *number);

/* Adds a route under a number that program_site_route() has returned. `config` counts devices in
 * the mesh of all hosts (mesh_config.whole). The route's first device must belong to this mesh.
 * Returns OK, or an error with a sentence in `why` (may be NULL): OUT_OF_RANGE if a device or link
 * does not exist, or if the number is too large; UNSUPPORTED if no links lead along the route, or
 * if no links join this host to others; EXISTS if another route has the number. Only the thread
 * that enqueues may call this function. */
enum status mesh_add_route(struct mesh_device *mesh, const struct route_config *config,
	uint32_t number, struct text *why);

#endif
