/* The steps of bring-up that several files share: starting stages, gates, and aggregators. Only
 * files of this folder include this header. */
#ifndef MESH_DEVICE_BRINGUP_PRIVATE_H
#define MESH_DEVICE_BRINGUP_PRIVATE_H

#include "mesh/device/device.h"
#include "mesh/plan/plan.h"

/* The arguments of all steps of bring-up. */
struct bringup {
	struct mesh_device *mesh;
	const struct plan *plan;
	const struct firmware *firmware;
	const struct firmware_limits *limits;
};

static inline struct stage_place place_of(
	const struct bringup *bringup, const struct stage_spot *spot)
{
	return (struct stage_place){
		mesh_chip(bringup->mesh, spot->chip), spot->tile, spot->processor};
}

static inline struct stage *start_stage(
	const struct bringup *bringup, struct stage *stage, uint16_t chip)
{
	estate_own(bringup->mesh->estate, (struct owned){.stage = stage});
	device_row->stage_start(mesh_chip(bringup->mesh, chip), stage);
	return stage;
}

/* Returns the gate of a lane. The gate is a part of the stage that notifies the host. */
struct gate_config bringup_gate(
	const struct bringup *bringup, const struct lane *lane, uint32_t open_word);

/* Creates and starts all aggregators. */
void bringup_aggregators(const struct bringup *bringup);

#endif
