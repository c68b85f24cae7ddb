/* Graphs with channels. For each node, the neighbours are stored one after another. */
#include "topology/solve.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"

static int wired_compare(const void *left, const void *right)
{
	const struct wired_edge *a = left, *b = right;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

/* Writes each edge to `out` twice, once for each direction. Sorts the entries, and combines
 * parallel edges. Returns the number of entries. */
static size_t wired_spread(
	struct wired_edge *out, const struct wired_edge *edges, size_t edge_count, uint32_t count)
{
	size_t used = 0, kept = 0;

	for (size_t i = 0; i < edge_count; i++) {
		const struct wired_edge *edge = &edges[i];

		ensure(edge->a < count && edge->b < count, "edge %u - %u of %u nodes", edge->a,
			edge->b, count);
		if (edge->a == edge->b)
			continue;
		out[used++] = *edge;
		out[used++] = (struct wired_edge){edge->b, edge->a, edge->channels};
	}
	qsort(out, used, sizeof(*out), wired_compare);
	for (size_t i = 0; i < used; i++) {
		if (kept && wired_compare(&out[kept - 1], &out[i]) == 0)
			out[kept - 1].channels += out[i].channels;
		else
			out[kept++] = out[i];
	}
	return kept;
}

struct wired *wired_new(
	struct arena *arena, uint32_t count, const struct wired_edge *edges, size_t edge_count)
{
	struct wired_edge *both = allocate(2 * edge_count + 1, sizeof(*both));
	struct wired *wired = arena_alloc(arena, sizeof(*wired));
	size_t kept;

	kept = wired_spread(both, edges, edge_count, count);
	wired->count = count;
	wired->edge_count = (uint32_t)(kept / 2);
	wired->first = arena_array(arena, (size_t)count + 1, sizeof(*wired->first));
	wired->to = arena_array(arena, kept, sizeof(*wired->to));
	wired->channels = arena_array(arena, kept, sizeof(*wired->channels));
	for (size_t i = 0; i < kept; i++) {
		wired->first[both[i].a + 1]++;
		wired->to[i] = both[i].b;
		wired->channels[i] = both[i].channels;
	}
	for (uint32_t i = 0; i < count; i++)
		wired->first[i + 1] += wired->first[i];
	free(both);
	return wired;
}

struct wired *wired_mesh(struct arena *arena, uint32_t rows, uint32_t columns, bool down,
	bool along, uint32_t channels)
{
	struct wired_edge *edges = allocate(2 * (size_t)rows * columns, sizeof(*edges));
	struct wired *wired;
	size_t used = 0;

	for (uint32_t i = 0; i < rows * columns; i++) {
		uint32_t row = i / columns, column = i % columns;

		if (row + 1 < rows || (down && rows > 2))
			edges[used++] = (struct wired_edge){
				i, (row + 1) % rows * columns + column, channels};
		if (column + 1 < columns || (along && columns > 2))
			edges[used++] = (struct wired_edge){
				i, row * columns + (column + 1) % columns, channels};
	}
	wired = wired_new(arena, rows * columns, edges, used);
	free(edges);
	return wired;
}

struct wired *wired_part(struct arena *arena, const struct wired *wired, const uint32_t *keep,
	uint32_t count, uint32_t least)
{
	struct wired_edge *edges = allocate((size_t)wired->edge_count + 1, sizeof(*edges));
	struct wired *part;
	size_t used = 0;

	for (uint32_t node = 0; node < wired->count; node++)
		for (uint32_t i = wired->first[node]; i < wired->first[node + 1]; i++) {
			uint32_t to = wired->to[i];

			if (node < to && keep[node] != UINT32_MAX && keep[to] != UINT32_MAX &&
				wired->channels[i] >= least)
				edges[used++] = (struct wired_edge){
					keep[node], keep[to], wired->channels[i]};
		}
	part = wired_new(arena, count, edges, used);
	free(edges);
	return part;
}

uint32_t wired_degree(const struct wired *wired, uint32_t node)
{
	return wired->first[node + 1] - wired->first[node];
}

uint32_t wired_channels(const struct wired *wired, uint32_t a, uint32_t b)
{
	uint32_t low = wired->first[a], high = wired->first[a + 1];

	while (high - low > 8) {
		uint32_t middle = low + (high - low) / 2;

		if (wired->to[middle] <= b)
			low = middle;
		else
			high = middle;
	}
	for (; low < high; low++)
		if (wired->to[low] == b)
			return wired->channels[low];
	return 0;
}

uint8_t *wired_sides(const struct wired *wired, uint32_t least, struct arena *arena)
{
	uint8_t *sides = arena_array(arena, (size_t)wired->count + 1, sizeof(*sides));
	uint32_t *stack = arena_array(arena, (size_t)wired->count + 1, sizeof(*stack)), depth;

	for (uint32_t root = 0; root < wired->count; root++) {
		if (sides[root])
			continue;
		sides[root] = 1;
		stack[0] = root;
		for (depth = 1; depth;) {
			uint32_t at = stack[--depth];

			for (uint32_t k = wired->first[at]; k < wired->first[at + 1]; k++) {
				uint32_t to = wired->to[k];

				if (wired->channels[k] < least)
					continue;
				if (sides[to] == sides[at])
					return NULL;
				if (!sides[to]) {
					sides[to] = (uint8_t)(3 - sides[at]);
					stack[depth++] = to;
				}
			}
		}
	}
	return sides;
}
