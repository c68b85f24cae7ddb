/* Parts of the commands of a launch (launch_body.c) that stand by themselves: where binaries come
 * from, and semaphores of kernels that act. */
#ifndef MESH_LAUNCH_PARTS_H
#define MESH_LAUNCH_PARTS_H

#include "mesh/program/program.h"

/* Has the prefetchers' kernel cache filled with the binaries of the program, unless they are there.
 */
struct prefetch_command launch_fill(
	const struct program *program, const struct binary_place *binaries);

/* Relays the image of a group. */
struct prefetch_command launch_relay(
	const struct program_group *group, const struct binary_place *binaries);

/* Appends writes of all semaphores of a program that acts, to the words of a launch slot of its
 * cores (firmware/worker/worker.h): they are there before the go, so that a core may count those of
 * another that has not begun. Other programs' semaphores are in their configuration, for nobody.
 * `at` [target of the program]: where the commands are. */
void launch_semaphores_put(struct command_stream *stream, bool traced,
	const struct program *program, uint8_t slot, uint32_t *at);

/* Makes them those of another slot. Charges WORK_PATCH_ARGUMENT. */
void launch_semaphores_patch(struct command_stream *stream, const struct program *program,
	uint8_t slot, const uint32_t *at);

#endif
