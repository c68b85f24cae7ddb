/* The event path `aggregator-semaphores` (spec 3.11.2). Each device has several slots in the
 * aggregator, counted by a semaphore (its gate). So a device may announce several events before the
 * aggregator has gathered the first of them. */
#include "completion_parts.h"
#include "mesh/choice/rows.h"

const struct completion_ops completion_aggregator_semaphores = {
	.entry = {.name = "aggregator-semaphores",
		.description = "an aggregator per initiator, to which every device may announce "
			       "four events before its path opens again",
		.section = "3.11.2",
		.resources = "an aggregator with four slots per device and queue, and a "
			     "notification queue, per initiator; runtime.host.pollers - 1 threads",
		.keys = aggregator_keys},
	.generations = AGGREGATOR_GENERATIONS,
	AGGREGATOR_OPS,
};
