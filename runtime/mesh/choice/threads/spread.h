/* Divides posts into tasks for a pool (spec 3.9.2). */
#ifndef MESH_CHOICE_THREADS_SPREAD_H
#define MESH_CHOICE_THREADS_SPREAD_H

#include "mesh/choice.h"

/* Runs posts as tasks of the pool, and returns when all tasks have ended. Each task covers at most
 * `devices` (> 0) devices of one post. If there is only one task, the caller runs it itself. */
void spread_run(
	struct mesh_device *mesh, const struct range_post *posts, uint32_t count, uint32_t devices);

#endif
