/* Finds rows that share a number or a name (base/table/alike.h). The search by number goes once
 * through the rows, from the last to the first. The search by name goes once through the sorted
 * rows. */
#include "base/table/alike.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

static void alike_find(const uint32_t *numbers, const bool *marked, uint32_t count, uint32_t *found)
{
	uint32_t most = 0, *seen;

	for (uint32_t i = 0; i < count; i++)
		if (numbers[i] >= most && numbers[i] < ALIKE_NUMBERS_MAX)
			most = numbers[i] + 1;
	seen = allocate(most + 1, sizeof *seen);
	for (uint32_t i = 0; i < most; i++)
		seen[i] = count;
	for (uint32_t i = count; i-- > 0;) {
		uint32_t number = numbers[i];

		found[i] = count;
		if (number >= most)
			continue;
		if (marked && marked[i])
			seen[number] = i;
		found[i] = seen[number];
		if (!marked)
			seen[number] = i;
	}
	free(seen);
}

void alike_next(const uint32_t *numbers, uint32_t count, uint32_t *next)
{
	alike_find(numbers, NULL, count, next);
}

static uint8_t bits_of(struct alike_seen seen)
{
	return seen.scope != 0 ? seen.scope : UINT8_MAX;
}

static bool is_teller(struct alike_seen seen)
{
	return seen.seen && !seen.alone;
}

bool alike_tells(struct alike_seen row, struct alike_seen earlier)
{
	return is_teller(row) && (bits_of(earlier) & ~bits_of(row)) == 0;
}

/* Handles the reporting rows whose scope is exactly `bits`. Let row i be a row whose scope has no
 * bits except these. If a reporting row says that row i is over, and comes before found[i], sets
 * found[i] to the index of the first such reporting row. */
static void find_of(uint8_t bits, const uint32_t *numbers, const struct alike_seen *seen,
	uint32_t count, uint32_t *found)
{
	uint32_t *of = allocate(count + 1, sizeof *of);
	bool *telling = allocate(count + 1, sizeof *telling);

	for (uint32_t i = 0; i < count; i++)
		telling[i] = is_teller(seen[i]) && bits_of(seen[i]) == bits;
	alike_find(numbers, telling, count, of);
	for (uint32_t i = 0; i < count; i++)
		if ((bits_of(seen[i]) & ~bits) == 0 && of[i] < found[i])
			found[i] = of[i];
	free(telling);
	free(of);
}

void alike_teller(
	const uint32_t *numbers, const struct alike_seen *seen, uint32_t count, uint32_t *found)
{
	bool told[UINT8_MAX + 1] = {false};

	for (uint32_t i = 0; i < count; i++) {
		found[i] = count;
		told[bits_of(seen[i])] |= is_teller(seen[i]);
	}
	for (uint32_t bits = 1; bits <= UINT8_MAX; bits++)
		if (told[bits])
			find_of((uint8_t)bits, numbers, seen, count, found);
	for (uint32_t i = 0; i < count; i++)
		if (seen[i].seen && numbers[i] < ALIKE_NUMBERS_MAX)
			found[i] = i;
}

static int by_kind_and_name(const void *a, const void *b)
{
	const struct alike_owned *x = *(const struct alike_owned *const *)a,
				 *y = *(const struct alike_owned *const *)b;
	int order = strcmp(x->kind, y->kind);

	return order ? order : strcmp(x->name, y->name);
}

static bool have_one_owner(const struct alike_owned *rows, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (rows[i].owner != rows[0].owner)
			return false;
	return true;
}

void alike_shared(const struct alike_owned *rows, uint32_t count, bool *shared)
{
	const struct alike_owned **sorted;
	bool several;

	memset(shared, 0, count * sizeof *shared);
	if (have_one_owner(rows, count)) /* the common case */
		return;
	sorted = allocate(count, sizeof *sorted);
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = &rows[i];
	qsort(sorted, count, sizeof *sorted, by_kind_and_name);
	for (uint32_t first = 0, end; first < count; first = end) {
		several = false;
		for (end = first; end < count && !by_kind_and_name(&sorted[first], &sorted[end]);
			end++)
			several |= sorted[end]->owner != sorted[first]->owner;
		for (uint32_t i = first; i < end; i++)
			shared[sorted[i] - rows] = several;
	}
	free(sorted);
}
