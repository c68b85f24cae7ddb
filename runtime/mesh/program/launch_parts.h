/* Parts of the commands of a launch (launch_body.c) that do not depend on the others: commands that
 * read binaries, and commands that write semaphores. */
#ifndef MESH_LAUNCH_PARTS_H
#define MESH_LAUNCH_PARTS_H

#include "mesh/program/program.h"

/* Returns the command that fills the prefetchers' kernel cache with the program's binaries. If the
 * cache already holds the binaries, the command reads nothing. */
struct prefetch_command launch_fill(
	const struct program *program, const struct binary_place *binaries);

/* Returns the command that relays a group's image of binaries to its cores. */
struct prefetch_command launch_relay(
	const struct program_group *group, const struct binary_place *binaries);

/* Appends writes of all semaphores, if a kernel of the program executes a text. The writes go to
 * words of a launch slot of the program's cores (firmware/worker/worker.h). They arrive before the
 * go, so a core may increment a semaphore of another core that has not started. Other programs have
 * semaphores only in their configuration, where nothing uses them. Sets at[i] to the offset of the
 * command for target i of the program. */
void launch_semaphores_put(struct command_stream *stream, bool traced,
	const struct program *program, uint8_t slot, uint32_t *at);

/* Changes the commands of launch_semaphores_put() so that they write to another slot. Charges
 * WORK_PATCH_ARGUMENT. */
void launch_semaphores_patch(struct command_stream *stream, const struct program *program,
	uint8_t slot, const uint32_t *at);

#endif
