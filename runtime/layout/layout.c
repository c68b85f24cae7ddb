/* Implements the layouts of layout/layout.h: collapses dimensions, checks layouts, and computes
 * derived values. A layout is rejected if its text form could not be read back. */
#include "layout/layout.h"

#include <string.h>

#include "base/ensure.h"
#include "base/refuse.h"
#include "layout_private.h"

static const char *const spaces[SPACE_COUNT] = {"system", "mmio", "dram", "l1"};

const char *layout_space_name(enum layout_space space)
{
	return spaces[space];
}

static uint64_t divide_up(uint64_t value, uint64_t by)
{
	return value / by + (value % by != 0);
}

/* ---- collapsing ---- */

/* Joins dimensions [first, end) into one result with row-major strides. */
static void layout_join(struct layout *layout, uint32_t result, uint32_t first, uint32_t end)
{
	uint64_t stride = 1;

	for (uint32_t d = end; d-- > first;) {
		layout->stride[result][d] = stride;
		/* this only prevents a wrap; layout_init() rejects strides that are too large */
		if (__builtin_mul_overflow(stride, layout->tensor.size[d], &stride))
			stride = UINT64_MAX;
	}
}

/* Sets [*first, *end) to the dimensions of an interval. Returns an error if the interval contains a
 * dimension before `from`, because these belong to earlier intervals. */
static enum status place_interval(const struct layout *layout,
	const struct layout_interval *interval, uint32_t from, uint32_t *first, uint32_t *end,
	struct text *why)
{
	int64_t rank = layout->tensor.rank;
	int64_t low = interval->first < 0 ? interval->first + rank : interval->first;
	int64_t high = interval->end < 0 ? interval->end + rank : interval->end;

	if (low < 0 || low > rank || high < 0 || high > rank)
		return refuse(why, STATUS_INVALID,
			"collapse interval (%d, %d) of a tensor of rank %lld", interval->first,
			interval->end, (long long)rank);
	if (low > high)
		return refuse(why, STATUS_INVALID,
			"collapse interval (%d, %d) ends before it begins", interval->first,
			interval->end);
	if (low < from)
		return refuse(why, STATUS_INVALID,
			"collapse interval (%d, %d) overlaps the one before it or precedes it",
			interval->first, interval->end);
	*first = (uint32_t)low;
	*end = (uint32_t)high;
	return STATUS_OK;
}

enum status layout_collapse(struct layout *layout, const struct layout_interval *intervals,
	uint32_t count, uint32_t results, struct text *why)
{
	/* dimensions [first, end) of each result */
	uint32_t first[LAYOUT_RANK_MAX], end[LAYOUT_RANK_MAX], found = 0, at = 0;

	ensure(layout->tensor.rank >= 1 && layout->tensor.rank <= LAYOUT_RANK_MAX, "rank %u",
		layout->tensor.rank);
	for (uint32_t i = 0; i <= count; i++) {
		uint32_t low = layout->tensor.rank, high = low;
		enum status status =
			i < count ? place_interval(layout, &intervals[i], at, &low, &high, why)
				  : STATUS_OK;

		if (status != STATUS_OK)
			return status;
		for (; at < low; at++, found++) {
			first[found] = at;
			end[found] = at + 1;
		}
		if (low < high) {
			first[found] = low;
			end[found++] = at = high;
		}
	}
	if (found > results || (found < results && found < layout->tensor.rank) ||
		results > LAYOUT_RANK_MAX)
		return refuse(why, STATUS_INVALID,
			"%u dimensions collapse to %u, the grid has %u: give other intervals",
			layout->tensor.rank, found, results);
	memset(layout->stride, 0, sizeof layout->stride);
	for (uint32_t i = 0; i < found; i++)
		layout_join(layout, results - found + i, first[i], end[i]);
	return STATUS_OK;
}

enum status layout_align_rows(struct layout *layout, uint64_t multiple, struct text *why)
{
	uint32_t rows = layout->grid.rank - 2;
	uint64_t bumped = 0; /* extent of the inner dimensions; 0: there are none yet */

	ensure(multiple > 0 && multiple <= LAYOUT_ELEMENTS_MAX, "rows of %llu",
		(unsigned long long)multiple);
	if (layout->grid.rank < 2)
		return refuse(
			why, STATUS_INVALID, "a grid of rank %u has no rows", layout->grid.rank);
	/* the innermost dimension of the rows keeps its stride; the strides of the other dimensions
	 * are rounded up to multiples of `multiple` */
	for (uint32_t d = layout->tensor.rank; d-- > 0;) {
		uint64_t *stride = &layout->stride[rows][d];

		if (*stride == 0)
			continue;
		if (bumped)
			*stride = divide_up(bumped, multiple) * multiple;
		if (__builtin_mul_overflow(*stride, layout->tensor.size[d], &bumped) ||
			bumped > LAYOUT_ELEMENTS_MAX)
			return refuse(why, STATUS_OUT_OF_RANGE, "stride of d%u grows beyond %llu",
				d, (unsigned long long)LAYOUT_ELEMENTS_MAX);
	}
	return STATUS_OK;
}

/* ---- checking ---- */

enum status layout_check_tensor(const struct layout *layout, struct text *why)
{
	const struct layout_shape *tensor = &layout->tensor;
	uint64_t elements = 1;

	if (tensor->rank < 1 || tensor->rank > LAYOUT_RANK_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "tensor of rank %u, 1 to %d allowed",
			tensor->rank, LAYOUT_RANK_MAX);
	for (uint32_t d = 0; d < tensor->rank; d++) {
		if (tensor->size[d] == 0)
			return refuse(why, STATUS_INVALID, "dimension d%u has no elements", d);
		if (elements > LAYOUT_ELEMENTS_MAX / tensor->size[d])
			return refuse(why, STATUS_OUT_OF_RANGE, "tensor of more than %llu elements",
				(unsigned long long)LAYOUT_ELEMENTS_MAX);
		elements *= tensor->size[d];
	}
	return STATUS_OK;
}

/* Fills in nest[result]: the dimensions on which the result depends and that have several elements,
 * sorted from the largest stride to the smallest. */
static void sort_nest(struct layout *layout, uint32_t result)
{
	const uint64_t *stride = layout->stride[result];
	uint8_t *nest = layout->nest[result];
	uint8_t count = 0;

	for (uint8_t d = 0; d < layout->tensor.rank; d++) {
		uint8_t at = count;

		if (stride[d] == 0 || layout->tensor.size[d] == 1)
			continue;
		for (; at > 0 && stride[nest[at - 1]] < stride[d]; at--)
			nest[at] = nest[at - 1];
		nest[at] = d;
		count++;
	}
	layout->nest_count[result] = count;
}

/* Checks that the strides of a result nest: each stride must be at least the extent (largest value
 * + 1) that the dimensions with smaller strides give together. Sets the result's extent in
 * layout.physical. */
static enum status check_result(struct layout *layout, uint32_t result, struct text *why)
{
	uint64_t span = 1; /* number of places that the dimensions with smaller strides span */

	sort_nest(layout, result);
	for (uint32_t i = layout->nest_count[result]; i-- > 0;) {
		uint8_t d = layout->nest[result][i];
		uint64_t stride = layout->stride[result][d], more;

		if (stride < span)
			return refuse(why, STATUS_INVALID,
				"strides of result %u do not nest: d%u strides by %llu, what is "
				"inside it "
				"spans %llu",
				result, d, (unsigned long long)stride, (unsigned long long)span);
		if (__builtin_mul_overflow(stride, layout->tensor.size[d] - 1, &more) ||
			more >= LAYOUT_ELEMENTS_MAX || span + more > LAYOUT_ELEMENTS_MAX)
			return refuse(why, STATUS_OUT_OF_RANGE, "result %u spans more than %llu",
				result, (unsigned long long)LAYOUT_ELEMENTS_MAX);
		span += more;
	}
	layout->physical.size[result] = span;
	return STATUS_OK;
}

/* Returns true if dimension `d` may be placed next. `placed` has one bit for each dimension that is
 * already placed. In each result that contains `d`, all dimensions with larger strides must already
 * be placed. */
static bool is_next(const struct layout *layout, uint8_t d, uint32_t placed)
{
	for (uint32_t r = 0; r < layout->grid.rank; r++) {
		uint32_t outer = 0, i = 0;

		while (i < layout->nest_count[r] && layout->nest[r][i] != d)
			outer |= 1u << layout->nest[r][i++];
		if (i < layout->nest_count[r] && (outer & ~placed) != 0)
			return false;
	}
	return true;
}

/* Computes `order`: one order of dimensions that agrees with the nesting of all results. */
static enum status sort_dimensions(struct layout *layout, struct text *why)
{
	uint32_t placed = 0, wanted = 0;

	for (uint32_t r = 0; r < layout->grid.rank; r++)
		for (uint32_t i = 0; i < layout->nest_count[r]; i++)
			wanted |= 1u << layout->nest[r][i];
	for (layout->order_count = 0; placed != wanted;) {
		uint8_t d = 0;

		while (d < layout->tensor.rank &&
			((placed >> d & 1) || !(wanted >> d & 1) || !is_next(layout, d, placed)))
			d++;
		if (d == layout->tensor.rank)
			return refuse(why, STATUS_INVALID,
				"results nest the same dimensions in different orders");
		placed |= 1u << d;
		layout->order[layout->order_count++] = d;
	}
	return STATUS_OK;
}

enum status layout_check_map(struct layout *layout, struct text *why)
{
	uint32_t results = layout->grid.rank;
	enum status status = STATUS_OK;

	if (results < 1 || results > LAYOUT_RANK_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "map with %u results, 1 to %d allowed",
			results, LAYOUT_RANK_MAX);
	layout->physical.rank = results;
	for (uint32_t r = 0; status == STATUS_OK && r < results; r++)
		status = check_result(layout, r, why);
	for (uint32_t d = 0; status == STATUS_OK && d < layout->tensor.rank; d++) {
		bool held = layout->tensor.size[d] == 1;

		for (uint32_t r = 0; r < results; r++)
			held |= layout->stride[r][d] != 0;
		if (!held)
			status = refuse(why, STATUS_INVALID,
				"d%u is in no result: its %llu elements would share a place", d,
				(unsigned long long)layout->tensor.size[d]);
	}
	return status == STATUS_OK ? sort_dimensions(layout, why) : status;
}

enum status layout_check_grid(struct layout *layout, struct text *why)
{
	const struct layout_shape *grid = &layout->grid;

	layout->shards = 1;
	layout->shard.rank = grid->rank;
	for (uint32_t r = 0; r < grid->rank; r++) {
		if (grid->size[r] == 0)
			return refuse(why, STATUS_INVALID, "dimension %u of the grid is 0", r);
		if (grid->size[r] > LAYOUT_SHARDS_MAX ||
			layout->shards > LAYOUT_SHARDS_MAX / grid->size[r])
			return refuse(why, STATUS_OUT_OF_RANGE, "grid of more than %llu shards",
				(unsigned long long)LAYOUT_SHARDS_MAX);
		layout->shards *= grid->size[r];
		layout->shard.size[r] = divide_up(layout->physical.size[r], grid->size[r]);
	}
	return STATUS_OK;
}

static bool is_power(uint32_t value, uint32_t least, uint32_t most)
{
	return value >= least && value <= most && (value & (value - 1)) == 0;
}

static enum status check_tile(const struct layout *layout, struct text *why)
{
	uint32_t height = layout->tile_height, width = layout->tile_width;
	bool block = element_is_block(layout->element);

	if (layout->element == ELEMENT_BFP_BF4)
		return refuse(why, STATUS_UNSUPPORTED,
			"tensors of bfp_bf4: two elements share a byte, which layouts do not "
			"place");
	if (height == 0 && width == 0)
		return block ? refuse(why, STATUS_INVALID,
				       "scalars of %s: elements share exponents in tiles only",
				       element_name(layout->element))
			     : STATUS_OK;
	if (!is_power(height, 1, 32) || !is_power(width, LAYOUT_FACE, 32))
		return refuse(why, STATUS_INVALID,
			"tile of %u x %u: heights are 1, 2, 4, 8, 16 or 32, widths 16 or 32",
			height, width);
	if (block && height < LAYOUT_FACE)
		return refuse(why, STATUS_INVALID, "tile of %u x %u %s: blocks want whole faces",
			height, width, element_name(layout->element));
	if (layout->grid.rank < 2)
		return refuse(why, STATUS_INVALID, "tiles on a grid of rank %u", layout->grid.rank);
	return STATUS_OK;
}

enum status layout_check_memref(struct layout *layout, struct text *why)
{
	enum status status = check_tile(layout, why);
	uint64_t elements = layout->shards, tiles = 1;

	if (status != STATUS_OK)
		return status;
	layout->memref = layout->padded = layout->shard;
	if (layout->tile_height) {
		uint32_t tile[] = {layout->tile_height, layout->tile_width};

		for (uint32_t i = 0; i < 2; i++) {
			uint32_t r = layout->grid.rank - 2 + i;

			layout->memref.size[r] = divide_up(layout->shard.size[r], tile[i]);
			layout->padded.size[r] = layout->memref.size[r] * tile[i];
		}
	}
	for (uint32_t r = 0; r < layout->grid.rank; r++) {
		if (elements > LAYOUT_ELEMENTS_MAX / layout->padded.size[r])
			return refuse(why, STATUS_OUT_OF_RANGE,
				"shards with more than %llu elements together",
				(unsigned long long)LAYOUT_ELEMENTS_MAX);
		elements *= layout->padded.size[r];
		tiles *= layout->memref.size[r];
	}
	layout->shard_bytes =
		tiles * (layout->tile_height ? element_tile_bytes(layout->element,
						       layout->tile_height, layout->tile_width)
					     : element_bytes(layout->element));
	return STATUS_OK;
}

enum status layout_check_fill(const struct layout *layout, struct text *why)
{
	uint32_t bits;

	return element_fill(layout->element, layout->fill, &bits, why);
}

enum status layout_init(struct layout *layout, struct text *why)
{
	enum status status = layout_check_tensor(layout, why);

	if (status == STATUS_OK)
		status = layout_check_map(layout, why);
	if (status == STATUS_OK)
		status = layout_check_grid(layout, why);
	if (status == STATUS_OK)
		status = layout_check_memref(layout, why);
	if (status == STATUS_OK)
		status = layout_check_fill(layout, why);
	return status;
}
