/* State that the mesh devices of a cluster share, and objects that outlive them: stages, trees and
 * plans live as long as the cluster (world/device.h). */
#ifndef MESH_DEVICE_SYSTEM_H
#define MESH_DEVICE_SYSTEM_H

#include "base/arena.h"
#include "firmware/worker/worker.h"
#include "mesh/plan/inventory.h"

/* An object to free after the cluster is freed. */
struct owned {
	struct owned *next;
	struct stage *stage;
	bool boots; /* a boot stage, off its processor before the mesh device is open */
	struct worker_group *workers;
	struct firmware *firmware; /* freed last */
};

/* Objects made by a mesh device that live as long as the cluster; all lie in the arena. */
struct estate {
	struct estate *next;
	struct arena arena;  /* plans and trees */
	struct owned *owned; /* newest first: stages before the firmware that they refer to */
};

struct mesh_system {
	struct cluster *cluster; /* NULL: mesh devices are only planned */
	const struct cluster_info *info;
	struct monitor *entry; /* protects the four members below */
	struct inventory inventory;
	uint32_t opened;	  /* mesh devices so far */
	uint32_t threads_started; /* host threads of all mesh devices; atomic */
	struct estate *estates;
};

/* Makes a new estate of the system. */
struct estate *system_estate(struct mesh_system *system);

/* Keeps a stage, workers or firmware until mesh_system_free(). */
void estate_own(struct estate *estate, struct owned owned);

#endif
