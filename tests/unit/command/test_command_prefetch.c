/* Prefetch commands and segments: round trips, bounds, unwritten bytes. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "command/prefetch.h"

static const struct prefetch_command samples[] = {
	{.kind = PREFETCH_RELAY_INLINE, .relay_inline = {.length = 16}},
	{.kind = PREFETCH_RELAY_INLINE,
		.flags = PREFETCH_OPERATION_END,
		.relay_inline = {.length = 0xfffffff0, .operation = 0x12345678}},
	{.kind = PREFETCH_RELAY_HOST,
		.relay_host = {.address = 0x123456789abcdef0, .length = 4096}},
	{.kind = PREFETCH_RELAY_LINEAR,
		.relay_linear = {.tile = 0xffff, .address = 0x10, .length = 32}},
	{.kind = PREFETCH_RELAY_PAGED,
		.flags = PREFETCH_L1,
		.relay_paged = {.start_page = 7,
			.base = 0x12340,
			.page_bytes = 2048,
			.pages = 100000,
			.trim_bytes = 2032}},
	{.kind = PREFETCH_FILL_CACHE,
		.fill_cache = {.pages = {.page_bytes = PREFETCH_PAGE_MAX, .pages = 65535},
			.offset = 0xffff0}},
	{.kind = PREFETCH_RELAY_CACHE, .relay_cache = {.offset = 0xffff0, .length = 64}},
	{.kind = PREFETCH_STALL},
	{.kind = PREFETCH_EXECUTE, .execute = {.page_bytes = 16, .pages = 1}},
	{.kind = PREFETCH_EXECUTE_END},
	{.kind = PREFETCH_TRANSACTION_GRID,
		.transaction_grid = {.count = UINT16_MAX, .operation = 9}},
	{.kind = PREFETCH_NOTIFY_COUNTERPART, .counterpart = {.value = 0xffffffff}},
	{.kind = PREFETCH_WAIT_COUNTERPART, .counterpart = {.value = 1}},
	{.kind = PREFETCH_ROUTE,
		.route = {.tree = 31,
			.length = PREFETCH_SEGMENT_MAX,
			.operation = 4,
			.rect = {1, 2, 31, 30}}},
	{.kind = PREFETCH_TERMINATE},
};

enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

TEST(every_command_reads_as_it_was_written)
{
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint8_t bytes[COMMAND_BYTES], again[COMMAND_BYTES];
		struct prefetch_command seen;

		prefetch_encode(&samples[i], bytes);
		assert_int_equal(prefetch_decode(bytes, &seen), STATUS_OK);
		assert_int_equal(seen.kind, samples[i].kind);
		assert_int_equal(seen.flags, samples[i].flags);
		prefetch_encode(&seen, again);
		assert_memory_equal(bytes, again, COMMAND_BYTES);
	}
}

TEST(the_layout_is_the_documented_one)
{
	static const uint8_t expected[COMMAND_BYTES] = {PREFETCH_RELAY_PAGED, PREFETCH_L1, 7, 0,
		0x40, 0x23, 1, 0, 128, 0, 127, 0, 0xa0, 0x86, 1, 0};
	uint8_t bytes[COMMAND_BYTES];

	prefetch_encode(&samples[4], bytes);
	assert_memory_equal(bytes, expected, COMMAND_BYTES);
}

TEST(fields_come_back)
{
	uint8_t bytes[COMMAND_BYTES];
	struct prefetch_command seen;

	prefetch_encode(&samples[5], bytes);
	assert_int_equal(prefetch_decode(bytes, &seen), STATUS_OK);
	assert_int_equal(seen.fill_cache.pages.pages, 65535);
	assert_int_equal(seen.fill_cache.offset, 0xffff0);
	assert_int_equal(seen.fill_cache.pages.page_bytes, PREFETCH_PAGE_MAX);
	prefetch_encode(&samples[13], bytes);
	assert_int_equal(prefetch_decode(bytes, &seen), STATUS_OK);
	assert_int_equal(seen.route.rect.column0, 2);
	assert_int_equal(seen.route.rect.row1, 31);
}

TEST(unused_fields_and_flags_must_be_zero)
{
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint8_t bytes[COMMAND_BYTES];
		struct prefetch_command seen;

		prefetch_encode(&samples[i], bytes);
		bytes[1] |= 0x80;
		assert_int_equal(prefetch_decode(bytes, &seen), STATUS_INVALID);
		if (samples[i].kind != PREFETCH_STALL)
			continue;
		for (uint32_t at = 2; at < COMMAND_BYTES; at++) {
			prefetch_encode(&samples[i], bytes);
			bytes[at] = 1;
			assert_int_equal(prefetch_decode(bytes, &seen), STATUS_INVALID);
		}
	}
}

struct spoiled {
	uint32_t sample, at;
	uint32_t value;
	enum status expected;
};

TEST(bounds_are_checked)
{
	static const struct spoiled cases[] = {
		{0, 4, 0, STATUS_OUT_OF_RANGE},		   /* nothing inline */
		{0, 4, 17, STATUS_INVALID},		   /* not whole units */
		{3, 4, 8, STATUS_INVALID},		   /* address */
		{4, 8, 0, STATUS_OUT_OF_RANGE},		   /* page of 0 B */
		{4, 12, 0, STATUS_OUT_OF_RANGE},	   /* no pages */
		{4, 8, 0x800080, STATUS_OUT_OF_RANGE},	   /* trimmed to nothing */
		{13, 4, 0x100000, STATUS_OUT_OF_RANGE},	   /* segment too long */
		{13, 12, 0x00000001, STATUS_OUT_OF_RANGE}, /* rectangle inside out */
	};

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t bytes[COMMAND_BYTES];
		struct prefetch_command seen;

		prefetch_encode(&samples[cases[i].sample], bytes);
		bytes_put32(bytes + cases[i].at, cases[i].value);
		assert_int_equal(prefetch_decode(bytes, &seen), cases[i].expected);
	}
}

/* Any bytes that decode are exactly the encoding of the result. */
TEST(random_bytes_are_refused_or_canonical)
{
	struct stream random;
	uint32_t accepted = 0;

	stream_init(&random, 1, "prefetch");
	for (uint32_t i = 0; i < 1000000; i++) {
		uint8_t bytes[COMMAND_BYTES], again[COMMAND_BYTES];
		struct prefetch_command seen;

		bytes_put64(bytes, stream_next(&random));
		bytes_put64(bytes + 8, stream_next(&random));
		bytes[0] %= PREFETCH_KIND_COUNT + 1;
		bytes[1] &= 3;
		if (i % 2)
			memset(bytes + 2, 0, i % 14);
		if (prefetch_decode(bytes, &seen) != STATUS_OK)
			continue;
		accepted++;
		prefetch_encode(&seen, again);
		assert_memory_equal(bytes, again, COMMAND_BYTES);
	}
	assert_true(accepted > 1000);
}

TEST(segments_read_as_they_were_written)
{
	struct segment segment = {.tree = 31,
		.length = PREFETCH_SEGMENT_MAX,
		.position = 0xfffffffe,
		.operation = 77,
		.rect = {0, 1, 2, 3}};
	uint8_t bytes[COMMAND_BYTES];
	struct segment seen;

	segment_encode(&segment, bytes);
	assert_int_equal(segment_decode(bytes, &seen), STATUS_OK);
	assert_int_equal(seen.tree, 31);
	assert_int_equal(seen.length, PREFETCH_SEGMENT_MAX);
	assert_int_equal(seen.position, 0xfffffffe);
	assert_int_equal(seen.operation, 77);
	assert_int_equal(seen.rect.column1, 3);
	bytes[1] = 32;
	assert_int_equal(segment_decode(bytes, &seen), STATUS_OUT_OF_RANGE);
	bytes[0] ^= 1;
	assert_int_equal(segment_decode(bytes, &seen), STATUS_INVALID);
}

TEST_MAIN(NULL, NULL)
