/* What runs of cases share: graphs from their JSON, and what is expected. Private to the room. */
#ifndef BENCH_PLACE_CASES_H
#define BENCH_PLACE_CASES_H

#include "base/tree.h"
#include "topology/place.h"

/* A graph as a case states it: nodes by number or ids, edges or a shape with a wiring. */
struct case_graph {
	uint32_t count;
	uint64_t *ids; /* of the nodes */
	struct wired_edge *edges;
	uint32_t edge_count;
	const struct tree_node *positions; /* {"0": [tray, location]}, or NULL */
	int64_t rank;			   /* -1: not said */
	uint32_t rows, columns;		   /* of a shape, else 1 x count */
};

/* What joins two of several: as wholes, or a node of each. */
struct case_join {
	uint32_t a, b, channels;
	uint32_t node_a, node_b; /* SOLVE_ANY: as wholes */
};

struct case_graphs {
	struct case_graph *graphs;
	uint32_t count;
	struct case_join *joins;
	uint32_t join_count;
};

/* What is said of a case that cannot be run: it does not mean what it asks. */
struct case_words {
	struct arena *arena;
	struct text *why;
};

/* False, with why, if it is not understood. */
bool case_read_graph(
	const struct tree_node *node, struct case_graph *graph, const struct case_words *words);
bool case_read_graphs(
	const struct tree_node *node, struct case_graphs *graphs, const struct case_words *words);

/* Number of the node with an id, or SOLVE_ANY. */
uint32_t case_find(const struct case_graph *graph, const char *id);

enum case_result { CASE_GOOD, CASE_DIFFERS, CASE_NOT_RUN };

/* cases_map.c: place, and place several. cases_solve.c: the solver alone. cases_counts.c: what is
 * counted. `why`: what differs, or why it is not run. */
enum case_result case_map(const struct tree_node *node, const struct case_words *words);
enum case_result case_map_several(const struct tree_node *node, const struct case_words *words);
enum case_result case_solve(const struct tree_node *node, const struct case_words *words);
enum case_result case_calls(const struct tree_node *node, const struct case_words *words);
enum case_result case_logical(
	const struct tree_node *node, const char *folder, const struct case_words *words);
enum case_result case_hierarchy(const struct tree_node *node, const struct case_words *words);

/* cases_check.c: false, saying which, if a value is not of the kind that its key has. */
bool case_is_sound(const struct tree_node *node, const struct case_words *words);

/* Whether a verdict is the expected one: says what differs. */
enum case_result case_judge(const struct tree_node *node, enum solve_verdict verdict,
	const char *reason, const struct case_words *words);

/* True if the policy of a case is RELAXED. */
bool case_is_relaxed(const struct tree_node *node);

/* An unsigned number, or `fallback`. */
uint64_t case_number(const struct tree_node *node, uint64_t fallback);

/* The text of a scalar, or "". */
const char *case_text(const struct tree_node *node);

/* False, naming it, if the case has a key that is not among `known`, a list with NULL. */
bool case_knows(
	const struct tree_node *node, const char *const *known, const struct case_words *words);

#endif
