/* Sizes with their defaults, and rounded to what the queues want. */
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

/* Pages of binaries. They are whole aligned pages: an image runs through them without gaps. */
uint32_t sizes_binary_page(const struct mesh_config *config);

/* Where a user's data of `bytes` lie. */
enum memory_kind sizes_user_memory(const struct mesh_config *config, uint64_t bytes);

#endif
