/* The records of the connections between processes, in little endian. */
#include "native_links.h"

#include <endian.h>
#include <string.h>

enum { RECORD_WORDS = RECORD_BYTES / 4 };

/* Bits of the first word above the kind. */
enum { BIT_ELIDED = 8, BIT_ZEROS, BIT_LAST };

void native_record_write(const struct record *record, uint8_t bytes[RECORD_BYTES])
{
	uint32_t words[RECORD_WORDS] = {
		(uint32_t)record->kind | (uint32_t)record->elided << BIT_ELIDED |
			(uint32_t)record->zeros << BIT_ZEROS | (uint32_t)record->last << BIT_LAST,
		record->chip, record->source, record->tile | (uint32_t)record->reader_tile << 16,
		record->address, record->increment_address, record->delta, record->count,
		record->local_address, record->length};

	for (int i = 0; i < RECORD_WORDS; i++)
		words[i] = htole32(words[i]);
	memcpy(bytes, words, sizeof words);
}

void native_record_read(const uint8_t bytes[RECORD_BYTES], struct record *record)
{
	uint32_t words[RECORD_WORDS];

	memcpy(words, bytes, sizeof words);
	for (int i = 0; i < RECORD_WORDS; i++)
		words[i] = le32toh(words[i]);
	*record = (struct record){.kind = (enum record_kind)(words[0] & 0xff),
		.elided = words[0] >> BIT_ELIDED & 1,
		.zeros = words[0] >> BIT_ZEROS & 1,
		.last = words[0] >> BIT_LAST & 1,
		.chip = (uint16_t)words[1],
		.source = (uint16_t)words[2],
		.tile = (uint16_t)words[3],
		.reader_tile = (uint16_t)(words[3] >> 16),
		.address = words[4],
		.increment_address = words[5],
		.delta = words[6],
		.count = words[7],
		.local_address = words[8],
		.length = words[9]};
}
