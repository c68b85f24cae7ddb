/* The event path `aggregator-rows` (spec 3.11.2). For each queue, every row of the mesh has an
 * aggregator, which gathers the events of the devices in the row and announces them to the
 * initiator's aggregator. */
#include "completion_parts.h"
#include "mesh/choice/rows.h"

const struct completion_ops completion_aggregator_rows = {
	.entry = {.name = "aggregator-rows",
		.description = "an aggregator per row and queue gathers events for the "
			       "initiator's aggregator, which notifies the host once",
		.section = "3.11.2",
		.resources = "an aggregator per row and queue; an aggregator and a notification "
			     "queue per initiator; runtime.host.pollers - 1 threads",
		.keys = aggregator_keys},
	.generations = 1,
	.by_rows = true,
	AGGREGATOR_OPS,
};
