/* Detects whether packets could wait for each other in a circle: a packet that holds room behind
 * one channel waits for room behind the next channel of its tree. Checks any trees, whatever made
 * them. */
#ifndef FABRIC_CYCLE_H
#define FABRIC_CYCLE_H

#include "fabric/tree.h"

/* The waits of the trees of a traffic. Open value; the array belongs to its arena. */
struct fabric_waits {
	const struct fabric_graph *graph;
	uint32_t *first; /* [channel] index in `waits`; channels + 1 entries */
	bool *waits;	 /* [first[in] + k] for the k-th channel out of the chip where `in` ends */
};

void fabric_waits_init(
	struct fabric_waits *waits, const struct fabric_graph *graph, struct arena *arena);

/* Adds a tree of the same machine; NULL is allowed. */
void fabric_waits_add(struct fabric_waits *waits, const struct fabric_tree *tree);

/* OK if there is no circle; else UNSUPPORTED, with a sentence in `why` (may be NULL) that names its
 * chips. */
enum status fabric_waits_check(const struct fabric_waits *waits, struct text *why);

#endif
