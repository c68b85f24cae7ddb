/* Bounds of what a workload may hold, wherever it is described: the schema of scenarios
 * (bench/scenario) and the records of messages between hosts (wire/commands.def) are made of this
 * one list, so that what may be written may be sent. */
#ifndef WORLD_BOUNDS_H
#define WORLD_BOUNDS_H

#include <stdint.h>

enum {
	BOUND_PROGRAMS = 1024, /* of a workload */

	/* Kernels, circular buffers and semaphores of all its programs together: messages give each
	 * its cores by a number of 16 bits. */
	BOUND_PARTS = UINT16_MAX,

	BOUND_ARGUMENTS = 341, /* of a kernel on a core, its own and common ones together:
				  TT-Metalium's max_runtime_args */
	BOUND_PROCESSORS = 5,  /* of a core */

	/* The same of a kernel that says that they are a table (mesh/program.h): one of ours that
	 * reads words where TT-Metalium's would read a buffer, since a collective's moves grow with
	 * the devices. A launch gives the length of the arguments of a core as 16 bits of bytes. */
	BOUND_TABLE_WORDS = UINT16_MAX / 4 / BOUND_PROCESSORS,
	BOUND_CORES = 256, /* of a device */

	/* Of a program: every argument of every kernel on every core, and as many common ones. */
	BOUND_ARGUMENT_WORDS = 2 * BOUND_ARGUMENTS * BOUND_PROCESSORS * BOUND_CORES,

	BOUND_NAME_BYTES = 128,		     /* of a program, as launches call it */
	BOUND_STORED_NAME_BYTES = 4096,	     /* of data that are stored */
	BOUND_TEXT_BYTES = 16 * 1024 * 1024, /* of all kernels that act */
};

#endif
