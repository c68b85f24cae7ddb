/* Checks a prefetch command against memories, rings and the cache, and prepares its reads. */
#include "prefetch_private.h"

static const char *pages_refuse(
	const struct prefetcher *prefetcher, const struct prefetch_pages *pages, bool l1)
{
	bool fits = stage_reaches_pages(&prefetcher->base, stage_banks(&prefetcher->base, l1),
		pages->base, pages->page_bytes, pages->start_page, pages->pages);

	return fits ? NULL : "halted: pages outside memory";
}

static const char *cache_refuses(
	const struct prefetcher *prefetcher, uint64_t offset, uint64_t length)
{
	return offset + length <= prefetcher->base.firmware->limits.cache_bytes
		       ? NULL
		       : "halted: range outside the kernel cache";
}

static const char *grid_refuses(
	const struct prefetcher *prefetcher, const struct prefetch_command *command)
{
	if (prefetcher->relay.executing)
		return "halted: transaction grid in a trace";
	if (prefetcher->config.grid_index >= command->transaction_grid.count)
		return "halted: transaction grid without this chip";
	if (COMMAND_BYTES + prefetch_data_bytes(command) > commands_ring(prefetcher)->bytes)
		return "halted: transaction grid larger than the ring";
	return NULL;
}

const char *relay_refuses(
	const struct prefetcher *prefetcher, const struct prefetch_command *command)
{
	switch (command->kind) {
	case PREFETCH_RELAY_HOST:
		return prefetcher->fetches ? NULL : "halted: RELAY_HOST on a chip without PCIe";
	case PREFETCH_RELAY_LINEAR:
		return stage_reaches(&prefetcher->base, command->relay_linear.tile,
			       command->relay_linear.address, command->relay_linear.length)
			       ? NULL
			       : "halted: range outside memory";
	case PREFETCH_RELAY_PAGED:
		return pages_refuse(
			prefetcher, &command->relay_paged, command->flags & PREFETCH_L1);
	case PREFETCH_FILL_CACHE:
		if (command->fill_cache.pages.pages == 0)
			return NULL;
		if (pages_refuse(prefetcher, &command->fill_cache.pages, false) != NULL)
			return "halted: pages outside memory";
		return cache_refuses(prefetcher, command->fill_cache.offset,
			prefetch_pages_bytes(&command->fill_cache.pages));
	case PREFETCH_RELAY_CACHE:
		return cache_refuses(
			prefetcher, command->relay_cache.offset, command->relay_cache.length);
	case PREFETCH_EXECUTE:
		if (prefetcher->relay.executing)
			return "halted: trace in a trace";
		return pages_refuse(prefetcher, &command->execute, false);
	case PREFETCH_EXECUTE_END:
		if (!prefetcher->relay.executing)
			return "halted: end of a trace outside one";
		return read_buffer_rest(&prefetcher->relay.execute) == COMMAND_BYTES
			       ? NULL
			       : "halted: commands behind the end of a trace";
	case PREFETCH_TRANSACTION_GRID:
		return grid_refuses(prefetcher, command);
	case PREFETCH_NOTIFY_COUNTERPART:
		return prefetcher->config.counterpart_tile != CHIP_NONE
			       ? NULL
			       : "halted: notification without a counterpart";
	case PREFETCH_ROUTE:
		return "halted: ROUTE at a prefetcher";
	default:
		return NULL;
	}
}

/* Chooses the buffer into which the commands of a trace are read, in two halves. Sets *address to
 * its address, and returns the size of a half. If later commands are held back, the buffer is the
 * free part of the ring that the prefetcher's link fills. Otherwise, it is the ring that is
 * reserved for traces. If the free part of the fetch ring gives larger halves, it is this part. In
 * a free part, a half has at most half the size of the scratch buffer, so that execution begins
 * early. */
static uint32_t execute_halves(const struct prefetcher *prefetcher, uint32_t *address)
{
	const struct firmware_limits *limits = &prefetcher->base.firmware->limits;
	uint32_t half = prefetcher->fetches ? fetch_room(&prefetcher->fetch, address) / 2 : 0;

	if (execute_holds(prefetcher))
		half = execute_room(prefetcher, address) / 2;
	half = least(half, limits->scratch_bytes / 2);
	if (execute_holds(prefetcher))
		return half / COMMAND_ALIGN * COMMAND_ALIGN;
	if (half > limits->execute_ring_bytes / 2)
		return half / COMMAND_ALIGN * COMMAND_ALIGN;
	*address = prefetcher->config.layout.execute_ring;
	return limits->execute_ring_bytes / 2;
}

void relay_read_start(struct prefetcher *prefetcher, const struct prefetch_command *command)
{
	const struct prefetch_layout *layout = &prefetcher->config.layout;
	const struct firmware_limits *limits = &prefetcher->base.firmware->limits;
	const struct prefetch_pages *pages = &command->relay_paged;
	struct read_buffer *buffer = &prefetcher->relay.scratch;
	uint32_t address = layout->scratch, half_bytes = limits->scratch_bytes / 2;
	uint64_t bytes = 0;

	switch (command->kind) {
	case PREFETCH_RELAY_HOST:
		bytes = command->relay_host.length;
		buffer->source = read_source_host(
			&prefetcher->base, command->relay_host.address, command->relay_host.length);
		break;
	case PREFETCH_RELAY_LINEAR:
		bytes = command->relay_linear.length;
		buffer->source = read_source_linear(&prefetcher->base, command->relay_linear.tile,
			command->relay_linear.address, command->relay_linear.length);
		break;
	case PREFETCH_RELAY_PAGED:
		bytes = prefetch_pages_bytes(pages);
		buffer->source =
			read_source_pages(&prefetcher->base, pages, command->flags & PREFETCH_L1);
		break;
	case PREFETCH_FILL_CACHE:
		pages = &command->fill_cache.pages;
		bytes = prefetch_pages_bytes(pages);
		buffer = &prefetcher->relay.fill;
		buffer->source = read_source_pages(&prefetcher->base, pages, false);
		address = layout->cache + command->fill_cache.offset;
		half_bytes = (uint32_t)bytes;
		break;
	case PREFETCH_EXECUTE:
		pages = &command->execute;
		bytes = prefetch_pages_bytes(pages);
		buffer = &prefetcher->relay.execute;
		buffer->source = read_source_pages(&prefetcher->base, pages, false);
		half_bytes = execute_halves(prefetcher, &address);
		break;
	default:
		return;
	}
	read_buffer_start(buffer, address, half_bytes, bytes);
	if (command->kind == PREFETCH_EXECUTE && limits->execute_parts == 1)
		read_buffer_join(buffer);
}

/* ---- traces during which later commands are held back ---- */

static void execute_held_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);

	relay_read_start(prefetcher, &prefetcher->relay.command);
	prefetcher->relay.executing = true;
	prefetcher->relay.active = false;
}

int64_t execute_hold_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	uint32_t held =
		device_row->word(&prefetcher->base.stage, prefetcher->config.hold.held_word);

	if ((int32_t)(held - (prefetcher->relay.traces + 1)) < 0)
		return block_on_tile(wait, false, "the depacketizer to hold commands back");
	return stage_plan(&prefetcher->base,
		CHARGED(&prefetcher->base.firmware->price, relay_release, 1), execute_held_commit);
}
