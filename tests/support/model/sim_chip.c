/* Simulated clusters for tests (see sim_chip.h). */
#include "test.h"

#include "sim_chip.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "sim_case.h"

static const struct chip_constants round_constants = {
	.aiclk_hz = 1e9,
	.noc_latency_cycles = 40,
	.noc_hop_cycles = 10,
	.noc_flit_bytes = 32,
	.noc_packet_bytes = 8192,
	.noc_header_flits = 1,
	.noc_injection_bytes_per_cycle = 32,
	.noc_ejection_bytes_per_cycle = 32,
	.noc_link_bytes_per_cycle = 32,
	.noc_buffer_bytes = 2048,
	.noc_issue_cycles = 20,
	.noc_multicast_cycles = 30,
	.noc_multicast_bytes_per_cycle = 16,
	.noc_atomic_cycles = 5,
	.noc_read_cycles = 10,
	.dram_read_bytes_per_s = 20e9,
	.dram_write_bytes_per_s = 20e9,
	.dram_latency_ns = 100,
	.dram_request_ns = 10,
	.host_window_bytes = 1 << 30,
	.pcie_post_latency_ns = 200,
	.pcie_down_bytes_per_s = 20e9,
	.pcie_host_read_latency_ns = 1000,
	.pcie_host_read_bytes_per_s = 1e9,
	.pcie_device_read_latency_ns = 700,
	.pcie_device_read_bytes_per_s = 20e9,
	.pcie_read_request_bytes = 4096,
	.pcie_reads_outstanding = 4,
	.pcie_device_write_bytes_per_s = 25e9,
	.pcie_write_visible_latency_ns = 500,
	.pcie_write_ack_latency_ns = 250,
	.ethernet_bytes_per_s = 12.5e9,
	.ethernet_packet_bytes = 1500,
	.ethernet_packet_overhead_bytes = 50,
	.ethernet_latency_ns = 500,
	.fabric_header_1d_bytes = 50,
	.fabric_header_2d_bytes = 100,
	.router_channels = 2,
	.router_processors = 1,
	.router_sender_slots = 4,
	.router_receiver_slots = 4,
	.router_handover_ns = 60,
	.router_handover_latency_ns = 80,
	.router_send_latency_ns = 40,
	.router_receive_latency_ns = 50,
	.router_forward_latency_ns = 90,
	.router_delivery_latency_ns = 100,
	.router_2d_latency_ns = 150,
	.router_send_ns = 100,
	.router_receive_ns = 60,
	.router_deliver_ns = 30,
	.router_forward_ns = 40,
	.router_part_ns = 30,
	.router_flush_ns = 70,
	.router_increment_ns = 70,
	.router_2d_send_ns = 45,
	.router_2d_receive_ns = 45,
	.router_credit_latency_ns = 550,
	.ring_free_slots = 2,
	.ring_latency_ns = 110,
	.ring_ns = 150,
};

struct chip_constants sim_chip_constants(void)
{
	return round_constants;
}

struct run_argument {
	const struct sim_chip_setup *setup;
	struct cluster *cluster;
};

static void run_main(void *argument)
{
	struct run_argument *run = argument;

	run->setup->body(run->cluster);
}

enum engine_end sim_chip_run(const struct sim_chip_setup *setup)
{
	struct chip_constants constants = sim_chip_constants();
	struct host_constants host_constants = sim_host_free_constants();
	struct host_description host = {.name = "host-0",
		.constants = setup->host_constants ? setup->host_constants : &host_constants};
	struct cluster_info *info = test_cluster_info_new(setup->cluster);
	struct run_argument run = {.setup = setup};
	struct affinity anywhere = {.core = -1};
	const char *what = "";
	enum engine_end end;

	sim_case_open();
	world = &sim_world;
	device_row = setup->options.noc_links ? &sim_device_links : &sim_device;
	check_status(sim_world_start(&host, 1, 1, NULL), STATUS_OK);
	check(sim_cluster_new(info, setup->constants ? setup->constants : &constants,
		      &setup->options, &run.cluster, &what) == STATUS_OK,
		"refused: %s", what);
	end = sim_world_run(anywhere, run_main, &run, (struct engine_limits){0});
	sim_cluster_free(run.cluster);
	sim_world_stop();
	engine_close();
	test_cluster_info_free(info);
	return end;
}

static void run_to_the_end(const void *argument, void *result)
{
	(void)result;
	check_equal(sim_chip_run(argument), ENGINE_FINISHED);
}

void sim_chip_case(const struct sim_chip_setup *setup)
{
	char none;

	assert_int_equal(sim_case_run(run_to_the_end, setup, &none, 0).exit_code, 0);
}

static void run_to_the_stall(const void *argument, void *result)
{
	(void)result;
	check_equal(sim_chip_run(argument), ENGINE_STALLED);
}

struct sim_case sim_chip_stall(const struct sim_chip_setup *setup)
{
	char none;
	struct sim_case outcome = sim_case_run(run_to_the_stall, setup, &none, 0);

	assert_int_equal(outcome.exit_code, 0);
	return outcome;
}

struct fabric_tree *sim_chip_line(const uint16_t *chips, uint16_t count, uint32_t deliver)
{
	struct fabric_node *nodes = calloc(count, sizeof *nodes);
	struct fabric_tree *tree = calloc(1, sizeof *tree);

	check(nodes != NULL && tree != NULL, "no memory for a tree");
	for (uint16_t i = 0; i < count; i++) {
		nodes[i].chip = chips[i];
		nodes[i].parent = i ? i - 1 : 0;
		nodes[i].first_child = i + 1;
		nodes[i].child_count = i + 1 < count;
		nodes[i].deliver = i > 0 && (deliver >> i & 1);
		tree->deliver_count += nodes[i].deliver;
	}
	tree->node_count = count;
	tree->nodes = nodes;
	return tree;
}

void sim_chip_drain(struct cluster *cluster)
{
	check_status(device_row->drain(cluster, DEADLINE_NEVER), STATUS_OK);
}

int64_t sim_chip_path_ps(struct cluster *cluster, uint16_t from, uint16_t to)
{
	const struct chip_geometry *geometry = device_row->info(cluster)->chips[0].geometry;
	const struct tile_info *a = &geometry->tiles[from], *b = &geometry->tiles[to];
	uint32_t width = 0, height = 0;

	for (uint16_t i = 0; i < geometry->tile_count; i++) {
		width = geometry->tiles[i].x >= width ? geometry->tiles[i].x + 1u : width;
		height = geometry->tiles[i].y >= height ? geometry->tiles[i].y + 1u : height;
	}
	return (int64_t)(40 +
			 10 * ((b->x + width - a->x) % width + (b->y + height - a->y) % height)) *
	       NS;
}

void sim_chip_small_ring(void (*body)(struct cluster *cluster))
{
	static const struct test_cluster ring = {
		.rows = 1, .columns = 6, .pcie = TEST_PCIE_LEFT, .wrap = true};
	struct chip_constants constants = sim_chip_constants();

	constants.router_receiver_slots = 2;
	sim_chip_case(&(struct sim_chip_setup){.cluster = &ring,
		.constants = &constants,
		.options = {.topology = SIM_TOPOLOGY_RING},
		.body = body});
}
