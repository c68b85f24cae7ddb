/* label: full
 * Tests fabric traffic and pings in every model of the network. On each chip they must start only
 * after the host's call, when the host's start word has reached the chip. A word reaches chips
 * behind a gateway later than chips with PCIe. */
#include "test.h"

#include <stdio.h>

#include "summary.h"

/* In this scenario, the host builds commands and starts the traffic directly afterwards. At this
 * moment, the simulated time for building the commands has not passed yet. */
#define SCENARIO                                                                                   \
	"meshsim: 1\n"                                                                             \
	"name: start\n"                                                                            \
	"platform: %s\n"                                                                           \
	"sweep: {model.network: [packet, ideal, fluid]}\n"                                         \
	"model: {noise: none}\n"                                                                   \
	"runtime: {mesh: {shape: [2, 2]}}\n"                                                       \
	"workload:\n"                                                                              \
	"  - repeat: 4\n"                                                                          \
	"    do:\n"                                                                                \
	"      - enqueue_workload: {run_ns: 1000}\n"                                               \
	"      - record_event: {event: e}\n"                                                       \
	"      - fabric_traffic: {pattern: mesh_multicast, packets: 20, warmup: 1}\n"

static double least(const char *name)
{
	struct summary_column column = summary_column(name);
	double value = column.values[0];

	for (uint32_t i = 1; i < column.runs; i++)
		value = column.values[i] < value ? column.values[i] : value;
	print_message("%s %.3f us\n", name, value * 1e-6);
	return value;
}

static void run_on(const char *platform)
{
	char scenario[1024];

	snprintf(scenario, sizeof scenario, SCENARIO, platform);
	summary_run(scenario, "");
}

TEST(traffic_starts_after_its_call_and_has_all_its_figures)
{
	run_on("t3k");
	assert_true(least("fabric_traffic.reach.p50") > 0);
	assert_true(least("fabric_traffic.reach.max") > 0);
	assert_true(least("fabric_traffic.done.p50") > least("fabric_traffic.reach.p50"));
	assert_true(least("fabric_traffic.latency.p50") >= least("fabric_traffic.done.p50"));
}

TEST(traffic_starts_later_on_chips_behind_a_gateway)
{
	double with_pcie;

	run_on("tgg-6u");
	with_pcie = least("fabric_traffic.reach.p50");
	run_on("tgg");
	assert_true(least("fabric_traffic.reach.p50") > with_pcie);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
