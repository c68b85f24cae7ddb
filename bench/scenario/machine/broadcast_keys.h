/* Checks of the keys of broadcasts that depend on the machine. */
#ifndef BENCH_BROADCAST_KEYS_H
#define BENCH_BROADCAST_KEYS_H

#include <stddef.h>

#include "base/tree.h"
#include "mesh/config.h"

struct run_key;

/* Returns the path of the key to blame if the mesh cannot be opened because of its initiators. The
 * path is constant text, or text in `path`. Returns NULL if the initiators are good. */
const char *broadcast_blame(const struct mesh_config *config, const struct cluster_info *info,
	char path[TREE_PATH_BYTES_MAX]);

/* Returns entry `index` of the table of idle_keys.c for keys of broadcasts (idle_facts.h), or NULL
 * after the last entry. */
const struct run_key *broadcast_idle_key(size_t index);

#endif
