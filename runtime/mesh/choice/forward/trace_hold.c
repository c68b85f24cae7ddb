/* Chooses the stage that holds back later commands while a broadcast prefetcher executes a trace
 * (spec 3.12.2.2). In the variant `own-queue`, the prefetcher reads the trace into a buffer of its
 * own, so no stage holds back commands. In the other variants, the prefetcher reads the trace into
 * the free part of its ring. */
#include "mesh/choice/rows.h"

const struct trace_hold_ops trace_hold_own_queue = {
	.entry = {.name = "own-queue",
		.description = "nothing: a prefetcher reads traces into a buffer of their own",
		.section = "3.12.2.2",
		.resources = "a buffer in L1 for the commands of a trace"},
	.kind = TRACE_HOLD_NONE,
};

const struct trace_hold_ops trace_hold_depacketizer = {
	.entry = {.name = "depacketizer",
		.description = "the depacketizer spills what follows; the ring takes the trace",
		.section = "3.12.2.2",
		.resources = "a word at the prefetcher and one at the depacketizer"},
	.kind = TRACE_HOLD_DEPACKETIZER,
};

const struct trace_hold_ops trace_hold_prefetch_h = {
	.entry = {.name = "prefetch-h",
		.description = "the sender waits until all receivers have returned their credits",
		.section = "3.12.2.2",
		.resources = "as depacketizer; no spill buffer for what follows a trace"},
	.kind = TRACE_HOLD_SENDER,
};

const struct trace_hold_ops trace_hold_swept = {
	.entry = {.name = "swept",
		.description =
			"the prefetcher sweeps the depacketizer's credits when a trace comes",
		.section = "3.12.2.2",
		.resources = "as depacketizer; a quarter of the ring that commands leave free"},
	.kind = TRACE_HOLD_SWEPT,
};
