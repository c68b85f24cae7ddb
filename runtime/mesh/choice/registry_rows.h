/* Every row of this room's registries, each defined in the file of its name. */
#ifndef MESH_REGISTRY_ROWS_H
#define MESH_REGISTRY_ROWS_H

#include "mesh/choice.h"

extern const struct forward_ops forward_unicast, forward_broadcast;
extern const struct completion_ops completion_per_device, completion_table,
	completion_table_one_slot, completion_aggregator, completion_aggregator_naive;
extern const struct threads_ops threads_per_device, threads_main, threads_pool;

#endif
