/* Dispatch commands: round trips, truncation, bounds, unwritten bytes. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "command/dispatch.h"

static const struct dispatch_command samples[] = {
	{.kind = DISPATCH_WRITE_LINEAR,
		.flags = DISPATCH_LAST,
		.write_linear = {.tile = 300, .address = 0x12345678, .length = 5, .offset = 3}},
	{.kind = DISPATCH_WRITE_PAGED,
		.flags = DISPATCH_L1,
		.write_paged =
			{.start_page = 11, .base = 0x1000, .page_bytes = 32, .pages = 1 << 20}},
	{.kind = DISPATCH_WRITE_PACKED,
		.write_packed =
			{.count = DISPATCH_PACKED_MAX, .address = 4, .stride = 48, .offset = 1}},
	{.kind = DISPATCH_WRITE_MULTICAST,
		.write_multicast = {.rect = {0, 1, 2, 3},
			.address = 64,
			.length = DISPATCH_LENGTH_MAX,
			.offset = 2}},
	{.kind = DISPATCH_WRITE_WORD,
		.flags = DISPATCH_ADD | DISPATCH_LAST,
		.write_word = {.tile = 1, .address = 0x40, .value = 0xffffffff}},
	{.kind = DISPATCH_WRITE_HOST,
		.flags = DISPATCH_DIRECT,
		.write_host = {.tag = 1, .operation = 2, .length = 3, .address = 0x123456780}},
	{.kind = DISPATCH_SET_OFFSETS, .set_offsets = {.offset = {1, 0x80000000, 3}}},
	{.kind = DISPATCH_SET_RUN, .set_run = {.group = 15, .run = 65535}},
	{.kind = DISPATCH_GO,
		.flags = DISPATCH_IDLE | DISPATCH_SAME_RUN,
		.go = {.group = 15, .slot = 7, .rect = {1, 1, 1, 9}, .operation = 5}},
	{.kind = DISPATCH_WAIT,
		.flags = DISPATCH_WORKERS | DISPATCH_WORD | DISPATCH_BARRIER | DISPATCH_CLEAR |
			 DISPATCH_RELEASE,
		.wait = {.group = 2, .address = 0x44, .value = 9, .operation = 8}},
	{.kind = DISPATCH_NOTIFY_HOST,
		.flags = DISPATCH_TABLE,
		.notify_host = {.event = 6, .operation = 7, .address = 0xfffffffffffffffc}},
	{.kind = DISPATCH_TRANSACTION, .transaction = {.id = 255, .operation = 3}},
	{.kind = DISPATCH_TERMINATE},
	{.kind = DISPATCH_TRACE_BEGIN, .trace_begin = {.first = 0xfffffffe}},
	{.kind = DISPATCH_TRACE_END,
		.flags = DISPATCH_LAST,
		.trace_end = {.group = 15, .operation = 4}},
	{.kind = DISPATCH_GO,
		.flags = DISPATCH_TILE | DISPATCH_LAST,
		.go = {.group = 1, .slot = 2, .tile = 0xfedc, .operation = 5}},
};

enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

TEST(every_command_reads_as_it_was_written)
{
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint8_t bytes[DISPATCH_HEADER_MAX], again[DISPATCH_HEADER_MAX];
		uint32_t length = dispatch_encode(&samples[i], bytes);
		struct dispatch_command seen;

		assert_int_equal(length, dispatch_header_bytes(samples[i].kind));
		assert_int_equal(dispatch_peek(bytes), samples[i].kind);
		assert_int_equal(dispatch_decode(bytes, length, &seen), STATUS_OK);
		assert_int_equal(seen.kind, samples[i].kind);
		assert_int_equal(seen.flags, samples[i].flags);
		assert_int_equal(dispatch_data_bytes(&seen), dispatch_data_bytes(&samples[i]));
		dispatch_encode(&seen, again);
		assert_memory_equal(bytes, again, length);
	}
}

TEST(truncated_headers_are_no_commands)
{
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint8_t bytes[DISPATCH_HEADER_MAX];
		uint32_t length = dispatch_encode(&samples[i], bytes);

		for (uint32_t part = 0; part < length; part++) {
			uint8_t *exact = malloc(part + 1);
			struct dispatch_command seen;

			memcpy(exact, bytes, part);
			assert_int_equal(dispatch_decode(exact, part, &seen), STATUS_NO_SPACE);
			free(exact);
		}
	}
}

TEST(data_are_counted_with_their_padding)
{
	assert_int_equal(dispatch_data_bytes(&samples[0]), 16);
	assert_int_equal(dispatch_data_bytes(&samples[1]), 32 << 20);
	assert_int_equal(dispatch_data_bytes(&samples[2]),
		2 * DISPATCH_PACKED_MAX + 48 * DISPATCH_PACKED_MAX);
	assert_int_equal(dispatch_data_bytes(&samples[5]), 16);
	assert_int_equal(dispatch_data_bytes(&samples[8]), 0);
}

struct spoiled {
	uint32_t sample, at, value;
	enum status expected;
};

TEST(bounds_are_checked)
{
	static const struct spoiled cases[] = {
		{0, 8, 0, STATUS_OUT_OF_RANGE}, /* nothing to write */
		{0, 8, 0x40000001, STATUS_OUT_OF_RANGE},
		{0, 12, 4, STATUS_OUT_OF_RANGE}, /* offset index */
		{1, 8, 33, STATUS_INVALID},	 /* page of 33 B */
		{1, 12, 0x7fffffff, STATUS_OUT_OF_RANGE},
		{2, 8, 0, STATUS_OUT_OF_RANGE},		  /* stride */
		{3, 12, 0x01000300, STATUS_OUT_OF_RANGE}, /* rectangle inside out */
		{4, 4, 2, STATUS_INVALID},		  /* half a word */
		{5, 16, 8, STATUS_INVALID},		  /* direct address */
		{7, 4, 0x10000, STATUS_OUT_OF_RANGE},	  /* run number */
		{10, 16, 2, STATUS_INVALID},		  /* event word */
	};

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t bytes[DISPATCH_HEADER_MAX];
		uint32_t length = dispatch_encode(&samples[cases[i].sample], bytes);
		struct dispatch_command seen;

		bytes_put32(bytes + cases[i].at, cases[i].value);
		assert_int_equal(dispatch_decode(bytes, length, &seen), cases[i].expected);
	}
}

TEST(flags_of_other_kinds_are_refused)
{
	struct dispatch_command seen;
	uint8_t bytes[DISPATCH_HEADER_MAX];

	dispatch_encode(&samples[11], bytes);
	bytes[1] = DISPATCH_LAST;
	assert_int_equal(dispatch_decode(bytes, 16, &seen), STATUS_INVALID);
	dispatch_encode(&samples[6], bytes);
	bytes[1] = 2;
	assert_int_equal(dispatch_decode(bytes, 16, &seen), STATUS_INVALID);
}

/* Decodes random bytes. If they are accepted, encoding the result must give the same bytes. */
TEST(random_bytes_are_refused_or_canonical)
{
	struct stream random;
	uint32_t accepted = 0;

	stream_init(&random, 1, "dispatch");
	for (uint32_t i = 0; i < 1000000; i++) {
		uint8_t bytes[DISPATCH_HEADER_MAX], again[DISPATCH_HEADER_MAX];
		struct dispatch_command seen;

		for (uint32_t at = 0; at < sizeof(bytes); at += 8)
			bytes_put64(bytes + at, stream_next(&random));
		bytes[0] %= DISPATCH_KIND_COUNT + 1;
		bytes[1] &= 7;
		if (i % 2)
			memset(bytes + 2, 0, i % 30);
		if (dispatch_decode(bytes, sizeof(bytes), &seen) != STATUS_OK)
			continue;
		accepted++;
		assert_memory_equal(bytes, again, dispatch_encode(&seen, again));
	}
	assert_true(accepted > 1000);
}

TEST_MAIN(NULL, NULL)
