/* Starts and ends the stages and queues of a plan, and creates the parts of its feeds. */
#ifndef MESH_DEVICE_BRINGUP_H
#define MESH_DEVICE_BRINGUP_H

#include "mesh/device/device.h"
#include "mesh/plan/plan.h"

/* Reserves host memory, and creates the queues of every lane (one device's part of a command
 * queue), the issue queue of every feed (for broadcasts), and the notification queues. Returns OK,
 * or NO_MEMORY with a sentence in `why` (may be NULL). Call bringup_queues_fini() in both cases. */
enum status bringup_queues(struct mesh_device *mesh, struct text *why);
void bringup_queues_fini(struct mesh_device *mesh);

/* Creates and starts every stage and worker of the plan. */
void bringup_start(struct mesh_device *mesh);

/* Zeroes the words and slots that firmware reads before it writes them. Earlier mesh devices may
 * have left values in them. Takes no simulated time. */
void bringup_clear(const struct mesh_device *mesh);

/* bringup_load() loads the firmware and waits until all chips have received it. It takes simulated
 * time, and is called before any stage of the mesh device is started. It needs host memory at
 * mesh->load_words; bringup_load_bytes() returns the size of this memory. */
uint64_t bringup_load_bytes(const struct mesh_device *mesh);
void bringup_load(struct mesh_device *mesh, const struct firmware *firmware);

/* Takes all stages and workers off their processors. All of them must have ended or be idle. */
void bringup_stop(const struct mesh_device *mesh);

/* Ends the firmware of all queues. The commands of the queues must be finished. Then makes the
 * implementation of world/device.h forget the trees of the fabric. */
void bringup_end(struct mesh_device *mesh);

/* A feed is an issue queue for broadcasts to several devices. A part of a feed is a rectangle of
 * these devices. A part usually has its own broadcast trees, one at every initiator (spec 3.8.8.2).
 * The part that contains the whole feed uses the trees of the plan. */

/* Returns the part of a feed that has the devices of `range`, which must lie inside the feed. If
 * there is no such part yet, makes it and registers it with the packetizers. If the packetizers'
 * table of trees is full, the part uses the trees of the whole feed, and devices outside the part
 * drop the data. The result is valid until the next call. Only the enqueuing thread may call this
 * function. */
struct feed_part *feed_part(struct command_queue *queue, uint32_t feed, struct device_range range);

/* Creates the first part, which contains the whole feed. */
void feed_parts_init(struct feed *feed);

/* Makes the implementation of world/device.h forget the trees of a broadcast's multicasts. No
 * packet may be travelling along these trees. */
void multicasts_forget(const struct broadcast_tree *tree);

/* Calls multicasts_forget() for all multicasts of a feed's parts. */
void feed_parts_forget(struct feed *feed);

void feed_parts_fini(struct feed *feed);

/* ---- steps of bring-up that several files share: stages, gates, and aggregators ---- */

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
