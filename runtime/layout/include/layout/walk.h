/* Visits the elements of a tensor in a box of its physical space, in runs along its innermost
 * dimension. The cost of a run depends only on the dimensions around it. */
#ifndef LAYOUT_WALK_H
#define LAYOUT_WALK_H

#include "layout/layout.h"

struct layout_run {
	uint64_t element;	      /* row-major number of its first element in the tensor */
	struct layout_shape physical; /* of its first element */
	uint64_t count;		      /* number of consecutive elements */
};

/* Calls visit for every run in [from, to), ordered by element. Stops when it returns false, and
 * returns that. */
bool layout_walk(const struct layout *layout, const struct layout_shape *from,
	const struct layout_shape *to, bool (*visit)(void *context, const struct layout_run *run),
	void *context);

#endif
