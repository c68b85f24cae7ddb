/* The program cache (spec 4.9): which kernels were compiled before. Charges the cost of compiling;
 * the mesh makes the kernels' bytes. */
#ifndef DISTRIBUTED_COMMON_COMPILED_H
#define DISTRIBUTED_COMMON_COMPILED_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh/program.h"

/* Kernels by key, independent of program and workload; all zeros is empty. */
struct compiled {
	uint64_t *kernels;
	uint32_t count;
	bool forgets; /* do not keep any: every kernel is compiled again */
};

void compiled_fini(struct compiled *compiled);

/* Compiles those kernels of the program that were not compiled before. */
void compiled_add(struct compiled *compiled, const struct program *program);

#endif
