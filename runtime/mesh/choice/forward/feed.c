/* Chooses how several initiators receive the broadcasts of a queue (spec 3.8.8.2). Either each
 * initiator gets a copy of its own, or all read the same issue queue. The host overwrites a part of
 * a shared queue only when all initiators have read it. */
#include "mesh/choice/rows.h"

const struct feed_ops feed_copy = {
	.entry = {.name = "copy",
		.description = "the host copies broadcasts to an issue queue of each initiator",
		.section = "3.8.8.2",
		.resources = "an issue queue per initiator and queue"},
};

const struct feed_ops feed_shared = {
	.entry = {.name = "shared",
		.description = "all initiators read one issue queue",
		.section = "3.8.8.2",
		.resources = "an issue queue per queue, with a read pointer per initiator"},
	.shared = true,
};
