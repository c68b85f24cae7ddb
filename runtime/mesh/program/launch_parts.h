/* Independent parts of the commands of a launch (launch_body.c): the source of binaries, and
 * semaphores of executing kernels. */
#ifndef MESH_LAUNCH_PARTS_H
#define MESH_LAUNCH_PARTS_H

#include "mesh/program/program.h"

/* The command that fills the prefetchers' kernel cache with the binaries of the program, or fills
 * nothing if they are there. */
struct prefetch_command launch_fill(
	const struct program *program, const struct binary_place *binaries);

/* The command that relays the image of a group. */
struct prefetch_command launch_relay(
	const struct program_group *group, const struct binary_place *binaries);

/* Appends writes of all semaphores of a program with executing kernels, to the words of a launch
 * slot of its cores (firmware/worker/worker.h). They arrive before the go, so a core may increment
 * a semaphore of another core that has not started. Other programs only have semaphores in their
 * configuration, which nothing uses. `at` [target of the program] receives the offsets of the
 * commands. */
void launch_semaphores_put(struct command_stream *stream, bool traced,
	const struct program *program, uint8_t slot, uint32_t *at);

/* Changes the writes to those of another slot. Charges WORK_PATCH_ARGUMENT. */
void launch_semaphores_patch(struct command_stream *stream, const struct program *program,
	uint8_t slot, const uint32_t *at);

#endif
