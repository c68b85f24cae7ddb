/* Compiling kernels, and what was compiled before: the program cache (spec 4.9). Charges what it
 * would cost; kernels' bytes are made by the mesh. */
#ifndef DISTRIBUTED_COMMON_COMPILED_H
#define DISTRIBUTED_COMMON_COMPILED_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh/program.h"

/* Kernels by what they are made of, whatever program or workload has them; all zeros is none. */
struct compiled {
	uint64_t *kernels;
	uint32_t count;
	bool forgets; /* keeps nothing */
};

void compiled_fini(struct compiled *compiled);

/* Compiles those kernels of the program that are not known yet. */
void compiled_add(struct compiled *compiled, const struct program *program);

#endif
