/* The reads of a prefetcher into its own L1, besides fetching: scratch, kernel cache, the buffer of
 * a trace. Posts none while a full half waits for those before it. */
#include "prefetch_private.h"

void reads_settle(struct prefetcher *prefetcher, bool quiet)
{
	struct relay *relay = &prefetcher->relay;

	if (quiet)
		prefetcher->mixed = false;
	pump_settle(&relay->scratch, quiet);
	pump_settle(&relay->fill, quiet);
	pump_settle(&relay->execute, quiet);
}

bool reads_closing(const struct prefetcher *prefetcher)
{
	const struct relay *relay = &prefetcher->relay;

	return pump_closing(&relay->scratch) || pump_closing(&relay->fill) ||
	       pump_closing(&relay->execute);
}

static void reads_commit(struct unit *unit)
{
	struct prefetcher *prefetcher = prefetcher_of(unit);
	struct pump *pump = prefetcher->relay.posting;

	prefetcher->mixed |= !pump->source.host;
	pump_fill(pump, &unit->stage, &unit->firmware->limits);
}

int64_t reads_begin(struct prefetcher *prefetcher, struct pump *pump)
{
	const struct firmware *firmware = prefetcher->unit.firmware;
	uint32_t reads;

	if (reads_closing(prefetcher))
		return STAGE_BLOCKED;
	reads = pump_batch(pump, &firmware->limits);
	if (reads == 0)
		return STAGE_BLOCKED;
	prefetcher->relay.posting = pump;
	return unit_plan(&prefetcher->unit, reads * firmware->price.relay_read, reads_commit);
}
