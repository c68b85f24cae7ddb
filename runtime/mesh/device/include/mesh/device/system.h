/* What mesh devices of a cluster share, and what outlives them: stages, trees and plans live as
 * long as the cluster (world/device.h). */
#ifndef MESH_DEVICE_SYSTEM_H
#define MESH_DEVICE_SYSTEM_H

#include "base/arena.h"
#include "firmware/worker/worker.h"
#include "mesh/plan/inventory.h"

/* Something to free when the cluster is gone. */
struct owned {
	struct owned *next;
	struct stage *stage;
	bool boots; /* a stage that is off its processor before the mesh device is open */
	struct worker_group *workers;
	struct firmware *firmware; /* freed last */
};

/* What a mesh device has made that lives as long as the cluster; it all lies in the arena. */
struct estate {
	struct estate *next;
	struct arena arena;  /* plans and trees */
	struct owned *owned; /* newest first: stages before the firmware that they refer to */
};

struct mesh_system {
	struct cluster *cluster;
	struct monitor *entry; /* for the four below */
	struct inventory inventory;
	uint32_t opened;	  /* mesh devices so far */
	uint32_t threads_started; /* host threads of these; atomic */
	struct estate *estates;
};

/* An estate of the system's. */
struct estate *system_estate(struct mesh_system *system);

/* Keeps one of the three until mesh_system_free(). */
void estate_own(struct estate *estate, struct owned owned);

#endif
