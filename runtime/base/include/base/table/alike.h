/* Rows of a table that share a number, or a name: which of them is next, and whose they are. Knows
 * not what the rows are. */
#ifndef BASE_TABLE_ALIKE_H
#define BASE_TABLE_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers from here on are taken for damage: no row is like another one. */
enum { ALIKE_NUMBERS_MAX = 1 << 18, ALIKE_MINORS_MAX = 16 };

/* A number for what has two; the second is below ALIKE_MINORS_MAX. */
static inline uint32_t alike_pair(uint32_t major, uint32_t minor)
{
	bool good = minor < ALIKE_MINORS_MAX && major < ALIKE_NUMBERS_MAX / ALIKE_MINORS_MAX;

	return good ? major * ALIKE_MINORS_MAX + minor : ALIKE_NUMBERS_MAX;
}

/* Fills `next` with the first row behind each that has the same number; `count`: there is none. */
void alike_next(const uint32_t *numbers, uint32_t count, uint32_t *next);

/* How a row may tell that it and those before it are over. */
struct alike_seen {
	bool seen;
	bool alone;    /* it tells of itself only */
	uint8_t scope; /* bits; it tells of rows whose bits it has; 0: it is of all, and tells of
			  all */
};

/* Fills `found` with the first row, from each on, of the same number that tells of it; `count`:
 * there is none. */
void alike_teller(
	const uint32_t *numbers, const struct alike_seen *seen, uint32_t count, uint32_t *found);

/* A row that is somebody's. */
struct alike_owned {
	const char *kind, *name;
	uint32_t owner;
};

/* Fills `shared`: whether rows of that kind and name are several owners'. */
void alike_shared(const struct alike_owned *rows, uint32_t count, bool *shared);

#endif
