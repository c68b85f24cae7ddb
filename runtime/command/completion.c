/* Converts headers of completion records to bytes and back. Decoding checks every byte. */
#include "command/completion.h"

#include "base/ensure.h"

#include <stdbool.h>
#include <string.h>

static enum status record_check(const struct completion_record *record)
{
	bool data = record->kind == COMPLETION_DATA || record->kind == COMPLETION_DIRECT;
	bool address = record->kind == COMPLETION_DIRECT || record->kind == COMPLETION_SLOT ||
		       record->kind == COMPLETION_GATHERED;

	if (record->kind <= COMPLETION_NONE || record->kind >= COMPLETION_KIND_COUNT)
		return STATUS_INVALID;
	if ((!data && record->length != 0) || (!address && record->address != 0))
		return STATUS_INVALID;
	return record->length <= 1u << 30 ? STATUS_OK : STATUS_OUT_OF_RANGE;
}

void completion_encode(const struct completion_record *record, uint8_t bytes[COMPLETION_BYTES])
{
	ensure(record_check(record) == STATUS_OK, "completion record %s is malformed",
		completion_kind_name(record->kind));
	memset(bytes, 0, COMPLETION_BYTES);
	bytes[0] = (uint8_t)record->kind;
	bytes_put16(bytes + 2, record->chip);
	bytes_put32(bytes + 4, record->operation);
	bytes_put32(bytes + 8, record->tag);
	bytes_put32(bytes + 12, record->length);
	bytes_put64(bytes + 16, record->address);
}

enum status completion_decode(
	const uint8_t bytes[COMPLETION_BYTES], struct completion_record *record)
{
	if (bytes[0] >= COMPLETION_KIND_COUNT || bytes[1] != 0 || bytes_get64(bytes + 24) != 0)
		return STATUS_INVALID;
	record->kind = bytes[0];
	record->chip = bytes_get16(bytes + 2);
	record->operation = bytes_get32(bytes + 4);
	record->tag = bytes_get32(bytes + 8);
	record->length = bytes_get32(bytes + 12);
	record->address = bytes_get64(bytes + 16);
	return record_check(record);
}

const char *completion_kind_name(enum completion_kind kind)
{
	static const char *const names[] = {
		[COMPLETION_NONE] = "?",
		[COMPLETION_DATA] = "DATA",
		[COMPLETION_DIRECT] = "DIRECT",
		[COMPLETION_EVENT] = "EVENT",
		[COMPLETION_SLOT] = "SLOT",
		[COMPLETION_GATHERED] = "GATHERED",
	};

	return (unsigned)kind < COMPLETION_KIND_COUNT ? names[kind] : "?";
}
