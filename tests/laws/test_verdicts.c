/* label: full  timeout: 300
 * Tests the verdicts of the flagship scenarios: which design is better, and which mechanism is the
 * cause. If the mechanism is removed from the model, the difference must disappear, or the other
 * design must be better. Noise is off. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "shell.h"

static const char scenario[] =
	"meshsim: 1\n"
	"name: verdict\n"
	"platform: tgg\n"
	"runtime: {command_queues: 1, completion: table, host: {threads: main}}\n"
	"workload:\n"
	"  - repeat: 6\n"
	"    do:\n"
	"      - enqueue_workload: {program: p, cores: all, kernel_bytes: 8192, runtime_args: 32,"
	" run_ns: 2000}\n"
	"      - finish: {}\n"
	"model: {noise: off}\n"
	"measure: {warmup: 2}\n";

static int write_scenario(void **state)
{
	char path[sizeof shell_folder + 16];
	FILE *file;

	if (shell_folder_make(state) != 0)
		return -1;
	snprintf(path, sizeof path, "%s/s.yaml", shell_folder);
	file = fopen(path, "w");
	if (file == NULL)
		return -1;
	fputs(scenario, file);
	return fclose(file);
}

/* Returns a figure of the only run with these options: a path below "runs.0" of its JSON. */
static double figure(const char *options, const char *path)
{
	static char json[TREE_BYTES_MAX];
	struct diag *diag = diag_new();
	const struct tree_node *node;
	char full[128];
	struct tree *tree;
	double value = 0;
	size_t length;
	FILE *pipe;

	pipe = shell_open("cd '%s' && \"$MESHSIM_BINARY\" run s.yaml -o s.h5 --json %s",
		shell_folder, options);
	assert_non_null(pipe);
	length = fread(json, 1, sizeof json, pipe);
	if (pclose(pipe) != 0)
		fail_msg("a run with '%s' failed", options);
	tree = tree_read_text("json", json, length, diag);
	assert_non_null(tree);
	snprintf(full, sizeof full, "runs.0.%s", path);
	node = tree_find(tree_root(tree), full);
	if (node == NULL || tree_real(node, &value) != STATUS_OK)
		fail_msg("'%s' gives no %s", options, full);
	tree_free(tree);
	diag_free(diag);
	return value;
}

#define HOST_COST   "operations.enqueue_workload.host.p50"
#define REACH	    "operations.enqueue_workload.reach.p50"
#define LATENCY	    "operations.enqueue_workload.latency.p50"
#define UNICAST	    "--set runtime.forward.path=unicast "
#define BROADCAST   "--set runtime.forward.path=broadcast "
#define SMALL_MESH  "--set 'runtime.mesh.shape=[2, 8]' "
#define INITIATORS4 "--set runtime.forward.initiators=4 "

/* Work that the host does once per device instead of once per mesh. */
#define NO_WORK_PER_DEVICE                                                                         \
	"--set platform.host.work.reserve.cost=0 --set platform.host.work.doorbell.cost=0 "        \
	"--set platform.host.work.build_command.cost=0 --set "                                     \
	"platform.host.work.build_bytes.cost=0 "                                                   \
	"--set platform.host.write_combining_drain=0 --set platform.host.memory_bandwidth=100000 " \
	"--set platform.host.copy.cached.pinned.bandwidth=100000 "

TEST(unicast_cost_grows_with_devices_and_broadcast_cost_does_not)
{
	double unicast16 = figure(UNICAST SMALL_MESH, HOST_COST);
	double unicast64 = figure(UNICAST, HOST_COST);
	double broadcast16 = figure(BROADCAST SMALL_MESH, HOST_COST);
	double broadcast64 = figure(BROADCAST, HOST_COST);

	if (unicast64 < 2 * unicast16)
		fail_msg("unicast: %.0f ps for 16 devices, %.0f for 64", unicast16, unicast64);
	if (broadcast64 > 1.02 * broadcast16)
		fail_msg(
			"broadcast: %.0f ps for 16 devices, %.0f for 64", broadcast16, broadcast64);
	if (unicast64 < 2 * broadcast64)
		fail_msg("64 devices: unicast %.0f ps, broadcast %.0f", unicast64, broadcast64);
}

TEST(without_work_per_device_unicast_costs_no_more)
{
	double unicast = figure(UNICAST NO_WORK_PER_DEVICE, HOST_COST);
	double broadcast = figure(BROADCAST NO_WORK_PER_DEVICE, HOST_COST);

	if (unicast > 1.1 * broadcast)
		fail_msg("still %.0f ps against %.0f", unicast, broadcast);
}

TEST(several_initiators_are_sooner_and_cost_the_host_more)
{
	double reach1 = figure(BROADCAST, REACH), reach4 = figure(BROADCAST INITIATORS4, REACH);
	double host1 = figure(BROADCAST, HOST_COST),
	       host4 = figure(BROADCAST INITIATORS4, HOST_COST);

	if (reach4 - host4 >= reach1 - host1)
		fail_msg("behind the host's part: %.0f ps with 4, %.0f with 1", reach4 - host4,
			reach1 - host1);
	if (host4 < 1.1 * host1)
		fail_msg("host: %.0f ps with 4 initiators, %.0f with 1", host4, host1);
}

/* Several initiators gain by fewer hops; if hops are free, only their cost is left. */
#define FREE_HOPS                                                                                  \
	"--set platform.chip.ethernet_latency=0 --set platform.chip.router_send_latency=0 "        \
	"--set platform.chip.router_receive_latency=0 "                                            \
	"--set platform.chip.router_forward_latency=0 --set platform.chip.router_2d_latency=0 "    \
	"--set platform.chip.router_send=0 --set platform.chip.router_receive=0 "                  \
	"--set platform.chip.router_forward=0 --set platform.chip.router_deliver=0 "               \
	"--set platform.chip.router_2d_send=0 --set platform.chip.router_2d_receive=0 "            \
	"--set platform.chip.router_handover=0 --set platform.chip.router_handover_2d=0 "          \
	"--set platform.chip.router_handover_overlap=0 --set platform.chip.router_part=0 "

TEST(with_free_hops_several_initiators_only_cost)
{
	double reach1 = figure(BROADCAST FREE_HOPS, REACH);
	double reach4 = figure(BROADCAST INITIATORS4 FREE_HOPS, REACH);

	/* Each of several packetizers checks the credits of fewer receivers, which is worth 1 %. */
	if (reach4 < 0.98 * reach1)
		fail_msg("still sooner: %.0f ps with 4, %.0f with 1", reach4, reach1);
}

#define HOST16 UNICAST "--set platform.host.cores_per_socket=8 "
#define THREADS192                                                                                 \
	"--set runtime.command_queues=2 --set runtime.completion=per-device "                      \
	"--set runtime.host.threads=per-device "
#define POOL "--set runtime.host.threads=pool --set runtime.host.count=2 "
#define FREE_SWITCHES                                                                              \
	"--set platform.host.switch=0 --set platform.host.wake_hot=0 "                             \
	"--set platform.host.wake_idle=0 --set platform.host.wake_call=0 --set "                   \
	"platform.host.wake_queued=0 "

TEST(threads192_on_16_cores_lose_to_a_pool_by_switches_and_wakeups)
{
	double threads = figure(HOST16 THREADS192, LATENCY), pool = figure(HOST16 POOL, LATENCY);
	double threads_free = figure(HOST16 THREADS192 FREE_SWITCHES, LATENCY);
	double pool_free = figure(HOST16 POOL FREE_SWITCHES, LATENCY);
	double count = figure(HOST16 THREADS192, "host_threads");
	double switches = figure(HOST16 THREADS192, "switches");
	double pool_switches = figure(HOST16 POOL, "switches");

	if (count < 192)
		fail_msg("%.0f threads", count);
	if (threads < 1.2 * pool)
		fail_msg("192 threads %.0f ps, pool %.0f", threads, pool);
	if (switches < 10 * pool_switches)
		fail_msg("switches: 192 threads %.0f, pool %.0f", switches, pool_switches);
	if (threads_free - pool_free > 0.5 * (threads - pool))
		fail_msg("the margin %.0f ps is %.0f with free switches and wake-ups",
			threads - pool, threads_free - pool_free);
}

#define FINISHED   "operations.finish.latency.p50"
#define AGGREGATOR "--set runtime.completion=aggregator "
#define FREE_AGGREGATION                                                                           \
	"--set platform.firmware.aggregator_take=0 --set platform.firmware.aggregator_open=0 "     \
	"--set platform.firmware.aggregator_notify=0 --set platform.firmware.gate_announce=0 "

/* With an aggregator, an operation takes longer for two reasons: the work of the aggregator, and
 * the hops of the events from the other gateways to its gateway. */
TEST(an_aggregator_loses_to_the_table_by_hops_and_its_own_work)
{
	double table = figure(BROADCAST, FINISHED),
	       gathered = figure(BROADCAST AGGREGATOR, FINISHED);
	double table_free = figure(BROADCAST FREE_HOPS FREE_AGGREGATION, FINISHED);
	double gathered_free = figure(BROADCAST AGGREGATOR FREE_HOPS FREE_AGGREGATION, FINISHED);

	if (gathered < 1.05 * table)
		fail_msg("aggregator %.0f ps, table %.0f", gathered, table);
	if (gathered_free - table_free > 0.25 * (gathered - table))
		fail_msg("the margin %.0f ps is %.0f without hops and work", gathered - table,
			gathered_free - table_free);
}

TEST_MAIN(write_scenario, shell_folder_remove)
