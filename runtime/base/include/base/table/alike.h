/* Finds related rows in a table. Each row stands for something that ends at some time, such as a
 * call or a transfer. Finds rows that have the same number, rows that report the ends of other
 * rows, and rows that have the same kind and name but different owners. */
#ifndef BASE_TABLE_ALIKE_H
#define BASE_TABLE_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

/* Larger numbers are treated as damaged data: a row with a larger number matches no other row. */
enum { ALIKE_NUMBERS_MAX = 1 << 19, ALIKE_MINORS_MAX = 16, ALIKE_QUEUES = 2 };

/* Combines two numbers into one number. The second number must be below ALIKE_MINORS_MAX. */
static inline uint32_t alike_pair(uint32_t major, uint32_t minor)
{
	bool good = minor < ALIKE_MINORS_MAX && major < ALIKE_NUMBERS_MAX / ALIKE_MINORS_MAX;

	return good ? major * ALIKE_MINORS_MAX + minor : ALIKE_NUMBERS_MAX;
}

/* Combines a step, a queue and a mesh into one number. A second call with the same number begins a
 * new round. A `finish` step makes one call for each queue in a round, so these calls must have
 * different numbers. */
static inline uint32_t alike_step(uint32_t step, uint32_t queue, uint32_t mesh)
{
	return step < ALIKE_NUMBERS_MAX && queue < ALIKE_QUEUES
		       ? alike_pair(step * ALIKE_QUEUES + queue, mesh)
		       : ALIKE_NUMBERS_MAX;
}

/* Sets next[i] to the next row with the same number as row i, or to `count` if there is none. */
void alike_next(const uint32_t *numbers, uint32_t count, uint32_t *next);

/* How a row reports that it is over, and that earlier rows with the same number are over. */
struct alike_seen {
	bool seen;
	bool alone;    /* the row reports only about itself */
	uint8_t scope; /* A set of bits; 0 stands for all bits. A row reports the end of an
			* earlier row only if its scope contains the earlier row's scope. */
	/* Index plus 1 of an earlier row for which this row waits; 0: none. The two rows may have
	 * different numbers. If a report says that this row is over, then the earlier row is over,
	 * too. */
	uint32_t awaits;
};

/* `earlier` is an earlier row with the same number. Returns true if `row` ends only after
 * `earlier` has ended. This is the case if `row` does not report only about itself, and if the
 * scope of `row` contains the scope of `earlier`. */
bool alike_follows(struct alike_seen row, struct alike_seen earlier);

/* Returns true if `row` reports the end of `earlier`, an earlier row with the same number. */
bool alike_tells(struct alike_seen row, struct alike_seen earlier);

/* Sets found[i] to the index of the first row that reports the end of row i, or to `count` if there
 * is none. A row may report its own end, and the ends of earlier rows with the same number (struct
 * alike_seen). If one of these rows waits for another row, the report also covers the awaited row
 * and the rows that the awaited row follows (alike_follows()). */
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
