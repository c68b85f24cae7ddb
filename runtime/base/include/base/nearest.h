/* The nearest of some names, for "unknown key 'chps', did you mean 'chips'?". Upper and lower case,
 * and '-' and '_', count as equal; a transposition counts as one change. Only close names count. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *name;  /* what was written */
	const char *best;  /* closest candidate so far, or NULL if none is close */
	unsigned distance; /* changes from name to best */
};

/* Starts a search for the neighbour of `name`, which must outlive it. */
void nearest_start(struct nearest *nearest, const char *name);

/* Offers one candidate, which must outlive the search. The first of equally close ones wins. */
void nearest_offer(struct nearest *nearest, const char *candidate);

/* Changes (insert, delete, replace, swap neighbours) that turn `a` into `b`, at most `limit` + 1.
 */
unsigned nearest_distance(const char *a, const char *b, unsigned limit);

#endif
