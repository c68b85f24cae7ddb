/* Computes the time of a pipeline of kernels over circular buffers, either step by step or in
 * closed form. The pipeline only counts pages; it moves no data. */
#include "worker_private.h"

#include "base/ensure.h"

#include <string.h>

/* The processors in order of data flow: reader, unpack, math, pack, writer. */
static const enum processor flow[PROCESSOR_COUNT] = {
	PROCESSOR_NCRISC,
	PROCESSOR_TRISC0,
	PROCESSOR_TRISC1,
	PROCESSOR_TRISC2,
	PROCESSOR_BRISC,
};

void pipeline_start(struct worker_pipeline *pipeline, const struct kernel *kernels, uint32_t count,
	uint32_t depth)
{
	memset(pipeline, 0, sizeof *pipeline);
	pipeline->steps = kernels[0].steps;
	pipeline->depth = depth;
	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		for (uint32_t k = 0; k < count; k++)
			if (kernels[k].processor == flow[i])
				pipeline->cycles[pipeline->count++] = kernels[k].cycles;
}

static bool is_busy(const struct worker_pipeline *pipeline, uint32_t i)
{
	return pipeline->started[i] > pipeline->finished[i];
}

/* Returns true if kernel `i` can start its next page. This requires that its input page has arrived
 * and its output buffer has a free page. A page of the output buffer becomes free when the next
 * kernel has finished it. */
static bool can_start(const struct worker_pipeline *pipeline, uint32_t i)
{
	uint32_t page = pipeline->started[i];

	if (is_busy(pipeline, i) || page == pipeline->steps)
		return false;
	if (i > 0 && pipeline->finished[i - 1] <= page)
		return false;
	return i + 1 == pipeline->count || page - pipeline->finished[i + 1] < pipeline->depth;
}

uint64_t pipeline_next(struct worker_pipeline *pipeline)
{
	uint64_t next = UINT64_MAX;

	for (uint32_t i = 0; i < pipeline->count; i++) {
		if (can_start(pipeline, i)) {
			pipeline->started[i]++;
			pipeline->remaining[i] = pipeline->cycles[i];
		}
		if (is_busy(pipeline, i) && pipeline->remaining[i] < next)
			next = pipeline->remaining[i];
	}
	ensure(next != UINT64_MAX, "a pipeline of %u kernels, %u steps is stuck", pipeline->count,
		pipeline->steps);
	return next;
}

bool pipeline_advance(struct worker_pipeline *pipeline, uint64_t cycles)
{
	for (uint32_t i = 0; i < pipeline->count; i++) {
		if (!is_busy(pipeline, i))
			continue;
		pipeline->remaining[i] -= cycles;
		if (pipeline->remaining[i] == 0)
			pipeline->finished[i]++;
	}
	return pipeline->finished[pipeline->count - 1] == pipeline->steps;
}

/* The time of a pipeline is the longest path through the graph of its dependencies. A node of the
 * graph is page p of one kernel. It comes before page p of the next kernel, before page p + 1 of
 * the same kernel, and before page p + `depth` of the previous kernel. If the depth is 2 or more,
 * the longest path visits each kernel once, and in addition visits the slowest kernel (`steps` - 1)
 * times. If the depth is 1, the slowest pair of neighbouring kernels takes the place of the slowest
 * kernel. */
uint64_t worker_closed_form_cycles(
	const uint64_t *cycles, uint32_t count, uint32_t steps, uint32_t depth)
{
	uint64_t sum = 0, slowest = 0;

	ensure(count > 0 && steps > 0 && depth > 0, "a pipeline of %u kernels, %u steps, %u pages",
		count, steps, depth);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t period = cycles[i];

		if (depth == 1 && i + 1 < count)
			period += cycles[i + 1];
		if (period > slowest)
			slowest = period;
		sum += cycles[i];
	}
	return sum + (steps - 1) * slowest;
}
