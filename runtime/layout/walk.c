/* Visits the elements of a tensor whose places in the physical space (layout.h) lie in a given box.
 * Chooses an index for each dimension, from the outermost to the innermost. Leaves out each index
 * with which no element can lie in the box. */
#include "layout/layout.h"

#include "base/ensure.h"

struct search {
	const struct layout *layout;
	const struct layout_shape *from, *to;
	bool (*visit)(void *context, const struct layout_run *run);
	void *context;
	/* [dimension] how many elements further in the row-major tensor the next index of the
	 * dimension is */
	uint64_t pitch[LAYOUT_RANK_MAX];
	/* [d][r] the most that dimension d and all dimensions inside it can add to coordinate r of
	 * a physical place */
	uint64_t reach[LAYOUT_RANK_MAX + 1][LAYOUT_RANK_MAX];
};

/* Finds the indices of dimension `d` with which an element can lie in the box, if the indices of
 * the outer dimensions lead to the place `physical`. Sets *low and *high to the first and the last
 * of them. Returns false if there are none. */
static bool limits(const struct search *search, uint32_t d, const struct layout_shape *physical,
	uint64_t *low, uint64_t *high)
{
	*low = 0;
	*high = search->layout->tensor.size[d] - 1;
	for (uint32_t r = 0; r < physical->rank; r++) {
		uint64_t stride = search->layout->stride[r][d], at = physical->size[r];
		uint64_t reach = at + search->reach[d + 1][r];

		if (at >= search->to->size[r])
			return false;
		if (stride == 0 && reach < search->from->size[r])
			return false;
		if (stride == 0)
			continue;
		if (reach < search->from->size[r]) {
			uint64_t least = (search->from->size[r] - reach + stride - 1) / stride;

			*low = *low > least ? *low : least;
		}
		if ((search->to->size[r] - 1 - at) / stride < *high)
			*high = (search->to->size[r] - 1 - at) / stride;
	}
	return *low <= *high;
}

static bool descend(const struct search *search, uint32_t d, struct layout_run run)
{
	const struct layout *layout = search->layout;
	struct layout_run next = run;
	uint64_t low, high;

	if (!limits(search, d, &run.physical, &low, &high))
		return true;
	next.element += low * search->pitch[d];
	for (uint32_t r = 0; r < layout->grid.rank; r++)
		next.physical.size[r] += low * layout->stride[r][d];
	if (d + 1 == layout->tensor.rank) {
		next.count = high - low + 1;
		return search->visit(search->context, &next);
	}
	for (uint64_t i = low; i <= high; i++) {
		if (!descend(search, d + 1, next))
			return false;
		next.element += search->pitch[d];
		for (uint32_t r = 0; r < layout->grid.rank; r++)
			next.physical.size[r] += layout->stride[r][d];
	}
	return true;
}

bool layout_walk(const struct layout *layout, const struct layout_shape *from,
	const struct layout_shape *to, bool (*visit)(void *context, const struct layout_run *run),
	void *context)
{
	struct search search = {
		.layout = layout, .from = from, .to = to, .visit = visit, .context = context};
	struct layout_run start = {.physical.rank = layout->grid.rank};
	uint64_t pitch = 1;

	for (uint32_t d = layout->tensor.rank; d-- > 0;) {
		search.pitch[d] = pitch;
		pitch *= layout->tensor.size[d];
		for (uint32_t r = 0; r < layout->grid.rank; r++)
			search.reach[d][r] = search.reach[d + 1][r] +
					     (layout->tensor.size[d] - 1) * layout->stride[r][d];
	}
	return descend(&search, 0, start);
}
