/* Tests mesh graph descriptors and the logical meshes that they describe: links, express links,
 * ranks, instances, connections, and errors that name their cause. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag_text.h"
#include "topology/logical.h"

static struct diag *diag;
static struct mesh_graph *graph;
static struct logical *logical;

static void stop(void)
{
	logical_free(logical);
	mesh_graph_free(graph);
	diag_free(diag);
	logical = NULL;
}

static void read_graph(const char *text)
{
	diag = diag_new();
	graph = mesh_graph_read(tree_read_text_format("g", text, strlen(text), diag), false, diag);
	if (!graph)
		diag_print(diag, stderr);
	assert_non_null(graph);
	logical = logical_new(graph, diag);
	assert_non_null(logical);
}

/* Checks the message of the first error. */
static void assert_refuses(const char *text, const char *message)
{
	char *printed = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&printed, &length);

	diag = diag_new();
	assert_null(
		mesh_graph_read(tree_read_text_format("g", text, strlen(text), diag), false, diag));
	diag_print(diag, out);
	fclose(out);
	if (!strstr(printed, message))
		fail_msg("'%s' is not in: %s", message, printed);
	free(printed);
	diag_free(diag);
}

#define MESH(dims, hosts, more)                                                                    \
	"mesh_descriptors { name: \"M\" arch: BLACKHOLE device_topology { " dims                   \
	" } host_topology { dims: " hosts " } channels { count: 2 } " more " }\n"
#define TOP "top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 5 } }\n"

static uint32_t channels(uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < logical->link_count; i++)
		if (logical->links[i].a == a && logical->links[i].b == b)
			return logical->links[i].channels;
	return 0;
}

TEST(a_ring_of_two_is_two_links)
{
	read_graph(MESH("dims: [2, 3] dim_types: [RING, LINE]", "[1, 1]", "") TOP);
	assert_int_equal(logical->device_count, 6);
	assert_int_equal(logical->meshes[0].id, 5);
	assert_int_equal(channels(0, 3), 4);
	assert_int_equal(channels(0, 1), 2);
	assert_int_equal(channels(0, 2), 0);
	stop();
}

TEST(express_links_join_the_ends_of_blocks_around_a_ring)
{
	read_graph(MESH("dims: [8, 1] dim_types: [RING, LINE]", "[1, 1]",
		"express_links { pattern { start: 2 step: 4 } }") TOP);
	assert_int_equal(channels(2, 5), 2);
	assert_int_equal(channels(1, 6), 2);
	assert_int_equal(logical->link_count, 8 + 2);
	stop();
	read_graph(MESH("dims: [8, 1]", "[1, 1]",
		"express_links { dim_idx: 0 pattern { start: 2 step: 4 } }") TOP);
	assert_int_equal(channels(2, 5), 2);
	assert_int_equal(logical->link_count, 7 + 1);
	stop();
}

TEST(ranks_are_rectangles_row_by_row)
{
	read_graph(MESH("dims: [4, 4]", "[2, 2]", "") TOP);
	assert_int_equal(logical->rank_count, 4);
	assert_int_equal(logical_rank_of(logical, 0), 0);
	assert_int_equal(logical_rank_of(logical, 3), 1);
	assert_int_equal(logical_rank_of(logical, 8), 2);
	assert_int_equal(logical_rank_of(logical, 15), 3);
	stop();
}

#define INSTANCES                                                                                  \
	"instances { mesh { mesh_descriptor: \"M\" mesh_id: 0 } } "                                \
	"instances { mesh { mesh_descriptor: \"M\" mesh_id: 1 } } "
#define NODE(id) "nodes { mesh { mesh_descriptor: \"M\" mesh_id: " id " } } "
#define GRAPH(more)                                                                                \
	MESH("dims: [1, 2]", "[1, 1]", "")                                                         \
	"graph_descriptors { name: \"G\" type: \"POD\" " more " }\n"                               \
	"top_level_instance { graph { graph_descriptor: \"G\" } }\n"

TEST(nested_graphs_number_their_meshes)
{
	read_graph(MESH("dims: [1, 2]", "[1, 1]",
		"") "graph_descriptors { name: \"P\" type: \"POD\" " INSTANCES
		    "graph_topology { layout_type: ALL_TO_ALL channels { count: 3 } } }"
		    "graph_descriptors { name: \"C\" type: \"CLUSTER\" "
		    "instances { graph { graph_descriptor: \"P\" graph_id: 0 } } "
		    "instances { graph { graph_descriptor: \"P\" graph_id: 1 } } connections { "
		    "nodes { graph { graph_descriptor: \"P\" graph_id: 0 } } "
		    "nodes { graph { graph_descriptor: \"P\" graph_id: 1 sub_ref { mesh { "
		    "mesh_descriptor: \"M\" mesh_id: 1 device_id: 1 } } } } channels { count: 4 } "
		    "} }"
		    "top_level_instance { graph { graph_descriptor: \"C\" graph_id: 0 } }");
	assert_int_equal(logical->mesh_count, 4);
	assert_int_equal(logical->meshes[3].id, 3);
	assert_int_equal(logical->meshes[3].local_id, 1);
	assert_int_equal(logical->connection_count, 3);
	assert_int_equal(logical->connections[0].a.mesh_count, 2);
	assert_int_equal(logical->connections[0].b.device, 7);
	assert_int_equal(logical->connections[0].channels, 4);
	stop();
}

TEST(mistakes_are_refused_with_the_name_of_the_culprit)
{
	assert_refuses(MESH("dims: [4, 4]", "[1, 3]", "") TOP, "4 by 3 (Mesh: M)");
	assert_refuses(MESH("dims: [4, 4]", "[1]", "") TOP, "same number of dimensions: 2 and 1");
	assert_refuses(MESH("dims: [4, 4] dim_types: [RING]", "[1, 1]", "") TOP, "the same size");
	assert_refuses(MESH("dims: [4, -4]", "[1, 1]", "") TOP, "must be positive");
	assert_refuses(MESH("dims: [4, 4]", "[1, 1]", "express_connections { src: 3 dst: 16 }") TOP,
		"Express connection destination is out of bounds: device 16 of 16");
	assert_refuses(MESH("dims: [4, 4]", "[1, 1]", ""), "There must be a top_level_instance");
	assert_refuses(GRAPH(INSTANCES INSTANCES), "Duplicate instance id 0 (Graph: G)");
	assert_refuses(
		GRAPH(INSTANCES "connections { " NODE("0") NODE("2") "channels { count: 1 } }"),
		"No instance M with id 2 (Graph: G)");
	assert_refuses(GRAPH(INSTANCES "connections { " NODE("0") "channels { count: 1 } }"),
		"Connection must have at least two nodes (Graph: G)");
	assert_refuses(GRAPH("instances { graph { graph_descriptor: \"G\" } }"),
		"Graph descriptor type 'POD' already exists in hierarchy");
	assert_refuses(MESH("dims: [4, 4]", "[1, 1]", "") "top_level_instance { }",
		"expected one of mesh, graph and switch");
}

TEST(a_descriptor_that_grows_too_large_is_refused)
{
	/* Two meshes of 256 x 256. */
	static const char text[] = MESH("dims: [256, 256]", "[1, 1]",
		"") "graph_descriptors { name: \"G\" type: \"POD\" " INSTANCES "}"
		    "top_level_instance { graph { graph_descriptor: \"G\" } }";

	diag = diag_new();
	graph = mesh_graph_read(tree_read_text_format("g", text, strlen(text), diag), false, diag);
	assert_non_null(graph);
	assert_null(logical_new(graph, diag));
	assert_int_equal(diag_errors(diag), 1);
	stop();
}

TEST_MAIN(NULL, NULL)
