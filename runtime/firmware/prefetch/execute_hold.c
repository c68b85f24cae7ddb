/* Traces that a prefetcher executes from the free part of its ring (spec 3.12.2.2). The prefetcher
 * begins to execute a trace when its depacketizer holds later commands back, and notifies the
 * depacketizer when the trace ends (firmware/link/link.h). */
#include "prefetch_private.h"

bool execute_holds(const struct prefetcher *prefetcher)
{
	return prefetcher->config.hold.kind != TRACE_HOLD_NONE;
}

void execute_ask(struct prefetcher *prefetcher)
{
	const struct trace_hold_layout *layout = &prefetcher->config.hold;

	if (layout->kind == TRACE_HOLD_SWEPT)
		device_row->noc_write_word(&prefetcher->base.stage, layout->depacketizer_tile,
			layout->over_word, 2 * prefetcher->relay.traces + 1);
}

void execute_over(struct prefetcher *prefetcher)
{
	const struct trace_hold_layout *layout = &prefetcher->config.hold;

	if (!execute_holds(prefetcher))
		return;
	prefetcher->relay.traces++;
	device_row->noc_write_word(&prefetcher->base.stage, layout->depacketizer_tile,
		layout->over_word, 2 * prefetcher->relay.traces);
}

uint32_t execute_room(const struct prefetcher *prefetcher, uint32_t *address)
{
	const struct ring *ring = commands_ring(prefetcher);
	uint32_t end = ring->head + commands_available(prefetcher);
	uint32_t behind = end < ring->bytes ? ring->bytes - end : 0;

	*address = ring->address + end;
	/* the commands that have arrived continue at the start of the ring */
	if (end >= ring->bytes) {
		*address = ring->address + end - ring->bytes;
		return ring->head - (end - ring->bytes);
	}
	if (behind >= ring->head)
		return behind;
	*address = ring->address;
	return ring->head;
}
