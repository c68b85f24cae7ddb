/* Converts headers of prefetch commands to bytes and back, as the fields in prefetch.def prescribe.
 * Decoding rejects every header that encoding would not write. */
#include "command/prefetch.h"

#include "base/ensure.h"

#include <stdbool.h>
#include <string.h>

static bool whole_units(uint32_t bytes)
{
	return bytes % COMMAND_ALIGN == 0;
}

/* ---- pages: shared by three kinds ---- */

static enum status pages_check(const struct prefetch_pages *pages)
{
	if (!whole_units(pages->page_bytes) || !whole_units(pages->trim_bytes) ||
		!whole_units(pages->base))
		return STATUS_INVALID;
	if (pages->page_bytes == 0 || pages->page_bytes > PREFETCH_PAGE_MAX || pages->pages == 0)
		return STATUS_OUT_OF_RANGE;
	return pages->trim_bytes < pages->page_bytes ? STATUS_OK : STATUS_OUT_OF_RANGE;
}

uint64_t prefetch_pages_bytes(const struct prefetch_pages *pages)
{
	return (uint64_t)pages->pages * pages->page_bytes - pages->trim_bytes;
}

/* ---- checks, the same for both directions ---- */

static uint8_t prefetch_flags_allowed(enum prefetch_kind kind)
{
	if (kind == PREFETCH_RELAY_INLINE)
		return PREFETCH_OPERATION_END;
	if (kind == PREFETCH_ROUTE)
		return PREFETCH_TRACE;
	return kind == PREFETCH_RELAY_PAGED ? PREFETCH_L1 : 0;
}

static enum status prefetch_length_check(uint32_t length)
{
	if (!whole_units(length))
		return STATUS_INVALID;
	return length > 0 ? STATUS_OK : STATUS_OUT_OF_RANGE;
}

static enum status route_check(const struct prefetch_command *command)
{
	struct grid_rect rect = command->route.rect;

	if (!whole_units(command->route.length))
		return STATUS_INVALID;
	if (command->route.length == 0 || command->route.length > PREFETCH_SEGMENT_MAX ||
		command->route.tree >= PREFETCH_TREES_MAX || rect.row0 > rect.row1 ||
		rect.column0 > rect.column1)
		return STATUS_OUT_OF_RANGE;
	return STATUS_OK;
}

static enum status cache_check(uint32_t offset)
{
	if (!whole_units(offset))
		return STATUS_INVALID;
	return offset / COMMAND_ALIGN <= UINT16_MAX ? STATUS_OK : STATUS_OUT_OF_RANGE;
}

/* Checks a FILL_CACHE. Its number of pages may be 0: the host sets it to 0 if the pages are already
 * in the cache. */
static enum status fill_check(const struct prefetch_pages *pages, uint32_t offset)
{
	struct prefetch_pages checked = *pages;
	enum status status;

	if (checked.pages == 0 && checked.trim_bytes == 0)
		checked.pages = 1;
	status = pages_check(&checked);
	if (status == STATUS_OK && checked.pages > UINT16_MAX)
		status = STATUS_OUT_OF_RANGE;
	return status == STATUS_OK ? cache_check(offset) : status;
}

static enum status command_check(const struct prefetch_command *command)
{
	if (command->kind <= PREFETCH_NONE || command->kind >= PREFETCH_KIND_COUNT ||
		(command->flags & ~prefetch_flags_allowed(command->kind)) != 0)
		return STATUS_INVALID;
	switch (command->kind) {
	case PREFETCH_RELAY_INLINE:
		return prefetch_length_check(command->relay_inline.length);
	case PREFETCH_RELAY_HOST:
		if (command->relay_host.address % COMMAND_ALIGN != 0)
			return STATUS_INVALID;
		return prefetch_length_check(command->relay_host.length);
	case PREFETCH_RELAY_LINEAR:
		if (!whole_units(command->relay_linear.address))
			return STATUS_INVALID;
		return prefetch_length_check(command->relay_linear.length);
	case PREFETCH_RELAY_PAGED:
		return pages_check(&command->relay_paged);
	case PREFETCH_EXECUTE:
		return pages_check(&command->execute);
	case PREFETCH_FILL_CACHE:
		return fill_check(&command->fill_cache.pages, command->fill_cache.offset);
	case PREFETCH_RELAY_CACHE:
		if (!whole_units(command->relay_cache.offset))
			return STATUS_INVALID;
		return prefetch_length_check(command->relay_cache.length);
	case PREFETCH_TRANSACTION_GRID:
		return command->transaction_grid.count > 0 ? STATUS_OK : STATUS_OUT_OF_RANGE;
	case PREFETCH_ROUTE:
		return route_check(command);
	default:
		return STATUS_OK;
	}
}

/* ---- headers ---- */

static void prefetch_fields_put(const struct prefetch_command *command, uint8_t *bytes)
{
	switch (command->kind) {
#define FIELD(member, at, bits) bytes_put##bits(bytes + (at), (uint##bits##_t)command->member);
#define OPERATION(member, at) FIELD(member, at, 32)
#define UNITS(member, at) bytes_put16(bytes + (at), (uint16_t)(command->member / COMMAND_ALIGN));
#define X(name, what, fields) case PREFETCH_##name: fields break;
#include "command/prefetch.def"
#undef X
	default:
		break;
	}
}

static void prefetch_fields_get(const uint8_t *bytes, struct prefetch_command *command)
{
	switch (command->kind) {
#define FIELD(member, at, bits) command->member = bytes_get##bits(bytes + (at));
#define OPERATION(member, at) FIELD(member, at, 32)
#define UNITS(member, at) command->member = (uint32_t)bytes_get16(bytes + (at)) * COMMAND_ALIGN;
#define X(name, what, fields) case PREFETCH_##name: fields break;
#include "command/prefetch.def"
#undef X
	default:
		break;
	}
}

void prefetch_encode(const struct prefetch_command *command, uint8_t bytes[COMMAND_BYTES])
{
	ensure(command_check(command) == STATUS_OK, "prefetch command %s is malformed",
		prefetch_kind_name(command->kind));
	memset(bytes, 0, COMMAND_BYTES);
	bytes[0] = (uint8_t)command->kind;
	bytes[1] = command->flags;
	prefetch_fields_put(command, bytes);
}

enum status prefetch_decode(const uint8_t bytes[COMMAND_BYTES], struct prefetch_command *command)
{
	uint8_t again[COMMAND_BYTES];
	enum status status;

	memset(command, 0, sizeof *command);
	if (bytes[0] == PREFETCH_NONE || bytes[0] >= PREFETCH_KIND_COUNT)
		return STATUS_INVALID;
	command->kind = bytes[0];
	command->flags = bytes[1];
	prefetch_fields_get(bytes, command);
	status = command_check(command);
	if (status != STATUS_OK)
		return status;
	/* all bits outside the fields must be 0, so that encoding gives the same bytes */
	prefetch_encode(command, again);
	return memcmp(bytes, again, COMMAND_BYTES) == 0 ? STATUS_OK : STATUS_INVALID;
}

uint32_t prefetch_data_bytes(const struct prefetch_command *command)
{
	if (command->kind == PREFETCH_RELAY_INLINE)
		return command->relay_inline.length;
	if (command->kind == PREFETCH_TRANSACTION_GRID)
		return command_padded(command->transaction_grid.count);
	return 0;
}

uint32_t prefetch_operation(const struct prefetch_command *command)
{
	switch (command->kind) {
#define FIELD(member, at, bits)
#define OPERATION(member, at) return command->member;
#define UNITS(member, at)
#define X(name, what, fields) case PREFETCH_##name: fields return 0;
#include "command/prefetch.def"
#undef X
	default:
		return 0;
	}
}

uint32_t prefetch_operation_at(enum prefetch_kind kind)
{
	switch (kind) {
#define FIELD(member, at, bits)
#define OPERATION(member, at) return at;
#define UNITS(member, at)
#define X(name, what, fields) case PREFETCH_##name: fields return 0;
#include "command/prefetch.def"
#undef X
	default:
		return 0;
	}
}

const char *prefetch_kind_name(enum prefetch_kind kind)
{
	static const char *const names[] = {
		[PREFETCH_NONE] = "?",
#define X(name, what, fields) [PREFETCH_##name] = #name,
#include "command/prefetch.def"
#undef X
	};

	return (unsigned)kind < PREFETCH_KIND_COUNT ? names[kind] : "?";
}
