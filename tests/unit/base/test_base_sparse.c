/* Compares sparse memory with a flat array under random operations. Also tests the properties that
 * sparse memory guarantees for its pieces. */
#include "test.h"

#include <string.h>

#include "base/sparse.h"

enum { SIZE = 4096, STEPS = 60000 };

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* The same memory as flat arrays: `gone` is 0xff for elided bytes. */
struct flat {
	uint8_t bytes[SIZE];
	uint8_t gone[SIZE];
};

static void check_invariants(const struct sparse *memory)
{
	for (uint32_t i = 0; i < memory->count; i++) {
		const struct sparse_piece *piece = &memory->pieces[i];

		assert_true(piece->span.length > 0);
		assert_true(piece->address + piece->span.length <= memory->size);
		if (i > 0)
			assert_true(piece[-1].address + piece[-1].span.length <= piece->address);
	}
}

static void check_range(
	struct sparse *memory, const struct flat *flat, uint32_t at, uint32_t length)
{
	uint8_t out[SIZE];
	bool gone = memchr(flat->gone + at, 0xff, length) != NULL;
	struct span view = sparse_view(memory, at, length);

	assert_int_equal(view.length, length);
	assert_int_equal(sparse_read(memory, at, length, out), gone ? STATUS_ELIDED : STATUS_OK);
	assert_int_equal(sparse_read(memory, at, length, NULL), gone ? STATUS_ELIDED : STATUS_OK);
	assert_int_equal(span_read(view, 0, length, out), gone ? STATUS_ELIDED : STATUS_OK);
	if (!gone) {
		assert_int_equal(sparse_read(memory, at, length, out), STATUS_OK);
		assert_memory_equal(out, flat->bytes + at, length);
		memset(out, 0xaa, sizeof out);
		assert_int_equal(span_read(view, 0, length, out), STATUS_OK);
		assert_memory_equal(out, flat->bytes + at, length);
	}
	span_release(view);
	while (length > 0) { /* piece by piece */
		view = sparse_view_piece(memory, at, length);
		assert_in_range(view.length, 1, length);
		for (uint32_t i = 0; i < view.length; i++)
			assert_int_equal(flat->gone[at + i] != 0,
				view.extent != NULL && view.extent->elided);
		if (span_read(view, 0, view.length, out) == STATUS_OK)
			assert_memory_equal(out, flat->bytes + at, view.length);
		span_release(view);
		at += view.length;
		length -= view.length;
	}
}

static void random_step(struct sparse *memory, struct flat *flat, uint64_t *seed, uint32_t kind,
	uint32_t at, uint32_t length)
{
	uint8_t bytes[SIZE];
	struct span span, part;
	uint32_t skip = (uint32_t)next_random(seed) % 16;

	for (uint32_t i = 0; i < length + 16; i++)
		bytes[i] = (uint8_t)next_random(seed);
	if (kind == 0) {
		sparse_store(memory, at, bytes, length);
		memcpy(flat->bytes + at, bytes, length);
		memset(flat->gone + at, 0, length);
	} else if (kind == 1) {
		span = span_of(extent_new_elided(length));
		sparse_write(memory, at, span);
		span_release(span);
		memset(flat->gone + at, 0xff, length);
	} else if (kind == 2) {
		sparse_write(memory, at, (struct span){.length = length});
		memset(flat->bytes + at, 0, length);
		memset(flat->gone + at, 0, length);
	} else {
		span = span_copy(bytes, length + 16);
		part = span_part(span, skip, length);
		sparse_write(memory, at, part);
		if (kind == 4) { /* the same bytes at another place, too */
			sparse_write(memory, SIZE - length, part);
			memcpy(flat->bytes + SIZE - length, bytes + skip, length);
			memset(flat->gone + SIZE - length, 0, length);
			sparse_write(memory, at, part);
		}
		span_release(span);
		memcpy(flat->bytes + at, bytes + skip, length);
		memset(flat->gone + at, 0, length);
	}
}

TEST(random_operations_equal_a_flat_array)
{
	static struct flat flat;
	struct sparse memory;
	uint64_t seed = 1;

	sparse_init(&memory, SIZE);
	for (int step = 0; step < STEPS; step++) {
		uint32_t kind = (uint32_t)next_random(&seed) % 12;
		uint32_t longest = next_random(&seed) % 8 == 0 ? 1500 : 90;
		uint32_t length = 1 + (uint32_t)next_random(&seed) % longest;
		uint32_t at = (uint32_t)next_random(&seed) % (SIZE - length + 1);

		random_step(&memory, &flat, &seed, kind > 4 ? kind % 2 * 3 : kind, at, length);
		check_invariants(&memory);
		length = 1 + (uint32_t)next_random(&seed) % longest;
		check_range(
			&memory, &flat, (uint32_t)next_random(&seed) % (SIZE - length + 1), length);
		if (step % 500 == 0)
			check_range(&memory, &flat, 0, SIZE);
	}
	sparse_fini(&memory);
}

TEST(every_reference_is_given_back)
{
	struct extent *extent = extent_new(256);
	struct sparse memory;

	memset(extent->bytes, 7, extent->length);
	sparse_init(&memory, SIZE);
	sparse_write(&memory, 100, span_of(extent));
	sparse_write(&memory, 150, (struct span){.length = 10}); /* splits it */
	sparse_write(&memory, 1000, span_part(span_of(extent), 50, 50));
	sparse_write(&memory, 1050, span_part(span_of(extent), 100, 50)); /* joins */
	assert_int_equal(memory.count, 3);
	assert_int_equal(extent->references, 4);
	sparse_write(&memory, 0, (struct span){.length = SIZE});
	assert_int_equal(memory.count, 0);
	assert_int_equal(extent->references, 1);
	sparse_write(&memory, 0, span_of(extent));
	sparse_fini(&memory);
	assert_int_equal(extent->references, 1);
	extent_release(extent);
}

TEST(a_packet_after_the_other_of_one_command_is_one_piece)
{
	struct span whole = span_of(extent_new_elided(SIZE));
	struct sparse memory;

	sparse_init(&memory, SIZE);
	for (uint32_t at = 0; at < SIZE; at += 128)
		sparse_write(&memory, at, span_part(whole, at, 128));
	assert_int_equal(memory.count, 1);
	assert_int_equal(whole.extent->references, 2);
	sparse_fini(&memory);
	span_release(whole);
}

TEST(a_ring_does_not_fragment)
{
	struct sparse memory;
	uint64_t seed = 3;
	uint32_t at = 0, most = 0;

	sparse_init(&memory, SIZE);
	for (int i = 0; i < 20000; i++) {
		uint32_t length = 16 * (4 + (uint32_t)next_random(&seed) % 8);
		struct span span;

		if (at + length > SIZE)
			at = 0;
		span = span_of(extent_new_elided(length));
		sparse_write(&memory, at, span);
		span_release(span);
		at += length;
		most = memory.count > most ? memory.count : most;
	}
	assert_in_range(most, SIZE / 176, SIZE / 64 + 1);
	sparse_fini(&memory);
}

TEST(small_stores_side_by_side_share_a_piece)
{
	struct sparse memory;
	uint32_t value;

	sparse_init(&memory, SIZE);
	for (uint32_t i = 0; i < 16; i++) {
		value = i * 3;
		sparse_store(&memory, 256 + i * 4, &value, sizeof value);
	}
	assert_int_equal(memory.count, 1);
	assert_int_equal(sparse_read(&memory, 256 + 5 * 4, sizeof value, &value), STATUS_OK);
	assert_int_equal(value, 15);
	sparse_fini(&memory);
}

TEST(a_store_never_changes_bytes_that_somebody_else_holds)
{
	struct sparse memory;
	struct span held, seen;
	char out[6] = "";

	sparse_init(&memory, SIZE);
	held = span_copy("hello", 5);
	sparse_write(&memory, 64, held);
	seen = sparse_view(&memory, 64, 5);
	span_release(held);
	sparse_store(&memory, 64, "J", 1);
	assert_int_equal(span_read(seen, 0, 5, out), STATUS_OK);
	assert_string_equal(out, "hello");
	assert_int_equal(sparse_read(&memory, 64, 5, out), STATUS_OK);
	assert_string_equal(out, "Jello");
	span_release(seen);
	sparse_fini(&memory);
}

/* Writes two spans side by side, and returns the view of the last 3 bytes of the first and the
 * first 3 bytes of the second. */
static struct span view_of_two(
	struct sparse *memory, struct span first, struct span second, struct sparse_joins *joins)
{
	sparse_write(memory, 64, first);
	sparse_write(memory, 64 + first.length, second);
	return sparse_view_joined(memory, 64 + first.length - 3, 6, joins);
}

TEST(memories_with_the_same_two_pieces_share_one_copy_and_others_do_not)
{
	struct sparse_joins joins = {.turn = 0};
	struct sparse memories[3];
	struct span hello = span_copy("hello", 5), world = span_copy("world", 5);
	struct span worry = span_copy("worry", 5), views[3];
	char out[3][7] = {"", "", ""};

	for (uint32_t i = 0; i < 3; i++) {
		sparse_init(&memories[i], SIZE);
		views[i] = view_of_two(&memories[i], hello, i < 2 ? world : worry, &joins);
		assert_int_equal(span_read(views[i], 0, 6, out[i]), STATUS_OK);
	}
	assert_ptr_equal(views[0].extent, views[1].extent);
	assert_ptr_not_equal(views[0].extent, views[2].extent);
	assert_string_equal(out[0], "llowor");
	assert_string_equal(out[2], "llowor"); /* of another extent */
	for (uint32_t i = 0; i < 3; i++) {
		span_release(views[i]);
		sparse_fini(&memories[i]);
	}
	span_release(hello);
	span_release(world);
	span_release(worry);
	sparse_joins_fini(&joins);
}

TEST(a_shared_copy_keeps_its_bytes_when_a_memory_changes)
{
	struct sparse_joins joins = {.turn = 0};
	struct sparse memory;
	struct span view;
	char out[7] = "";

	sparse_init(&memory, SIZE);
	for (uint32_t i = 0; i < 2 * SPARSE_JOINS; i++) {
		struct span first = span_copy("hello", 5), second = span_copy("world", 5);

		view = view_of_two(&memory, first, second, &joins);
		span_release(first);
		span_release(second);
		sparse_store(&memory, 64 + 4, "p!", 2);
		assert_int_equal(span_read(view, 0, 6, out), STATUS_OK);
		assert_string_equal(out, "llowor");
		span_release(view);
	}
	view = sparse_view_joined(&memory, 64 + 2, 6, &joins);
	assert_int_equal(span_read(view, 0, 6, out), STATUS_OK);
	assert_string_equal(out, "llp!or");
	span_release(view);
	sparse_fini(&memory);
	sparse_joins_fini(&joins);
}

TEST_MAIN(NULL, NULL)
