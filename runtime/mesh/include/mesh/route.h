/* What kernels that act speak over the fabric with (command/kernel_program.h): routes from a device
 * to others of the mesh, and semaphores that stand from launch to launch. Sends nothing.
 *
 * Routes. A route is a line of neighbours, the first of which sends. Kernels name it by its number,
 * which counts for that device alone: hand it to them as an argument. Packets along one route
 * arrive in the order in which they were sent, an increment behind all that went before it.
 *
 * Standing semaphores. Those of a launch are set when it is sent, so that devices which run ahead
 * could raise them too early. These are 0 when the mesh is opened, and nobody sets them: kernels
 * that wait for one take away, by a negative increment of their own, what they have waited for.
 * Their numbers come behind those of a launch, at every worker the same. */
#ifndef MESH_ROUTE_H
#define MESH_ROUTE_H

#include <stdbool.h>

#include "base/status.h"
#include "base/text.h"
#include "mesh/program.h"

struct route_config {
	const uint32_t *devices; /* indices in the mesh, row-major */
	uint32_t count;		 /* 2 or more */
	bool each;		 /* delivers to each of them, not to the last alone */
	bool round;		 /* along a ring: packets leave room for those that go round */
	uint8_t link;		 /* of parallel links the one to keep to, from 0 */
};

/* A route for a program on the first device; *number is the same for a route that is there already.
 * It stays as long as the mesh is open. Errors, with a sentence in `why` (may be NULL):
 * OUT_OF_RANGE (no such device, or fewer links), UNSUPPORTED (devices that are no neighbours, or
 * not over links of the fabric's topology; a program of a site without a mesh), NO_SPACE (too many
 * routes). Called by the thread that enqueues. */
enum status program_add_route(struct program *program, const struct route_config *config,
	struct text *why, uint32_t *number);

/* The most bytes of one packet of the machine; 0 of a site without a mesh. */
uint32_t program_packet_bytes(const struct program *program);

/* Workers in a row of a device's grid. */
uint32_t program_worker_columns(const struct program *program);

/* Takes `count` standing semaphores, which other programs may use together with this one until it
 * is freed; *first is the number of the first. By then they have to be 0: kernels have taken away
 * what they waited for. NO_SPACE if there are not that many in a row, UNSUPPORTED as above. */
enum status program_add_standing_semaphores(
	struct program *program, uint32_t count, struct text *why, uint32_t *first);

#endif
