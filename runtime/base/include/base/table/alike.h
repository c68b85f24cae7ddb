/* Finds rows of a table that have the same number, and rows that have the same kind and name but
 * different owners. */
#ifndef BASE_TABLE_ALIKE_H
#define BASE_TABLE_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

/* Larger numbers are treated as damaged data: a row with such a number matches no other row. */
enum { ALIKE_NUMBERS_MAX = 1 << 18, ALIKE_MINORS_MAX = 16 };

/* Combines two numbers into one; the second is below ALIKE_MINORS_MAX. */
static inline uint32_t alike_pair(uint32_t major, uint32_t minor)
{
	bool good = minor < ALIKE_MINORS_MAX && major < ALIKE_NUMBERS_MAX / ALIKE_MINORS_MAX;

	return good ? major * ALIKE_MINORS_MAX + minor : ALIKE_NUMBERS_MAX;
}

/* Sets next[i] to the next row with the same number as row i, or to `count` if there is none. */
void alike_next(const uint32_t *numbers, uint32_t count, uint32_t *next);

/* How a row reports that it is over, and that earlier rows with the same number are over. */
struct alike_seen {
	bool seen;
	bool alone;	 /* it reports only about itself */
	uint8_t scope;	 /* A set of bits; 0 means all bits. A row reports about an earlier row only
			  * if the later row's scope has all bits of the earlier row's scope. */
	uint32_t awaits; /* It waits for this earlier row, which may have another number: its index
			  * plus 1; 0: for none. So a report about it is one about that row, too. */
};

/* True if a row comes behind an earlier row of the same number, so that it is over only if the
 * earlier row is. */
bool alike_follows(struct alike_seen row, struct alike_seen earlier);

/* True if a row reports that an earlier row of the same number is over. */
bool alike_tells(struct alike_seen row, struct alike_seen earlier);

/* A row may report that it is over, and that earlier rows with the same number are over (struct
 * alike_seen). It then also reports about the row that one of these waits for, and about what that
 * row follows. Sets found[i] to the index of the first row that reports this for row i. If there is
 * no such row, sets found[i] to `count`. */
void alike_teller(
	const uint32_t *numbers, const struct alike_seen *seen, uint32_t count, uint32_t *found);

/* A row with an owner. */
struct alike_owned {
	const char *kind, *name;
	uint32_t owner;
};

/* Sets shared[i] for each row: true if its kind and name have several owners. */
void alike_shared(const struct alike_owned *rows, uint32_t count, bool *shared);

#endif
