/* Finds the kind of a place (data or a kind of padding), runs along an axis, and numbers of places.
 * Elements are not counted one by one: indices of a dimension that all lie inside a box are counted
 * in one step. */
#include "layout/layout.h"

#include <string.h>

#include "base/ensure.h"

static const char *const kinds[PLACE_KIND_COUNT] = {"data", "gap", "grid", "tile"};

const char *place_kind_name(enum place_kind kind)
{
	return kinds[kind];
}

enum place_kind padding_at(const struct layout *layout, const struct layout_shape *shard,
	const struct layout_shape *local)
{
	struct layout_shape index;

	for (uint32_t r = 0; r < layout->grid.rank; r++)
		if (local->size[r] >= layout->shard.size[r])
			return PLACE_TILE;
	for (uint32_t r = 0; r < layout->grid.rank; r++)
		if (shard->size[r] * layout->shard.size[r] + local->size[r] >=
			layout->physical.size[r])
			return PLACE_GRID;
	return layout_index(layout, shard, local, &index) ? PLACE_DATA : PLACE_GAP;
}

/* Returns a run of places along axis `result`, beginning at place `at`. The places of the run are
 * all data, or are all in a gap. The next place after the run may be of the same kind. */
static struct padding_run axis_run(const struct layout *layout, uint32_t result, uint64_t at)
{
	const uint64_t *stride = layout->stride[result];
	uint64_t rest = at, end = layout->physical.size[result], count = layout->nest_count[result];
	/* number of consecutive data places without a gap: the product of the extents of the
	 * `inner` innermost dimensions */
	uint64_t solid = 1;
	uint64_t inner = 0; /* number of inner dimensions that form these contiguous places */

	for (; inner < count; inner++) {
		uint8_t d = layout->nest[result][count - 1 - inner];

		if (stride[d] != solid)
			break;
		solid *= layout->tensor.size[d];
	}
	for (uint64_t i = 0; i < count - inner; i++) {
		uint8_t d = layout->nest[result][i];
		uint64_t index = rest / stride[d];

		if (index >= layout->tensor.size[d]) /* after the last element of dimension d */
			return (struct padding_run){PLACE_GAP, at, end - at};
		rest -= index * stride[d];
		/* a gap of an inner dimension ends at the next element of this dimension */
		if (index + 1 < layout->tensor.size[d] && at - rest + stride[d] < end)
			end = at - rest + stride[d];
	}
	if (rest < solid)
		return (struct padding_run){
			PLACE_DATA, at, solid - rest < end - at ? solid - rest : end - at};
	return (struct padding_run){PLACE_GAP, at, end - at};
}

struct padding_run padding_run(
	const struct layout *layout, uint32_t result, uint64_t coordinate, uint64_t at)
{
	uint64_t shard = layout->shard.size[result], padded = layout->padded.size[result];
	uint64_t first = coordinate * shard, physical = layout->physical.size[result];
	struct padding_run run;

	ensure(at < padded, "place %llu of %llu", (unsigned long long)at,
		(unsigned long long)padded);
	if (at >= shard)
		return (struct padding_run){PLACE_TILE, at, padded - at};
	if (first + at >= physical)
		return (struct padding_run){PLACE_GRID, at, shard - at};
	run = axis_run(layout, result, first + at);
	run.at = at;
	if (run.count > shard - at)
		run.count = shard - at;
	return run;
}

/* ---- counts ---- */

/* Bounds for counting the elements in a box. An element is in the box if, for each result r, the
 * sum of what the remaining dimensions add to r is at least low[r] and less than high[r]. */
struct window {
	int64_t low[LAYOUT_RANK_MAX], high[LAYOUT_RANK_MAX];
};

struct count {
	const struct layout *layout;
	/* reach[i][r]: the largest sum that the dimensions from order[i] on can add to result r */
	int64_t reach[LAYOUT_RANK_MAX + 1][LAYOUT_RANK_MAX];
};

static int64_t floor_divide(int64_t value, int64_t by)
{
	return value >= 0 ? value / by : -((-value + by - 1) / by);
}

struct span {
	int64_t low, high;
};

static void narrow(struct span *span, int64_t low, int64_t high)
{
	span->low = span->low > low ? span->low : low;
	span->high = span->high < high ? span->high : high;
}

static uint64_t count_from(const struct count *count, uint32_t i, const struct window *window)
{
	const struct layout *layout = count->layout;
	uint32_t results = layout->grid.rank;
	uint8_t d = i < layout->order_count ? layout->order[i] : 0;
	struct span some = {0, (int64_t)layout->tensor.size[d] - 1}, all = some;
	struct window inner = *window;
	uint64_t total = 0;

	if (i == layout->order_count) {
		for (uint32_t r = 0; r < results; r++)
			if (window->low[r] > 0 || window->high[r] <= 0)
				return 0;
		return 1;
	}
	for (uint32_t r = 0; r < results; r++) {
		int64_t stride = (int64_t)layout->stride[r][d], reach = count->reach[i + 1][r];

		if (stride == 0)
			continue;
		narrow(&some, -floor_divide(reach - window->low[r], stride),
			floor_divide(window->high[r] - 1, stride));
		narrow(&all, -floor_divide(-window->low[r], stride),
			floor_divide(window->high[r] - 1 - reach, stride));
		inner.low[r] = 0;
		inner.high[r] = INT64_MAX / 4;
	}
	if (all.low <= all.high)
		total = (uint64_t)(all.high - all.low + 1) * count_from(count, i + 1, &inner);
	for (int64_t at = some.low; at <= some.high; at++) {
		if (all.low <= all.high && at == all.low) {
			at = all.high;
			continue;
		}
		inner = *window;
		for (uint32_t r = 0; r < results; r++) {
			inner.low[r] -= at * (int64_t)layout->stride[r][d];
			inner.high[r] -= at * (int64_t)layout->stride[r][d];
		}
		total += count_from(count, i + 1, &inner);
	}
	return total;
}

uint64_t padding_elements_within(
	const struct layout *layout, const struct layout_shape *from, const struct layout_shape *to)
{
	struct count count = {.layout = layout};
	struct window window;

	memset(&window, 0, sizeof window);
	for (uint32_t r = 0; r < layout->grid.rank; r++) {
		if (from->size[r] >= to->size[r])
			return 0;
		window.low[r] = (int64_t)from->size[r];
		window.high[r] = (int64_t)to->size[r];
	}
	for (uint32_t i = layout->order_count; i-- > 0;)
		for (uint32_t r = 0; r < layout->grid.rank; r++) {
			uint8_t d = layout->order[i];

			count.reach[i][r] =
				count.reach[i + 1][r] +
				(int64_t)((layout->tensor.size[d] - 1) * layout->stride[r][d]);
		}
	return count_from(&count, 0, &window);
}

uint64_t padding_elements(const struct layout *layout, const struct layout_shape *shard)
{
	struct layout_shape from = {.rank = shard->rank}, to = {.rank = shard->rank};

	for (uint32_t r = 0; r < shard->rank; r++) {
		from.size[r] = shard->size[r] * layout->shard.size[r];
		to.size[r] = from.size[r] + layout->shard.size[r];
	}
	return padding_elements_within(layout, &from, &to);
}

uint64_t padding_count(const struct layout *layout, const struct layout_shape *shard)
{
	return layout_volume(&layout->padded) - padding_elements(layout, shard);
}
