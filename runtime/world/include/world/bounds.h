/* Upper bounds of a workload. The schema of scenarios (bench/scenario) and the records of messages
 * between hosts (wire/commands.def) both use this list, so every valid scenario can be sent. */
#ifndef WORLD_BOUNDS_H
#define WORLD_BOUNDS_H

#include <stdint.h>

enum {
	BOUND_PROGRAMS = 1024, /* programs of a workload */

	/* All kernels, circular buffers and semaphores of all programs together. A message lists
	 * sets of cores, and each of these objects refers to its set by a 16-bit number. */
	BOUND_PARTS = UINT16_MAX,

	BOUND_ARGUMENTS = 341, /* the most arguments of a kernel on a core, unique and common
				* arguments together; TT-Metalium's max_runtime_args */
	BOUND_PROCESSORS = 5,  /* processors of a core */

	/* The most argument words of a kernel whose arguments are a table (`table` in
	 * mesh/program.h). Only kernels of this project have tables. A TT-Metalium kernel would
	 * read these words from a buffer instead. Tables may be long, because the number of moves
	 * in a collective grows with the number of devices. The bound follows from the 16 bits for
	 * the byte length of a core's arguments in a launch message. */
	BOUND_TABLE_WORDS = UINT16_MAX / 4 / BOUND_PROCESSORS,
	BOUND_CORES = 256, /* cores of a device */

	/* Argument words of a program: the arguments of every kernel on every core, and the same
	 * number of common arguments. */
	BOUND_ARGUMENT_WORDS = 2 * BOUND_ARGUMENTS * BOUND_PROCESSORS * BOUND_CORES,

	BOUND_NAME_BYTES = 128,		     /* name of a program, as launches give it */
	BOUND_STORED_NAME_BYTES = 4096,	     /* name of stored data */
	BOUND_TEXT_BYTES = 16 * 1024 * 1024, /* text of all kernels that carry code */
};

#endif
