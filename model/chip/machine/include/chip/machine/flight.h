/* Operations in flight on the NoC and over PCIe, from a pool. */
#ifndef CHIP_MACHINE_FLIGHT_H
#define CHIP_MACHINE_FLIGHT_H

#include "chip/machine/cluster.h"

/* One operation in flight. */
struct flight {
	struct flight *next;
	struct device *device;
	struct task *task; /* the stage that issued it; NULL: the host or the fabric */
	struct span span;  /* with a reference */
	const struct sim_multicast *multicast;
	struct packed_target *targets; /* kept while the flight is in the pool */
	int64_t head_ps, last_ps;      /* first and last byte at the tile, without contention */
	uint64_t host_address;
	uint32_t address, local_address, length, stride;
	uint32_t count, capacity;   /* of targets; multicast: tiles done so far in `count` */
	uint32_t issued, completed; /* bytes, of a PCIe read */
	uint16_t turn;		    /* of a PCIe read: its number among those of its stage */
	uint16_t source, tile;
	cause_id cause; /* of a PCIe read, held */
};

struct flight *sim_flight_new(struct device *device);

/* Returns the flight to the pool and releases its span. */
void sim_flight_free(struct flight *flight);

/* Frees the memory of a flight, for sim_pool_each(): the run may end while some are in flight. */
void sim_flight_fini(void *object);

#endif
