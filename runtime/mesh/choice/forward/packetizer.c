/* Chooses the stages that send broadcasts into the fabric (spec 3.8.1). The variants differ in the
 * number of processors and the amount of L1 that they use on an initiator, and in the amount of
 * work that they do in parallel. */
#include "mesh/choice/rows.h"

const struct packetizer_ops packetizer_per_queue = {
	.entry = {.name = "per-queue",
		.description = "every queue has a packetizer behind its prefetch_h",
		.section = "3.8.2",
		.resources = "two processors and two rings per queue on each initiator"},
};

const struct packetizer_ops packetizer_separate = {
	.entry = {.name = "separate",
		.description =
			"one packetizer behind the prefetch_h of all queues, a socket for each",
		.section = "3.8.1",
		.resources = "a processor and two rings per queue on each initiator, and one "
			     "processor"},
	.shared = true,
};

const struct packetizer_ops packetizer_fused = {
	.entry = {.name = "fused",
		.description = "every queue's prefetch_h is its packetizer, too",
		.section = "3.8.1",
		.resources = "a processor and a ring per queue on each initiator"},
	.fused = true,
};

const struct packetizer_ops packetizer_shared = {
	.entry = {.name = "shared",
		.description = "one prefetch_h is the packetizer of all queues, which take turns",
		.section = "3.8.1",
		.resources = "one processor on each initiator, and a ring per queue"},
	.fused = true,
	.shared = true,
};
