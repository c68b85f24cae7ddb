/* Completion records (spec 3.8.7): records that devices send to the host, as a stream in a
 * completion queue, and before that from a dispatcher to the dispatch_h of its gateway. A record is
 * a header of 32 B, then its data, padded to 32 B:
 *
 *     0 kind   1 0   2-3 chip   4-7 operation   8-11 tag   12-15 length   16-23 address   24-31 0
 *
 * DATA: `length` bytes of a read; `tag` is the WRITE_HOST's. DIRECT: the same, to `address` of the
 * host window; between stages with its data, in the queue without. EVENT: `tag` is the event id.
 * SLOT: only between stages: event id `tag` goes to the word at `address` of the host window.
 * GATHERED: event id `tag`, recorded by what `address` names (command/gather.h): between stages of
 * one device; in a notification queue of all of them. */
#ifndef COMMAND_COMPLETION_H
#define COMMAND_COMPLETION_H

#include <stdint.h>

#include "base/status.h"
#include "command/bytes.h"

enum completion_kind {
	COMPLETION_NONE,
	COMPLETION_DATA,
	COMPLETION_DIRECT,
	COMPLETION_EVENT,
	COMPLETION_SLOT,
	COMPLETION_GATHERED,
	COMPLETION_KIND_COUNT
};

enum {
	COMPLETION_BYTES = 32, /* header size, and alignment of data */
};

struct completion_record {
	enum completion_kind kind;
	uint16_t chip;
	uint32_t operation, tag, length;
	uint64_t address;
};

/* A record that decoding would reject is a bug. */
void completion_encode(const struct completion_record *record, uint8_t bytes[COMPLETION_BYTES]);

/* OK, INVALID (kind, unused fields) or OUT_OF_RANGE (length). */
enum status completion_decode(
	const uint8_t bytes[COMPLETION_BYTES], struct completion_record *record);

/* `length` rounded up to 32 B. */
static inline uint32_t completion_padded(uint32_t length)
{
	return (length + COMPLETION_BYTES - 1) & ~(uint32_t)(COMPLETION_BYTES - 1);
}

/* "DATA" and the like; "?" for an unknown kind. */
const char *completion_kind_name(enum completion_kind kind);

#endif
