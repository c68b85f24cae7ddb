/* Tests the machine that a descriptor asks for: it has its chips, hosts, channels and pins, and no
 * more, and the mapper places the descriptor on it. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "topology/place.h"

static struct diag *diag;
static struct mesh_graph *graph;
static struct logical *logical;
static struct machine *machine;

static void start(const char *text)
{
	diag = diag_new();
	graph = mesh_graph_read(tree_read_text_format("g", text, strlen(text), diag), false, diag);
	assert_non_null(graph);
	logical = logical_new(graph, diag);
	assert_non_null(logical);
	machine = machine_as_asked(logical, NULL);
}

static void stop(void)
{
	machine_free(machine);
	logical_free(logical);
	mesh_graph_free(graph);
	diag_free(diag);
}

#define TWO(count)                                                                                 \
	"mesh_descriptors { name: \"M\" arch: WORMHOLE_B0 device_topology { dims: [2, 4] }\n"      \
	"  host_topology { dims: [1, 2] } channels { count: 2 } }\n"                               \
	"graph_descriptors { name: \"G\" type: \"FABRIC\"\n"                                       \
	"  instances { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n"                             \
	"  instances { mesh { mesh_descriptor: \"M\" mesh_id: 1 } }\n"                             \
	"  connections { nodes { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n"                   \
	"    nodes { mesh { mesh_descriptor: \"M\" mesh_id: 1 } } channels { count: " count        \
	" } } }\n"                                                                                 \
	"pinnings { logical_fabric_node_id { mesh_id: 1 chip_id: 3 }\n"                            \
	"  physical_asic_position { tray_id: 7 asic_location: 5 } }\n"                             \
	"top_level_instance { graph { graph_descriptor: \"G\" graph_id: 0 } }\n"

TEST(a_machine_as_asked_has_what_the_descriptor_asks_for)
{
	struct place_options options = {0};
	struct mesh_placement *placement;
	uint64_t channels = 0;

	start(TWO("3"));
	assert_non_null(machine);
	assert_int_equal(machine->chip_count, 16);
	assert_int_equal(machine->host_count, 4);
	assert_int_equal(machine->claim_count, 0);
	for (uint32_t i = 0; i < machine->link_count; i++)
		channels += machine->links[i].channels;
	assert_int_equal(channels, 2 * 10 * 2 + 3);
	assert_int_equal(machine->chips[11].tray, 7);
	assert_int_equal(machine->chips[11].location, 5);
	assert_int_equal(machine->chips[0].tray, 8);
	options.pins = place_pins_of(logical, &logical->arena);
	options.pin_count = logical->pin_count;
	placement = topology_place(logical, machine, &options);
	assert_int_equal(placement->verdict, SOLVE_FOUND);
	mesh_placement_free(placement);
	stop();
}

TEST(each_channel_of_a_link_is_kept_with_both_numbers)
{
	start(TWO("1"));
	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];
		const struct machine_cable *cables = &machine->cables[link->first_cable];

		assert_int_equal(cables[0].channel_a, link->first_a);
		assert_int_equal(cables[0].channel_b, link->first_b);
		if (link->channels == 2) {
			assert_int_equal(cables[1].channel_a, link->first_a + 1);
			assert_int_equal(cables[1].channel_b, link->first_b + 1);
		}
	}
	stop();
}

TEST(more_channels_than_a_chip_can_have_are_refused)
{
	struct text why = {0};

	start(TWO("2300"));
	assert_null(machine);
	assert_null(machine_as_asked(logical, &why));
	assert_string_equal(text_string(&why),
		"a machine with all chips and channels of the descriptor: does not fit");
	text_fini(&why);
	stop();
}

TEST(a_machine_may_have_tens_of_thousands_of_chips)
{
	start("mesh_descriptors { name: \"M\" arch: WORMHOLE_B0 device_topology { dims: [1, 60000] "
	      "}\n"
	      "  host_topology { dims: [1, 1] } channels { count: 1 } }\n"
	      "top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n");
	assert_non_null(machine);
	assert_int_equal(machine->chip_count, 60000);
	assert_int_equal(machine->link_count, 59999);
	stop();
}

TEST_MAIN(NULL, NULL)
