/* Finds the nearest of several names, for messages such as "unknown key 'chps', did you mean
 * 'chips'?". Upper and lower case count as equal, and so do '-' and '_'. Swapping two neighbouring
 * characters counts as one change. A name that needs too many changes is not found. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *name;  /* the name that the user wrote */
	const char *best;  /* closest candidate so far, or NULL if none is close */
	unsigned distance; /* number of changes from name to best */
};

/* Starts a search for the name nearest to `name`, which must outlive the search. */
void nearest_start(struct nearest *nearest, const char *name);

/* Offers a candidate, which must live until the end of the search. If several candidates are
 * equally close, the first is kept. */
void nearest_offer(struct nearest *nearest, const char *candidate);

/* Returns the number of changes (insert, delete, replace, swap neighbours) that turn `a` into `b`.
 * Returns `limit` + 1 if the number is above `limit`, or if a string is longer than 64 bytes. */
unsigned nearest_distance(const char *a, const char *b, unsigned limit);

#endif
