/* label: full timeout: 300
 * Tests that the solver finds mappings that exist. From a seed, the test hides a graph in a
 * machine: a mesh, a ring, a piece of a random graph, or several meshes with ranks. It changes the
 * rest of the machine at random, renumbers the chips, and lets the solver search for the graph. The
 * solver may find another mapping, or give up. In small problems, it must not say that there is no
 * mapping if an exhaustive search finds one. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "topology/solve.h"

enum { SEEDS = 10000, SMALL_SEEDS = 3000 };

/* A problem and the mapping planted in it. */
struct plant {
	struct arena *arena;
	struct stream *stream;
	struct wired_edge *target, *host;
	uint32_t target_edges, host_edges, targets, hosts;
	uint32_t *image; /* target nodes, before the chips are renamed */
	uint32_t *part, part_count;
	struct solve_join *joins;
	uint32_t join_count;
};

static uint32_t below(struct plant *plant, uint32_t bound)
{
	return (uint32_t)stream_below(plant->stream, bound);
}

static void start(struct plant *plant, uint32_t targets, uint32_t hosts, uint32_t edges)
{
	plant->targets = targets;
	plant->hosts = hosts;
	plant->target = arena_array(plant->arena, edges, sizeof(*plant->target));
	plant->host = arena_array(plant->arena, edges, sizeof(*plant->host));
	plant->image = arena_array(plant->arena, targets, sizeof(uint32_t));
}

static void add_target(struct plant *plant, uint32_t a, uint32_t b)
{
	plant->target[plant->target_edges++] = (struct wired_edge){a, b, 1};
}

static bool is_target_link(const struct plant *plant, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < plant->target_edges; i++) {
		uint32_t one = plant->image[plant->target[i].a];
		uint32_t two = plant->image[plant->target[i].b];

		if ((one == a && two == b) || (one == b && two == a))
			return true;
	}
	return false;
}

/* Adds the links of a torus or grid: all links that the plant needs, and most of the others. */
static void add_host_mesh(struct plant *plant, uint32_t rows, uint32_t columns, bool torus)
{
	uint32_t lost = below(plant, 30);

	for (uint32_t i = 0; i < rows * columns; i++)
		for (int along = 0; along < 2; along++) {
			uint32_t row = i / columns, column = i % columns;
			bool edge = along ? column + 1 == columns : row + 1 == rows;
			uint32_t to = along ? row * columns + (column + 1) % columns
					    : (row + 1) % rows * columns + column;

			if ((edge && (!torus || (along ? columns : rows) < 3)) || i == to)
				continue;
			if (is_target_link(plant, i, to) || below(plant, 100) >= lost)
				plant->host[plant->host_edges++] =
					(struct wired_edge){i, to, 1 + below(plant, 4)};
		}
}

static void plant_mesh(struct plant *plant)
{
	uint32_t rows = 3 + below(plant, 12), columns = 3 + below(plant, 12);
	uint32_t r = 1 + below(plant, rows), c = 1 + below(plant, columns);
	uint32_t top = below(plant, rows), left = below(plant, columns);
	bool torus = true, down = r == rows && below(plant, 2);
	bool along = c == columns && below(plant, 2);

	start(plant, r * c, rows * columns, 4 * rows * columns);
	for (uint32_t i = 0; i < r * c; i++) {
		plant->image[i] = (top + i / c) % rows * columns + (left + i % c) % columns;
		if (i % c + 1 < c || along)
			add_target(plant, i, i / c * c + (i % c + 1) % c);
		if (i / c + 1 < r || down)
			add_target(plant, i, (i / c + 1) % r * c + i % c);
	}
	add_host_mesh(plant, rows, columns, torus);
}

/* A ring: the border of a patch of grid squares that grows square by square. */
static void plant_ring(struct plant *plant)
{
	uint32_t side = 6 + below(plant, 12), chips = side * side, length = 4;
	uint32_t wanted = 4 + 2 * below(plant, chips / 4), tries = 40 * chips;
	uint32_t *next = arena_array(plant->arena, chips, sizeof(uint32_t)), at;

	memset(next, 0xff, chips * sizeof(uint32_t));
	at = below(plant, side - 1) * side + below(plant, side - 1);
	next[at] = at + 1;
	next[at + 1] = at + side + 1;
	next[at + side + 1] = at + side;
	next[at + side] = at;
	while (length < wanted && tries--) {
		uint32_t u = below(plant, chips), v = next[u];
		uint32_t step = v - u == 1 || u - v == 1 ? side : 1, a, b;
		bool forward = below(plant, 2);

		if (v == SOLVE_ANY)
			continue;
		a = forward ? u + step : u - step;
		b = forward ? v + step : v - step;
		if (a >= chips || b >= chips || next[a] != SOLVE_ANY || next[b] != SOLVE_ANY ||
			(step == 1 && (a / side != u / side || b / side != v / side)))
			continue;
		next[u] = a;
		next[a] = b;
		next[b] = v;
		length += 2;
	}
	start(plant, length, chips, 8 * chips);
	for (uint32_t i = 0; i < length; i++, at = next[at]) {
		plant->image[i] = at;
		add_target(plant, i, (i + 1) % length);
	}
	add_host_mesh(plant, side, side, false);
}

/* A connected piece of a random graph. */
static void plant_piece(struct plant *plant)
{
	uint32_t chips = 8 + below(plant, 40), links = chips + below(plant, 2 * chips);
	uint32_t wanted = 2 + below(plant, chips - 1), count = 1;
	uint32_t *number = arena_array(plant->arena, chips, sizeof(uint32_t));
	bool grown = true;

	start(plant, wanted, chips, links + chips);
	for (uint32_t i = 1; i < chips; i++)
		plant->host[plant->host_edges++] =
			(struct wired_edge){i, below(plant, i), 1 + below(plant, 3)};
	for (uint32_t i = 0; i < links - chips; i++)
		plant->host[plant->host_edges++] = (struct wired_edge){
			below(plant, chips), below(plant, chips), 1 + below(plant, 3)};
	memset(number, 0xff, chips * sizeof(uint32_t));
	number[0] = 0;
	while (count < wanted && grown) {
		grown = false;
		for (uint32_t i = 0; i < plant->host_edges && count < wanted; i++) {
			uint32_t a = plant->host[i].a, b = plant->host[i].b;

			if (number[a] == SOLVE_ANY)
				a = plant->host[i].b, b = plant->host[i].a;
			if (number[a] == SOLVE_ANY || number[b] != SOLVE_ANY || below(plant, 3))
				continue;
			plant->image[count] = b;
			number[b] = count++;
		}
		grown = true;
	}
	for (uint32_t i = 0; i < plant->host_edges; i++) {
		const struct wired_edge *edge = &plant->host[i];

		if (number[edge->a] != SOLVE_ANY && number[edge->b] != SOLVE_ANY &&
			edge->a != edge->b && below(plant, 4))
			plant->target[plant->target_edges++] = (struct wired_edge){
				number[edge->a], number[edge->b], edge->channels};
	}
}

/* Divides a grid into bands of rows. Each band is a mesh, and is linked to the band below it. */
static void plant_several(struct plant *plant)
{
	uint32_t parts = 2 + below(plant, 4), r = 1 + below(plant, 3), c = 2 + below(plant, 6);
	uint32_t columns = c + below(plant, 4), rows = parts * r;

	start(plant, parts * r * c, rows * columns, 4 * rows * columns);
	plant->part = arena_array(plant->arena, plant->targets, sizeof(uint32_t));
	plant->joins = arena_array(plant->arena, parts, sizeof(*plant->joins));
	plant->part_count = parts;
	for (uint32_t i = 0; i < plant->targets; i++) {
		uint32_t row = i / c, column = i % c;

		plant->image[i] = row * columns + column;
		plant->part[i] = row / r;
		if (column + 1 < c)
			add_target(plant, i, i + 1);
		if ((row + 1) % r)
			add_target(plant, i, i + c);
	}
	add_host_mesh(plant, rows, columns, false);
	for (uint32_t p = 0; p + 1 < parts; p++) {
		uint32_t channels = 0;

		for (uint32_t i = 0; i < plant->host_edges; i++) {
			const struct wired_edge *edge = &plant->host[i];

			if (edge->a / columns == p * r + r - 1 && edge->b / columns == p * r + r &&
				edge->a % columns < c)
				channels += edge->channels;
		}
		if (channels)
			plant->joins[plant->join_count++] =
				(struct solve_join){p, 1, p + 1, 1, 1 + below(plant, channels)};
	}
}

/* Builds the problem with renamed chips, and renames the planted mapping with it. */
static struct solve_problem make_problem(struct plant *plant)
{
	uint32_t *names = arena_array(plant->arena, plant->hosts, sizeof(uint32_t));
	struct solve_problem problem = {.part = plant->part,
		.part_count = plant->part_count,
		.joins = plant->joins,
		.join_count = plant->join_count};

	for (uint32_t i = 0; i < plant->hosts; i++) {
		uint32_t with = below(plant, i + 1);

		names[i] = names[with];
		names[with] = i;
	}
	for (uint32_t i = 0; i < plant->host_edges; i++) {
		plant->host[i].a = names[plant->host[i].a];
		plant->host[i].b = names[plant->host[i].b];
	}
	for (uint32_t i = 0; i < plant->targets; i++)
		plant->image[i] = names[plant->image[i]];
	problem.target =
		wired_new(plant->arena, plant->targets, plant->target, plant->target_edges);
	problem.host = wired_new(plant->arena, plant->hosts, plant->host, plant->host_edges);
	return problem;
}

TEST(planted_mappings_are_found)
{
	static void (*const kinds[])(struct plant *) = {
		plant_mesh, plant_ring, plant_piece, plant_several};
	uint32_t missed[4] = {0}, refuted = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct arena arena = {0};
		struct stream stream;
		struct plant plant = {.arena = &arena, .stream = &stream};
		struct solve_problem problem;
		struct solve_result result;

		stream_init(&stream, seed, "planted");
		kinds[seed % 4](&plant);
		problem = make_problem(&plant);
		assert_true(solve_check(&problem, plant.image, NULL));
		result = solve(&problem, &arena);
		if (result.verdict == SOLVE_FOUND)
			assert_true(solve_check(&problem, result.image, NULL));
		else
			print_message("seed %llu: %s\n", (unsigned long long)seed, result.how);
		missed[seed % 4] += result.verdict != SOLVE_FOUND;
		refuted += result.verdict == SOLVE_NONE;
		arena_fini(&arena);
	}
	print_message("meshes, rings, pieces, several not found: %u %u %u %u of %d\n", missed[0],
		missed[1], missed[2], missed[3], SEEDS);
	assert_int_equal(refuted, 0);
	assert_int_equal(missed[0] + missed[1] + missed[2] + missed[3], 0);
}

/* Tries every mapping of the nodes from `at` on. */
static bool try_all(const struct solve_problem *problem, uint32_t *image, uint32_t at)
{
	if (at == problem->target->count)
		return solve_check(problem, image, NULL);
	for (uint32_t chip = 0; chip < problem->host->count; chip++) {
		bool used = false;

		for (uint32_t i = 0; i < at; i++)
			used |= image[i] == chip;
		image[at] = chip;
		if (!used && try_all(problem, image, at + 1))
			return true;
	}
	return false;
}

static const struct wired *random_graph(struct plant *plant, uint32_t count, uint32_t percent)
{
	struct wired_edge *edges = arena_array(plant->arena, (size_t)count * count, sizeof(*edges));
	size_t used = 0;

	for (uint32_t a = 0; a < count; a++)
		for (uint32_t b = a + 1; b < count; b++)
			if (below(plant, 100) < percent)
				edges[used++] = (struct wired_edge){a, b, 1 + below(plant, 2)};
	return wired_new(plant->arena, count, edges, used);
}

TEST(small_ones_are_found_or_refuted_as_trying_all_says)
{
	uint32_t found = 0;

	for (uint64_t seed = 1; seed <= SMALL_SEEDS; seed++) {
		struct arena arena = {0};
		struct stream stream;
		struct plant plant = {.arena = &arena, .stream = &stream};
		uint32_t image[64], units[8], machines[8], boards[8];
		struct solve_problem problem = {0};
		bool there;

		stream_init(&stream, seed, "small");
		problem.target = random_graph(&plant, 3 + below(&plant, 3), 60);
		problem.host = random_graph(&plant, 5 + below(&plant, 2), 60);
		for (uint32_t i = 0; i < 8; i++) {
			units[i] = i / 2;
			machines[i] = i / 3;
			boards[i] = i / 2;
		}
		if (below(&plant, 2)) {
			problem.unit = units;
			problem.unit_count = 4;
			problem.machine = machines;
			problem.machine_count = 3;
			problem.board = below(&plant, 2) ? boards : NULL;
			problem.board_count = 4;
		}
		there = try_all(&problem, image, 0);
		assert_int_equal(solve(&problem, &arena).verdict, there ? SOLVE_FOUND : SOLVE_NONE);
		found += there;
		arena_fini(&arena);
	}
	/* Both outcomes must occur, otherwise this shows nothing. */
	assert_in_range(found, SMALL_SEEDS / 10, SMALL_SEEDS * 9 / 10);
}

TEST_MAIN(NULL, NULL)
