/* Adds sets of chips to a collection without duplicates. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "place_private.h"

static int sets_add_compare_chips(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

bool sets_add(struct sets *sets, struct arena *arena, const uint32_t *chips, uint32_t count)
{
	uint32_t *sorted = arena_array(arena, (size_t)count + 1, sizeof(*sorted));
	uint64_t key;
	size_t slot;

	memcpy(sorted, chips, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), sets_add_compare_chips);
	key = hash_bytes(sorted, count * sizeof(*sorted)) | 1;
	if (!sets->at) {
		sets->at = arena_array(arena, GROUPING_SETS_MAX, sizeof(*sets->at));
		sets->keys = arena_array(arena, SETS_SLOTS, sizeof(*sets->keys));
	}
	for (slot = key % SETS_SLOTS; sets->keys[slot]; slot = (slot + 1) % SETS_SLOTS)
		if (sets->keys[slot] == key)
			return false;
	if (sets->count == GROUPING_SETS_MAX) {
		sets->cut = true;
		return false;
	}
	sets->keys[slot] = key;
	sets->at[sets->count++] = (struct set){sorted, count};
	return true;
}
