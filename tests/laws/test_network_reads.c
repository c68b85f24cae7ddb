/* label: full
 * Tests two prefetchers that read over one PCIe link. Every network must assign arriving data to
 * the read that requested them. Otherwise, a prefetcher's read would also end when data for the
 * other prefetcher arrive. */
#include "test.h"

#include <stdio.h>
#include <math.h>

#include "summary.h"

enum { PACKET, IDEAL, FLUID, NETWORKS };

/* Writes `bytes0` bytes on queue 0 and `bytes1` bytes on queue 1 of one chip, each to its own
 * buffer. If a number is 0, there is no write on this queue. */
static struct summary_column two_queues(uint32_t bytes0, uint32_t bytes1)
{
	char scenario[1024];
	int used = snprintf(scenario, sizeof scenario,
		"meshsim: 1\n"
		"name: reads\n"
		"platform: n150\n"
		"sweep: {model.network: [packet, ideal, fluid]}\n"
		"model: {noise: off}\n"
		"runtime: {command_queues: 2}\n"
		"workload:\n");
	const uint32_t bytes[] = {bytes0, bytes1};
	struct summary_column simulated;

	for (int queue = 0; queue < 2; queue++)
		if (bytes[queue] > 0)
			used += snprintf(scenario + used, sizeof scenario - (size_t)used,
				"  - write_buffer: {buffer: b%d, bytes: %u, queue: %d}\n", queue,
				bytes[queue], queue);
	snprintf(scenario + used, sizeof scenario - (size_t)used, "  - finish\n");
	summary_run(scenario, "");
	simulated = summary_column("simulated");
	assert_int_equal(simulated.runs, NETWORKS);
	return simulated;
}

/* Fails unless all networks take as long as `packet`, within a relative error of `share`. */
static void same(uint32_t bytes0, uint32_t bytes1, double share)
{
	struct summary_column simulated = two_queues(bytes0, bytes1);
	const double *at = simulated.values;

	print_message("%u and %u B: packet %.3f us, ideal %.3f us, fluid %.3f us\n", bytes0, bytes1,
		at[PACKET] * 1e-6, at[IDEAL] * 1e-6, at[FLUID] * 1e-6);
	for (int network = IDEAL; network < NETWORKS; network++)
		if (fabs(at[network] / at[PACKET] - 1) > share)
			fail_msg("%u and %u B: network %d", bytes0, bytes1, network);
}

TEST(a_long_write_on_one_queue_ends_beside_short_reads_of_the_other)
{
	/* The short reads fetch the finish of the other queue. */
	same(0, 196608, 0.01);
	same(196608, 0, 0.01);
	same(4096, 196608, 0.01);
}

TEST(writes_on_two_queues_share_the_link)
{
	same(65536, 65536, 0.05);
	same(196608, 65536, 0.05);
	same(1048576, 2048, 0.05);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
