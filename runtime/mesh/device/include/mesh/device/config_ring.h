/* The config ring of the workers' L1. The host manages it for the whole mesh in lock-step: launch
 * data of a program go to the next free place, so they can be sent while the program before runs.
 * Programs that are larger than the ring are rejected when they are made. */
#ifndef MESH_DEVICE_CONFIG_RING_H
#define MESH_DEVICE_CONFIG_RING_H

#include <stdbool.h>
#include <stdint.h>

enum { CONFIG_RING_ALIGN = 64, CONFIG_RING_HISTORY = 8 };

struct config_place {
	uint32_t begin, end; /* addresses */
	uint32_t run;	     /* launch that uses it */
};

struct config_ring {
	uint32_t base, bytes;
	uint32_t next;					  /* address of the next place */
	struct config_place history[CONFIG_RING_HISTORY]; /* of the last launches */
	uint32_t count;					  /* launches so far */
};

void config_ring_init(struct config_ring *ring, uint32_t base, uint32_t bytes);

/* The launch that may still use a place. */
struct config_use {
	bool used;
	uint32_t run; /* if used: the latest launch that may use it */
};

/* Allocates `bytes` (at most the ring's) for launch `run` and returns the address. *use tells
 * whether the place overlaps that of a launch from `oldest` on, which may still be under way on
 * some device, or that the history is too short to tell. In that case launch use->run must be done
 * before the place is written. */
uint32_t config_ring_take(struct config_ring *ring, uint32_t bytes, uint32_t run, uint32_t oldest,
	struct config_use *use);

/* Gives the whole ring to launch `run`, whose places in it are unknown. */
void config_ring_fill(struct config_ring *ring, uint32_t run);

#endif
