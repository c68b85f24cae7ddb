/* What a prefetch command needs of the machine: refuses what lies outside memories, rings and
 * cache, and starts the reads of what does not. */
#include "prefetch_private.h"

static const char *pages_refuse(
	const struct prefetcher *prefetcher, const struct prefetch_pages *pages, bool l1)
{
	bool fits = unit_reaches_pages(&prefetcher->unit, unit_banks(&prefetcher->unit, l1),
		pages->base, pages->page_bytes, pages->start_page, pages->pages);

	return fits ? NULL : "halted: pages outside memory";
}

static const char *cache_refuses(
	const struct prefetcher *prefetcher, uint64_t offset, uint64_t length)
{
	return offset + length <= prefetcher->unit.firmware->limits.cache_bytes
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
		return unit_reaches(&prefetcher->unit, command->relay_linear.tile,
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
		return pump_rest(&prefetcher->relay.execute) == COMMAND_BYTES
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

/* Where the commands of a trace are read to: what is free of the fetch ring, or the ring that is
 * there for it. A half is no larger than one of scratch, so that executing begins early. */
static uint32_t execute_halves(const struct prefetcher *prefetcher, uint32_t *address)
{
	const struct firmware_limits *limits = &prefetcher->unit.firmware->limits;
	uint32_t half = prefetcher->fetches ? fetch_room(prefetcher, address) / 2 : 0;

	half = least(half, limits->scratch_bytes / 2);
	if (half > limits->execute_ring_bytes / 2)
		return half / COMMAND_ALIGN * COMMAND_ALIGN;
	*address = prefetcher->config.layout.execute_ring;
	return limits->execute_ring_bytes / 2;
}

void relay_pump_start(struct prefetcher *prefetcher, const struct prefetch_command *command)
{
	const struct prefetch_layout *layout = &prefetcher->config.layout;
	const struct firmware_limits *limits = &prefetcher->unit.firmware->limits;
	const struct prefetch_pages *pages = &command->relay_paged;
	struct pump *pump = &prefetcher->relay.scratch;
	uint32_t address = layout->scratch, half_bytes = limits->scratch_bytes / 2;
	uint64_t bytes = 0;

	switch (command->kind) {
	case PREFETCH_RELAY_HOST:
		bytes = command->relay_host.length;
		pump->source = pump_host(
			&prefetcher->unit, command->relay_host.address, command->relay_host.length);
		break;
	case PREFETCH_RELAY_LINEAR:
		bytes = command->relay_linear.length;
		pump->source = pump_linear(&prefetcher->unit, command->relay_linear.tile,
			command->relay_linear.address, command->relay_linear.length);
		break;
	case PREFETCH_RELAY_PAGED:
		bytes = prefetch_pages_bytes(pages);
		pump->source = pump_pages(&prefetcher->unit, pages, command->flags & PREFETCH_L1);
		break;
	case PREFETCH_FILL_CACHE:
		pages = &command->fill_cache.pages;
		bytes = prefetch_pages_bytes(pages);
		pump = &prefetcher->relay.fill;
		pump->source = pump_pages(&prefetcher->unit, pages, false);
		address = layout->cache + command->fill_cache.offset;
		half_bytes = (uint32_t)bytes;
		break;
	case PREFETCH_EXECUTE:
		pages = &command->execute;
		bytes = prefetch_pages_bytes(pages);
		pump = &prefetcher->relay.execute;
		pump->source = pump_pages(&prefetcher->unit, pages, false);
		half_bytes = execute_halves(prefetcher, &address);
		break;
	default:
		return;
	}
	pump_start(pump, address, half_bytes, bytes);
}
