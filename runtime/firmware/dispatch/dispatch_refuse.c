/* Rejects well-formed commands that cannot be executed on this machine or in this place. Examples
 * are writes outside a memory, rectangles outside the worker grid, and traces within a trace. */
#include "dispatcher_private.h"

static const char *const outside = "halted: write outside memory";

static bool rect_fits(const struct chip_geometry *geometry, struct worker_rect rect)
{
	return rect.column1 < geometry->worker_columns && rect.row1 < geometry->worker_rows;
}

static bool dispatch_refuse_is_word(const struct stage_base *base, uint32_t tile, uint32_t address)
{
	const struct chip_geometry *geometry = stage_geometry(base);

	return tile < geometry->tile_count && address < geometry->word_bytes &&
	       (geometry->tiles[tile].kind == TILE_TENSIX ||
		       geometry->tiles[tile].kind == TILE_ETHERNET);
}

static const char *packed_refuses(
	const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	const struct chip_geometry *geometry = stage_geometry(&dispatcher->base);
	uint64_t end = (uint64_t)command->write_packed.address +
		       dispatcher->offsets[command->write_packed.offset] +
		       command->write_packed.stride;
	int fits = -1; /* a kind of tile whose memory has the range */

	if (command->write_packed.stride > dispatcher->input[0].ring.bytes / 2)
		return "halted: stride larger than half the dispatch buffer";
	for (uint32_t i = 0; i < command->write_packed.count; i++) {
		uint16_t tile = dispatcher->targets[i].tile;

		if (tile >= geometry->tile_count)
			return outside;
		if ((int)geometry->tiles[tile].kind == fits)
			continue;
		if (end > tile_memory_bytes(geometry, tile))
			return outside;
		fits = (int)geometry->tiles[tile].kind;
	}
	return NULL;
}

static const char *multicast_refuses(
	const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	const struct chip_geometry *geometry = stage_geometry(&dispatcher->base);

	if (!rect_fits(geometry, command->write_multicast.rect))
		return "halted: rectangle outside the worker grid";
	return stage_reaches(&dispatcher->base, geometry->worker_tiles[0],
		       (uint64_t)command->write_multicast.address +
			       dispatcher->offsets[command->write_multicast.offset],
		       command->write_multicast.length)
		       ? NULL
		       : outside;
}

static const char *paged_refuses(
	const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	return stage_reaches_pages(&dispatcher->base,
		       stage_banks(&dispatcher->base, command->flags & DISPATCH_L1),
		       command->write_paged.base, command->write_paged.page_bytes,
		       command->write_paged.start_page, command->write_paged.pages)
		       ? NULL
		       : outside;
}

static bool has_queue(const struct dispatcher *dispatcher)
{
	return dispatcher->config.remote || dispatcher->config.host.ring_bytes > 0;
}

const char *dispatcher_refuses(
	const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	const struct stage_base *base = &dispatcher->base;

	switch (command->kind) {
	case DISPATCH_WRITE_LINEAR:
		return stage_reaches(base, command->write_linear.tile,
			       (uint64_t)command->write_linear.address +
				       dispatcher->offsets[command->write_linear.offset],
			       command->write_linear.length)
			       ? NULL
			       : outside;
	case DISPATCH_WRITE_PAGED:
		return paged_refuses(dispatcher, command);
	case DISPATCH_WRITE_PACKED:
		return packed_refuses(dispatcher, command);
	case DISPATCH_WRITE_MULTICAST:
		return multicast_refuses(dispatcher, command);
	case DISPATCH_WRITE_WORD:
		return dispatch_refuse_is_word(
			       base, command->write_word.tile, command->write_word.address)
			       ? NULL
			       : "halted: word outside the words of a tile";
	case DISPATCH_GO:
		if (command->flags & DISPATCH_TILE)
			return dispatch_refuse_is_word(
				       base, command->go.tile, dispatcher->config.worker_go_word)
				       ? NULL
				       : "halted: go signal to no worker";
		return rect_fits(stage_geometry(base), command->go.rect)
			       ? NULL
			       : "halted: rectangle outside the worker grid";
	case DISPATCH_WAIT:
		return dispatch_refuse_is_word(base, base->stage.tile, command->wait.address)
			       ? NULL
			       : "halted: wait for no word";
	case DISPATCH_TRANSACTION:
		return dispatcher->tracing ? "halted: transaction number in a trace" : NULL;
	case DISPATCH_TRACE_BEGIN:
		return dispatcher->tracing ? "halted: trace in a trace" : NULL;
	case DISPATCH_TRACE_END:
		return dispatcher->tracing ? NULL : "halted: end of a trace outside one";
	case DISPATCH_WRITE_HOST:
	case DISPATCH_NOTIFY_HOST:
		if (command->kind == DISPATCH_NOTIFY_HOST && (command->flags & DISPATCH_GATHER))
			return dispatcher->config.remote || dispatcher->gate.config.used
				       ? NULL
				       : "halted: an event to gather, no aggregator";
		/* DISPATCH_DIRECT and DISPATCH_TABLE have the same value */
		return has_queue(dispatcher) || (command->flags & DISPATCH_TABLE)
			       ? NULL
			       : "halted: record without a completion queue";
	default:
		return NULL;
	}
}
