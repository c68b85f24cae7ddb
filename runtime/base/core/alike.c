/* Rows that share a number, see base/table/alike.h: one walk from the last row to the first. */
#include "base/table/alike.h"

#include <stdlib.h>

#include "base/allocate.h"

static void find(const uint32_t *numbers, const bool *marked, uint32_t count, uint32_t *found)
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
	find(numbers, NULL, count, next);
}

void alike_teller(
	const uint32_t *numbers, const struct alike_seen *seen, uint32_t count, uint32_t *found)
{
	bool *telling = allocate(count + 1, sizeof *telling);

	for (uint32_t i = 0; i < count; i++)
		telling[i] = seen[i].seen && !seen[i].alone;
	find(numbers, telling, count, found);
	for (uint32_t i = 0; i < count; i++)
		if (seen[i].seen && numbers[i] < ALIKE_NUMBERS_MAX)
			found[i] = i;
	free(telling);
}
