/* The reads of a prefetcher into its scratch buffer, the kernel cache and the buffer of a trace.
 * When reads for a whole half of a buffer have been posted, no new reads are posted until these are
 * complete. */
#include "prefetch_private.h"

void reads_settle(struct prefetcher *prefetcher, bool quiet)
{
	struct relay *relay = &prefetcher->relay;

	if (quiet)
		prefetcher->mixed = false;
	read_buffer_settle(&relay->scratch, quiet);
	read_buffer_settle(&relay->fill, quiet);
	read_buffer_settle(&relay->execute, quiet);
}

bool reads_closing(const struct prefetcher *prefetcher)
{
	const struct relay *relay = &prefetcher->relay;

	return read_buffer_closing(&relay->scratch) || read_buffer_closing(&relay->fill) ||
	       read_buffer_closing(&relay->execute);
}

static void reads_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct read_buffer *buffer = prefetcher->relay.posting;

	prefetcher->mixed |= !buffer->source.host;
	read_buffer_fill(buffer, &base->stage, &base->firmware->limits);
}

int64_t reads_begin(struct prefetcher *prefetcher, struct read_buffer *buffer)
{
	const struct firmware *firmware = prefetcher->base.firmware;
	uint32_t reads;

	if (reads_closing(prefetcher))
		return STAGE_BLOCKED;
	reads = read_buffer_batch(buffer, &firmware->limits);
	if (reads == 0)
		return STAGE_BLOCKED;
	prefetcher->relay.posting = buffer;
	return stage_plan(&prefetcher->base,
		buffer->source.l1 ? CHARGED(&firmware->price, relay_read_l1, reads)
				  : CHARGED(&firmware->price, relay_read, reads),
		reads_commit);
}
