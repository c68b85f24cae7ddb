/* Cases about three counts: the meshes in the graphs of a descriptor, the neighbours of meshes in
 * these graphs, and the exits of meshes, which are chips with links to other meshes. If a case
 * describes its input in words, these words must be in the table `inputs`. */
#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "topology/machine.h"

/* Compares a count with the expected count. Returns false and appends the difference to `why` if
 * they differ. */
static bool cases_counts_compare(const struct tree_node *counts, const char *key, uint64_t seen,
	const struct case_words *words)
{
	const struct tree_node *node = tree_get(counts, key);

	if (!node || case_number(node, UINT64_MAX) == seen)
		return true;
	text_printf(words->why, "%s: %s expected, %llu found", key, case_text(node),
		(unsigned long long)seen);
	return false;
}

enum case_result case_logical(
	const struct tree_node *node, const char *folder, const struct case_words *words)
{
	static const char *const known[] = {"mgd", "counts", NULL};
	static const char *const counted[] = {"meshes", "nodes_per_mesh",
		"mesh_level_neighbor_entries_per_mesh", "each_neighbor_multiplicity", NULL};
	const char *path = case_text(tree_get(node, "mgd")), *name = strrchr(path, '/');
	const struct tree_node *counts = tree_get(node, "counts");
	struct diag *diag = diag_new();
	struct mesh_graph *graph = NULL;
	struct logical *logical = NULL;
	enum case_result result = CASE_NOT_RUN;

	path = arena_printf(words->arena, "%s/../mgd/%s", folder, name ? name + 1 : path);
	if (!counts || !case_knows(node, known, words) || !case_knows(counts, counted, words))
		goto out;
	graph = mesh_graph_read_file(path, false, diag);
	logical = graph ? logical_new(graph, diag) : NULL;
	if (!logical) {
		text_printf(words->why, "%s is not there, or not good", name ? name + 1 : path);
		goto out;
	}
	result = cases_counts_compare(counts, "meshes", logical->mesh_count, words) ? CASE_GOOD
										    : CASE_DIFFERS;
	for (uint32_t m = 0; m < logical->mesh_count && result == CASE_GOOD; m++) {
		uint32_t entries = 0;

		for (uint32_t i = 0; i < logical->connection_count; i++) {
			const struct logical_connection *one = &logical->connections[i];

			if (m - one->a.first_mesh >= one->a.mesh_count &&
				m - one->b.first_mesh >= one->b.mesh_count)
				continue;
			entries += one->channels;
			if (!cases_counts_compare(
				    counts, "each_neighbor_multiplicity", one->channels, words))
				result = CASE_DIFFERS;
		}
		if (!cases_counts_compare(
			    counts, "nodes_per_mesh", logical->meshes[m].count, words) ||
			!cases_counts_compare(
				counts, "mesh_level_neighbor_entries_per_mesh", entries, words))
			result = CASE_DIFFERS;
	}
out:
	logical_free(logical);
	mesh_graph_free(graph);
	diag_free(diag);
	return result;
}

/* A phrase that describes the input of a case, and the machine that it stands for. Each mesh of the
 * machine is a chain of `lengths` chips. `links` connect chips of different meshes. */
struct words_of {
	const char *input;
	uint32_t meshes;
	uint32_t lengths[4];
	struct {
		uint32_t from, from_chip, to, to_chip, channels;
	} links[5];
	uint32_t link_count;
	bool unassigned; /* also adds a chip that is in no mesh, and joins it to chip 0 */
};

static const struct words_of inputs[] = {
	{"one mesh, 3-chain", 1, {3}, {{0}}, 0, false},
	{"two 4-chains joined end to end", 2, {4, 4}, {{0, 3, 1, 0, 1}}, 1, false},
	{"two meshes joined by 3 parallel channels between the same ASIC pair", 2, {2, 2},
		{{0, 1, 1, 0, 3}}, 1, false},
	{"three single-ASIC meshes in a line", 3, {1, 1, 1}, {{0, 0, 1, 0, 1}, {1, 0, 2, 0, 1}}, 2,
		false},
	{"disconnected meshes of 5,4,2 ASICs", 3, {5, 4, 2}, {{0}}, 0, false},
	{"5-chain, both ends exit to two other meshes", 3, {5, 2, 2},
		{{0, 0, 1, 0, 1}, {0, 4, 2, 0, 1}}, 2, false},
	{"mesh whose 5 ASICs are all exits", 2, {5, 5},
		{{0, 0, 1, 0, 1}, {0, 1, 1, 1, 1}, {0, 2, 1, 2, 1}, {0, 3, 1, 3, 1},
			{0, 4, 1, 4, 1}},
		5, false},
	{"empty graph", 0, {0}, {{0}}, 0, false},
	{"graph with ASICs assigned to no mesh", 1, {3}, {{0}}, 0, true},
};

static struct machine *cases_counts_build(
	const struct words_of *words, uint32_t *mesh_of, uint32_t *first)
{
	struct machine *machine = machine_new();
	uint32_t host = machine_host(machine, "host0"), total = 0, next[64] = {0};

	for (uint32_t m = 0; m < words->meshes; m++) {
		first[m] = total;
		for (uint32_t i = 0; i < words->lengths[m]; i++, total++) {
			mesh_of[total] = m;
			machine_add_chip(machine, (struct machine_chip){.id = total, .host = host});
			if (i)
				machine_add_channel(machine, total - 1, next[total - 1]++, total,
					next[total]++);
		}
	}
	for (uint32_t i = 0; i < words->link_count; i++) {
		uint32_t a = first[words->links[i].from] + words->links[i].from_chip;
		uint32_t b = first[words->links[i].to] + words->links[i].to_chip;

		for (uint32_t k = 0; k < words->links[i].channels; k++)
			machine_add_channel(machine, a, next[a]++, b, next[b]++);
	}
	if (words->unassigned) {
		mesh_of[total] = MACHINE_NONE;
		machine_add_chip(machine, (struct machine_chip){.id = total, .host = host});
		machine_add_channel(machine, 0, next[0]++, total, next[total]++);
	}
	machine_finish(machine);
	return machine;
}

/* Compares the number of exit nodes of each mesh with the number that the case expects. The case
 * gives either a list with a number for each mesh, or a single number for the first mesh. */
static bool compare_exits(const struct tree_node *counts, const struct hierarchy *hierarchy,
	const struct case_words *words)
{
	const struct tree_node *list = tree_get(counts, "exit_nodes");

	if (!list)
		return true;
	if (list->kind != TREE_SEQUENCE)
		return cases_counts_compare(counts, "exit_nodes", hierarchy->exits[0], words);
	for (uint32_t i = 0; i < list->count && i < hierarchy->mesh_count; i++)
		if (case_number(list->items[i], UINT64_MAX) != hierarchy->exits[i]) {
			text_printf(words->why, "exits of mesh %u: %s expected, %u found", i,
				case_text(list->items[i]), hierarchy->exits[i]);
			return false;
		}
	return list->count == hierarchy->mesh_count;
}

enum case_result case_hierarchy(const struct tree_node *node, const struct case_words *words)
{
	static const char *const known[] = {"input", "counts", NULL};
	static const char *const counted[] = {"meshes", "exit_nodes", "exit_neighbor_entries",
		"middle_mesh_neighbors", "exit_nodes_of_chain", "unassigned", NULL};
	const struct tree_node *counts = tree_get(node, "counts");
	const struct words_of *input = NULL;
	uint32_t mesh_of[64] = {0}, first[4] = {0}, entries = 0, middle = 0, chips = 0;
	struct hierarchy hierarchy;
	struct machine *machine;
	bool good;

	if (!counts || !case_knows(node, known, words) || !case_knows(counts, counted, words))
		return CASE_NOT_RUN;
	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
		if (strcmp(inputs[i].input, case_text(tree_get(node, "input"))) == 0)
			input = &inputs[i];
	if (!input) {
		text_append(words->why, "the input is described in words that are not known");
		return CASE_NOT_RUN;
	}
	machine = cases_counts_build(input, mesh_of, first);
	hierarchy = hierarchy_make(machine, mesh_of, input->meshes, words->arena);
	for (uint32_t i = 0; i < hierarchy.join_count; i++) {
		entries += hierarchy.joins[i].a == 0 ? hierarchy.joins[i].channels : 0;
		middle += hierarchy.joins[i].a == 1 || hierarchy.joins[i].b == 1;
	}
	for (uint32_t i = 0; i < hierarchy.mesh_count; i++)
		chips += hierarchy.chips[i];
	good = cases_counts_compare(counts, "meshes", hierarchy.mesh_count, words) &&
	       compare_exits(counts, &hierarchy, words) &&
	       cases_counts_compare(counts, "exit_neighbor_entries", entries, words) &&
	       cases_counts_compare(counts, "middle_mesh_neighbors", middle, words) &&
	       cases_counts_compare(counts, "exit_nodes_of_chain", hierarchy.exits[0], words);
	if (good && tree_get(counts, "unassigned") && chips + 1 != machine->chip_count) {
		text_append(words->why, "a chip of no mesh was counted");
		good = false;
	}
	machine_free(machine);
	return good ? CASE_GOOD : CASE_DIFFERS;
}
