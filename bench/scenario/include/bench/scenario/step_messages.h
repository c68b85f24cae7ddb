/* Lists of messages of `collective` steps with `op: messages`, as programs/messages.h takes them.
 */
#ifndef BENCH_STEP_MESSAGES_H
#define BENCH_STEP_MESSAGES_H

#include "bench/scenario/load.h"
#include "bench/scenario/scenario.h"
#include "programs/messages.h"

/* Returns the list of each of `device_count` devices, in `arena`. Devices that the step does not
 * name have empty lists. */
struct messages_list *step_messages_lists(const struct run_plan *run,
	const struct collective_step *step, uint32_t device_count, struct arena *arena);

/* Returns the bytes of all messages. */
uint64_t step_messages_bytes(const struct collective_step *step);

#endif
