/* Operations under way on the NoC and over PCIe, from a pool. */
#ifndef CHIP_MACHINE_FLIGHT_H
#define CHIP_MACHINE_FLIGHT_H

#include "chip/machine/cluster.h"

/* One operation under way. */
struct flight {
	struct flight *next;
	struct device *device;
	struct task *task; /* whose; NULL: the host's or the fabric's */
	struct span span;  /* with a reference */
	const struct sim_multicast *multicast;
	struct packed_target *targets; /* kept while the flight is in the pool */
	int64_t head_ps, last_ps; /* first and last byte at the tile, if nothing is in the way */
	uint64_t host_address;
	uint32_t address, local_address, length, stride;
	uint32_t count, capacity;   /* of targets; multicast: tiles done so far in `count` */
	uint32_t issued, completed; /* bytes, of a PCIe read */
	uint16_t turn;		    /* of a PCIe read: among those of its stage */
	uint16_t source, tile;
	cause_id cause; /* of a PCIe read, held */
};

struct flight *sim_flight_new(struct device *device);

/* Gives the flight back to the pool, with its reference. */
void sim_flight_free(struct flight *flight);

/* Frees what a flight holds, for sim_pool_each(): the run may end while some are under way. */
void sim_flight_fini(void *object);

#endif
