/* Converts the messages of `collective` steps with `op: messages` to the lists of
 * programs/messages.h. */
#ifndef BENCH_STEP_MESSAGES_H
#define BENCH_STEP_MESSAGES_H

#include "bench/scenario/load.h"
#include "bench/scenario/scenario.h"
#include "programs/messages.h"

/* Returns an array in `arena` with the list of each of `device_count` devices. The list of a device
 * that the step does not name is empty. */
struct messages_list *step_messages_lists(const struct run_plan *run,
	const struct collective_step *step, uint32_t device_count, struct arena *arena);

/* Returns the bytes of all messages. */
uint64_t step_messages_bytes(const struct collective_step *step);

#endif
