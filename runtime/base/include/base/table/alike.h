/* Rows of a table that share a number or a name: finds the next such row, and rows shared by
 * several owners. */
#ifndef BASE_TABLE_ALIKE_H
#define BASE_TABLE_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

/* Larger numbers are treated as damage: such a row is not like any other. */
enum { ALIKE_NUMBERS_MAX = 1 << 18, ALIKE_MINORS_MAX = 16 };

/* Combines two numbers into one; the second is below ALIKE_MINORS_MAX. */
static inline uint32_t alike_pair(uint32_t major, uint32_t minor)
{
	bool good = minor < ALIKE_MINORS_MAX && major < ALIKE_NUMBERS_MAX / ALIKE_MINORS_MAX;

	return good ? major * ALIKE_MINORS_MAX + minor : ALIKE_NUMBERS_MAX;
}

/* Fills `next` with the next row of the same number for each row; `count`: there is none. */
void alike_next(const uint32_t *numbers, uint32_t count, uint32_t *next);

/* How a row may tell that it and earlier rows of its number are over. */
struct alike_seen {
	bool seen;
	bool alone;    /* it tells of itself only */
	uint8_t scope; /* bits; it tells of rows that have no other bits; 0: has all bits, and tells
			* of all rows */
};

/* True if a row tells of an earlier row of the same number. */
bool alike_tells(struct alike_seen row, struct alike_seen earlier);

/* Fills `found`, for each row, with the first row from there on of the same number that tells of
 * it; `count`: there is none. */
void alike_teller(
	const uint32_t *numbers, const struct alike_seen *seen, uint32_t count, uint32_t *found);

/* A row with an owner. */
struct alike_owned {
	const char *kind, *name;
	uint32_t owner;
};

/* Fills `shared`: true for rows whose kind and name have several owners. */
void alike_shared(const struct alike_owned *rows, uint32_t count, bool *shared);

#endif
