/* Virtual channels of broadcasts (spec 3.8.2). In the variant `shared`, broadcasts and all other
 * traffic use the same buffer slots in the routers. plan/plan_trees.c assigns the channels. */
#include "mesh/choice/rows.h"

const struct channels_ops channels_shared = {
	.entry = {.name = "shared",
		.description = "broadcasts and all else take one virtual channel",
		.section = "3.8.2",
		.resources = "one channel's slots at every router"},
};

const struct channels_ops channels_own = {
	.entry = {.name = "own",
		.description = "broadcasts have a virtual channel of their own, and each queue's "
			       "one where links have three",
		.section = "3.8.2",
		.resources = "a channel's slots more at every router, or one's per queue"},
	.own = true,
};
