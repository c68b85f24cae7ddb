/* Launches of kernels with instructions, on all workers of a chip of the rig. */
#ifndef TEST_RIG_KERNELS_H
#define TEST_RIG_KERNELS_H

#include "command/kernel_text.h"
#include "rig.h"

enum { RIG_LAUNCH_ARGS = 16 };

/* A launch with at most one kernel per processor. All workers run the same kernels. */
struct rig_launch {
	uint32_t id;
	const struct kernel_text *text[PROCESSOR_COUNT]; /* NULL: no kernel with instructions */
	uint64_t filler[PROCESSOR_COUNT];		 /* cycles of filler, if `text` is NULL */
	uint32_t common_count, common[RIG_LAUNCH_ARGS];	 /* common arguments of all its kernels */
	/* The only unique argument is the number of the worker. */
	uint32_t buffer_count;
	struct circular_buffer buffers[4];
	uint32_t semaphore_count, semaphores[SEMAPHORES_MAX];
};

/* Starts the processors of all workers. Call it once before the first launch. */
void rig_start_processors(const struct rig_chip *chip);

/* Appends configuration, binaries, semaphores, launch message, WAIT and GO. */
void rig_append_launch(struct command_stream *stream, const struct rig_chip *chip,
	const struct rig_launch *launch, uint8_t slot);

/* Waits until `stage` on this tile reports a fault; there must be no other fault. Fails the test
 * unless the fault names `instruction` and its detail is "halted: " followed by `detail`. */
void rig_check_program_fault(struct rig *rig, const char *stage, uint16_t tile,
	uint32_t instruction, const char *detail);

#endif
