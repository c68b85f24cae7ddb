/* End-to-end flow control of broadcasts (spec 3.8.2). A packetizer, the stage that sends broadcasts
 * into the fabric, either waits for room in the spill buffers and landing rings of all receivers,
 * or sends without checking. If it does not check, a ring may be overrun, but there is no deadlock:
 * the fabric writes packets into the landing ring even over unread data. So no router waits for a
 * receiver, and no cycle forms. */
#include "mesh/choice/rows.h"

const struct credits_ops credits_on = {
	.entry = {.name = "on",
		.description = "a packetizer sends what every receiver has room for",
		.section = "3.8.2",
		.resources =
			"an account per receiver at the packetizer; a word back over the fabric "
			"per batch"},
	.counted = true,
};

const struct credits_ops credits_off = {
	.entry = {.name = "off",
		.description = "a packetizer sends whatever it has",
		.section = "3.8.2",
		.resources = "nothing",
		.hazard = "a receiver that falls behind is overrun"},
	.counted = false,
};
