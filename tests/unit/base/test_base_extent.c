/* Tests extents and spans: reference counts, parts of spans, and elided payloads. Sparse memory has
 * a test of its own. */
#include "test.h"

#include <string.h>

#include "base/extent.h"
#include "wire/codec.h"

TEST(a_copy_holds_its_own_bytes)
{
	char source[] = "go message", out[11];
	struct span span = span_copy(source, sizeof source);

	source[0] = 'X';
	assert_int_equal(span.length, sizeof source);
	assert_int_equal(span.extent->references, 1);
	assert_int_equal(span_read(span, 0, sizeof out, out), STATUS_OK);
	assert_string_equal(out, "go message");
	span_release(span);
}

TEST(a_part_reads_from_its_offset_and_takes_no_reference)
{
	struct span whole = span_copy("0123456789", 10);
	struct span part = span_part(span_part(whole, 2, 7), 3, 4);
	char out[3] = "";

	assert_int_equal(part.extent->references, 1);
	assert_int_equal(part.offset, 5);
	assert_int_equal(part.length, 4);
	assert_int_equal(span_read(part, 1, 2, out), STATUS_OK);
	assert_string_equal(out, "67");
	span_release(whole);
}

TEST(holding_and_releasing_keep_count)
{
	struct extent *extent = extent_new(16);

	extent_hold(extent);
	span_hold(span_of(extent));
	assert_int_equal(extent->references, 3);
	extent_release(extent);
	span_release(span_of(extent));
	assert_int_equal(extent->references, 1);
	extent_release(extent);
	extent_release(NULL);
	extent_hold(NULL);
}

TEST(reading_an_elided_span_is_refused)
{
	struct span span = span_of(extent_new_elided(1u << 30));
	char out[4] = "abc";

	assert_int_equal(span.length, 1u << 30);
	assert_int_equal(span_read(span, 1000, 3, out), STATUS_ELIDED);
	assert_string_equal(out, "abc");
	assert_int_equal(span_read(span, 1000, 0, out), STATUS_OK);
	span_release(span);
}

TEST(a_span_without_extent_reads_as_zeros)
{
	struct span span = {.extent = NULL, .offset = 0, .length = 8};
	char out[4] = {1, 2, 3, 4};
	const char zeros[4] = {0};

	assert_int_equal(span_read(span_part(span, 4, 4), 0, 4, out), STATUS_OK);
	assert_memory_equal(out, zeros, 4);
}

/* A receiver passes a frame on in place; if it were unaligned, wire_decode() would copy it. */
TEST(a_frame_lies_in_an_extent_where_codecs_read_it_in_place)
{
	for (uint32_t length = 1; length < 100; length += 7) {
		struct extent *extent = extent_new(length);

		assert_int_equal((uintptr_t)extent->bytes % WIRE_ALIGN, 0);
		extent_release(extent);
	}
}

struct place {
	struct extent_home home;
	_Alignas(8) uint8_t bytes[EXTENT_PLACE_BYTES + 100];
	uint32_t freed;
};

static void free_place(struct extent_home *home)
{
	((struct place *)home)->freed++;
}

/* The owner is notified when the last reference is gone. */
TEST(an_extent_lies_in_memory_of_somebody_else)
{
	struct place place = {.home = {free_place}};
	struct extent *extent = extent_place(&place.home, place.bytes, 100);

	assert_ptr_equal(extent->bytes, place.bytes + EXTENT_PLACE_BYTES);
	assert_int_equal(extent->length, 100);
	extent_hold(extent);
	extent_release(extent);
	assert_int_equal(place.freed, 0);
	extent_release(extent);
	assert_int_equal(place.freed, 1);
}

TEST_MAIN(NULL, NULL)
