/* Configured sizes, with defaults applied and rounded as queues and pages require. */
#ifndef MESH_PLAN_SIZES_H
#define MESH_PLAN_SIZES_H

#include "memory/placement.h"
#include "mesh/config.h"
#include "world/world.h"

uint32_t sizes_issue_queue(const struct mesh_config *config);
uint32_t sizes_completion_queue(const struct mesh_config *config);
uint32_t sizes_page_alignment(const struct mesh_config *config, enum buffer_type type);
uint32_t sizes_direct_run(const struct mesh_config *config);
uint32_t sizes_pool_threads(const struct mesh_config *config);

/* Page size of binaries, rounded up to whole aligned pages so that an image runs through them
 * without gaps. */
uint32_t sizes_binary_page(const struct mesh_config *config);

/* The kind of memory that a user's data of `bytes` are assumed to lie in. */
enum memory_kind sizes_user_memory(const struct mesh_config *config, uint64_t bytes);

#endif
