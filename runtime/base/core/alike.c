/* Finds rows that share a number or a name (base/table/alike.h). The searches by number visit the
 * rows from the last to the first, each row once. The search by name sorts the rows, and then
 * visits each row once. */
#include "base/table/alike.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void alike_next(const uint32_t *numbers, uint32_t count, uint32_t *next)
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

		next[i] = count;
		if (number >= most)
			continue;
		next[i] = seen[number];
		seen[number] = i;
	}
	free(seen);
}

static uint8_t bits_of(struct alike_seen seen)
{
	return seen.scope != 0 ? seen.scope : UINT8_MAX;
}

bool alike_follows(struct alike_seen row, struct alike_seen earlier)
{
	return !row.alone && (bits_of(earlier) & ~bits_of(row)) == 0;
}

bool alike_tells(struct alike_seen row, struct alike_seen earlier)
{
	return row.seen && alike_follows(row, earlier);
}

/* Row `first` is the first row that reports the end of certain earlier rows: of those that have the
 * same number, and whose scope has no bits except those in `bits`. */
struct teller {
	uint32_t first;
	uint32_t next; /* index plus 1 of the next teller that has the same number and other `bits`;
			* 0: none */
	uint8_t bits;
};

struct tellers {
	struct teller *at;
	uint32_t count;
	/* [number]: the index plus 1 of the number's first teller; 0: none */
	uint32_t *of, numbers;
};

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Returns the first row that reports about the given row, or `count` if there is none. */
static uint32_t first_teller(
	const struct tellers *tellers, uint32_t number, struct alike_seen row, uint32_t count)
{
	uint32_t first = count;

	for (uint32_t t = number < tellers->numbers ? tellers->of[number] : 0; t > 0;
		t = tellers->at[t - 1].next)
		if ((bits_of(row) & ~tellers->at[t - 1].bits) == 0)
			first = least(first, tellers->at[t - 1].first);
	return first;
}

/* Notes that row `first` reports about every row that `row` follows. */
static void add_teller(
	struct tellers *tellers, uint32_t number, struct alike_seen row, uint32_t first)
{
	uint32_t *link = &tellers->of[number];

	while (*link > 0 && tellers->at[*link - 1].bits != bits_of(row))
		link = &tellers->at[*link - 1].next;
	if (*link == 0) {
		tellers->at[tellers->count++] = (struct teller){first, 0, bits_of(row)};
		*link = tellers->count;
	}
	tellers->at[*link - 1].first = least(tellers->at[*link - 1].first, first);
}

void alike_teller(
	const uint32_t *numbers, const struct alike_seen *seen, uint32_t count, uint32_t *found)
{
	struct tellers tellers = {.at = allocate(count + 1, sizeof *tellers.at)};

	for (uint32_t i = 0; i < count; i++) {
		found[i] = count;
		if (numbers[i] < ALIKE_NUMBERS_MAX && numbers[i] >= tellers.numbers)
			tellers.numbers = numbers[i] + 1;
	}
	tellers.of = allocate(tellers.numbers + 1, sizeof *tellers.of);
	/* The loop goes from the last row to the first. If a later row waits for row i, found[i] is
	 * already set when the loop reaches row i: it is the row that reports the end of the later
	 * row. */
	for (uint32_t i = count; i-- > 0;) {
		uint32_t awaits = seen[i].awaits;

		if (numbers[i] >= tellers.numbers)
			continue;
		if (seen[i].seen)
			found[i] = i;
		if (found[i] < count && !seen[i].alone)
			add_teller(&tellers, numbers[i], seen[i], found[i]);
		found[i] = least(found[i], first_teller(&tellers, numbers[i], seen[i], count));
		if (awaits > 0 && awaits <= i)
			found[awaits - 1] = least(found[awaits - 1], found[i]);
	}
	free(tellers.of);
	free(tellers.at);
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
	if (have_one_owner(rows, count)) /* in the common case, all rows have one owner */
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
