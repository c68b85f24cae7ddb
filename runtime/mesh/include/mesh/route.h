/* Resources with which executing kernels use the fabric (command/kernel_program.h): routes from a
 * device to others of the mesh, and semaphores that keep their value from launch to launch. The
 * host only sets them up; kernels send.
 *
 * Routes. A route is a line of neighbours, the first of which sends. Kernels name it by its number,
 * which is valid on that device only: pass it to them as an argument. Packets along one route
 * arrive in the order in which they were sent, and an increment arrives behind everything sent
 * before it.
 *
 * Standing semaphores. A launch sets its own semaphores when it is sent, so a device that runs
 * ahead could raise them too early. Standing semaphores are 0 when the mesh is opened and no launch
 * sets them: a kernel that waits for one subtracts, by a negative increment of its own, the value
 * that it waited for. Their numbers follow those of a launch's semaphores, and are the same at
 * every worker. */
#ifndef MESH_ROUTE_H
#define MESH_ROUTE_H

#include <stdbool.h>

#include "base/status.h"
#include "base/text.h"
#include "mesh/program.h"

struct route_config {
	const uint32_t *devices; /* indices in the mesh, row-major */
	uint32_t count;		 /* 2 or more */
	bool each;		 /* delivers to each of them, not only to the last */
	bool round;		 /* along a ring: packets leave room for packets that go all the way
				  * round */
	uint8_t link;		 /* the parallel link to use, from 0 */
};

/* Adds a route for a program on the first device; *number is the same for a route that exists
 * already. It exists as long as the mesh is open. Errors, with a sentence in `why` (may be NULL):
 * OUT_OF_RANGE (no such device, or fewer links), UNSUPPORTED (devices that are not neighbours, or
 * not over links of the fabric's topology; a program of a site without a mesh), NO_SPACE (too many
 * routes). Called by the thread that enqueues. */
enum status program_add_route(struct program *program, const struct route_config *config,
	struct text *why, uint32_t *number);

/* The machine's largest packet, in bytes; 0 on a site without a mesh. */
uint32_t program_packet_bytes(const struct program *program);

/* Workers in a row of a device's grid. */
uint32_t program_worker_columns(const struct program *program);

/* Reserves `count` consecutive standing semaphores until the program is freed; other programs may
 * share them with it until then. *first is the number of the first. When the program is freed they
 * must be 0 again: its kernels must have subtracted everything that they waited for. NO_SPACE if
 * there are not that many in a row, UNSUPPORTED as above. */
enum status program_add_standing_semaphores(
	struct program *program, uint32_t count, struct text *why, uint32_t *first);

#endif
