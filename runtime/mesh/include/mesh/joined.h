/* Routes of kernels (mesh/program.h) over the devices of several hosts, whose chips are joined by
 * links (spec 3.1.1). A controller without devices makes the programs: it checks routes against the
 * machine of all hosts, and numbers them. The host of a route's first device then adds the route
 * under the same number, before it runs a program that uses the route. */
#ifndef MESH_JOINED_H
#define MESH_JOINED_H

#include "fabric/graph.h"
#include "mesh/config.h"
#include "mesh/program.h"

/* Lets programs of a site without a mesh device have routes and standing semaphores. `machine` has
 * the chips and links of all hosts; `offset` is the place in its mesh of the site's first device,
 * and every device of the site must lie in it. `machine` must outlive the site. Called once, before
 * the first program. */
void program_site_join(struct program_site *site, const struct cluster_info *machine,
	struct mesh_offset offset, enum fabric_topology topology);

/* Returns route `index` of the site, counted from 0 in the order of adding, and sets *number to its
 * number on its first device. Returns NULL past the last one. The result is valid as long as the
 * site. */
const struct route_config *program_site_route(
	const struct program_site *site, uint32_t index, uint32_t *number);

/* Adds a route under a number that program_site_route() has returned. `config` counts devices in
 * the mesh of all hosts (mesh_config.whole); the first device must belong to this mesh. Returns OK,
 * or an error with a sentence in `why` (may be NULL): OUT_OF_RANGE (no such device or link, or the
 * number is too large), UNSUPPORTED (no links lead there, or none join this host to others), EXISTS
 * (another route has the number). Only the thread that enqueues may call this function. */
enum status mesh_add_route(struct mesh_device *mesh, const struct route_config *config,
	uint32_t number, struct text *why);

#endif
