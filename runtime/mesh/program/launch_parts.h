/* Independent parts of the commands of a launch (launch_body.c): commands that read binaries, and
 * commands that write semaphores. */
#ifndef MESH_LAUNCH_PARTS_H
#define MESH_LAUNCH_PARTS_H

#include "mesh/program/program.h"

/* Returns the command that fills the prefetchers' kernel cache with the program's binaries. If the
 * cache holds them already, the command fills nothing. */
struct prefetch_command launch_fill(
	const struct program *program, const struct binary_place *binaries);

/* Returns the command that relays the image of a group. */
struct prefetch_command launch_relay(
	const struct program_group *group, const struct binary_place *binaries);

/* Appends writes of all semaphores, for a program with a kernel that executes a text. The writes go
 * to words of a launch slot of the program's cores (firmware/worker/worker.h). They arrive before
 * the go, so a core may increment a semaphore of another core that has not started. Other programs
 * have semaphores only in their configuration, where nothing uses them. `at` [target of the
 * program] receives the offsets of the commands. */
void launch_semaphores_put(struct command_stream *stream, bool traced,
	const struct program *program, uint8_t slot, uint32_t *at);

/* Changes these writes into writes to another slot. Charges WORK_PATCH_ARGUMENT. */
void launch_semaphores_patch(struct command_stream *stream, const struct program *program,
	uint8_t slot, const uint32_t *at);

#endif
