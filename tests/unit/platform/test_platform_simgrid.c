/* Tests the platform that SimGrid loads. Every object that meshsim uses must exist, bandwidths and
 * latencies must be exact, and a message must take the time that the constants give. SimGrid allows
 * one simulation per process, so each case runs in a child process. */
#define _GNU_SOURCE
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>

#include "bench/scenario/load.h"
#include "check.h"
#include "engine/engine.h"
#include "sim_case.h"

static struct platform *platform;

/* Loads the machine `name` into SimGrid, in a child process. */
static void load(const char *name, enum platform_layout layout)
{
	size_t count;
	const struct constant_table *tables = constant_tables(&count);
	struct diag *diag = diag_new();
	char path[64];
	FILE *file;

	platform = platform_open(name, MESHSIM_SOURCE_DIR "/platforms", tables, count, diag);
	diag_print(diag, stderr);
	check(platform != NULL, "no platform %s", name);
	check_status(platform_save_simgrid(platform, layout, path, sizeof(path), &file), STATUS_OK);
	check_status(engine_open(path), STATUS_OK);
	fclose(file);
}

static void check_rate(const char *link, const char *bandwidth, const char *latency)
{
	struct link_rate rate = platform_link_rate(link);

	check_equal(rate.bandwidth_bytes_per_s, (int64_t)platform_real(platform, bandwidth));
	check_equal(rate.latency_ps, llround(platform_real(platform, latency) * 1000));
}

static void check_n300(const void *argument, void *result)
{
	char name[PLATFORM_NAME_BYTES];

	(void)result;
	load("n300", *(const enum platform_layout *)argument);
	check_rate(platform_pcie_link(0, true, name), "chip.pcie_down_bandwidth",
		"chip.pcie_post_latency");
	check_rate(platform_pcie_link(0, false, name), "chip.pcie_device_write_bandwidth",
		"chip.pcie_write_visible_latency");
	check_rate(platform_lane_link(0, 1, 0, name), "chip.ethernet_bandwidth",
		"chip.ethernet_latency");
	check_equal(sg_host_core_count(sg_host_by_name(platform_server_name(0, name))),
		(int64_t)platform_real(platform, "host.sockets") *
			(int64_t)platform_real(platform, "host.cores_per_socket"));
}

TEST(links_have_the_rates_of_the_constants)
{
	static const enum platform_layout layouts[] = {PLATFORM_SERVERS, PLATFORM_ZONES};

	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		sim_case_expect(check_n300, &layouts[i], 0, NULL);
}

/* A larger machine has no more objects: a run does not pay for objects that it never requests. */
static void check_servers(const void *argument, void *result)
{
	(void)result;
	load(argument, PLATFORM_SERVERS);
	check_equal(sg_host_count(), 1);
	check_equal(sg_link_count(), 3 + 1); /* and the one that SimGrid creates itself */
}

/* In zones: every tile with memory, a port, and a link for each Ethernet link. */
static void check_zones(const void *argument, void *result)
{
	const struct cluster_info *cluster;
	char name[PLATFORM_NAME_BYTES];
	uint32_t tiles = 0, ports = 0;

	(void)result;
	load(argument, PLATFORM_ZONES);
	cluster = platform_cluster(platform);
	for (uint16_t chip = 0; chip < cluster->chip_count; chip++)
		for (uint16_t tile = 0; tile < cluster->chips[chip].geometry->tile_count; tile++)
			if (sg_host_by_name(platform_core_name(chip, tile, name)))
				tiles++;
	for (uint32_t i = 0; i < cluster->connection_count; i++) {
		const struct fabric_connection *connection = &cluster->connections[i];
		for (uint16_t lane = 0; lane < connection->links; lane++, ports += 2)
			for (int end = 0; end < 2; end++) {
				uint16_t from = connection->chip[end];
				uint16_t to = connection->chip[1 - end];
				check(sg_host_by_name(platform_port_name(from, to, lane, name)),
					"no port %s", name);
				check_rate(platform_lane_link(from, to, lane, name),
					"chip.ethernet_bandwidth", "chip.ethernet_latency");
			}
	}
	check_equal(sg_host_count(), 1 + cluster->chip_count + tiles + ports);
	check(tiles > platform_tensix_tiles(platform), "%u tiles", tiles);
	check_rate(platform_pcie_link(0, true, name), "chip.pcie_down_bandwidth",
		"chip.pcie_post_latency");
}

TEST(zones_hold_every_tile_and_every_ethernet_link)
{
	sim_case_expect(check_zones, "galaxy", 0, NULL);
}

TEST(without_zones_a_machine_of_any_size_has_a_server_and_a_link_of_each_kind)
{
	static const char *const names[] = {"t3k", "tgg", "tgg-6u", "mesh-32x32"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		sim_case_expect(check_servers, names[i], 0, NULL);
}

static int64_t sent_ps(sg_host_t from, sg_host_t to, double bytes)
{
	double since = simgrid_get_clock();

	sg_host_sendto(from, to, bytes);
	return llround((simgrid_get_clock() - since) * 1e12);
}

static void send_all(int argument_count, char **arguments)
{
	sg_host_t server = sg_host_by_name("server-0"), chip = sg_host_by_name("chip-0");
	char port[PLATFORM_NAME_BYTES];

	(void)argument_count, (void)arguments;
	check_equal(sent_ps(server, chip, 24900), 300000 + 1000000);
	check_equal(sent_ps(chip, sg_host_by_name(platform_port_name(0, 1, 0, port)), 12500),
		530000 + 1000000);
	check_equal(sent_ps(chip, sg_host_by_name("core-0-11"), 3000), 20000 + 100000);
}

static void check_times(const void *argument, void *result)
{
	(void)result;
	load(argument, PLATFORM_ZONES);
	sg_actor_start(sg_actor_init("main", sg_host_by_name("server-0")), send_all, 0, NULL);
	simgrid_run();
}

TEST(a_message_takes_the_time_that_the_constants_say)
{
	sim_case_expect(check_times, "n300", 0, NULL);
}

TEST_MAIN(NULL, NULL)
