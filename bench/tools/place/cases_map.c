/* Runs the mapping cases of `meshsim place --cases`. Makes logical meshes and a machine from the
 * two graphs of a case, places the meshes with topology_place(), and compares the outcome with the
 * expected one. */
#include <stdlib.h>
#include <string.h>

#include "place.h"

/* Returns the number of the device that is node `node` of mesh `mesh`. If `node` stands for the
 * whole mesh (SOLVE_ANY), returns LOGICAL_NONE. */
static uint32_t device_of(const struct logical *logical, uint32_t mesh, uint32_t node)
{
	return node == SOLVE_ANY ? LOGICAL_NONE : logical->meshes[mesh].first + node;
}

/* Makes a logical graph of several meshes. The edges of the case become links. */
static struct logical *make_logical(
	const struct case_graphs *graphs, bool relaxed, struct arena *arena)
{
	struct logical *logical = arena_alloc(arena, sizeof(*logical));
	uint32_t links = 0;

	logical->meshes = arena_array(arena, graphs->count, sizeof(*logical->meshes));
	for (uint32_t i = 0; i < graphs->count; i++)
		links += graphs->graphs[i].edge_count;
	logical->links = arena_array(arena, links, sizeof(*logical->links));
	logical->connections =
		arena_array(arena, graphs->join_count, sizeof(*logical->connections));
	for (uint32_t i = 0; i < graphs->count; i++) {
		const struct case_graph *graph = &graphs->graphs[i];
		struct mgd_mesh *descriptor = arena_alloc(arena, sizeof(*descriptor));

		descriptor->name = "case";
		descriptor->channels =
			(struct mgd_channels){1, relaxed ? POLICY_RELAXED : POLICY_STRICT};
		logical->meshes[i] = (struct logical_mesh){.descriptor = descriptor,
			.id = i,
			.local_id = i,
			.instance = LOGICAL_NONE,
			.first = logical->device_count,
			.count = graph->count,
			.rows = graph->rows,
			.columns = graph->columns,
			.host_rows = 1,
			.host_columns = 1,
			.first_rank = i};
		for (uint32_t k = 0; k < graph->edge_count; k++)
			logical->links[logical->link_count++] =
				(struct logical_link){logical->device_count + graph->edges[k].a,
					logical->device_count + graph->edges[k].b,
					graph->edges[k].channels, 1, relaxed};
		logical->device_count += graph->count;
	}
	logical->mesh_count = logical->rank_count = graphs->count;
	for (uint32_t i = 0; i < graphs->join_count; i++) {
		const struct case_join *join = &graphs->joins[i];

		logical->connections[logical->connection_count++] = (struct logical_connection){
			.a = {device_of(logical, join->a, join->node_a), join->a, 1},
			.b = {device_of(logical, join->b, join->node_b), join->b, 1},
			.channels = join->channels,
			.relaxed = relaxed};
	}
	return logical;
}

/* Adds `channels` channels between chips `a` and `b`. Each channel gets the next unused channel
 * number of both chips. */
static bool cases_map_add_channels(
	struct machine *machine, uint32_t *next, uint32_t a, uint32_t b, uint32_t channels)
{
	for (uint32_t i = 0; i < channels && a != b; i++)
		if (machine_add_channel(machine, a, next[a]++, b, next[b]++) != STATUS_OK)
			return false;
	return true;
}

/* Makes a machine from the physical graphs. A join of whole graphs connects their chips in turn. */
static struct machine *cases_map_make_machine(
	const struct case_graphs *graphs, struct place_set *sets, const struct case_words *words)
{
	struct machine *machine = machine_new();
	uint32_t total = 0, *next;
	bool good = true;

	for (uint32_t i = 0; i < graphs->count; i++) {
		const struct case_graph *graph = &graphs->graphs[i];
		uint32_t *chips =
			arena_array(words->arena, (size_t)graph->count + 1, sizeof(*chips));

		for (uint32_t k = 0; k < graph->count; k++) {
			char id[24];
			const struct tree_node *at;
			struct machine_chip chip = {.id = total + k, .board = MACHINE_NONE};

			snprintf(id, sizeof(id), "%llu", (unsigned long long)graph->ids[k]);
			at = graph->positions ? tree_get(graph->positions, id) : NULL;
			chip.host = machine_host(machine, "host0");
			chip.tray = at ? (uint32_t)case_number(tree_find(at, "0"), 0) : 0;
			chip.location = at ? (uint32_t)case_number(tree_find(at, "1"), 0) : k;
			good = good && machine_add_chip(machine, chip) == STATUS_OK;
			chips[k] = total + k;
		}
		sets[i] = (struct place_set){
			"mesh", chips, graph->count, {SOLVE_ANY, SOLVE_ANY, SOLVE_ANY}};
		total += graph->count;
	}
	next = arena_array(words->arena, (size_t)total + 1, sizeof(*next));
	for (uint32_t i = 0; i < graphs->count; i++)
		for (uint32_t k = 0; k < graphs->graphs[i].edge_count; k++)
			good = good && cases_map_add_channels(machine, next,
					       sets[i].chips[graphs->graphs[i].edges[k].a],
					       sets[i].chips[graphs->graphs[i].edges[k].b],
					       graphs->graphs[i].edges[k].channels);
	for (uint32_t i = 0; i < graphs->join_count && good; i++) {
		const struct case_join *join = &graphs->joins[i];
		const struct place_set *one = &sets[join->a], *two = &sets[join->b];
		bool nodes = join->node_a != SOLVE_ANY;

		if (!one->count || !two->count)
			continue;
		good = cases_map_add_channels(machine, next,
			one->chips[nodes ? join->node_a : join->b % one->count],
			two->chips[nodes ? join->node_b : join->a % two->count], join->channels);
	}
	if (!good)
		text_append(words->why, "more chips or channels than a machine may have");
	machine_finish(machine);
	if (good)
		return machine;
	machine_free(machine);
	return NULL;
}

enum case_result case_judge(const struct tree_node *node, enum solve_verdict verdict,
	const char *reason, const struct case_words *words)
{
	const char *expect = case_text(tree_get(node, "expect"));
	const char *error = case_text(tree_get(node, "error"));
	bool map = strcmp(expect, "map") == 0;

	if (!map && strcmp(expect, "fail") != 0) {
		text_printf(words->why, "'expect: %s' is not understood", expect);
		return CASE_NOT_RUN;
	}
	if (verdict == SOLVE_BUDGET) {
		text_append(words->why, "neither found nor excluded within the budget");
		return CASE_DIFFERS;
	}
	if (map != (verdict == SOLVE_FOUND)) {
		text_printf(words->why, map ? "not found: %s" : "a mapping was found%s",
			map ? reason : "");
		return CASE_DIFFERS;
	}
	if (!map && *error && !strstr(reason, error)) {
		text_printf(words->why, "refused, but not for '%s': %s", error, reason);
		return CASE_DIFFERS;
	}
	return CASE_GOOD;
}

/* Reads the pins of a case: [{node, pos: [tray, location]}]. */
static void read_pins(
	const struct tree_node *list, struct place_options *options, struct arena *arena)
{
	uint32_t count = list && list->kind == TREE_SEQUENCE ? list->count : 0;
	struct place_pin *pins = arena_array(arena, (size_t)count + 1, sizeof(*pins));

	for (uint32_t i = 0; i < count; i++)
		pins[i] = (struct place_pin){
			.chip = (uint32_t)case_number(tree_get(list->items[i], "node"), 0),
			.mesh = (uint32_t)case_number(tree_get(list->items[i], "mesh"), 0),
			.tray = (uint32_t)case_number(tree_find(list->items[i], "pos.0"), 0),
			.location = (uint32_t)case_number(tree_find(list->items[i], "pos.1"), 0)};
	options->pins = pins;
	options->pin_count = count;
}

/* Reads the ranks. Does nothing unless both the logical and the physical graphs have ranks. */
static void read_ranks(const struct case_graphs *logical, const struct case_graphs *physical,
	const struct place_set *sets, struct place_options *options, struct arena *arena)
{
	struct solve_domain *ranks = arena_array(arena, (size_t)logical->count + 1, sizeof(*ranks));
	uint32_t chips = 0;
	bool any = false;

	for (uint32_t i = 0; i < physical->count; i++)
		chips += physical->graphs[i].count;
	for (uint32_t i = 0; i < logical->count; i++) {
		uint32_t *list = arena_array(arena, (size_t)chips + 1, sizeof(*list)), count = 0;

		if (logical->graphs[i].rank < 0)
			continue;
		for (uint32_t k = 0; k < physical->count; k++)
			for (uint32_t c = 0; c < sets[k].count; c++)
				if (physical->graphs[k].rank < 0 ||
					physical->graphs[k].rank == logical->graphs[i].rank)
					list[count++] = sets[k].chips[c];
		any |= count < chips;
		ranks[i] = (struct solve_domain){list, count};
	}
	if (any)
		options->ranks = ranks;
}

/* Compares the mapping of the first mesh with `must`. */
static enum case_result cases_map_check_must(const struct tree_node *must,
	const struct case_graphs *logical, const struct case_graphs *physical,
	const uint32_t *image, const struct case_words *words)
{
	for (uint32_t i = 0; must && must->kind == TREE_MAP && i < must->count; i++) {
		uint32_t node = case_find(&logical->graphs[0], must->pairs[i].key);
		uint32_t chip = case_find(&physical->graphs[0], case_text(must->pairs[i].value));

		if (node == SOLVE_ANY || chip == SOLVE_ANY || image[node] != chip) {
			text_printf(words->why, "node %s did not go to %s", must->pairs[i].key,
				case_text(must->pairs[i].value));
			return CASE_DIFFERS;
		}
	}
	return CASE_GOOD;
}

/* Places the meshes, and compares the outcome with the expected outcome. */
static enum case_result cases_map_run(const struct tree_node *node,
	const struct case_graphs *logical, const struct case_graphs *physical, bool on_sets,
	const struct case_words *words)
{
	struct place_set *sets =
		arena_array(words->arena, (size_t)physical->count + 1, sizeof(*sets));
	struct place_options options = {.any_host = true};
	const struct logical *wanted = make_logical(logical, case_is_relaxed(node), words->arena);
	struct machine *machine = cases_map_make_machine(physical, sets, words);
	struct mesh_placement *placement;
	struct text reason = {0};
	enum case_result result;

	if (!machine)
		return CASE_NOT_RUN;
	read_pins(tree_get(node, "pins"), &options, words->arena);
	read_ranks(logical, physical, sets, &options, words->arena);
	if (on_sets) {
		options.sets = sets;
		options.set_count = physical->count;
	}
	placement = topology_place(wanted, machine, &options);
	text_append(&reason, placement->how);
	text_append(&reason, "; ");
	text_append(&reason, text_string(&placement->why));
	result = case_judge(node, placement->verdict, text_string(&reason), words);
	if (result == CASE_GOOD && placement->verdict == SOLVE_FOUND)
		result = cases_map_check_must(
			tree_get(node, "must"), logical, physical, placement->image, words);
	text_fini(&reason);
	mesh_placement_free(placement);
	machine_free(machine);
	return result;
}

enum case_result case_map(const struct tree_node *node, const struct case_words *words)
{
	static const char *const known[] = {
		"logical", "physical", "policy", "pins", "must", "error", NULL};
	struct case_graph one, two;
	struct case_graphs logical = {.graphs = &one, .count = 1}, physical = {&two, 1, NULL, 0};

	if (!case_knows(node, known, words) ||
		!case_read_graph(tree_get(node, "logical"), &one, words) ||
		!case_read_graph(tree_get(node, "physical"), &two, words))
		return CASE_NOT_RUN;
	return cases_map_run(node, &logical, &physical, false, words);
}

enum case_result case_map_several(const struct tree_node *node, const struct case_words *words)
{
	static const char *const known[] = {
		"logical", "physical", "policy", "pins", "must", "error", NULL};
	struct case_graphs logical, physical;

	if (!case_knows(node, known, words) ||
		!case_read_graphs(tree_get(node, "logical"), &logical, words) ||
		!case_read_graphs(tree_get(node, "physical"), &physical, words))
		return CASE_NOT_RUN;
	return cases_map_run(node, &logical, &physical, true, words);
}
