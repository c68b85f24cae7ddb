/* Reads the graphs of cases. A graph has either lists of its nodes and edges, or a shape and the
 * name of a wiring. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "place.h"

enum { NODES_MAX = 65536 };

uint64_t case_number(const struct tree_node *node, uint64_t fallback)
{
	int64_t value;

	return node && tree_integer(node, &value) == STATUS_OK && value >= 0 ? (uint64_t)value
									     : fallback;
}

const char *case_text(const struct tree_node *node)
{
	return node && node->kind == TREE_SCALAR ? node->text : "";
}

bool case_is_relaxed(const struct tree_node *node)
{
	return strcmp(case_text(tree_get(node, "policy")), "RELAXED") == 0;
}

bool case_knows(
	const struct tree_node *node, const char *const *known, const struct case_words *words)
{
	static const char *const always[] = {"id", "source", "kind", "expect", "note", NULL};

	for (uint32_t i = 0; node->kind == TREE_MAP && i < node->count; i++) {
		bool good = false;

		for (int k = 0; always[k]; k++)
			good |= strcmp(node->pairs[i].key, always[k]) == 0;
		for (int k = 0; known[k]; k++)
			good |= strcmp(node->pairs[i].key, known[k]) == 0;
		if (!good) {
			text_printf(words->why, "'%s' is not understood", node->pairs[i].key);
			return false;
		}
	}
	return true;
}

uint32_t case_find(const struct case_graph *graph, const char *id)
{
	uint64_t value = 0;
	bool good = number_read_whole(id, UINT64_MAX, &value);

	for (uint32_t i = 0; good && i < graph->count; i++)
		if (graph->ids[i] == value)
			return i;
	return SOLVE_ANY;
}

static void add_edge(struct case_graph *graph, uint32_t a, uint32_t b, uint32_t channels)
{
	graph->edges[graph->edge_count++] = (struct wired_edge){a, b, channels};
}

/* Adds the edges of a shape, by the name of the wiring. "mesh" and "grid" join neighbours. "torus"
 * also joins the ends of each row and column. "ring" and "line" join nodes in the order of their
 * numbers. "all_to_all" joins each node with every other node. */
static bool wire(struct case_graph *graph, const char *wiring, uint32_t channels,
	const struct case_words *words)
{
	bool torus = strcmp(wiring, "torus") == 0, ring = strcmp(wiring, "ring") == 0;
	bool line = strcmp(wiring, "line") == 0 || strcmp(wiring, "chain") == 0;
	bool all = strcmp(wiring, "all_to_all") == 0 || strcmp(wiring, "complete") == 0;
	uint32_t count = graph->count;
	size_t most = all ? (size_t)count * count : 2 * (size_t)count;

	if (!torus && !ring && !line && !all && strcmp(wiring, "grid") != 0 &&
		strcmp(wiring, "mesh") != 0 && *wiring) {
		text_printf(words->why, "wiring '%s' is not understood", wiring);
		return false;
	}
	graph->edges = arena_array(words->arena, most + 1, sizeof(*graph->edges));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t row = i / graph->columns, column = i % graph->columns;

		if (ring || line) {
			if (i + 1 < count || (ring && count > 2))
				add_edge(graph, i, (i + 1) % count, channels);
			continue;
		}
		for (uint32_t k = i + 1; all && k < count; k++)
			add_edge(graph, i, k, channels);
		if (all)
			continue;
		if (column + 1 < graph->columns || (torus && graph->columns > 1))
			add_edge(graph, i, row * graph->columns + (column + 1) % graph->columns,
				channels);
		if (row + 1 < graph->rows || (torus && graph->rows > 1))
			add_edge(graph, i, (row + 1) % graph->rows * graph->columns + column,
				channels);
	}
	return true;
}

/* Reads a list of edges, [[u, v, channels], ...]. */
static bool read_edges(
	const struct tree_node *list, struct case_graph *graph, const struct case_words *words)
{
	uint32_t count = list && list->kind == TREE_SEQUENCE ? list->count : 0;

	graph->edges = arena_array(words->arena, (size_t)count + 1, sizeof(*graph->edges));
	for (uint32_t i = 0; i < count; i++) {
		const struct tree_node *edge = list->items[i];
		uint32_t a, b;

		if (edge->kind != TREE_SEQUENCE || edge->count < 2) {
			text_printf(words->why, "edge %u is not [u, v, channels]", i);
			return false;
		}
		a = case_find(graph, case_text(edge->items[0]));
		b = case_find(graph, case_text(edge->items[1]));
		if (a == SOLVE_ANY || b == SOLVE_ANY) {
			text_printf(words->why, "edge %u has an end that is not there", i);
			return false;
		}
		add_edge(graph, a, b,
			edge->count > 2 ? (uint32_t)case_number(edge->items[2], 1) : 1);
	}
	return true;
}

bool case_read_graph(
	const struct tree_node *node, struct case_graph *graph, const struct case_words *words)
{
	static const char *const known[] = {"nodes", "ids", "edges", "positions", "rank", "shape",
		"wiring", "channels", "count", NULL};
	const struct tree_node *ids = tree_get(node, "ids"), *shape = tree_get(node, "shape");
	uint64_t count;

	*graph = (struct case_graph){.rank = -1, .rows = 1};
	if (!node || node->kind != TREE_MAP) {
		text_append(words->why, "a graph is missing");
		return false;
	}
	if (!case_knows(node, known, words))
		return false;
	if (shape && shape->kind == TREE_SEQUENCE && shape->count >= 1) {
		graph->rows = shape->count > 1 ? (uint32_t)case_number(shape->items[0], 1) : 1;
		graph->columns = (uint32_t)case_number(shape->items[shape->count > 1], 1);
	}
	count = shape ? (uint64_t)graph->rows * graph->columns
		: ids ? ids->count
		      : case_number(tree_get(node, "nodes"), 0);
	if (count > NODES_MAX || (shape && shape->kind == TREE_SEQUENCE && shape->count > 2)) {
		text_append(
			words->why, "a graph that is too large, or of more than two dimensions");
		return false;
	}
	graph->count = (uint32_t)count;
	graph->columns = shape ? graph->columns : graph->count;
	graph->ids = arena_array(words->arena, (size_t)count + 1, sizeof(*graph->ids));
	for (uint32_t i = 0; i < graph->count; i++)
		graph->ids[i] =
			ids && ids->kind == TREE_SEQUENCE ? case_number(ids->items[i], i) : i;
	graph->positions = tree_get(node, "positions");
	graph->rank = (int64_t)case_number(tree_get(node, "rank"), UINT64_MAX);
	if (shape && !tree_get(node, "edges"))
		return wire(graph, case_text(tree_get(node, "wiring")),
			(uint32_t)case_number(tree_get(node, "channels"), 1), words);
	return read_edges(tree_get(node, "edges"), graph, words);
}

/* Splits a join of two meshes into its elements: mesh a, node of a, mesh b, node of b, channels,
 * which are stored in at[]. A join has one of three forms: [a, b, channels], [a, node, b, node,
 * channels], or [[a, node], [b, node], channels]. Sets *nodes to true if the join names nodes.
 * Returns false if it has none of these forms. */
static bool split_join(const struct tree_node *edge, const struct tree_node *at[5], bool *nodes)
{
	bool pairs;

	if (edge->kind != TREE_SEQUENCE || edge->count < 2)
		return false;
	pairs = edge->items[0]->kind == TREE_SEQUENCE;
	*nodes = pairs || edge->count >= 4;
	at[0] = tree_find(edge, pairs ? "0.0" : "0");
	at[1] = tree_find(edge, pairs ? "0.1" : "1");
	at[2] = tree_find(edge, pairs ? "1.0" : *nodes ? "2" : "1");
	at[3] = tree_find(edge, pairs ? "1.1" : "3");
	at[4] = tree_find(edge, pairs || !*nodes ? "2" : "4");
	return true;
}

static bool read_join(const struct tree_node *edge, const struct case_graphs *graphs,
	struct case_join *join, const struct case_words *words)
{
	const struct tree_node *at[5] = {0};
	bool nodes = false;

	if (!split_join(edge, at, &nodes)) {
		text_append(words->why, "a connection is not [a, b, channels]");
		return false;
	}
	*join = (struct case_join){.a = (uint32_t)case_number(at[0], SOLVE_ANY),
		.b = (uint32_t)case_number(at[2], SOLVE_ANY),
		.channels = (uint32_t)case_number(at[4], 1),
		.node_a = SOLVE_ANY,
		.node_b = SOLVE_ANY};
	if (join->a >= graphs->count || join->b >= graphs->count || join->a == join->b) {
		text_append(words->why, "a connection has an end that is not there");
		return false;
	}
	if (!nodes)
		return true;
	join->node_a = case_find(&graphs->graphs[join->a], case_text(at[1]));
	join->node_b = case_find(&graphs->graphs[join->b], case_text(at[3]));
	if (join->node_a != SOLVE_ANY && join->node_b != SOLVE_ANY)
		return true;
	text_append(words->why, "a connection has a node that is not there");
	return false;
}

/* Reads the joins of meshes. They are either the name of a wiring, or a list. */
static bool read_joins(
	const struct tree_node *inter, struct case_graphs *graphs, const struct case_words *words)
{
	struct case_graph whole = {.count = graphs->count, .rows = 1, .columns = graphs->count};
	bool list = inter && inter->kind == TREE_SEQUENCE;

	if (!list && inter && strcmp(case_text(inter), "none") != 0 &&
		!wire(&whole, case_text(inter), 1, words))
		return false;
	graphs->join_count = list ? inter->count : whole.edge_count;
	graphs->joins =
		arena_array(words->arena, (size_t)graphs->join_count + 1, sizeof(*graphs->joins));
	for (uint32_t i = 0; i < graphs->join_count; i++) {
		if (list && !read_join(inter->items[i], graphs, &graphs->joins[i], words))
			return false;
		if (!list)
			graphs->joins[i] = (struct case_join){whole.edges[i].a, whole.edges[i].b,
				whole.edges[i].channels, SOLVE_ANY, SOLVE_ANY};
	}
	return true;
}

bool case_read_graphs(
	const struct tree_node *node, struct case_graphs *graphs, const struct case_words *words)
{
	static const char *const known[] = {"meshes", "inter", "count", NULL};
	const struct tree_node *meshes = tree_get(node, "meshes");
	uint64_t count;

	if (!meshes)
		text_append(words->why, "'meshes' is missing beside a graph of meshes");
	if (!meshes || !case_knows(node, known, words))
		return false;
	/* either a list of meshes, or one mesh and the number `count` of its copies */
	count = meshes->kind == TREE_SEQUENCE ? meshes->count
					      : case_number(tree_get(node, "count"), 1);
	if (count > 4096) {
		text_append(words->why, "more than 4096 meshes");
		return false;
	}
	graphs->count = (uint32_t)count;
	graphs->graphs = arena_array(words->arena, count + 1, sizeof(*graphs->graphs));
	for (uint32_t i = 0; i < graphs->count; i++)
		if (!case_read_graph(meshes->kind == TREE_SEQUENCE ? meshes->items[i] : meshes,
			    &graphs->graphs[i], words))
			return false;
	return read_joins(tree_get(node, "inter"), graphs, words);
}
