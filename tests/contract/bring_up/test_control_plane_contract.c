/* Tests what control_plane.h promises beside routes: same bytes for the same input, losses in any
 * order, roles of channels that no link uses, bounds, and multicast trees to some chips of a mesh.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "planes.h"
#include "topology/place.h"

static struct planes_case planes;

static void start(uint32_t rows, uint32_t columns, bool rings)
{
	struct text text = {0};

	planes_mesh_text(&text, "M", rows, columns, rings, rings, rows, 1);
	planes_graph_text(&text, "M", 2, (uint32_t[]){0, 1}, 1, 3);
	planes_begin(&planes, text_string(&text));
	text_fini(&text);
}

static void bytes_of(const struct control_plane *plane, struct text *out)
{
	for (uint32_t i = 0; i < planes.logical->device_count; i++)
		if (control_plane_tables(plane, i))
			tables_write(control_plane_tables(plane, i), out);
}

TEST(the_same_input_makes_the_same_bytes_and_the_order_of_losses_does_not_matter)
{
	struct control_plane *planes_of[3];
	struct text texts[3] = {{0}};

	start(4, 4, true);
	planes_lose_link(&planes, 5, 6);
	planes_lose_link(&planes, 0, 4);
	planes_of[0] = planes_make(&planes, 0, NULL);
	planes_of[1] = planes_make(&planes, 0, NULL);
	for (uint32_t i = 0; i < planes.lost_count / 2; i++) {
		struct control_loss loss = planes.lost[i];

		planes.lost[i] = planes.lost[planes.lost_count - 1 - i];
		planes.lost[planes.lost_count - 1 - i] = loss;
	}
	planes_of[2] = planes_make(&planes, 0, NULL);
	for (int i = 0; i < 3; i++) {
		bytes_of(planes_of[i], &texts[i]);
		assert_int_equal(texts[i].length, texts[0].length);
		assert_memory_equal(texts[i].bytes, texts[0].bytes, texts[0].length);
		assert_int_equal(control_plane_facts(planes_of[i]).bytes, texts[i].length);
		control_plane_free(planes_of[i]);
	}
	for (int i = 0; i < 3; i++)
		text_fini(&texts[i]);
	planes_end(&planes);
}

TEST(lost_channels_are_idle_and_the_others_of_their_link_go_on)
{
	struct control_plane *plane;
	const struct chip_tables *tables;
	struct control_facts before, after;

	start(2, 2, false);
	plane = planes_make_sound(&planes, 0);
	before = control_plane_facts(plane);
	assert_int_equal(before.routers[ROUTER_IDLE], 0);
	assert_int_equal(before.routers[ROUTER_EXIT], 6);
	control_plane_free(plane);
	planes_lose_link(&planes, 0, 1);
	planes.lost_count = 1; /* one of two channels */
	plane = planes_make_sound(&planes, 0);
	after = control_plane_facts(plane);
	assert_int_equal(control_plane_scheme(plane, 0), CONTROL_ORDER);
	assert_int_equal(after.routers[ROUTER_IDLE], 2);
	assert_int_equal(after.routers[ROUTER_MESH], before.routers[ROUTER_MESH] - 2);
	tables = control_plane_tables(plane, 0);
	assert_int_equal(tables->routers[tables->router_count - 1].role, ROUTER_IDLE);
	assert_int_equal(tables->routers[tables->router_count - 1].channel, planes.lost[0].channel);
	assert_int_equal(tables->ports[0].router_count, 1);
	control_plane_free(plane);
	planes_end(&planes);
}

TEST(channels_to_other_hosts_are_told_from_others)
{
	struct control_plane *plane;

	start(2, 2, false); /* each row of each mesh is a host: 4 column links and 3 exits cross */
	plane = planes_make_sound(&planes, 0);
	assert_int_equal(control_plane_facts(plane).routers_other_host, 2 * (4 * 2 + 3));
	control_plane_free(plane);
	planes_end(&planes);
}

/* Two meshes of two chips in a row of cables; the connection may use one of two cables. */
TEST(cables_that_no_connection_names_are_idle)
{
	static const char text[] =
		"mesh_descriptors { name: \"M\" arch: BLACKHOLE device_topology { dims: [1, 2] }\n"
		"  host_topology { dims: [1, 1] } channels { count: 1 } }\n"
		"graph_descriptors { name: \"G\" type: \"FABRIC\"\n"
		"  instances { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n"
		"  instances { mesh { mesh_descriptor: \"M\" mesh_id: 1 } }\n"
		"  connections {\n"
		"    nodes { mesh { mesh_descriptor: \"M\" mesh_id: 0 device_id: 1 } }\n"
		"    nodes { mesh { mesh_descriptor: \"M\" mesh_id: 1 device_id: 0 } }\n"
		"    channels { count: 1 } } }\n"
		"top_level_instance { graph { graph_descriptor: \"G\" graph_id: 0 } }\n";
	struct machine *machine = machine_new();
	struct control_plane *plane;
	const struct chip_tables *tables;

	planes_begin(&planes, text);
	for (uint32_t i = 0; i < 4; i++)
		machine_add_chip(machine,
			(struct machine_chip){.id = i, .host = machine_host(machine, "h")});
	for (uint32_t i = 0; i < 4; i++)
		machine_add_channel(machine, i, 0, (i + 1) % 4, 1);
	machine_finish(machine);
	plane = control_plane_new(planes.logical, machine, planes.image, NULL, NULL);
	assert_non_null(plane);
	assert_int_equal(control_plane_check(control_plane_all(plane), 4, NULL), STATUS_OK);
	tables = control_plane_tables(plane, 0);
	assert_int_equal(tables->port_count, 1);
	assert_int_equal(tables->router_count, 2);
	assert_int_equal(tables->routers[1].role, ROUTER_IDLE);
	assert_int_equal(tables->exits[1].device, 1);
	assert_int_equal(tables->exits[1].channel, 0);
	assert_int_equal(tables->exits[0].device, TABLES_NONE);
	control_plane_free(plane);
	machine_free(machine);
	planes_end(&planes);
}

TEST(meshes_without_a_link_between_them_are_groups_of_their_own)
{
	struct control_plane *plane;
	uint32_t devices[8];
	struct text why = {0};

	start(2, 2, false);
	for (uint32_t i = 0; i < planes.machine->link_count; i++)
		if (planes.machine->links[i].a < 4 && planes.machine->links[i].b >= 4)
			planes_lose_link(
				&planes, planes.machine->links[i].a, planes.machine->links[i].b);
	plane = planes_make_sound(&planes, 0);
	assert_int_equal(control_plane_facts(plane).groups, 2);
	assert_int_equal(control_plane_facts(plane).vcs, 1);
	assert_int_equal(control_follow(control_plane_all(plane), 8, 0, 5, devices, 8, &why), 0);
	assert_string_equal(text_string(&why), "mesh 0 chip 0 has no way on");
	text_fini(&why);
	control_plane_free(plane);
	planes_end(&planes);
}

TEST(numbers_out_of_bounds_are_refused)
{
	struct control_plane *plane;
	struct control_node *nodes;
	struct arena arena = {0};
	uint32_t devices[2];

	start(2, 2, false);
	plane = planes_make_sound(&planes, 0);
	assert_null(control_plane_tables(plane, 8));
	assert_int_equal(control_follow(control_plane_all(plane), 8, 0, 8, devices, 2, NULL), 0);
	assert_int_equal(control_follow(control_plane_all(plane), 8, 0, 3, devices, 2, NULL), 0);
	assert_int_equal(control_plane_tree(plane, 8, NULL, 0, &arena, &nodes), 0);
	assert_int_equal(control_plane_tree(plane, 0, (uint32_t[]){4}, 1, &arena, &nodes), 0);
	assert_int_equal(control_plane_tree(plane, 0, NULL, 0, &arena, &nodes), 1);
	arena_fini(&arena);
	control_plane_free(plane);
	control_plane_free(NULL);
	planes_end(&planes);
}

static void assert_refused(const char *words)
{
	struct text why = {0};

	assert_null(planes_make(&planes, 0, &why));
	assert_string_equal(text_string(&why), words);
	text_fini(&why);
}

TEST(images_with_a_chip_twice_or_beyond_the_machine_are_refused)
{
	start(2, 2, false);
	planes.image[6] = 1;
	assert_refused("mesh 1 chip 2 is on the chip of another device");
	planes.image[6] = 8;
	assert_refused("mesh 1 chip 2 is on chip 8 of a machine with 8");
	planes_end(&planes);
}

TEST(tables_that_would_be_too_big_are_refused_before_they_are_made)
{
	struct text text = {0};

	planes_mesh_text(&text, "M", 1, 40000, false, false, 1, 1);
	text_append(&text, "top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n");
	planes_begin(&planes, text_string(&text));
	text_fini(&text);
	assert_refused("routing tables of 9155 MiB, 1024 MiB allowed");
	planes_end(&planes);
}

TEST(a_foreign_row_or_target_has_no_way)
{
	struct control_plane *plane;
	const struct chip_tables *tables;

	start(2, 2, false);
	plane = planes_make_sound(&planes, 0);
	tables = control_plane_tables(plane, 0);
	assert_int_equal(tables_next(tables, (struct hop){HOP_HERE, 0}, 3, 0).port, 0);
	assert_int_equal(tables_next(tables, (struct hop){HOP_HERE, 0}, 4, 0).port, HOP_NONE);
	assert_int_equal(tables_next(tables, (struct hop){HOP_HERE, 0}, 4, 2).port, HOP_NONE);
	assert_int_equal(tables_next(tables, (struct hop){9, 0}, 3, 0).port, HOP_NONE);
	control_plane_free(plane);
	planes_end(&planes);
}

/* Checks a tree: it begins at the source, each hop leads from a parent before it to its node, no
 * device occurs twice, exactly the members are delivered to, and each leaf is a member. */
static void assert_tree(const struct control_plane *plane, uint32_t source, const bool *member,
	const struct control_node *nodes, uint32_t count)
{
	uint32_t device_count = planes.logical->device_count, members = 0;
	uint32_t *seen = allocate(device_count, sizeof(*seen));
	bool *leads = allocate((size_t)count + 1, sizeof(*leads));

	assert_int_equal(nodes[0].device, source);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(seen[nodes[i].device]++, 0);
		assert_int_equal(
			nodes[i].member, member[nodes[i].device] && nodes[i].device != source);
		members += nodes[i].member;
		if (i == 0)
			continue;
		assert_true(nodes[i].parent < i);
		leads[nodes[i].parent] = true;
		assert_int_equal(control_plane_tables(plane, nodes[nodes[i].parent].device)
					 ->ports[nodes[i].hop.port]
					 .peer,
			nodes[i].device);
	}
	for (uint32_t i = 1; i < count; i++)
		assert_true(leads[i] || nodes[i].member);
	for (uint32_t i = 0; i < device_count; i++)
		members -= member[i] && i != source;
	assert_int_equal(members, 0);
	free(seen);
	free(leads);
}

TEST(trees_reach_each_of_some_chips_once_around_holes_too)
{
	for (uint64_t draw = 0; draw < 300; draw++) {
		struct stream stream;
		struct control_plane *plane;
		struct arena arena = {0};
		uint32_t *members, count = 0, rows, columns;
		bool *member;

		stream_init(&stream, draw, "trees");
		rows = 2 + (uint32_t)stream_below(&stream, 6);
		columns = 2 + (uint32_t)stream_below(&stream, 6);
		start(rows, columns, stream_below(&stream, 2));
		planes_lose_links(&planes, &stream, 0.15);
		plane = planes_make(&planes, (uint32_t)stream_below(&stream, 9), NULL);
		members = arena_array(&arena, rows * columns, sizeof(*members));
		member = arena_array(&arena, 2 * rows * columns, sizeof(*member));
		for (uint32_t i = 0; i < rows * columns; i++)
			if (stream_below(&stream, 3) == 0) {
				members[count++] = i;
				member[i] = true;
			}
		for (uint32_t source = 0; source < rows * columns && plane; source++) {
			struct control_node *nodes;
			uint32_t nodes_count =
				control_plane_tree(plane, source, members, count, &arena, &nodes);

			assert_true(nodes_count > 0);
			assert_tree(plane, source, member, nodes, nodes_count);
		}
		arena_fini(&arena);
		control_plane_free(plane);
		planes_end(&planes);
	}
}

TEST_MAIN(NULL, NULL)
