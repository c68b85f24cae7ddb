/* End-to-end flow control of broadcasts (spec 3.8.2). A packetizer is the stage that sends
 * broadcasts into the fabric. In the variant `on`, the packetizer waits until all receivers have
 * room in their spill buffers and landing rings. In the variant `off`, it sends without waiting,
 * and packets may overwrite unread data in a landing ring. Even then no deadlock can arise, because
 * no router waits for a receiver. */
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
