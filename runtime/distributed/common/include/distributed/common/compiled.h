/* The cost of work that either side may do: compiling kernels that the program cache (spec 4.9)
 * does not hold, and reading from storage. */
#ifndef DISTRIBUTED_COMMON_COMPILED_H
#define DISTRIBUTED_COMMON_COMPILED_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh/program.h"
#include "world/world.h"

/* Kernels by key, independent of program and workload; all zeros is empty. */
struct compiled {
	uint64_t *kernels;
	uint32_t count;
	bool forgets; /* do not keep any: every kernel is compiled again */
};

void compiled_fini(struct compiled *compiled);

/* Compiles those kernels of the program that were not compiled before. */
void compiled_add(struct compiled *compiled, const struct program *program);

/* The cost of reading from storage, such as weights from a file (spec 4.3.3). */

/* Charges one read of consecutive bytes. */
static inline void storage_charge(uint64_t bytes)
{
	world->work(WORK_STORAGE_READ, 1);
	world->work(WORK_STORAGE_KIB, (bytes + 1023) / 1024);
}

#endif
