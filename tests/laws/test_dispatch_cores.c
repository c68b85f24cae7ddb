/* label: full timeout: 300 Compares the tiles and chips on which dispatch firmware runs. With the
 * same number of cores, dispatch on Ethernet tiles must never be faster than on Tensix tiles.
 * Dispatch on chips that are reached through a neighbour must never be faster than on chips next to
 * the host. The documented costs must explain the differences. */
#include "test.h"

#include <stdio.h>

#include "summary.h"

#define HEAD                                                                                       \
	"meshsim: 1\n"                                                                             \
	"name: cores\n"                                                                            \
	"platform: n300\n"                                                                         \
	"model: {noise: off}\n"                                                                    \
	"runtime: {mesh: {shape: [1, 1]}}\n"

#define PROGRAMS                                                                                   \
	HEAD "workload:\n"                                                                         \
	     "  - repeat: 40\n"                                                                    \
	     "    do:\n"                                                                           \
	     "      - enqueue_workload: {cores: [8, 7], processors: all, kernel_bytes: 256, "      \
	     "runtime_args: 1, run_ns: 0}\n"                                                       \
	     "  - finish\n"

#define TRACED                                                                                     \
	HEAD "workload:\n"                                                                         \
	     "  - trace: 40\n"                                                                     \
	     "    do:\n"                                                                           \
	     "      - enqueue_workload: {cores: [8, 7], processors: all, kernel_bytes: 256, "      \
	     "runtime_args: 1, run_ns: 0}\n"                                                       \
	     "  - finish\n"

#define BUFFERS                                                                                    \
	HEAD "workload:\n"                                                                         \
	     "  - write_buffer: {bytes: 4194304, page_bytes: 1024}\n"                              \
	     "  - finish\n"                                                                        \
	     "  - read_buffer: {blocking: true}\n"

static const char programs[] =
	PROGRAMS "sweep:\n"
		 "  workload.0.do.0.enqueue_workload.runtime_args: [1, 128]\n"
		 "  workload.0.do.0.enqueue_workload.kernel_bytes: [256, "
		 "8192]\n"
		 "  runtime.dispatch_cores: [worker, ethernet]\n";
static const char traced[] = TRACED "sweep:\n"
				    "  workload.0.do.0.enqueue_workload.runtime_args: [1, 128]\n"
				    "  workload.0.do.0.enqueue_workload.kernel_groups: [1, 8]\n"
				    "  runtime.dispatch_cores: [worker, ethernet]\n";
static const char remote_traced[] =
	TRACED "sweep:\n"
	       "  workload.0.do.0.enqueue_workload.runtime_args: [1, 128]\n"
	       "  runtime.mesh.offset: [[0, 0], [0, 1]]\n";
static const char buffers[] = BUFFERS "sweep:\n"
				      "  workload.0.write_buffer.page_bytes: [64, 1024, 4096]\n"
				      "  runtime.dispatch_cores: [worker, ethernet]\n";
static const char remote_programs[] =
	PROGRAMS "sweep:\n"
		 "  workload.0.do.0.enqueue_workload.runtime_args: [1, 128]\n"
		 "  runtime.dispatch_cores: [worker, ethernet]\n"
		 "  runtime.mesh.offset: [[0, 0], [0, 1]]\n";
static const char remote_buffers[] = BUFFERS "sweep:\n"
					     "  workload.0.write_buffer.memory: [dram, l1]\n"
					     "  workload.0.write_buffer.page_bytes: [64, 1024, "
					     "4096]\n"
					     "  runtime.mesh.offset: [[0, 0], [0, 1]]\n";

/* Checks pairs of runs: the first run of each pair must be at most 1 % slower than the second.
 * There are two reasons why it may be a little slower. First, its dispatch tiles are in other
 * places, so messages may need additional hops. Second, on a chip with PCIe, the dispatcher writes
 * over PCIe, so the prefetcher waits before it sends a half of its scratch (firmware.relay_turn).
 * Reads of small pages may take half a percent longer there. */
static void pairs_are_in_order(const char *scenario, const char *options, const char *what)
{
	struct summary_column time;

	summary_run(scenario, options);
	time = summary_column("simulated");
	for (uint32_t i = 0; i < time.runs; i += 2)
		if (time.values[i] > 1.01 * time.values[i + 1])
			fail_msg("%s, pair %u: %.3f us and %.3f us", what, i / 2,
				time.values[i] * 1e-6, time.values[i + 1] * 1e-6);
}

TEST(dispatch_on_ethernet_tiles_is_never_faster)
{
	pairs_are_in_order(programs, "", "programs");
	pairs_are_in_order(traced, "", "traced programs");
	pairs_are_in_order(buffers, "", "buffers");
}

TEST(a_chip_behind_its_neighbour_is_never_faster)
{
	pairs_are_in_order(remote_programs, "", "programs");
	pairs_are_in_order(remote_traced, "", "traced programs");
	pairs_are_in_order(remote_buffers, "", "buffers");
}

/* A finish on an idle device: its two hops, there and back, are not hidden by other work. */
TEST(a_remote_finish_takes_two_ways_over_the_link)
{
	static const char scenario[] = HEAD "workload:\n"
					    "  - write_buffer: {bytes: 64, page_bytes: 64}\n"
					    "  - finish\n"
					    "  - finish\n"
					    "sweep: {runtime.mesh.offset: [[0, 0], [0, 1]]}\n";
	struct summary_column near_and_far;
	double added_ns, without_ns;

	summary_run(scenario, "");
	near_and_far = summary_column("finish.latency.p50");
	added_ns = (near_and_far.values[1] - near_and_far.values[0]) * 1e-3;
	if (added_ns < 2 * 530 || added_ns > 4 * 1000)
		fail_msg("%.0f ns more for a remote finish, 1060 to 4000 expected", added_ns);
	summary_run(scenario, "--set platform.chip.ethernet_latency=0");
	near_and_far = summary_column("finish.latency.p50");
	without_ns = (near_and_far.values[1] - near_and_far.values[0]) * 1e-3;
	if (without_ns < added_ns - 2 * 530 - 20 || without_ns > added_ns - 2 * 530 + 20)
		fail_msg("%.0f ns without the way over Ethernet, %.0f with it: twice 530 ns "
			 "expected",
			without_ns, added_ns);
}

static void run_twice(const char *scenario, const char *options, struct summary_column *time,
	struct summary_column *slower)
{
	summary_run(scenario, "");
	*time = summary_column("simulated");
	summary_run(scenario, options);
	*slower = summary_column("simulated");
}

/* The tunnel is bounded by packets, not only by bytes: a slower router processor shows. */
TEST(the_tunnel_bounds_remote_transfers)
{
	struct summary_column time, slower;

	run_twice(remote_buffers, "--set platform.chip.ethernet_bandwidth=3", &time, &slower);
	for (uint32_t i = 0; i < time.runs; i += 2) {
		if (slower.values[i] != time.values[i])
			fail_msg("pair %u: %.3f us beside the host with a slow tunnel, %.3f us "
				 "without",
				i / 2, slower.values[i] * 1e-6, time.values[i] * 1e-6);
		/* 8 MiB there and back at 3 GB/s */
		if (slower.values[i + 1] < 8388608 / 3.0 * 1e3)
			fail_msg("pair %u: %.3f us over a tunnel of 3 GB/s", i / 2,
				slower.values[i + 1] * 1e-6);
	}
}

TEST(a_slower_processor_slows_dispatch)
{
	struct summary_column time, slower;

	run_twice(programs, "--set platform.firmware.ethernet_slowdown=3", &time, &slower);
	for (uint32_t i = 0; i < time.runs; i += 2) {
		if (slower.values[i] != time.values[i])
			fail_msg("pair %u: Tensix tiles were slowed down", i / 2);
		if (slower.values[i + 1] <= time.values[i + 1])
			fail_msg("pair %u: %.3f us on slow Ethernet tiles, %.3f us before", i / 2,
				slower.values[i + 1] * 1e-6, time.values[i + 1] * 1e-6);
	}
}

/* 8x8 workers; the results of all of them are compared with the expected ones. */
TEST(programs_get_the_freed_row)
{
	static const char scenario[] =
		HEAD "measure: {verify_cores: 128}\n"
		     "workload:\n"
		     "  - repeat: 5\n"
		     "    do:\n"
		     "      - enqueue_workload: {cores: 64, processors: all, runtime_args: 7}\n"
		     "  - finish\n"
		     "sweep:\n"
		     "  runtime.mesh: [{shape: [1, 1]}, {shape: [1, 1], offset: [0, 1]}, "
		     "{shape: [1, 2]}]\n";

	summary_run(scenario, "--set runtime.dispatch_cores=ethernet");
	assert_int_equal(summary_column("simulated").runs, 3);
	summary_run(scenario, "--set runtime.dispatch_cores=ethernet --world native");
}

/* Multicasts do not reach Ethernet tiles, so each additional Ethernet core needs its own message,
 * its own binary and its own go. */
TEST(ethernet_cores_are_reached_one_by_one)
{
	static const char scenario[] =
		HEAD "measure: {verify_cores: 100}\n"
		     "workload:\n"
		     "  - repeat: 20\n"
		     "    do:\n"
		     "      - enqueue_workload: {processors: ethernet, kernel_bytes: 16384, "
		     "runtime_args: 3, run_ns: 0}\n"
		     "  - finish\n"
		     "sweep:\n"
		     "  workload.0.do.0.enqueue_workload.ethernet_cores: [1, 4, 7, 10, 13]\n";
	struct summary_column time;
	double first;

	summary_run(scenario, "");
	time = summary_column("simulated");
	assert_int_equal(time.runs, 5);
	first = time.values[2] - time.values[1]; /* the host hides the very first cores */
	for (uint32_t i = 2; i < 4; i++) {
		double more = time.values[i + 1] - time.values[i];

		if (more < 0.8 * first || more > 1.2 * first)
			fail_msg("3 cores more cost %.3f us, then %.3f us", first * 1e-6,
				more * 1e-6);
	}
	/* in each of 20 rounds, each of the 3 cores needs a go signal and at least three writes, of
	 * 20 to 60 cycles each */
	if (first < 20 * 3 * 150e3)
		fail_msg("3 cores more cost %.3f us only", first * 1e-6);
	summary_run(scenario, "--world native");
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
