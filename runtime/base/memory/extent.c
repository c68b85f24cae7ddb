/* Extents and spans (base/extent.h). No function here changes the bytes of an existing extent. The
 * code that creates an extent fills in the bytes before it shares the extent. */
#include "base/extent.h"
#include "base/ensure.h"

#include <stdlib.h>
#include <string.h>

static struct extent *extent_allocate(uint32_t length, uint32_t bytes, bool elided)
{
	struct extent *extent = malloc(sizeof *extent + bytes);

	ensure_memory(extent != NULL, "an extent of %u bytes", bytes);
	extent->references = 1;
	extent->length = length;
	extent->elided = elided;
	extent->placed = false;
	return extent;
}

struct extent *extent_place(struct extent_home *home, void *memory, uint32_t length)
{
	struct extent_home **of = memory;
	struct extent *extent = (struct extent *)(void *)(of + 1);

	*of = home;
	*extent = (struct extent){.references = 1, .length = length, .placed = true};
	return extent;
}

struct extent *extent_new(uint32_t length)
{
	return extent_allocate(length, length, false);
}

struct extent *extent_new_elided(uint32_t length)
{
	return extent_allocate(length, 0, true);
}

void extent_free(struct extent *extent, uint32_t before)
{
	ensure(before > 0, "extent of %u bytes released more often than held", extent->length);
	if (extent->placed) {
		struct extent_home *home = ((struct extent_home **)(void *)extent)[-1];

		home->free(home);
		return;
	}
	free(extent);
}

struct span span_of(struct extent *extent)
{
	struct span span = {.extent = extent, .offset = 0, .length = extent->length};

	return span;
}

struct span span_copy(const void *bytes, uint32_t length)
{
	struct extent *extent = extent_new(length);

	if (length > 0)
		memcpy(extent->bytes, bytes, length);
	return span_of(extent);
}

struct span span_part(struct span span, uint32_t offset, uint32_t length)
{
	ensure(offset <= span.length && length <= span.length - offset,
		"part [%u, +%u) of a span of %u bytes", offset, length, span.length);
	if (span.extent != NULL)
		span.offset += offset;
	span.length = length;
	return span;
}

enum status span_read(struct span span, uint32_t offset, uint32_t length, void *out)
{
	ensure(offset <= span.length && length <= span.length - offset,
		"read [%u, +%u) of a span of %u bytes", offset, length, span.length);
	if (length == 0)
		return STATUS_OK;
	if (span.extent != NULL && span.extent->elided)
		return STATUS_ELIDED;
	if (out == NULL)
		return STATUS_OK;
	if (span.extent == NULL) {
		memset(out, 0, length);
		return STATUS_OK;
	}
	memcpy(out, span.extent->bytes + span.offset + offset, length);
	return STATUS_OK;
}

enum status span_payload(struct span span, uint32_t bytes_max, struct span *payload)
{
	if (span.length > bytes_max)
		return STATUS_OUT_OF_RANGE;
	if (span.extent != NULL && span.extent->elided)
		return STATUS_ELIDED;
	*payload = span;
	if (span.extent != NULL || span.length == 0) {
		span_hold(span);
		return STATUS_OK;
	}
	*payload = span_of(extent_new(span.length));
	memset(payload->extent->bytes, 0, span.length);
	return STATUS_OK;
}
