/* Which standing semaphores (mesh/program.h) the programs of a site have reserved. */
#ifndef MESH_STANDING_H
#define MESH_STANDING_H

#include <stdint.h>

#include "command/launch.h"

/* Semaphores that programs with the same key share. */
struct standing_shared {
	uint64_t key, bits;
	uint32_t first, users; /* number of the first semaphore; number of programs, 0: unused */
};

struct standing_semaphores {
	uint64_t reserved; /* bit i: semaphore i is reserved by some program */
	struct standing_shared shared[STANDING_SEMAPHORES_MAX];
};

#endif
