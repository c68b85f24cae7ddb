/* Upper bounds of a workload, and of a machine and its fabric. The schema of scenarios
 * (bench/scenario) and the messages between hosts (wire/commands.def) use the same bounds of a
 * workload, so the workload of every valid scenario can be sent to other hosts. */
#ifndef WORLD_BOUNDS_H
#define WORLD_BOUNDS_H

#include <stdint.h>

enum {
	BOUND_PROGRAMS = 1024, /* maximum number of programs in a workload */

	/* Maximum number of kernels, circular buffers and semaphores of a workload, all together.
	 * Each of them has a set of cores, and messages between hosts number these sets with 16
	 * bits. */
	BOUND_PARTS = UINT16_MAX,

	/* maximum number of arguments of a kernel on a core, unique and common arguments together;
	 * TT-Metalium calls it max_runtime_args */
	BOUND_ARGUMENTS = 341,
	BOUND_PROCESSORS = 5, /* number of processors of a core */

	/* Maximum number of argument words of a kernel whose arguments are a table (`table` in
	 * mesh/program.h). Only kernels of this project have tables; a TT-Metalium kernel would
	 * read the words from a buffer. Tables are long: a kernel of a collective has a table of
	 * its moves, and the number of moves grows with the number of devices. The bound follows
	 * from a field of the launch message, the size of a core's arguments, which is a 16-bit
	 * number of bytes. */
	BOUND_TABLE_WORDS = UINT16_MAX / 4 / BOUND_PROCESSORS,
	BOUND_CORES = 256, /* maximum number of cores of a device */

	/* Maximum number of argument words of a program. This is enough for the maximum number of
	 * unique arguments for every kernel on every core, and for the same number of common
	 * arguments. */
	BOUND_ARGUMENT_WORDS = 2 * BOUND_ARGUMENTS * BOUND_PROCESSORS * BOUND_CORES,

	/* maximum bytes of a program's name, as launches contain it */
	BOUND_NAME_BYTES = 128,
	BOUND_STORED_NAME_BYTES = 4096, /* maximum bytes of the name of stored data */
	/* maximum bytes of the texts of all kernels that execute instructions */
	BOUND_TEXT_BYTES = 16 * 1024 * 1024,
};

/* Upper bounds of a machine and of its fabric, each with its reason. Files, plans and programs use
 * these bounds. */
enum {
	/* maximum number of chips: chip numbers have 16 bits, and CHIP_NONE means no chip */
	BOUND_CHIPS = UINT16_MAX,
	/* maximum number of rows or columns in the physical mesh: chip_info.mesh_row has 15 bits
	 * and a sign */
	BOUND_EXTENT = INT16_MAX + 1,
	/* maximum number of pairs of joined chips; a mesh has 2 for each chip */
	BOUND_CONNECTIONS = 4 * BOUND_CHIPS,
	/* maximum number of chips to which one multicast delivers (spec 3.8) */
	BOUND_MEMBERS = 1024,
};

#endif
