/* Declares the variants of all design choices that mesh/rows.def lists, and a function that
 * several variants share. */
#ifndef MESH_CHOICE_ROWS_H
#define MESH_CHOICE_ROWS_H

#include "mesh/choice.h"

#define ROW(kind, name) extern const struct kind##_ops kind##_##name;
#include "mesh/rows.def"

/* Divides posts (struct range_post, mesh/choice.h) into tasks for the pool of threads (spec 3.9.2).
 * Returns when all tasks have ended. Each task covers at most `devices` (> 0) devices of one post.
 * If there is only one task, the caller runs it itself. */
void spread_run(
	struct mesh_device *mesh, const struct range_post *posts, uint32_t count, uint32_t devices);

#endif
