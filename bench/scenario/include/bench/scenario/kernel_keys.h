/* Keys of kernels whose instructions are in the scenario file. */
#ifndef BENCH_KERNEL_KEYS_H
#define BENCH_KERNEL_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

/* A route over the fabric along which a kernel sends (struct route_config of mesh/program.h). */
struct route_keys {
	uint32_t *devices; /* numbers in the mesh, row by row; the first is the program's */
	uint32_t count, link;
	bool each, ring;
};

/* An argument of each core of a kernel. */
struct argument_keys {
	bool core; /* the number of the core among those of the program */
	uint32_t value;
	struct route_keys route; /* a count above 0: the number of this route (mesh/program.h) */
	struct location where;
};

/* A kernel whose instructions are in the scenario file (command/kernel_text.h). */
struct kernel_keys {
	uint32_t processor; /* enum processor */
	const char *text;
	struct argument_keys *arguments;
	uint8_t core[2]; /* column and row in the worker grid of the one core that runs it */
	uint32_t argument_count, core_count; /* a core_count of 0: all cores run it */
	struct location where, text_where, core_where;
};

#endif
