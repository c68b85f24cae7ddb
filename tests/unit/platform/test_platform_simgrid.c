/* The platform as SimGrid sees it: every object is there, rates are exact, a message takes the time
 * that the constants say. One simulation per process, so each case runs in a child. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

#include "bench/scenario/load.h"
#include "check.h"
#include "engine/engine.h"
#include "sim_case.h"

static struct platform *platform;

/* Loads the machine `name` into SimGrid; in a child. */
static void load_as(const char *name, enum platform_layout layout)
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

static void load(const char *name)
{
	load_as(name, PLATFORM_FLAT);
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
	load(argument);
	check(platform_has_cores(platform), "128 tiles");
	check_rate(platform_pcie_link(0, true, name), "chip.pcie_down_bandwidth",
		"chip.pcie_post_latency");
	check_rate(platform_pcie_link(0, false, name), "chip.pcie_device_write_bandwidth",
		"chip.pcie_write_visible_latency");
	check_rate(platform_ethernet_link(0, 1, name), "chip.ethernet_bandwidth",
		"chip.ethernet_latency");
	check_rate(platform_ethernet_link(1, 0, name), "chip.ethernet_bandwidth",
		"chip.ethernet_latency");
	check_equal(sg_host_core_count(sg_host_by_name(platform_server_name(0, name))),
		(int64_t)platform_real(platform, "host.sockets") *
			(int64_t)platform_real(platform, "host.cores_per_socket"));
}

static void links_have_the_rates_of_the_constants(void **state)
{
	(void)state;
	sim_case_expect(check_n300, "n300", 0, NULL);
}

static void check_hosts(const void *argument, void *result)
{
	const struct cluster_info *cluster;
	char name[PLATFORM_NAME_BYTES];
	uint64_t link_bytes_per_s;
	uint32_t cores = 0;

	(void)result;
	load(argument);
	cluster = platform_cluster(platform);
	for (uint16_t chip = 0; chip < cluster->chip_count; chip++) {
		const struct chip_geometry *geometry = cluster->chips[chip].geometry;
		check(sg_host_by_name(platform_chip_name(chip, name)), "no host %s", name);
		for (uint16_t tile = 0; tile < geometry->tile_count; tile++)
			if (geometry->tiles[tile].kind == TILE_TENSIX &&
				sg_host_by_name(platform_core_name(chip, tile, name)))
				cores++;
	}
	check_equal(sg_host_count(), 1 + cluster->chip_count + cores);
	check_equal(cores, platform_has_cores(platform) ? platform_tensix_tiles(platform) : 0);
	link_bytes_per_s = (uint64_t)platform_real(platform, "chip.ethernet_bandwidth");
	for (uint32_t i = 0; i < cluster->connection_count; i++) {
		const struct fabric_connection *connection = &cluster->connections[i];
		struct link_rate rate = platform_link_rate(
			platform_ethernet_link(connection->chip[0], connection->chip[1], name));
		check_equal(rate.bandwidth_bytes_per_s, connection->links * link_bytes_per_s);
	}
}

/* With cores in closed form: chips and their links, no tile. */
static void check_chips(const void *argument, void *result)
{
	char name[PLATFORM_NAME_BYTES];
	const struct cluster_info *cluster;

	(void)result;
	load_as(argument, PLATFORM_CHIPS);
	cluster = platform_cluster(platform);
	check_equal(sg_host_count(), 1 + cluster->chip_count);
	check_rate(platform_pcie_link(cluster->chip_count - 1, true, name),
		"chip.pcie_down_bandwidth", "chip.pcie_post_latency");
}

/* In zones: every tile with memory, a port and a link for every single Ethernet link. */
static void check_zones(const void *argument, void *result)
{
	const struct cluster_info *cluster;
	char name[PLATFORM_NAME_BYTES];
	uint32_t tiles = 0, ports = 0;

	(void)result;
	load_as(argument, PLATFORM_ZONES);
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

static void zones_hold_every_tile_and_every_ethernet_link(void **state)
{
	(void)state;
	sim_case_expect(check_zones, "galaxy", 0, NULL);
}

static void every_chip_and_core_is_a_host(void **state)
{
	static const char *const names[] = {"t3k", "tgg", "tgg-6u", "mesh-32x32"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		sim_case_expect(check_hosts, names[i], 0, NULL);
}

static void in_closed_form_only_chips_are_hosts(void **state)
{
	(void)state;
	sim_case_expect(check_chips, "tgg", 0, NULL);
}

static void send_all(int argument_count, char **arguments)
{
	sg_host_t server = sg_host_by_name("server-0"), chip = sg_host_by_name("chip-64");
	sg_host_t far = sg_host_by_name("chip-1"), core = sg_host_by_name("core-1-11");
	double times[4];

	(void)argument_count, (void)arguments;
	times[0] = simgrid_get_clock();
	sg_host_sendto(server, chip, 24900);
	times[1] = simgrid_get_clock();
	sg_host_sendto(chip, far, 12500);
	times[2] = simgrid_get_clock();
	sg_host_sendto(far, core, 3200);
	times[3] = simgrid_get_clock();
	check_equal(llround((times[1] - times[0]) * 1e12), 300000 + 1000000);
	/* Two Ethernet hops of four links each; a fluid message streams through both. */
	check_equal(llround((times[2] - times[1]) * 1e12), 2 * 530000 + 250000);
	check_equal(llround((times[3] - times[2]) * 1e12), 20000 + 100000);
}

static void check_times(const void *argument, void *result)
{
	(void)result;
	load(argument);
	sg_actor_start(sg_actor_init("main", sg_host_by_name("server-0")), send_all, 0, NULL);
	simgrid_run();
}

static void a_message_takes_the_time_that_the_constants_say(void **state)
{
	(void)state;
	sim_case_expect(check_times, "tgg", 0, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_have_the_rates_of_the_constants),
		cmocka_unit_test(zones_hold_every_tile_and_every_ethernet_link),
		cmocka_unit_test(every_chip_and_core_is_a_host),
		cmocka_unit_test(in_closed_form_only_chips_are_hosts),
		cmocka_unit_test(a_message_takes_the_time_that_the_constants_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
