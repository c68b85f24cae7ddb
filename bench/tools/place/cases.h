/* Declarations shared by the runners of cases: graphs read from JSON, and the expected outcome.
 * Private to the room. */
#ifndef BENCH_TOOLS_PLACE_CASES_H
#define BENCH_TOOLS_PLACE_CASES_H

#include "base/tree.h"
#include "topology/place.h"

/* A graph of a case: nodes by count or ids, and edges, or a shape with a wiring. */
struct case_graph {
	uint32_t count;
	uint64_t *ids; /* of the nodes */
	struct wired_edge *edges;
	uint32_t edge_count;
	const struct tree_node *positions; /* {"0": [tray, location]}, or NULL */
	int64_t rank;			   /* -1: not given */
	uint32_t rows, columns;		   /* of the shape, else 1 x count */
};

/* Joins two graphs as wholes, or one node of each. */
struct case_join {
	uint32_t a, b, channels;
	uint32_t node_a, node_b; /* SOLVE_ANY: join as wholes */
};

struct case_graphs {
	struct case_graph *graphs;
	uint32_t count;
	struct case_join *joins;
	uint32_t join_count;
};

/* Context of reading a case. `why` receives the reason if the case cannot be run. */
struct case_words {
	struct arena *arena;
	struct text *why;
};

/* False, with why, if the graph is not understood. */
bool case_read_graph(
	const struct tree_node *node, struct case_graph *graph, const struct case_words *words);
bool case_read_graphs(
	const struct tree_node *node, struct case_graphs *graphs, const struct case_words *words);

/* The number of the node with this id, or SOLVE_ANY. */
uint32_t case_find(const struct case_graph *graph, const char *id);

enum case_result { CASE_GOOD, CASE_DIFFERS, CASE_NOT_RUN };

/* The runners. cases_map.c: placements of one mesh, and of several. cases_solve.c: the solver
 * alone. cases_counts.c: counts. `why` receives the difference, or the reason why the case was not
 * run. */
enum case_result case_map(const struct tree_node *node, const struct case_words *words);
enum case_result case_map_several(const struct tree_node *node, const struct case_words *words);
enum case_result case_solve(const struct tree_node *node, const struct case_words *words);
enum case_result case_calls(const struct tree_node *node, const struct case_words *words);
enum case_result case_logical(
	const struct tree_node *node, const char *folder, const struct case_words *words);
enum case_result case_hierarchy(const struct tree_node *node, const struct case_words *words);

/* cases_check.c: false if a value is not of the kind that its key needs; `why` names the key. */
bool case_is_sound(const struct tree_node *node, const struct case_words *words);

/* Compares the verdict with the expected one; `why` receives the difference. */
enum case_result case_judge(const struct tree_node *node, enum solve_verdict verdict,
	const char *reason, const struct case_words *words);

/* True if the policy of a case is RELAXED. */
bool case_is_relaxed(const struct tree_node *node);

/* An unsigned number, or `fallback`. */
uint64_t case_number(const struct tree_node *node, uint64_t fallback);

/* The text of a scalar, or "". */
const char *case_text(const struct tree_node *node);

/* False if the case has a key that is not in `known`, a list that ends with NULL; `why` names the
 * key. */
bool case_knows(
	const struct tree_node *node, const char *const *known, const struct case_words *words);

#endif
