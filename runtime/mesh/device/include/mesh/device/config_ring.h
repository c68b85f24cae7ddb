/* The config ring of the workers' L1, managed by the host for the whole mesh in lock-step: launch
 * data of a program go to the next free place, so that they can be sent while the program before
 * runs. What never fits was refused when the program was made. */
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

/* Who may still use what is taken. */
struct config_use {
	bool used;
	uint32_t run; /* the latest launch that does, if so */
};

/* Takes `bytes` (at most the ring's) for launch `run` and returns the address. *use: whether the
 * place overlaps that of a launch from `oldest` on, which may still be under way on some device, or
 * it is too old to be known: that one has to be done before anything is written. */
uint32_t config_ring_take(struct config_ring *ring, uint32_t bytes, uint32_t run, uint32_t oldest,
	struct config_use *use);

/* Gives the whole ring to launch `run`, whose places in it are not known. */
void config_ring_fill(struct config_ring *ring, uint32_t run);

#endif
