/* What outlives mesh devices: stages, trees and plans live as long as the cluster (world/device.h).
 */
#ifndef MESH_DEVICE_SYSTEM_H
#define MESH_DEVICE_SYSTEM_H

#include "base/arena.h"
#include "firmware/worker/worker.h"
#include "mesh/plan/inventory.h"

/* Something to free when the cluster is gone. */
struct owned {
	struct owned *next;
	struct stage *stage;
	struct worker_group *workers;
	struct firmware *firmware; /* freed last */
};

struct mesh_system {
	struct cluster *cluster;
	struct inventory inventory;
	struct arena arena;  /* plans and trees */
	uint32_t opened;     /* mesh devices so far */
	uint32_t threads_started; /* host threads of these */
	struct owned *owned; /* newest first: stages before the firmware that they refer to */
};

/* Keeps one of the three until mesh_system_free(). */
void system_own(struct mesh_system *system, struct owned owned);

#endif
