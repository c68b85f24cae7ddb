/* label: full
 * Tests routes on machines with missing parts: 1,000 meshes, tori and pairs of meshes, with and
 * without gateways, that have lost links and chips. Every chip must reach all chips that are still
 * connected with it, and trees must reach every member once. The channels of all routes must never
 * wait for each other in a cycle; the test looks for such cycles by a search of its own. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "fabric/tree.h"
#include "fabric/graph.h"

enum { MACHINES = 1000, SIDE_MAX = 7, CHIPS_MAX = 3 * SIDE_MAX * SIDE_MAX, LINKS_MAX = 1024 };

/* One machine, what it has lost, and the waits between its channels. */
struct machine {
	struct stream stream;
	struct arena arena;
	struct chip_info chips[CHIPS_MAX];
	struct fabric_connection links[LINKS_MAX];
	struct cluster_info info;
	bool lost[CHIPS_MAX];
	uint32_t wrap;
	struct fabric_graph graph;
	struct fabric_waits waits;
	bool before[LINKS_MAX * 2][LINKS_MAX * 2]; /* holds space while waiting for the other */
	uint64_t hops, shortest;
};

static struct machine machine;

static uint32_t below(uint32_t bound)
{
	return (uint32_t)stream_below(&machine.stream, bound);
}

static void join(uint32_t a, uint32_t b)
{
	struct fabric_connection link = {.chip = {(uint16_t)a, (uint16_t)b}, .links = 1};

	assert_in_range(machine.info.connection_count, 0, LINKS_MAX - 1);
	machine.links[machine.info.connection_count++] = link;
}

static uint32_t add_chip(int row, int column)
{
	machine.chips[machine.info.chip_count] = (struct chip_info){
		.has_pcie = true, .mesh_row = (int16_t)row, .mesh_column = (int16_t)column};
	return machine.info.chip_count++;
}

/* Adds the chips and links of a mesh of rows x columns. If `placed` is set, the row and column of a
 * chip are also its place in the mesh of the whole machine. Returns the number of the first
 * chip. */
static uint32_t add_mesh(uint32_t rows, uint32_t columns, uint32_t wrap, bool placed)
{
	uint32_t first = machine.info.chip_count;

	for (uint32_t i = 0; i < rows * columns; i++)
		add_chip(placed ? (int)(i / columns) : -1, placed ? (int)(i % columns) : -1);
	for (uint32_t row = 0; row < rows; row++)
		for (uint32_t column = 0; column < columns; column++) {
			uint32_t chip = first + row * columns + column;

			if (column + 1 < columns)
				join(chip, chip + 1);
			else if (wrap & 1 && columns > 2)
				join(chip, chip - column);
			if (row + 1 < rows)
				join(chip, chip + columns);
			else if (wrap & 2 && rows > 2)
				join(chip, first + column);
		}
	return first;
}

static void add_others(uint32_t rows, uint32_t columns)
{
	uint32_t second, size = 1 + below(4);

	if (below(3) == 0)
		for (uint32_t row = 0; row < rows; row++)
			join(add_chip(-1, -1), row * columns);
	if (below(4) > 0)
		return;
	second = add_mesh(size, size, below(4), false);
	for (uint32_t i = 1 + below(4); i > 0; i--)
		join(below(rows * columns), second + below(size * size));
}

static void lose(uint32_t permille)
{
	uint32_t kept = 0, mesh = (uint32_t)machine.info.mesh_rows * machine.info.mesh_columns;

	for (uint32_t i = below(4); i > 0; i--) {
		uint32_t chip = below(mesh);

		machine.lost[chip] = true;
		machine.chips[chip].mesh_row = machine.chips[chip].mesh_column = -1;
	}
	for (uint32_t i = 0; i < machine.info.connection_count; i++) {
		const uint16_t *ends = machine.links[i].chip;

		if (!machine.lost[ends[0]] && !machine.lost[ends[1]] && below(1000) >= permille)
			machine.links[kept++] = machine.links[i];
	}
	machine.info.connection_count = kept;
}

static void machine_open(uint32_t seed, uint32_t permille)
{
	uint32_t rows, columns;

	memset(&machine, 0, sizeof(machine));
	stream_init(&machine.stream, seed, "machine");
	rows = 1 + below(SIDE_MAX);
	columns = 1 + below(SIDE_MAX);
	machine.wrap = below(4);
	machine.info = (struct cluster_info){.platform = "holes",
		.chips = machine.chips,
		.mesh_rows = (uint16_t)rows,
		.mesh_columns = (uint16_t)columns,
		.connections = machine.links};
	add_mesh(rows, columns, machine.wrap, true);
	add_others(rows, columns);
	if (permille > 0)
		lose(permille);
	fabric_graph_init(&machine.graph, &machine.info, &machine.arena);
	if (machine.graph.order == NULL && permille > 0) /* no links or chips were lost */
		machine.graph.order = fabric_order_new(&machine.graph, &machine.arena);
	fabric_waits_init(&machine.waits, &machine.graph, &machine.arena);
}

/* Checks that every hop of a tree is a link, and that no chip appears twice. Also checks that the
 * children of a node are consecutive, and that each child has this node as its parent. */
static void check_tree(const struct fabric_tree *tree, uint16_t source, uint8_t *delivered)
{
	uint8_t seen[CHIPS_MAX] = {0};
	uint32_t deliver = 0, children = 0;

	assert_int_equal(tree->nodes[0].chip, source);
	for (uint32_t i = 0; i < tree->node_count; i++) {
		const struct fabric_node *node = &tree->nodes[i], *at = &tree->nodes[node->parent];

		assert_int_equal(seen[node->chip]++, 0);
		delivered[node->chip] += node->deliver;
		deliver += node->deliver;
		children += node->child_count;
		for (uint32_t k = 0; k < node->child_count; k++)
			assert_int_equal(tree->nodes[node->first_child + k].parent, i);
		if (i > 0)
			assert_true(fabric_graph_joined(&machine.graph, at->chip, node->chip));
		if (i > 0 && node->parent > 0) {
			uint16_t before = tree->nodes[at->parent].chip;

			machine.before[fabric_graph_channel(&machine.graph, before, at->chip)]
				      [fabric_graph_channel(&machine.graph, at->chip, node->chip)] =
				true;
		}
	}
	assert_int_equal(children, tree->node_count - 1);
	assert_int_equal(deliver, tree->deliver_count);
	fabric_waits_add(&machine.waits, tree);
}

static void check_pairs(void)
{
	uint16_t distance[CHIPS_MAX];

	for (uint16_t to = 0; to < machine.info.chip_count; to++) {
		fabric_graph_distances(&machine.graph, to, distance);
		for (uint16_t from = 0; from < machine.info.chip_count; from++) {
			uint8_t delivered[CHIPS_MAX] = {0};
			struct fabric_tree *tree;
			enum status status;

			if (from == to)
				continue;
			status = fabric_unicast(&machine.graph, from, to, &machine.arena, &tree);
			assert_int_equal(status,
				distance[from] == UINT16_MAX ? STATUS_NOT_FOUND : STATUS_OK);
			if (status != STATUS_OK)
				continue;
			check_tree(tree, from, delivered);
			assert_int_equal(delivered[to], 1);
			assert_int_equal(tree->deliver_count, 1);
			machine.hops += tree->node_count - 1u;
			machine.shortest += distance[from];
		}
	}
}

/* A multicast from any chip to any rectangle without holes. */
static void check_multicast(void)
{
	uint16_t rows = (uint16_t)(1 + below(machine.info.mesh_rows));
	uint16_t columns = (uint16_t)(1 + below(machine.info.mesh_columns));
	struct mesh_shape shape = {rows, columns};
	struct mesh_offset offset = {(uint16_t)below(machine.info.mesh_rows - rows + 1u),
		(uint16_t)below(machine.info.mesh_columns - columns + 1u)};
	uint16_t initiator = (uint16_t)below(machine.info.chip_count), distance[CHIPS_MAX];
	uint8_t delivered[CHIPS_MAX] = {0};
	struct virtual_mesh mesh;
	struct fabric_tree *tree;
	enum status wanted = STATUS_OK, status;

	if (virtual_mesh_init(&mesh, &machine.info, shape, offset, &machine.arena, NULL) !=
		STATUS_OK)
		return;
	fabric_graph_distances(&machine.graph, initiator, distance);
	for (uint32_t i = 0; i < mesh_shape_count(shape); i++)
		if (distance[mesh.chips[i]] == UINT16_MAX)
			wanted = STATUS_NOT_FOUND;
	status = fabric_line_columns(&machine.graph, &mesh, device_range_all(shape), initiator,
		&machine.arena, NULL, &tree);
	assert_int_equal(status, wanted);
	if (status != STATUS_OK)
		return;
	check_tree(tree, initiator, delivered);
	for (uint32_t i = 0; i < mesh_shape_count(shape); i++)
		assert_int_equal(delivered[mesh.chips[i]], mesh.chips[i] != initiator);
}

/* Returns true if channels wait for each other in a cycle. Removes one channel after another that
 * waits for none of the remaining channels. Channels that cannot be removed are in a cycle, or wait
 * for a channel of a cycle. */
static bool has_circle(void)
{
	uint32_t channels = machine.graph.first[machine.info.chip_count], left = channels;
	bool gone[LINKS_MAX * 2] = {false}, changed = true;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < channels; i++) {
			bool waits = gone[i];

			for (uint32_t k = 0; k < channels && !waits; k++)
				waits = machine.before[i][k] && !gone[k];
			if (waits)
				continue;
			gone[i] = changed = true;
			left--;
		}
	}
	return left > 0;
}

/* Checks how many more hops the routes on one kind of machine take than the shortest paths. */
static void check_detours(const char *kind, uint64_t hops, uint64_t shortest, double most)
{
	double more = 100.0 * (double)(hops - shortest) / (double)shortest;

	print_message("%s: %llu hops where %llu are the fewest: %.2f %% more\n", kind,
		(unsigned long long)hops, (unsigned long long)shortest, more);
	assert_true(more < most);
}

TEST(machines_with_holes_are_routed_without_circles)
{
	uint64_t hops[2] = {0}, shortest[2] = {0};

	for (uint32_t seed = 0; seed < MACHINES; seed++) {
		machine_open(seed, 1 + seed % 150);
		check_pairs();
		for (uint32_t i = 0; i < 30; i++)
			check_multicast();
		assert_false(has_circle());
		assert_int_equal(fabric_waits_check(&machine.waits, NULL), STATUS_OK);
		hops[machine.wrap > 0] += machine.hops;
		shortest[machine.wrap > 0] += machine.shortest;
		arena_fini(&machine.arena);
	}
	check_detours("meshes", hops[0], shortest[0], 6);
	check_detours("tori", hops[1], shortest[1], 11);
}

/* On whole machines, the order reproduces dimension-order routing. */
TEST(whole_meshes_route_alike_with_and_without_an_order)
{
	for (uint32_t seed = 0; seed < 60; seed++) {
		machine_open(seed, 0);
		if (!fabric_is_whole(&machine.graph) ||
			(machine.wrap & 1 && machine.info.mesh_columns > 2) ||
			(machine.wrap & 2 && machine.info.mesh_rows > 2)) {
			arena_fini(&machine.arena);
			continue;
		}
		assert_null(machine.graph.order);
		check_pairs();
		machine.graph.order = fabric_order_new(&machine.graph, &machine.arena);
		for (uint32_t i = 0; i < 20; i++)
			check_multicast();
		machine.graph.order = NULL;
		for (uint16_t from = 0; from < machine.info.chip_count; from++)
			for (uint16_t to = 0; to < machine.info.chip_count; to++) {
				struct fabric_tree *one, *other;

				if (from == to)
					continue;
				machine.graph.order = NULL;
				fabric_unicast(&machine.graph, from, to, &machine.arena, &one);
				machine.graph.order =
					fabric_order_new(&machine.graph, &machine.arena);
				fabric_unicast(&machine.graph, from, to, &machine.arena, &other);
				assert_int_equal(one->node_count, other->node_count);
				assert_memory_equal(one->nodes, other->nodes,
					one->node_count * sizeof(*one->nodes));
			}
		arena_fini(&machine.arena);
	}
}

/* Four chips in a ring, each sending two hops ahead. */
TEST(a_circle_of_routes_is_found_and_named)
{
	struct fabric_node nodes[4][3];
	struct text why = {0};

	machine_open(0, 0);
	machine.info.chip_count = machine.info.mesh_columns = 0;
	machine.info.mesh_rows = 0;
	machine.info.connection_count = 0;
	add_mesh(1, 4, 1, false);
	fabric_graph_init(&machine.graph, &machine.info, &machine.arena);
	fabric_waits_init(&machine.waits, &machine.graph, &machine.arena);
	for (uint16_t i = 0; i < 4; i++) {
		struct fabric_tree tree = {.node_count = 3, .deliver_count = 1, .nodes = nodes[i]};

		assert_int_equal(fabric_waits_check(&machine.waits, NULL), STATUS_OK);
		for (uint16_t k = 0; k < 3; k++)
			nodes[i][k] = (struct fabric_node){.chip = (uint16_t)((i + k) % 4),
				.parent = k ? (uint16_t)(k - 1) : 0,
				.first_child = k < 2 ? (uint16_t)(k + 1) : 0,
				.child_count = k < 2,
				.deliver = k == 2};
		fabric_waits_add(&machine.waits, &tree);
	}
	assert_int_equal(fabric_waits_check(&machine.waits, &why), STATUS_UNSUPPORTED);
	assert_non_null(strstr(text_string(&why), "wait for each other in a circle over chips"));
	text_fini(&why);
	arena_fini(&machine.arena);
}

TEST_MAIN(NULL, NULL)
