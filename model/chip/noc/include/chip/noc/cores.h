/* `model.cores: chip`: all workers that a go reaches, in two events (chip/sim_device.h). */
#ifndef CHIP_CORES_H
#define CHIP_CORES_H

#include "chip/tile/tile.h"

/* One go on its way, or one launch that runs. */
struct cores_step {
	struct cores_step *next; /* of the pool */
	struct device *device;
	const struct sim_multicast *multicast;
	uint16_t source;
	uint32_t address, value;
	int64_t head_ps; /* leaves the sender: arrives later by the hops */
	cause_id cause;	 /* of the go, held */
	struct sim_ack ack;
	uint32_t count, capacity;
	struct cores_launch *launches; /* one per worker that was taken */
	struct arrival *arrivals;      /* of the acknowledgements */
};

struct cores_launch {
	struct task *task;
	int64_t cycles;
	int64_t end_ps;
};

/* Takes the multicast of one word, if it is a go that all its workers can take in one step. */
bool sim_cores_take(struct stage *sender, const struct sim_multicast *multicast, uint32_t address,
	uint32_t value, int64_t head_ps);

/* Frees what a step holds, for sim_pool_each(). */
void sim_cores_step_fini(void *object);

#endif
