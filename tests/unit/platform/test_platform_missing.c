/* Tests `topology.missing`: chips and links that a machine does not have. The platform may list
 * them, or give the share of chips or links that are missing. In the second case they are drawn at
 * random once, and recorded. A machine without missing parts must not change. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scenario/load.h"
#include "diag_text.h"
#include "fabric/graph.h"

static const char platforms[] = MESHSIM_SOURCE_DIR "/platforms";

/* A platform on top of a shipped one. */
struct machine {
	struct diag *diag;
	struct tree *tree;
	struct platform *platform;
	struct text text; /* the effective platform */
};

static const struct cluster_info *machine_open(
	struct machine *machine, const char *name, const char *missing)
{
	const struct constant_table *tables;
	const struct tree_node *node;
	char text[512];
	size_t count;

	snprintf(text, sizeof(text), "platform: {extends: %s, topology: {missing: {%s}}}", name,
		missing);
	tables = constant_tables(&count);
	machine->diag = diag_new();
	machine->tree = tree_read_text("test.yaml", text, strlen(text), machine->diag);
	assert_true(platform_expand(machine->tree, "platform", platforms, machine->diag));
	node = tree_get(tree_root(machine->tree), "platform");
	text_init(&machine->text);
	tree_write(node, &machine->text);
	machine->platform = platform_new(node, tables, count, machine->diag);
	assert_diag_prints(machine->diag, "");
	return platform_cluster(machine->platform);
}

static void machine_close(struct machine *machine)
{
	platform_free(machine->platform);
	tree_free(machine->tree);
	text_fini(&machine->text);
	diag_free(machine->diag);
}

static unsigned links_between(const struct cluster_info *cluster, uint16_t a, uint16_t b)
{
	unsigned links = 0;

	for (uint32_t i = 0; i < cluster->connection_count; i++) {
		const struct fabric_connection *connection = &cluster->connections[i];

		if ((connection->chip[0] == a && connection->chip[1] == b) ||
			(connection->chip[0] == b && connection->chip[1] == a))
			links += connection->links;
	}
	return links;
}

TEST(what_is_missing_is_left_out)
{
	struct machine machine;
	const struct cluster_info *cluster = machine_open(&machine, "tgg",
		"chips: [[0, 2], [3, 3]], connections: [[[1, 1], [1, 0]]], "
		"links: [[[1, 1], [2, 1]], [[2, 1], [1, 1]]]");

	assert_int_equal(cluster->chip_count, 64 + 8 - 2);
	/* The mesh has 112 connections, and the gateways have 8. The missing chip at the edge had 3
	 * of them, the other missing chip had 4, and one more connection is missing. */
	assert_int_equal(cluster->connection_count, 112 + 8 - 3 - 4 - 1);
	assert_int_equal(cluster->chips[1].mesh_column, 1);
	assert_int_equal(cluster->chips[2].mesh_column, 3); /* numbers have no holes */
	assert_int_equal(cluster->chips[62].mesh_row, -1);
	assert_int_equal(links_between(cluster, 7, 8), 0);  /* [1, 0] and [1, 1] */
	assert_int_equal(links_between(cluster, 8, 16), 2); /* [1, 1] and [2, 1] */
	assert_int_equal(links_between(cluster, 8, 9), 4);
	assert_int_equal(links_between(cluster, 62, 0), 4); /* the first gateway */
	assert_int_equal(cluster->chips[8].gateway, 62);    /* around the hole: 62, 0, 1, 8 */
	machine_close(&machine);
}

TEST(a_ring_may_miss_the_link_that_closes_it)
{
	struct machine machine;
	const struct cluster_info *cluster = machine_open(
		&machine, "galaxy", "connections: [[[0, 7], [0, 0]], [[3, 2], [0, 2]]]");

	assert_int_equal(cluster->connection_count, 64 - 2);
	assert_int_equal(links_between(cluster, 0, 7), 0);
	assert_int_equal(links_between(cluster, 2, 26), 0);
	machine_close(&machine);
}

TEST(a_share_is_drawn_by_its_seed_and_written_down)
{
	static const struct {
		const char *missing;
		unsigned connections, links;
	} shares[] = {{"connections: 1 %", 1, 0}, {"connections: 0.1%", 1, 0},
		{"connections: 5 %", 6, 0}, {"links: 1 %", 0, 4},
		{"connections: 5 %, links: 5 %", 6, 21}, {"connections: 0 %", 0, 0}};
	struct machine machine, again;

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		const struct cluster_info *cluster =
			machine_open(&machine, "tgg", shares[i].missing);
		unsigned links = 0;

		assert_int_equal(cluster->connection_count, 120 - shares[i].connections);
		for (uint32_t k = 0; k < cluster->connection_count; k++)
			links += cluster->connections[k].links;
		assert_int_equal(links, 4 * (120 - shares[i].connections) - shares[i].links);
		machine_open(&again, "tgg", shares[i].missing);
		assert_string_equal(text_string(&machine.text), text_string(&again.text));
		machine_close(&again);
		machine_close(&machine);
	}
}

static void assert_same_wiring(
	const struct cluster_info *a, const struct cluster_info *b, bool same)
{
	assert_int_equal(a->connection_count, b->connection_count);
	assert_int_equal(same, memcmp(a->connections, b->connections,
				       a->connection_count * sizeof(*a->connections)) == 0);
}

/* The machine in a result is complete, and is not drawn again. */
TEST(the_effective_platform_is_the_machine_that_was_drawn)
{
	static const char missing[] = "connections: 5 %, links: 5 %";
	struct machine machine, other;
	const struct cluster_info *cluster = machine_open(&machine, "tgg", missing), *read;
	const struct constant_table *tables;
	struct platform *platform;
	struct tree *tree;
	size_t count;

	tables = constant_tables(&count);
	tree = tree_read_text(
		"again.yaml", text_string(&machine.text), machine.text.length, machine.diag);
	platform = platform_new(tree_root(tree), tables, count, machine.diag);
	assert_diag_prints(machine.diag, "");
	assert_same_wiring(cluster, platform_cluster(platform), true);
	read = machine_open(&other, "tgg", "connections: 5 %, links: 5 %, seed: 2");
	assert_same_wiring(cluster, read, false);
	machine_close(&other);
	platform_free(platform);
	tree_free(tree);
	machine_close(&machine);
}

TEST(only_machines_that_miss_something_take_detours)
{
	struct arena arena = {0};
	struct machine machine;
	struct fabric_graph graph;

	for (const char *const *name = platform_list(platforms, &arena); *name; name++) {
		const struct cluster_info *whole = machine_open(&machine, *name, "");
		bool has_links = whole->connection_count > 0;

		fabric_graph_init(&graph, whole, &arena);
		assert_null(graph.order);
		machine_close(&machine);
		if (!has_links)
			continue;
		fabric_graph_init(&graph,
			machine_open(&machine, *name,
				strcmp(*name, "n300") == 0 ? "links: []" : "connections: 1 %"),
			&arena);
		assert_int_equal(graph.order == NULL, strcmp(*name, "n300") == 0);
		machine_close(&machine);
	}
	arena_fini(&arena);
}

TEST_MAIN(NULL, NULL)
