/* Cases that only use the solver, which maps the nodes of a target graph to nodes of a host graph.
 * They check to which host nodes a target node may be mapped, and whether a mapping exists. */
#include <stdlib.h>
#include <string.h>

#include "place.h"

/* A flag for each pair of a target node and a host node. It is true if the target node may be
 * mapped to this host node. */
struct allowed {
	bool *may;
	uint32_t targets, hosts;
};

static struct allowed allow_all(uint32_t targets, uint32_t hosts, struct arena *arena)
{
	struct allowed allowed = {
		arena_array(arena, (size_t)targets * hosts + 1, sizeof(bool)), targets, hosts};

	memset(allowed.may, true, (size_t)targets * hosts);
	return allowed;
}

/* Removes all host nodes for which `keep` is false from the host nodes that are allowed for target
 * node `node`. Returns false if no host node is left. */
static bool intersect(struct allowed *allowed, uint32_t node, const bool *keep)
{
	bool any = false;

	for (uint32_t i = 0; i < allowed->hosts; i++) {
		bool *may = &allowed->may[(size_t)node * allowed->hosts + i];

		*may = *may && keep[i];
		any |= *may;
	}
	return any;
}

/* Sets marks[i] for each host node i: to `to` if `value` names the host node, and to !to if not.
 * `value` is the id of a host node, or a list of ids. Returns false if an id is unknown. */
static bool mark(const struct tree_node *value, const struct case_graph *host, bool *marks, bool to)
{
	for (uint32_t i = 0; i < host->count; i++)
		marks[i] = !to;
	if (value->kind == TREE_SCALAR) {
		uint32_t at = case_find(host, value->text);

		if (at != SOLVE_ANY)
			marks[at] = to;
		return at != SOLVE_ANY;
	}
	for (uint32_t i = 0; value->kind == TREE_SEQUENCE && i < value->count; i++) {
		uint32_t at = case_find(host, case_text(value->items[i]));

		if (at == SOLVE_ANY)
			return false;
		marks[at] = to;
	}
	return value->kind == TREE_SEQUENCE;
}

/* Applies a map such as {"1": 10, "2": [11, 12]}, which gives host nodes for target nodes. These
 * host nodes are either the only allowed ones or the forbidden ones. Returns false if a target node
 * has no allowed host node left, or if an id is unknown. */
static bool cases_solve_limit(struct allowed *allowed, const struct tree_node *map,
	const struct case_graph *target, const struct case_graph *host, bool required,
	struct arena *arena)
{
	bool *marks = arena_array(arena, (size_t)host->count + 1, sizeof(*marks)), good = true;

	for (uint32_t i = 0; map && map->kind == TREE_MAP && i < map->count; i++) {
		uint32_t node = case_find(target, map->pairs[i].key);

		good = good && node != SOLVE_ANY &&
		       mark(map->pairs[i].value, host, marks, required) &&
		       intersect(allowed, node, marks);
	}
	return good;
}

/* Applies traits such as {"target": {"1": "a"}, "host": {"10": "a"}}. A target node with a trait
 * may be mapped only to host nodes with the same trait. */
static bool limit_traits(struct allowed *allowed, const struct tree_node *traits,
	const struct case_graph *target, const struct case_graph *host, struct arena *arena)
{
	const struct tree_node *of_target = tree_get(traits, "target");
	const struct tree_node *of_host = tree_get(traits, "host");
	bool *marks = arena_array(arena, (size_t)host->count + 1, sizeof(*marks)), good = true;

	if (!of_target || of_target->kind != TREE_MAP || !of_host || of_host->kind != TREE_MAP)
		return good;
	for (uint32_t i = 0; i < of_target->count; i++) {
		uint32_t node = case_find(target, of_target->pairs[i].key);

		memset(marks, false, host->count);
		for (uint32_t k = 0; k < of_host->count; k++) {
			uint32_t at = case_find(host, of_host->pairs[k].key);

			if (at != SOLVE_ANY && strcmp(case_text(of_host->pairs[k].value),
						       case_text(of_target->pairs[i].value)) == 0)
				marks[at] = true;
		}
		good = good && node != SOLVE_ANY && intersect(allowed, node, marks);
	}
	return good;
}

static const struct solve_domain *list_domains(const struct allowed *allowed, struct arena *arena)
{
	struct solve_domain *domains =
		arena_array(arena, (size_t)allowed->targets + 1, sizeof(*domains));

	for (uint32_t i = 0; i < allowed->targets; i++) {
		uint32_t *chips = arena_array(arena, (size_t)allowed->hosts + 1, sizeof(*chips));

		for (uint32_t k = 0; k < allowed->hosts; k++)
			if (allowed->may[(size_t)i * allowed->hosts + k])
				chips[domains[i].count++] = k;
		domains[i].chips = chips;
	}
	return domains;
}

static struct solve_result solve_with(struct solve_problem *problem, const struct allowed *allowed,
	bool possible, struct arena *arena)
{
	struct solve_result result = {.verdict = SOLVE_NONE, .how = "a node has nowhere to go"};

	if (!possible)
		return result;
	problem->domains = list_domains(allowed, arena);
	return solve(problem, arena);
}

static enum case_result cases_solve_check_must(const struct tree_node *must,
	const struct case_graph *target, const struct case_graph *host, const uint32_t *image,
	const struct case_words *words)
{
	for (uint32_t i = 0; must && must->kind == TREE_MAP && i < must->count; i++) {
		uint32_t node = case_find(target, must->pairs[i].key);
		uint32_t chip = case_find(host, case_text(must->pairs[i].value));

		if (node == SOLVE_ANY || chip == SOLVE_ANY || image[node] != chip) {
			text_printf(words->why, "node %s did not go to %s", must->pairs[i].key,
				case_text(must->pairs[i].value));
			return CASE_DIFFERS;
		}
	}
	return CASE_GOOD;
}

enum case_result case_solve(const struct tree_node *node, const struct case_words *words)
{
	static const char *const known[] = {"target", "host", "policy", "required", "forbidden",
		"preferred", "traits", "must", "error", NULL};
	struct case_graph target, host;
	struct solve_problem problem = {0};
	struct solve_result result;
	struct allowed allowed, preferred;
	enum case_result judged;
	bool possible, liked;

	if (!case_knows(node, known, words) ||
		!case_read_graph(tree_get(node, "target"), &target, words) ||
		!case_read_graph(tree_get(node, "host"), &host, words))
		return CASE_NOT_RUN;
	for (uint32_t i = 0; case_is_relaxed(node) && i < target.edge_count; i++)
		target.edges[i].channels = 1;
	problem.target = wired_new(words->arena, target.count, target.edges, target.edge_count);
	problem.host = wired_new(words->arena, host.count, host.edges, host.edge_count);
	allowed = allow_all(target.count, host.count, words->arena);
	possible = cases_solve_limit(&allowed, tree_get(node, "required"), &target, &host, true,
			   words->arena) &&
		   cases_solve_limit(&allowed, tree_get(node, "forbidden"), &target, &host, false,
			   words->arena) &&
		   limit_traits(&allowed, tree_get(node, "traits"), &target, &host, words->arena);
	/* first with the preferences, then only with the requirements */
	preferred = allow_all(target.count, host.count, words->arena);
	memcpy(preferred.may, allowed.may, (size_t)target.count * host.count);
	liked = tree_get(node, "preferred") && possible &&
		cases_solve_limit(&preferred, tree_get(node, "preferred"), &target, &host, true,
			words->arena);
	result = solve_with(&problem, &preferred, liked, words->arena);
	if (result.verdict != SOLVE_FOUND)
		result = solve_with(&problem, &allowed, possible, words->arena);
	judged = case_judge(node, result.verdict, result.how, words);
	if (judged == CASE_GOOD && result.verdict == SOLVE_FOUND)
		judged = cases_solve_check_must(
			tree_get(node, "must"), &target, &host, result.image, words);
	return judged;
}

/* Applies calls one after another. For example, "require(1,10)" allows only host node 10 for target
 * node 1. A call fails if it leaves a target node without an allowed host node. The case is good if
 * the last call fails, and no earlier call does. */
static enum case_result require_calls(const struct tree_node *calls, const struct case_words *words)
{
	enum { IDS = 1024 };
	struct allowed allowed = allow_all(IDS, IDS, words->arena);
	bool *marks = arena_array(words->arena, IDS, sizeof(*marks)), good = true;

	for (uint32_t i = 0; calls && i < calls->count; i++) {
		unsigned node, chip;

		if (sscanf(case_text(calls->items[i]), "require(%u,%u)", &node, &chip) != 2 ||
			node >= IDS || chip >= IDS) {
			text_printf(words->why, "call '%s' is not understood",
				case_text(calls->items[i]));
			return CASE_NOT_RUN;
		}
		memset(marks, false, IDS);
		marks[chip] = true;
		if (!good) {
			text_append(words->why, "a call before the last gave false");
			return CASE_DIFFERS;
		}
		good = intersect(&allowed, node, marks);
	}
	if (good)
		text_append(words->why, "the last call gave true");
	return good ? CASE_DIFFERS : CASE_GOOD;
}

/* Checks that a node with two traits may be mapped only to host nodes that have both traits. */
static bool traits_intersect(struct arena *arena)
{
	struct allowed allowed = allow_all(1, 4, arena);
	const bool one[] = {true, true, false, false}, two[] = {false, true, true, false};

	return intersect(&allowed, 0, one) && intersect(&allowed, 0, two) && !allowed.may[0] &&
	       allowed.may[1] && !allowed.may[2] && !allowed.may[3];
}

/* Checks three rules of the solver. The channels of several edges between two nodes add up. An edge
 * from a node to itself is ignored. If there is no mapping of all nodes, the result has a mapping
 * of some. */
static bool entries_count(struct arena *arena)
{
	const struct wired_edge edges[] = {{0, 1, 1}, {0, 1, 1}, {0, 0, 1}, {1, 2, 1}};
	const struct wired *wired = wired_new(arena, 3, edges, 4);
	const struct wired_edge needs[] = {{0, 1, 2}, {1, 2, 2}};
	struct solve_problem problem = {.target = wired_new(arena, 3, needs, 2), .host = wired};
	struct solve_result result = solve(&problem, arena);

	return wired_channels(wired, 0, 1) == 2 && wired_degree(wired, 0) == 1 &&
	       result.verdict == SOLVE_NONE && result.image;
}

enum case_result case_calls(const struct tree_node *node, const struct case_words *words)
{
	const char *expect = case_text(tree_get(node, "expect"));
	bool good;

	if (strcmp(expect, "false") == 0)
		return require_calls(tree_get(node, "calls"), words);
	if (strcmp(expect, "intersect") != 0 && strcmp(expect, "counts") != 0) {
		text_printf(words->why, "'expect: %s' is not understood", expect);
		return CASE_NOT_RUN;
	}
	good = strcmp(expect, "counts") == 0 ? entries_count(words->arena)
					     : traits_intersect(words->arena);
	return good ? CASE_GOOD : CASE_DIFFERS;
}
