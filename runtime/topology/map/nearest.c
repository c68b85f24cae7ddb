/* What of a mesh would fit: as lines where rings do not close, else fewer rows or columns, the most
 * chips first. Refuses to look at more than some shapes. */
#include <stdlib.h>

#include "place_private.h"

enum { TRIES_MAX = 48, NEAREST_BUDGET = 200000 };

struct shape {
	uint32_t rows, columns;
	bool ring[2];
};

static int compare(const void *left, const void *right)
{
	const struct shape *a = left, *b = right;
	uint32_t one = a->rows * a->columns, two = b->rows * b->columns;
	int rings = b->ring[0] + b->ring[1] - a->ring[0] - a->ring[1];

	if (one != two)
		return one < two ? 1 : -1;
	if (rings)
		return rings;
	if (a->rows != b->rows)
		return a->rows < b->rows ? 1 : -1;
	return (b->ring[0] > a->ring[0]) - (b->ring[0] < a->ring[0]);
}

/* Every smaller shape, and the same one with fewer rings. */
static size_t list_shapes(const struct logical_mesh *mesh, struct shape *out, size_t most)
{
	size_t count = 0;

	for (uint32_t rows = mesh->rows; rows; rows--)
		for (uint32_t columns = mesh->columns; columns; columns--)
			for (int rings = 0; rings < 4; rings++) {
				bool down = rings & 1, along = rings & 2;
				bool whole = rows == mesh->rows && columns == mesh->columns;

				/* A ring of one or two chips is none, and a new ring no part. */
				if ((down && (!mesh->ring[0] || rows < 3)) ||
					(along && (!mesh->ring[1] || columns < 3)) ||
					(whole && down == mesh->ring[0] &&
						along == mesh->ring[1]) ||
					count == most)
					continue;
				out[count++] = (struct shape){rows, columns, {down, along}};
			}
	qsort(out, count, sizeof(*out), compare);
	return count;
}

static bool fits(const struct scope *scope, const struct logical_mesh *mesh,
	const struct shape *shape, bool relaxed)
{
	struct arena arena = {0};
	struct solve_problem whole = problem_make(scope, &arena), problem = {0};
	const struct mgd_channels *channels = &mesh->descriptor->channels;
	uint32_t need = relaxed ? 1 : (uint32_t)channels->count;
	uint32_t *unit = arena_array(&arena, mesh->count, sizeof(*unit));
	bool found;

	problem.target = wired_mesh(
		&arena, shape->rows, shape->columns, shape->ring[0], shape->ring[1], need);
	problem.host = whole.host;
	problem.budget = NEAREST_BUDGET;
	if (whole.machine && whole.unit_count == 1) {
		problem.unit = unit;
		problem.unit_count = 1;
		problem.machine = whole.machine;
		problem.machine_count = whole.machine_count;
	}
	found = solve(&problem, &arena).verdict == SOLVE_FOUND;
	arena_fini(&arena);
	return found;
}

/* The first shape of the list that fits, or its end. */
static size_t find_first(const struct scope *scope, const struct logical_mesh *mesh,
	const struct shape *shapes, size_t count, bool relaxed)
{
	size_t tried = 0;

	for (size_t i = 0; i < count && tried < TRIES_MAX; i++) {
		if (shapes[i].rows * shapes[i].columns > scope->machine->chip_count)
			continue;
		tried++;
		if (fits(scope, mesh, &shapes[i], relaxed))
			return i;
	}
	return count;
}

static void say_shape(const struct shape *shape, const char *how, struct text *out)
{
	text_printf(out, "%s%ux%u %s x %s fits%s", out->length ? "; " : "", shape->rows,
		shape->columns, shape->ring[0] ? "RING" : "LINE", shape->ring[1] ? "RING" : "LINE",
		how);
}

void place_nearest(const struct scope *scope, uint32_t mesh, struct text *out)
{
	enum { SHAPES_MAX = 65536 };
	const struct logical_mesh *at = &scope->logical->meshes[mesh];
	const struct mgd_channels *channels = &at->descriptor->channels;
	bool relaxed = channels->policy == POLICY_RELAXED || scope->options->relaxed;
	struct arena arena = {0};
	struct shape *shapes = arena_array(&arena, SHAPES_MAX, sizeof(*shapes));
	size_t count = list_shapes(at, shapes, SHAPES_MAX);
	size_t first = find_first(scope, at, shapes, count, relaxed), thin = first;

	if (first < count)
		say_shape(&shapes[first], "", out);
	if (!relaxed && channels->count > 1)
		thin = find_first(scope, at, shapes, first, true);
	if (thin < first)
		say_shape(&shapes[thin], " with policy RELAXED", out);
	arena_fini(&arena);
}
