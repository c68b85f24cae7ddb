/* `model.cores: chip`: simulates all workers that a go reaches in two events (chip/sim_device.h).
 */
#ifndef CHIP_CORES_H
#define CHIP_CORES_H

#include "chip/tile/tile.h"

/* A go in flight, then the launches that it started. */
struct cores_step {
	struct cores_step *next; /* of the pool */
	struct device *device;
	const struct sim_multicast *multicast;
	uint16_t source;
	uint32_t address, value;
	int64_t head_ps; /* time at which it leaves the sender */
	cause_id cause;	 /* of the go, held */
	struct sim_ack ack;
	uint32_t count, capacity;
	struct cores_launch *launches; /* one per worker that launched */
	struct arrival *arrivals;      /* of the acknowledgements */
};

struct cores_launch {
	struct task *task;
	int64_t cycles;
	int64_t end_ps;
};

/* Handles the multicast of one word, if it is a go that all its workers can take in one step; else
 * returns false. */
bool sim_cores_take(struct stage *sender, const struct sim_multicast *multicast, uint32_t address,
	uint32_t value, int64_t head_ps);

/* Frees the memory of a step, for sim_pool_each(). */
void sim_cores_step_fini(void *object);

#endif
