/* bench-topology: measures the topology mapper on machines in which chips or links are missing. For
 * comparison, also measures igraph's LAD algorithm if igraph was found at build time. Exits with 1
 * if the mapper and igraph give different verdicts, or if a time limit is exceeded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/stream.h"
#include "bench/tools/measure/samples.h"
#include "topology/place.h"
#include "topology/solve.h"
#ifdef MESHSIM_IGRAPH
#include <igraph/igraph.h>
#endif

enum { SIDE = 32, LINKS_DOWN = 20, CHIPS_DOWN = 5, SEEDS = 20, LAD_SECONDS = 5 };

/* Makes a 32 x 32 torus without 1 % of its links and without five chips. */
static const struct wired *make_degraded(struct arena *arena, uint64_t seed)
{
	const struct wired *whole = wired_mesh(arena, SIDE, SIDE, true, true, 1);
	uint32_t *keep = arena_array(arena, whole->count, sizeof(*keep)), kept = 0, used = 0;
	struct wired_edge *edges = arena_array(arena, whole->edge_count, sizeof(*edges));
	struct stream stream;

	stream_init(&stream, seed, "bench/topology");
	for (uint32_t i = 0; i < CHIPS_DOWN; i++)
		keep[stream_below(&stream, whole->count)] = SOLVE_ANY;
	for (uint32_t i = 0; i < whole->count; i++)
		keep[i] = keep[i] == SOLVE_ANY ? SOLVE_ANY : kept++;
	for (uint32_t a = 0; a < whole->count; a++)
		for (uint32_t i = whole->first[a]; i < whole->first[a + 1]; i++)
			if (a < whole->to[i])
				edges[used++] = (struct wired_edge){a, whole->to[i], 1};
	for (uint32_t i = 0; i < LINKS_DOWN; i++)
		edges[stream_below(&stream, used)] = edges[used - 1 - i];
	used -= LINKS_DOWN;
	return wired_part(arena, wired_new(arena, whole->count, edges, used), keep, kept, 1);
}

struct result {
	enum solve_verdict verdict;
	double seconds;
};

#ifdef MESHSIM_IGRAPH
static void to_igraph(const struct wired *wired, igraph_t *graph)
{
	igraph_vector_int_t edges;

	igraph_vector_int_init(&edges, 0);
	for (uint32_t a = 0; a < wired->count; a++)
		for (uint32_t i = wired->first[a]; i < wired->first[a + 1]; i++)
			if (a < wired->to[i]) {
				igraph_vector_int_push_back(&edges, a);
				igraph_vector_int_push_back(&edges, wired->to[i]);
			}
	igraph_create(graph, &edges, wired->count, IGRAPH_UNDIRECTED);
	igraph_vector_int_destroy(&edges);
}

static struct result topology_run_lad(const struct wired *target, const struct wired *host)
{
	igraph_error_handler_t *handler = igraph_set_error_handler(igraph_error_handler_ignore);
	struct result result = {SOLVE_BUDGET, 0};
	igraph_t pattern, graph;
	igraph_bool_t found = false;
	double start;

	to_igraph(target, &pattern);
	to_igraph(host, &graph);
	start = clock_cpu_s();
	if (igraph_subisomorphic_lad(&pattern, &graph, NULL, &found, NULL, NULL, false,
		    LAD_SECONDS) == IGRAPH_SUCCESS)
		result.verdict = found ? SOLVE_FOUND : SOLVE_NONE;
	result.seconds = clock_cpu_s() - start;
	if (result.seconds >= LAD_SECONDS && !found)
		result.verdict = SOLVE_BUDGET;
	igraph_destroy(&pattern);
	igraph_destroy(&graph);
	igraph_set_error_handler(handler);
	return result;
}
#else
static struct result topology_run_lad(const struct wired *target, const struct wired *host)
{
	(void)target;
	(void)host;
	return (struct result){SOLVE_BUDGET, 0};
}
#endif

static struct result run_own(
	const struct wired *target, const struct wired *host, struct arena *arena)
{
	const struct solve_problem problem = {.target = target, .host = host};
	double start = clock_cpu_s();
	struct solve_result result = solve(&problem, arena);

	return (struct result){result.verdict, clock_cpu_s() - start};
}

struct shape {
	const char *name;
	uint32_t rows, columns;
	bool down, along;
};

/* Places one shape on the machines of all seeds. Returns false if a limit is exceeded, or if igraph
 * gives another verdict. */
static bool run_shape(const struct shape *shape, uint32_t lad_seeds)
{
	uint32_t own[3] = {0}, lad[3] = {0}, disagree = 0;
	double worst = 0, sum = 0, lad_worst = 0, lad_sum = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct arena arena = {0};
		const struct wired *host = make_degraded(&arena, seed);
		const struct wired *target = wired_mesh(
			&arena, shape->rows, shape->columns, shape->down, shape->along, 1);
		struct result one = run_own(target, host, &arena), two;

		own[one.verdict]++;
		worst = one.seconds > worst ? one.seconds : worst;
		sum += one.seconds;
		if (seed <= lad_seeds) {
			two = topology_run_lad(target, host);
			lad[two.verdict]++;
			lad_worst = two.seconds > lad_worst ? two.seconds : lad_worst;
			lad_sum += two.seconds;
			disagree += one.verdict != SOLVE_BUDGET && two.verdict != SOLVE_BUDGET &&
				    one.verdict != two.verdict;
		}
		arena_fini(&arena);
	}
	printf("%-18s %3u placed %3u refuted %3u budget  %9.3f ms mean %9.3f ms worst", shape->name,
		own[0], own[1], own[2], 1e3 * sum / SEEDS, 1e3 * worst);
	if (lad_seeds)
		printf("  LAD, %u: %u %u %u, %9.3f ms mean %9.3f ms worst, %u disagree", lad_seeds,
			lad[0], lad[1], lad[2], 1e3 * lad_sum / lad_seeds, 1e3 * lad_worst,
			disagree);
	fputc('\n', stdout);
	return worst < 1 && own[SOLVE_BUDGET] == 0 && disagree == 0;
}

/* --- many meshes ----------------------------------------------------------------------------- */

enum { MESHES = 70, ROWS = 16, COLUMNS = 23, CHIPS = ROWS * COLUMNS };

static struct machine *topology_make_machine(void)
{
	struct machine *machine = machine_new();
	uint32_t *next = allocate(MESHES * CHIPS, sizeof(*next));
	char host[16];

	for (uint32_t i = 0; i < MESHES * CHIPS; i++) {
		snprintf(host, sizeof(host), "host%u", i / CHIPS);
		machine_add_chip(machine, (struct machine_chip){.id = 1000 + i,
						  .host = machine_host(machine, host),
						  .tray = i % CHIPS / 8,
						  .location = i % 8,
						  .board = MACHINE_NONE});
	}
	for (uint32_t i = 0; i < MESHES * CHIPS; i++) {
		uint32_t at = i % CHIPS;

		if (at % COLUMNS + 1 < COLUMNS)
			machine_add_channel(machine, i, next[i]++, i + 1, next[i + 1]++);
		if (at / COLUMNS + 1 < ROWS)
			machine_add_channel(
				machine, i, next[i]++, i + COLUMNS, next[i + COLUMNS]++);
	}
	for (uint32_t a = 0; a < MESHES; a++)
		for (uint32_t b = a + 1; b < MESHES; b++) {
			uint32_t one = a * CHIPS + b, two = b * CHIPS + a;

			machine_add_channel(machine, one, next[one]++, two, next[two]++);
		}
	free(next);
	machine_finish(machine);
	return machine;
}

static bool run_many(const char *name, const char *layout, const struct machine *machine,
	const struct place_options *options)
{
	struct text text = {0};
	struct diag *diag = diag_new();
	struct mesh_placement *placement;
	struct mesh_graph *graph;
	struct logical *logical;
	double start, seconds;
	bool good;

	text_printf(&text,
		"mesh_descriptors { name: \"M\" arch: BLACKHOLE device_topology { dims: [%d, %d] } "
		"host_topology { dims: [1, 1] } channels { count: 1 } }\n"
		"graph_descriptors { name: \"G\" type: \"FABRIC\" graph_topology { layout_type: %s "
		"channels { count: 1 } }\n",
		ROWS, COLUMNS, layout);
	for (int i = 0; i < MESHES; i++)
		text_printf(
			&text, "instances { mesh { mesh_descriptor: \"M\" mesh_id: %d } }\n", i);
	text_append(&text, "}\ntop_level_instance { graph { graph_descriptor: \"G\" } }\n");
	graph = mesh_graph_read(
		tree_read_text_format("bench", text_string(&text), text.length, diag), true, diag);
	logical = graph ? logical_new(graph, diag) : NULL;
	diag_print(diag, stderr);
	if (!logical)
		exit(2);
	start = clock_cpu_s();
	placement = topology_place(logical, machine, options);
	seconds = clock_cpu_s() - start;
	good = placement->verdict == SOLVE_FOUND && seconds < 2;
	printf("%-40s %s  %9.3f ms\n", name,
		placement->verdict == SOLVE_FOUND ? "placed" : "not placed", 1e3 * seconds);
	mesh_placement_free(placement);
	logical_free(logical);
	mesh_graph_free(graph);
	diag_free(diag);
	text_fini(&text);
	return good;
}

static bool run_all_many(void)
{
	struct machine *machine = topology_make_machine();
	struct place_set sets[MESHES];
	uint32_t *chips = allocate(MESHES * CHIPS, sizeof(*chips));
	struct place_options anywhere = {0}, grouped = {.sets = sets, .set_count = MESHES};
	bool good;

	for (uint32_t i = 0; i < MESHES * CHIPS; i++)
		chips[i] = i;
	for (uint32_t i = 0; i < MESHES; i++)
		sets[i] = (struct place_set){
			"mesh", chips + i * CHIPS, CHIPS, {SOLVE_ANY, SOLVE_ANY, SOLVE_ANY}};
	good = run_many(
		"70 meshes of 368 chips, all to all, groups", "ALL_TO_ALL", machine, &grouped);
	good = good && run_many("70 meshes of 368 chips, ring, groups", "RING", machine, &grouped);
	good = good &&
	       run_many("70 meshes of 368 chips, ring, anywhere", "RING", machine, &anywhere);
	machine_free(machine);
	free(chips);
	return good;
}

int main(int argc, char **argv)
{
	static const struct shape shapes[] = {
		{"8x16 LINE x LINE", 8, 16, false, false},
		{"8x32 LINE x RING", 8, 32, false, true},
		{"ring of 64", 1, 64, false, true},
		{"ring of 256", 1, 256, false, true},
	};
	uint32_t lad_seeds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2;
	bool good = true;

#ifndef MESHSIM_IGRAPH
	lad_seeds = 0;
	puts("built without igraph: nothing to compare with");
#endif
	printf("torus of %dx%d, %d links and %d chips missing, %d machines; CPU time\n", SIDE, SIDE,
		LINKS_DOWN, CHIPS_DOWN, SEEDS);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		good &= run_shape(&shapes[i], lad_seeds < SEEDS ? lad_seeds : SEEDS);
	good &= run_all_many();
	puts(good ? "all within bounds" : "a bound is broken");
	return good ? 0 : 1;
}
