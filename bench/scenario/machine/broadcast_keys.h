/* Checks of the keys of broadcasts that depend on the machine. */
#ifndef BENCH_BROADCAST_KEYS_H
#define BENCH_BROADCAST_KEYS_H

#include <stddef.h>

#include "base/tree.h"
#include "mesh/config.h"

struct run_key;

/* If the mesh cannot be opened because of its broadcasts, returns the path of the key that causes
 * this. The path is a constant text, or is stored in `path`. Returns NULL if these keys are
 * correct. */
const char *broadcast_blame(const struct mesh_config *config, const struct cluster_info *info,
	char path[TREE_PATH_BYTES_MAX]);

/* Returns entry `index` of the table of broadcast keys that may have no effect (idle_facts.h).
 * Returns NULL after the last entry. */
const struct run_key *broadcast_idle_key(size_t index);

#endif
