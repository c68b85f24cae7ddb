/* The elements of a tensor that lie in a box of its physical space, in runs along its innermost
 * dimension. Visits nothing else: a run costs no more than the dimensions around it. */
#ifndef LAYOUT_WALK_H
#define LAYOUT_WALK_H

#include "layout/layout.h"

struct layout_run {
	uint64_t element;	      /* row-major number of the first in the tensor */
	struct layout_shape physical; /* of the first */
	uint64_t count;		      /* elements that follow each other in the tensor */
};

/* Calls visit for every run in [from, to), ordered by element. Stops when it returns false, and
 * returns that. */
bool layout_walk(const struct layout *layout, const struct layout_shape *from,
	const struct layout_shape *to, bool (*visit)(void *context, const struct layout_run *run),
	void *context);

#endif
