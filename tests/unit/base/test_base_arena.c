/* The arena: pieces are zeroed, aligned and disjoint, and all freed at the end. */
#include "test.h"

#include <string.h>

#include "base/arena.h"

TEST(pieces_are_zeroed_aligned_and_apart)
{
	enum { PIECES = 400 };
	struct arena arena;
	unsigned char *pieces[PIECES];

	arena_init(&arena);
	for (size_t i = 0; i < PIECES; i++) {
		size_t size = 1 + i * 37 % 5000;

		pieces[i] = arena_alloc(&arena, size);
		assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
		for (size_t j = 0; j < size; j++)
			assert_int_equal(pieces[i][j], 0);
		memset(pieces[i], (int)(i & 0xff), size);
	}
	for (size_t i = 0; i < PIECES; i++) {
		for (size_t j = 0; j < 1 + i * 37 % 5000; j++)
			assert_int_equal(pieces[i][j], i & 0xff);
	}
	arena_fini(&arena);
}

TEST(a_large_piece_does_not_waste_the_open_chunk)
{
	struct arena arena = {0};
	struct arena_chunk *open;

	arena_alloc(&arena, 16);
	open = arena.last;
	memset(arena_alloc(&arena, 3 << 20), 1, 3 << 20);
	assert_ptr_equal(arena.last, open);
	arena_fini(&arena);
	assert_null(arena.last);
}

TEST(nothing_is_a_valid_piece)
{
	struct arena arena = {0};

	assert_non_null(arena_alloc(&arena, 0));
	assert_non_null(arena_array(&arena, 0, 8));
	assert_int_equal(arena.used_bytes, 0);
	arena_fini(&arena);
}

TEST(an_arena_is_usable_again_after_its_end)
{
	struct arena arena = {0};

	arena_alloc(&arena, 100);
	arena_fini(&arena);
	assert_int_equal(arena.used_bytes, 0);
	assert_string_equal(arena_string(&arena, "again"), "again");
	arena_fini(&arena);
}

TEST(strings_are_copied_and_ended)
{
	struct arena arena = {0};
	char source[] = "dispatch_d";
	char *whole = arena_string(&arena, source), *part = arena_copy(&arena, source, 8);

	source[0] = 'X';
	assert_string_equal(whole, "dispatch_d");
	assert_string_equal(part, "dispatch");
	assert_string_equal(arena_printf(&arena, "%s:%d", "row", 12), "row:12");
	arena_fini(&arena);
}

struct counted {
	struct arena_shared shared;
	int freed;
};

static void count_free(struct arena_shared *shared)
{
	((struct counted *)shared)->freed++;
}

TEST(what_arenas_share_is_freed_once_with_the_last_of_them)
{
	struct counted counted[3] = {
		{{0, count_free}, 0}, {{0, count_free}, 0}, {{0, count_free}, 0}};
	struct arena one = {0}, other = {0};

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 3; i++) {
			arena_keep(&one, &counted[i].shared);
			if (i != 1)
				arena_keep(&other, &counted[i].shared);
		}
	arena_fini(&one);
	assert_int_equal(counted[0].freed, 0);
	assert_int_equal(counted[1].freed, 1);
	arena_fini(&other);
	for (int i = 0; i < 3; i++)
		assert_int_equal(counted[i].freed, 1);
}

TEST_MAIN(NULL, NULL)
