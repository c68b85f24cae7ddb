/* Headers of the segments that a packetizer sends to depacketizers. Decoding rejects headers that
 * packetizers do not send. */
#include "command/prefetch.h"

#include "base/ensure.h"

#include <string.h>

enum { SEGMENT_TRACE = 0x80 }; /* this bit is in byte 1 */

static enum status segment_check(const struct segment *segment)
{
	if (segment->length % COMMAND_ALIGN != 0)
		return STATUS_INVALID;
	if (segment->length == 0 || segment->length > PREFETCH_SEGMENT_MAX ||
		segment->tree >= PREFETCH_TREES_MAX || segment->rect.row0 > segment->rect.row1 ||
		segment->rect.column0 > segment->rect.column1)
		return STATUS_OUT_OF_RANGE;
	return STATUS_OK;
}

void segment_encode(const struct segment *segment, uint8_t bytes[COMMAND_BYTES])
{
	ensure(segment_check(segment) == STATUS_OK, "segment of %u B along tree %u",
		segment->length, segment->tree);
	bytes[0] = SEGMENT_KIND;
	bytes[1] = (uint8_t)(segment->tree | (segment->trace ? SEGMENT_TRACE : 0));
	bytes_put16(bytes + 2, (uint16_t)(segment->length / COMMAND_ALIGN));
	bytes_put32(bytes + 4, segment->position);
	bytes_put32(bytes + 8, segment->operation);
	memcpy(bytes + 12, &segment->rect, 4);
}

enum status segment_decode(const uint8_t bytes[COMMAND_BYTES], struct segment *segment)
{
	if (bytes[0] != SEGMENT_KIND)
		return STATUS_INVALID;
	segment->tree = bytes[1] & ~SEGMENT_TRACE & UINT8_MAX;
	segment->trace = bytes[1] & SEGMENT_TRACE;
	segment->length = (uint32_t)bytes_get16(bytes + 2) * COMMAND_ALIGN;
	segment->position = bytes_get32(bytes + 4);
	segment->operation = bytes_get32(bytes + 8);
	memcpy(&segment->rect, bytes + 12, 4);
	return segment_check(segment);
}
