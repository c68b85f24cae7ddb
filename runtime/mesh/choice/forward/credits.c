/* Flow control of broadcasts, end to end (spec 3.8.2): whether a packetizer waits for room in the
 * spill buffers and landing rings of all receivers, or sends and hopes. Hope ends in an overrun,
 * never in a deadlock: the fabric writes a packet into the landing ring whether what lay there has
 * been read or not, so no router waits for a receiver and no circle of waits can close. */
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
