/* label: full  timeout: 600
 * Tests the results of the flagship scenarios. In every comparison, the documented design must be
 * faster. The documentation names a mechanism as the cause; if this mechanism is removed (and not
 * only scaled), the difference must disappear. Noise is off, so that no result depends on chance.
 */
#include "test.h"

#include <stdio.h>

#include "summary.h"

#define HEAD                                                                                       \
	"meshsim: 1\n"                                                                             \
	"name: flagship\n"                                                                         \
	"model: {noise: off}\n"                                                                    \
	"measure: {warmup: 2}\n"                                                                   \
	"workload:\n"                                                                              \
	"  - repeat: 6\n"                                                                          \
	"    do:\n"                                                                                \
	"      - enqueue_workload: {cores: all, kernel_bytes: 8192, runtime_args: 32, "            \
	"run_ns: 20000}\n"                                                                         \
	"      - finish: {queue: 0}\n"

static const char growing[] = HEAD "platform: tgg\n"
				   "sweep:\n"
				   "  runtime.forward.path: [unicast, broadcast]\n"
				   "  runtime.mesh.shape: [[1, 1], [2, 2], [4, 4], [8, 8]]\n";

static const char grids[] = HEAD "platform: tgg\n"
				 "runtime: {forward: {path: broadcast}}\n"
				 "sweep: {runtime.forward.initiators: [1, 2, 4, 8]}\n";

static const char threads[] = HEAD "platform: {extends: tgg, host: {cores_per_socket: 8}}\n"
				   "runtime: {command_queues: 2}\n"
				   "sweep:\n"
				   "  runtime:\n"
				   "    - {completion: per-device, host: {threads: per-device}}\n"
				   "    - {completion: table, host: {threads: pool, count: 2}}\n";

static const char completions[] = HEAD "platform: tgg\n"
				       "runtime: {forward: {path: broadcast}}\n"
				       "sweep: {runtime.completion: [per-device, table]}\n";

/* Fails unless low < high; prints both. */
static void less(const char *what, double low, double high)
{
	if (!(low < high))
		fail_msg("%s: %.3f us is not below %.3f us", what, low * 1e-6, high * 1e-6);
}

TEST(unicast_costs_the_host_by_the_device_and_broadcast_does_not)
{
	struct summary_column host;
	const double *unicast, *broadcast;
	double growth;

	summary_run(growing, "");
	host = summary_column("enqueue_workload.host.p50");
	assert_int_equal(host.runs, 8);
	unicast = host.values;
	broadcast = host.values + 4;
	for (int i = 0; i < 3; i++)
		less("unicast to more devices", unicast[i], unicast[i + 1]);
	/* The columns have 1, 4, 16 and 64 devices. From 16 to 64 devices, the time must grow by
	 * about as much per added device as from 1 to 4. */
	less("unicast by the device, at least", 0.7 * (unicast[1] - unicast[0]) / 3,
		(unicast[3] - unicast[2]) / 48);
	less("unicast by the device, at most", (unicast[3] - unicast[2]) / 48,
		1.4 * (unicast[1] - unicast[0]) / 3);
	less("broadcast from a gateway to 64 devices, and to 4", broadcast[3], 1.05 * broadcast[1]);
	growth = unicast[3] - unicast[0];
	/* Without the costs per device, nothing grows. */
	summary_run(growing,
		"--set platform.host.work.reserve.cost=0 --set platform.host.work.doorbell.cost=0 "
		"--set platform.host.write_combining_drain=0 "
		"--set platform.host.copy.cached.pinned.bandwidth=1000000 "
		"--set platform.host.copy.cached.pinned.traffic=0");
	host = summary_column("enqueue_workload.host.p50");
	less("what 63 more devices cost without that, and a sixth of it",
		host.values[3] - host.values[0], growth / 6);
}

TEST(several_initiators_reach_the_last_chip_sooner_and_cost_more)
{
	struct summary_column reach, host;

	summary_run(grids, "");
	reach = summary_column("enqueue_workload.reach.p50");
	host = summary_column("enqueue_workload.host.p50");
	less("last chip with 2 initiators, and with 1", reach.values[1], reach.values[0]);
	less("last chip with 4 initiators, and with 1", reach.values[2], reach.values[0]);
	for (int i = 0; i < 3; i++)
		less("host with fewer initiators, and with more", host.values[i],
			host.values[i + 1]);
	/* With several initiators, the last chip is reached sooner, because the path to it is
	 * shorter. If hops take no time, only the work of the host counts, and it takes longer with
	 * more initiators. */
	summary_run(grids, "--set platform.chip.ethernet_latency=0 "
			   "--set platform.chip.router_send_latency=0 "
			   "--set platform.chip.router_receive_latency=0 "
			   "--set platform.chip.router_forward_latency=0 "
			   "--set platform.chip.router_handover=0 "
			   "--set platform.chip.router_handover_overlap=0 "
			   "--set platform.chip.router_part=0 "
			   "--set platform.chip.router_handover_2d=0 "
			   "--set platform.chip.router_send=0 "
			   "--set platform.chip.router_2d_send=0 "
			   "--set platform.chip.router_receive=0 "
			   "--set platform.chip.router_2d_receive=0 "
			   "--set platform.chip.router_2d_latency=0");
	reach = summary_column("enqueue_workload.reach.p50");
	/* Each of several packetizers checks the credits of fewer receivers, which is worth 1 %. */
	less("last chip with 1 initiator, and with 4, without way", 0.98 * reach.values[0],
		reach.values[2]);
}

TEST(many_threads_lose_to_a_pool_by_switches_and_wake_ups)
{
	struct summary_column latency, switches, wakeups, count;
	double margin;

	/* Each device's thread creates its own operation; this cost is not under test here. */
	summary_run(threads, "--set platform.host.work.create_operation.cost=0");
	latency = summary_column("enqueue_workload.latency.p50");
	switches = summary_column("switches");
	wakeups = summary_column("wakeups");
	count = summary_column("host_threads");
	assert_int_equal(count.values[0], 193); /* 192 and the caller's own */
	less("a pool, and 192 threads on 16 cores", latency.values[1], latency.values[0]);
	assert_true(switches.values[0] > 10 * switches.values[1]);
	assert_true(wakeups.values[0] > 3 * wakeups.values[1]);
	margin = latency.values[0] - latency.values[1];
	summary_run(threads, "--set platform.host.work.create_operation.cost=0 "
			     "--set platform.host.switch=0 --set platform.host.wake_call=0 --set "
			     "platform.host.wake_queued=0 "
			     "--set platform.host.wake_hot=0 --set platform.host.wake_idle=0");
	latency = summary_column("enqueue_workload.latency.p50");
	less("what is left without switches and wake-ups, and a fifth of it",
		latency.values[0] - latency.values[1], margin / 5);
}

TEST(a_table_is_seen_sooner_than_a_queue_per_device)
{
	struct summary_column latency, wakeups;

	summary_run(completions, "");
	latency = summary_column("finish.latency.p50");
	wakeups = summary_column("wakeups");
	less("finish with a table, and with readers", latency.values[1], latency.values[0]);
	assert_true(wakeups.values[0] >= 64 * 6 && wakeups.values[1] == 0);
	/* Readers that spin on their own cores are as fast. */
	summary_run(completions, "--set runtime.host.reader_wait=spin "
				 "--set platform.host.switch=0 --set platform.host.wake_call=0 "
				 "--set platform.host.wake_queued=0 "
				 "--set platform.host.wake_hot=0 --set platform.host.wake_idle=0");
	latency = summary_column("finish.latency.p50");
	less("finish with readers, and with a table, without wake-ups", latency.values[0],
		1.1 * latency.values[1]);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
