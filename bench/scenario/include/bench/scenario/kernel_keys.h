/* Keys of kernels whose instructions are in the scenario file. */
#ifndef BENCH_KERNEL_KEYS_H
#define BENCH_KERNEL_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

/* A route over the fabric along which a kernel sends (struct route_config of mesh/program.h). */
struct route_keys {
	uint32_t *devices; /* numbers in the mesh, row by row; the first device runs the program */
	uint32_t count, link;
	bool each, ring;
};

/* An argument of each core of a kernel. */
struct argument_keys {
	bool core; /* the argument is the number of the core among the cores of the program */
	uint32_t value;
	struct route_keys route; /* with a count above 0, the argument is the route's number */
	struct location where;
};

/* A kernel whose instructions are in the scenario file (command/kernel_text.h). */
struct kernel_keys {
	uint32_t processor; /* enum processor */
	const char *text;
	struct argument_keys *arguments;
	uint8_t core[2]; /* column and row in the worker grid, if only one core runs the kernel */
	uint32_t argument_count, core_count; /* core_count 0: all cores run the kernel */
	struct location where, text_where, core_where;
};

#endif
