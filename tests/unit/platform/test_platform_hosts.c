/* Tests machines of several hosts: valid and invalid values of `hosts`, the constants that only
 * such machines need, several layers on top of each other, and the network between hosts in
 * SimGrid. */
#define _GNU_SOURCE
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/scenario/machine_constants.h"
#include "bench/scenario/load.h"
#include "check.h"
#include "diag_text.h"
#include "hostnet/constants.h"
#include "sim_case.h"
#include "toy_platform.h"

static const char platforms[] = MESHSIM_SOURCE_DIR "/platforms";

/* Reads a platform on top of shipped ones, as in a scenario. */
static struct platform *read_over(const char *text, struct diag *diag, struct tree **tree)
{
	size_t count;
	const struct constant_table *tables = constant_tables(&count);

	*tree = tree_read_text("test.yaml", text, strlen(text), diag);
	assert_non_null(*tree);
	if (!platform_expand(*tree, "platform", platforms, diag))
		return NULL;
	return platform_new(tree_get(tree_root(*tree), "platform"), tables, count, diag);
}

static void check_says(const char *text, const char *expected)
{
	struct diag *diag = diag_new();
	struct tree *tree;
	struct platform *platform = read_over(text, diag, &tree);

	assert_null(platform);
	assert_diag_prints(diag, expected);
	tree_free(tree);
	diag_free(diag);
}

TEST(machines_of_hosts_are_so_many_of_those_that_they_extend)
{
	static const struct {
		const char *name;
		unsigned hosts, rows, columns, chips_of_one;
	} machines[] = {{"galaxy-x2", 2, 8, 8, 32}, {"galaxy-x4", 4, 16, 8, 32},
		{"galaxy-x2-joined", 2, 8, 8, 32}, {"tgg-2host", 2, 8, 8, 36},
		{"scaleout", 32, 128, 8, 32}, {"loopback", 2, 2, 1, 1}};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct diag *diag = diag_new();
		struct platform *platform = machine_platform(machines[i].name, diag);
		const struct platform_hosts *hosts = platform_hosts(platform);

		assert_diag_prints(diag, "");
		check_equal(hosts->count, machines[i].hosts);
		check_equal(hosts->machines == PLATFORM_MACHINE_ONE,
			strcmp(machines[i].name, "loopback") == 0);
		check_equal(hosts->mesh_rows, machines[i].rows);
		check_equal(hosts->mesh_columns, machines[i].columns);
		check_equal(platform_cluster(platform)->chip_count, machines[i].chips_of_one);
		platform_free(platform);
		diag_free(diag);
	}
}

TEST(parts_may_lie_beside_each_other)
{
	struct diag *diag = diag_new();
	struct tree *tree;
	struct platform *platform = read_over(
		"platform: {extends: galaxy-x2, hosts: {count: 3, along: columns}}", diag, &tree);

	assert_diag_prints(diag, "");
	check_equal(platform_hosts(platform)->mesh_rows, 4);
	check_equal(platform_hosts(platform)->mesh_columns, 24);
	platform_free(platform);
	tree_free(tree);
	diag_free(diag);
}

/* ---- links between hosts ---- */

static uint32_t links_of(const struct cluster_info *info, uint16_t a, uint16_t b)
{
	uint32_t links = 0;

	for (uint32_t i = 0; i < info->connection_count; i++) {
		const uint16_t *chip = info->connections[i].chip;

		if ((chip[0] == a && chip[1] == b) || (chip[0] == b && chip[1] == a))
			links += info->connections[i].links;
	}
	return links;
}

/* Compares a machine of three joined hosts with a single host that has the same chips. The chips of
 * the single host are numbered row by row. The three hosts have successive rows, so their chips
 * must get the same numbers. */
static void have_the_links_of_one_host(const char *hosts, const char *host)
{
	struct diag *diag = diag_new();
	struct tree *trees[2];
	struct platform *joined = read_over(hosts, diag, &trees[0]);
	struct platform *one = read_over(host, diag, &trees[1]);
	const struct cluster_info *machine, *single;

	assert_diag_prints(diag, "");
	machine = platform_host_cluster(joined, 2)->machine;
	single = platform_cluster(one);
	check_equal(platform_host_cluster(joined, 2)->machine_first, 30);
	check_equal(platform_host_cluster(joined, 2)->chip_count, 15);
	assert_null(machine->machine);
	check_equal(machine->chip_count, single->chip_count);
	for (uint16_t a = 0; a < single->chip_count; a++) {
		check_equal(machine->chips[a].mesh_row, single->chips[a].mesh_row);
		check_equal(machine->chips[a].mesh_column, single->chips[a].mesh_column);
		check_equal(machine->chips[a].host, a / 15);
		check_equal(machine->chips[a].gateway, a);
		for (uint16_t b = 0; b < a; b++)
			check_equal(links_of(machine, a, b), links_of(single, a, b));
	}
	check_equal(machine->chips[0].geometry->idle_ethernet_count,
		single->chips[0].geometry->idle_ethernet_count);
	platform_free(joined);
	platform_free(one);
	tree_free(trees[0]);
	tree_free(trees[1]);
	diag_free(diag);
}

TEST(joined_hosts_have_the_links_of_one_host)
{
	have_the_links_of_one_host("platform: {extends: galaxy-x2-joined, topology: {mesh: [3, "
				   "5]}, hosts: {count: 3}}",
		"platform: {extends: galaxy, topology: {mesh: [9, 5], wrap: [true, false]}}");
}

TEST(hosts_in_a_ring_have_the_links_of_one_host_with_columns_that_wrap)
{
	have_the_links_of_one_host(
		"platform: {extends: galaxy-x2-joined, topology: {mesh: [3, 5]}, "
		"hosts: {count: 3, wrap: true}}",
		"platform: {extends: galaxy, topology: {mesh: [9, 5], wrap: [true, true]}}");
	have_the_links_of_one_host(
		"platform: {extends: galaxy-x2-joined, topology: {mesh: [1, 15]}, "
		"hosts: {count: 3, wrap: true}}",
		"platform: {extends: galaxy, topology: {mesh: [3, 15], wrap: [true, true]}}");
}

TEST(hosts_that_nothing_joins_have_no_machine)
{
	struct diag *diag = diag_new();
	struct platform *platform = machine_platform("galaxy-x2", diag);

	assert_diag_prints(diag, "");
	assert_null(platform_cluster(platform)->machine);
	assert_ptr_equal(platform_host_cluster(platform, 1), platform_cluster(platform));
	check_equal(platform_hosts(platform)->links, 0);
	platform_free(platform);
	diag_free(diag);
}

/* A row between two hosts has links to both. */
TEST(links_between_hosts_take_ethernet_tiles)
{
	struct diag *diag = diag_new();
	struct tree *tree;
	struct platform *platform = read_over(
		"platform: {extends: galaxy-x2-joined, topology: {mesh: [1, 8]}, hosts: {count: 3, "
		"links: 3}}",
		diag, &tree);

	assert_diag_prints(diag, "");
	/* 16 tiles: 4 links to the left, 4 to the right, 3 up, 3 down */
	check_equal(platform_cluster(platform)->chips[0].geometry->idle_ethernet_count, 2);
	platform_free(platform);
	tree_free(tree);
	diag_free(diag);
}

TEST(a_machine_of_one_server_needs_no_network)
{
	struct diag *diag = diag_new();
	struct platform *platform = machine_platform("galaxy", diag);

	assert_diag_prints(diag, "");
	assert_null(platform_hosts(platform));
	assert_null(platform_find(platform, "host_network.bandwidth"));
	platform_free(platform);
	diag_free(diag);
}

TEST(what_cannot_be_is_refused_where_it_is_said)
{
	check_says("platform: {extends: galaxy-x2, hosts: {count: 0}}",
		"test.yaml:1:47: error: 'count': 0 is out of range 1 to 64\n"
		"platform: {extends: galaxy-x2, hosts: {count: 0}}\n"
		"                                              ^\n");
	check_says("platform: {extends: galaxy-x2, hosts: {count: 65}}",
		"test.yaml:1:47: error: 'count': 65 is out of range 1 to 64\n"
		"platform: {extends: galaxy-x2, hosts: {count: 65}}\n"
		"                                              ^\n");
	check_says("platform: {extends: galaxy-x2, hosts: {along: row}}",
		"test.yaml:1:47: error: 'along': unknown value 'row', did you mean 'rows'? "
		"(valid: rows, columns)\n"
		"platform: {extends: galaxy-x2, hosts: {along: row}}\n"
		"                                              ^\n");
	check_says("platform: {extends: galaxy-x2, hosts: {links: 17}}",
		"test.yaml:1:47: error: 'links': 17 is out of range 0 to 16\n"
		"platform: {extends: galaxy-x2, hosts: {links: 17}}\n"
		"                                              ^\n");
	check_says("platform: {extends: galaxy-x2, hosts: {links: 1}}",
		"test.yaml:1:39: error: a chip has 17 links with those to other hosts "
		"(hosts.links), and 16 Ethernet tiles\n"
		"platform: {extends: galaxy-x2, hosts: {links: 1}}\n"
		"                                      ^\n");
	check_says("platform: {extends: galaxy-x2, hosts: {machines: two}}",
		"test.yaml:1:50: error: 'machines': unknown value 'two' "
		"(valid: each, one)\n"
		"platform: {extends: galaxy-x2, hosts: {machines: two}}\n"
		"                                                 ^\n");
	check_says("platform: {extends: scaleout, topology: {mesh: [64, 32]}, hosts: {count: 33}}",
		"test.yaml:1:66: error: 33 hosts of 2048 chips are more than 65535 chips: their "
		"numbers have 16 bits\n"
		"platform: {extends: scaleout, topology: {mesh: [64, 32]}, hosts: {count: 33}}\n"
		"                                                                 ^\n");
	check_says("platform: {extends: [galaxy, _transports], hosts: {count: 2}}",
		"test.yaml:1:11: error: missing constant 'host_network.bandwidth' in B/s, which "
		"the platform model needs: of a NIC, each way\n"
		"platform: {extends: [galaxy, _transports], hosts: {count: 2}}\n"
		"          ^\n");
	check_says("platform: {extends: galaxy-x2, transports: {tcp: {send_mesage: 1}}}",
		"test.yaml:1:51: error: unknown constant 'transports.tcp.send_mesage', did you "
		"mean 'transports.tcp.send_message'?\n"
		"platform: {extends: galaxy-x2, transports: {tcp: {send_mesage: 1}}}\n"
		"                                                  ^\n");
}

TEST(layers_of_a_list_lie_over_those_before_them)
{
	struct diag *diag = diag_new();
	struct tree *tree;
	struct platform *platform = read_over(
		"platform: {extends: [galaxy-x2, _ethernet-400g], host_network: {retry: 7}}", diag,
		&tree);
	struct hostnet_constants constants;

	assert_diag_prints(diag, "");
	hostnet_constants_bind(platform, &constants);
	check_equal(constants.bandwidth_bytes_per_s, 50000000000);
	check_equal(constants.retry_ps, 7000000000);
	check_equal(constants.frame_overhead_bytes, 90);
	check_equal(constants.transports[HOSTNET_ZEROMQ].threads, 1);
	check_equal(constants.transports[HOSTNET_RDMA].send_kib_ps, 0);
	platform_free(platform);
	tree_free(tree);
	diag_free(diag);
}

TEST(a_layer_may_stand_below_two_but_not_below_itself)
{
	struct diag *diag = diag_new();
	struct tree *tree;
	struct platform *platform =
		read_over("platform: {extends: [galaxy-x2, _transports, galaxy-x4]}", diag, &tree);

	assert_diag_prints(diag, "");
	check_equal(platform_hosts(platform)->count, 4);
	platform_free(platform);
	tree_free(tree);
	diag_free(diag);
	check_says("platform: {extends: []}", "test.yaml:1:21: error: 'extends' names nothing\n"
					      "platform: {extends: []}\n"
					      "                    ^\n");
	check_says("platform: {extends: [galaxy, galxy-x2, [n150]]}",
		"test.yaml:1:30: error: unknown platform 'galxy-x2', did you mean 'galaxy-x2'?\n"
		"platform: {extends: [galaxy, galxy-x2, [n150]]}\n"
		"                             ^\n"
		"test.yaml:1:40: error: 'extends' must be a name or a path, not a list\n"
		"platform: {extends: [galaxy, galxy-x2, [n150]]}\n"
		"                                       ^\n");
}

static void check_network(const void *argument, void *result)
{
	struct diag *diag = diag_new();
	struct platform *platform = machine_platform("galaxy-x2", diag);
	char path[64], name[PLATFORM_NAME_BYTES];
	struct link_rate rate;
	FILE *file;

	(void)result;
	check_status(platform_save_simgrid(platform, *(const enum platform_layout *)argument, path,
			     sizeof path, &file),
		STATUS_OK);
	check_status(engine_open(path), STATUS_OK);
	for (uint16_t server = 0; server <= 2; server++) {
		check(engine_endpoint(platform_server_name(server, name)), "no %s", name);
		rate = platform_link_rate(platform_nic_link(server, false, name));
		check_equal(rate.bandwidth_bytes_per_s, 12500000000);
		check_equal(rate.latency_ps,
			llround(platform_real(platform, "host_network.nic_latency") * 1e3));
		rate = platform_link_rate(platform_nic_link(server, true, name));
		check_equal(rate.bandwidth_bytes_per_s, 12500000000);
		check_equal(rate.latency_ps,
			llround((platform_real(platform, "host_network.nic_latency") +
					platform_real(platform, "host_network.switch_latency")) *
				1e3));
	}
	fclose(file);
	platform_free(platform);
	diag_free(diag);
}

TEST(simgrid_has_the_servers_and_their_nics)
{
	static const enum platform_layout layouts[] = {PLATFORM_SERVERS, PLATFORM_ZONES};

	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		sim_case_expect(check_network, &layouts[i], 0, NULL);
}

TEST_MAIN(NULL, NULL)
