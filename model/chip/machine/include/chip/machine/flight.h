/* Operations that are in flight on the NoC and over PCIe. They come from a pool. */
#ifndef CHIP_MACHINE_FLIGHT_H
#define CHIP_MACHINE_FLIGHT_H

#include "chip/machine/cluster.h"

struct flight {
	struct flight *next;
	struct device *device;
	struct task *task; /* the stage that issued it; NULL: the host or the fabric */
	struct span span;  /* the flight owns a reference */
	const struct sim_multicast *multicast;
	struct packed_target *targets; /* allocation that stays with the flight in the pool */
	int64_t head_ps, last_ps;      /* arrival of the first and last byte without contention */
	uint64_t host_address;
	uint32_t address, local_address, length, stride;
	/* targets; in a multicast, `count` is the number of tiles that are done */
	uint32_t count, capacity;
	uint32_t issued, completed; /* bytes of a PCIe read */
	uint16_t turn;		    /* number of a PCIe read among the reads of its stage */
	uint16_t source, tile;
	bool counted;	/* bulk data that arrive with an increment */
	cause_id cause; /* cause of a PCIe read, with a reference */
};

struct flight *sim_flight_new(struct device *device);

/* Returns the flight to the pool and releases its span. */
void sim_flight_free(struct flight *flight);

/* Frees the memory of an operation in flight. At the end of the run, pass this function to
 * sim_pool_each(), because operations may still be in flight then. */
void sim_flight_fini(void *object);

#endif
