/* label: full  timeout: 600
 * Compares the network `fluid` with `packet` and `ideal`. If a bulk transfer is limited by a single
 * resource, it must take the same time on `packet` and `fluid`. The main scenario must have the
 * same results on both. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#include "summary.h"

#define HEAD                                                                                       \
	"meshsim: 1\n"                                                                             \
	"name: networks\n"                                                                         \
	"sweep: {model.network: [packet, ideal, fluid]}\n"                                         \
	"model: {network: packet, noise: off}\n"

enum { PACKET, IDEAL, FLUID };

static struct summary_column networks(const char *scenario, const char *options, const char *column)
{
	struct summary_column values;

	summary_run(scenario, options);
	values = summary_column(column);
	assert_int_equal(values.runs, 3);
	return values;
}

/* Fails unless `fluid` is within `share` of `packet`; prints both. */
static void same(const char *what, const struct summary_column *values, double share)
{
	const double *at = values->values;

	print_message("%s: packet %.3f us, ideal %.3f us, fluid %.3f us\n", what, at[PACKET] * 1e-6,
		at[IDEAL] * 1e-6, at[FLUID] * 1e-6);
	if (fabs(at[FLUID] / at[PACKET] - 1) > share)
		fail_msg("%s: packet %.3f us, fluid %.3f us", what, at[PACKET] * 1e-6,
			at[FLUID] * 1e-6);
}

/* ---- a single resource limits the transfer, and takes the same time in every model ---- */

static const char buffers[] =
	HEAD "platform: n150\n"
	     "workload:\n"
	     "  - write_buffer: {buffer: b, bytes: 4194304, page_bytes: 4096, blocking: true}\n"
	     "  - read_buffer: {buffer: b, blocking: true}\n";

static void bounded(const char *what, const char *option, const char *column, double least_us)
{
	struct summary_column values = networks(buffers, option, column);

	same(what, &values, 0.1);
	if (values.values[PACKET] < least_us * 1e6)
		fail_msg("%s: %.3f us, %.3f us of it on that link", what,
			values.values[PACKET] * 1e-6, least_us);
}

TEST(bulk_over_pcie_takes_the_same_time)
{
	/* 4 MiB at 2 GB/s. */
	bounded("down",
		"--set platform.chip.pcie_down_bandwidth=2 "
		"--set platform.chip.pcie_device_read_bandwidth=2",
		"write_buffer.latency.p50", 2097);
	bounded("up", "--set platform.chip.pcie_device_write_bandwidth=2", "read_buffer.host.p50",
		2097);
}

TEST(bulk_over_the_noc_takes_the_same_time)
{
	/* 4 MiB leave a single NIU, or enter a single NIU, at 1 B/ns. */
	bounded("out of a tile", "--set platform.chip.noc_injection_rate=1",
		"write_buffer.latency.p50", 4194);
	bounded("into a tile", "--set platform.chip.noc_ejection_rate=1",
		"write_buffer.latency.p50", 4194);
}

#define TRAFFIC                                                                                    \
	HEAD "platform: t3k\n"                                                                     \
	     "runtime: {fabric: {topology: line}}\n"                                               \
	     "workload:\n"                                                                         \
	     "  - fabric_traffic: {pattern: %s, packet_bytes: 4096, packets: 600}\n"

static void traffic(const char *pattern, double share)
{
	char scenario[1024];
	struct summary_column values;

	snprintf(scenario, sizeof scenario, TRAFFIC, pattern);
	values = networks(scenario, "", "simulated");
	same(pattern, &values, share);
}

TEST(bulk_over_ethernet_takes_the_same_time)
{
	/* To the end of a line of four; the busiest link carries three flows. */
	traffic("single_sender_linear_unicast_all_devices", 0.1);
	traffic("linear_multicast", 0.1);
}

/* ---- flows that share a link ---- */

TEST(only_ideal_lets_flows_pass_each_other)
{
	char scenario[1024];
	struct summary_column values;

	snprintf(scenario, sizeof scenario, TRAFFIC, "linear_multicast");
	values = networks(scenario, "", "simulated");
	/* The busiest direction carries three flows. */
	if (values.values[IDEAL] > 0.5 * values.values[FLUID])
		fail_msg("ideal %.3f us, fluid %.3f us", values.values[IDEAL] * 1e-6,
			values.values[FLUID] * 1e-6);
}

/* ---- results of the main scenario ---- */

static const char flagship[] =
	"meshsim: 1\n"
	"name: networks\n"
	"platform: tgg\n"
	"model: {noise: off}\n"
	"measure: {warmup: 1}\n"
	"workload:\n"
	"  - repeat: 3\n"
	"    do:\n"
	"      - enqueue_workload: {cores: all, kernel_bytes: 8192, runtime_args: 32, "
	"run_ns: 20000}\n"
	"      - finish\n"
	"sweep:\n"
	"  model.network: [packet, ideal, fluid]\n"
	"  runtime.forward:\n"
	"    - {path: unicast}\n"
	"    - {path: broadcast, initiators: 1}\n"
	"    - {path: broadcast, initiators: 2}\n"
	"    - {path: broadcast, initiators: 8}\n";

enum { DESIGNS = 4 };

/* Designs that differ by more than 5 % must have the same rank in both networks. */
static void rank_alike(const char *what, const double *a, const double *b)
{
	for (int i = 0; i < DESIGNS; i++)
		for (int j = 0; j < DESIGNS; j++)
			if (a[i] < 0.95 * a[j] && b[i] > b[j])
				fail_msg(
					"%s, designs %d and %d: %.3f < %.3f us, but %.3f > %.3f us",
					what, i, j, a[i] * 1e-6, a[j] * 1e-6, b[i] * 1e-6,
					b[j] * 1e-6);
}

TEST(designs_rank_alike_in_all_networks)
{
	static const char *const columns[] = {"enqueue_workload.reach.p50",
		"enqueue_workload.latency.p50", "enqueue_workload.host.p50"};

	summary_run(flagship, "");
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		struct summary_column values = summary_column(columns[i]);
		const double *at = values.values;

		assert_int_equal(values.runs, 3 * DESIGNS);
		rank_alike("ideal", at, at + IDEAL * DESIGNS);
		rank_alike("fluid", at, at + FLUID * DESIGNS);
		for (int design = 0; design < DESIGNS; design++) {
			double share = at[FLUID * DESIGNS + design] / at[design];

			if (share < 0.9 || share > 1.1)
				fail_msg("%s of design %d: packet %.3f us, fluid %.3f us",
					columns[i], design, at[design] * 1e-6,
					at[FLUID * DESIGNS + design] * 1e-6);
		}
	}
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
