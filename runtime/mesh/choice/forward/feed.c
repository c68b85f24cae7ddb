/* Variants of how several initiators receive the broadcasts of a queue (spec 3.8.8.2). Either the
 * host writes a copy to the issue queue of each initiator, or all initiators read one shared issue
 * queue. The host overwrites a part of a shared issue queue only when all initiators have read it.
 */
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
