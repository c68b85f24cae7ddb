/* Upper bounds of a workload. The schema of scenarios (bench/scenario) and the messages between
 * hosts (wire/commands.def) use the same bounds. So every valid scenario can be sent to other
 * hosts. */
#ifndef WORLD_BOUNDS_H
#define WORLD_BOUNDS_H

#include <stdint.h>

enum {
	BOUND_PROGRAMS = 1024, /* programs of a workload */

	/* The most kernels, circular buffers and semaphores of all programs together. Each of them
	 * has a set of cores. A message between hosts has a list of these sets, with 16-bit
	 * indices. */
	BOUND_PARTS = UINT16_MAX,

	BOUND_ARGUMENTS = 341, /* the most arguments of a kernel on a core, unique and common ones
				* together; max_runtime_args in TT-Metalium */
	BOUND_PROCESSORS = 5,  /* processors of a core */

	/* The most argument words of a kernel whose arguments are a table (`table` in
	 * mesh/program.h). Only kernels of this project have tables; a TT-Metalium kernel would
	 * read these words from a buffer. Tables must be long, because a kernel of a collective has
	 * a table of its moves, whose number grows with the number of devices. The bound follows
	 * from the size of the arguments of a core in a launch message, which is a 16-bit number of
	 * bytes. */
	BOUND_TABLE_WORDS = UINT16_MAX / 4 / BOUND_PROCESSORS,
	BOUND_CORES = 256, /* cores of a device */

	/* The most argument words of a program. The bound allows the most arguments for every
	 * kernel on every core, and as many common arguments. */
	BOUND_ARGUMENT_WORDS = 2 * BOUND_ARGUMENTS * BOUND_PROCESSORS * BOUND_CORES,

	BOUND_NAME_BYTES = 128,		     /* name of a program, as launches give it */
	BOUND_STORED_NAME_BYTES = 4096,	     /* name of stored data */
	BOUND_TEXT_BYTES = 16 * 1024 * 1024, /* text of all kernels that carry code */
};

#endif
