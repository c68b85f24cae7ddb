/* label: full  timeout: 300  needs: simgrid
 * Tests that model.cores: chip gives the same results as model.cores: each, to the picosecond, with
 * fewer events. Scenarios that cannot use `chip` are rejected, with the place in the file. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_print.h"
#include "shell.h"

/* In this scenario, programs run on all cores or on some of them, as pipelines, with common and
 * unique arguments, and from two queues. Buffers are written and read while kernels run, so
 * acknowledgements of cores are not the only words that dispatchers receive. */
static const char scenario[] =
	"meshsim: 1\n"
	"name: cores\n"
	"platform: tgg\n"
	"runtime: {mesh: {shape: [2, 2]}, command_queues: 2, forward: {path: broadcast},\n"
	"          host: {threads: pool, count: 2}}\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 65536}\n"
	"  - repeat: 5\n"
	"    do:\n"
	"      - enqueue_workload: {program: wide, cores: all, kernel_bytes: 4096, "
	"runtime_args: 12, run_ns: 3000}\n"
	"      - write_buffer: {buffer: b, bytes: 16384, memory: l1}\n"
	"      - enqueue_workload: {program: few, cores: 5, common_runtime_args: 7, "
	"processors: all, pages: 9, circular_buffers: 2, run_ns: 400}\n"
	"      - enqueue_workload: {program: part, cores: [3, 4], runtime_args: 3, "
	"devices: {offset: [0, 1], shape: [2, 1]}, run_ns: 100}\n"
	"      - read_buffer: {buffer: a, blocking: true}\n"
	"      - record_event: {event: e, to_host: true}\n"
	"      - wait_event: {event: e, queue: 1}\n"
	"      - enqueue_workload: {program: other, cores: all, semaphores: 2, queue: 1, "
	"run_ns: 2000}\n"
	"      - finish: {queue: 1}\n"
	"model: {cores: each}\n";

/* Kernels end before the farthest core has received its go. */
static const char short_kernels[] =
	"meshsim: 1\n"
	"name: short\n"
	"platform: n150\n"
	"workload:\n"
	"  - enqueue_workload: {cores: all, kernel_bytes: 64, run_ns: 0}\n"
	"model:\n"
	"  cores: chip\n";

/* While kernels of one queue run, the other queue reads the L1 of their cores. */
static const char reads_beside_kernels[] =
	"meshsim: 1\n"
	"name: reads\n"
	"platform: n150\n"
	"runtime: {command_queues: 2}\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 65536, memory: l1, blocking: true}\n"
	"  - enqueue_workload: {run_ns: 4000, queue: 1}\n"
	"  - read_buffer: {buffer: a, blocking: true}\n"
	"model: {cores: each}\n";

/* Like reads_beside_kernels, but with many launches and several reads. */
static const char reads_beside_kernels_in_step[] =
	"meshsim: 1\n"
	"name: reads\n"
	"platform: n150\n"
	"runtime: {command_queues: 2}\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 65536, memory: l1, blocking: true}\n"
	"  - repeat: 4\n"
	"    do:\n"
	"      - repeat: 3\n"
	"        do:\n"
	"          - enqueue_workload: {runtime_args: 3, run_ns: 40000, queue: 1}\n"
	"          - finish: {queue: 1}\n"
	"      - enqueue_workload: {runtime_args: 3, run_ns: 40000, queue: 1}\n"
	"      - enqueue_workload: {runtime_args: 3, run_ns: 40000, queue: 1}\n"
	"      - repeat: 4\n"
	"        do:\n"
	"          - read_buffer: {buffer: a, blocking: true}\n"
	"      - finish: {queue: 1}\n"
	"model: {cores: each}\n";

/* The endpoints of a ping send from the first core of each chip, where programs run too. */
static const char pings_beside_kernels[] = "meshsim: 1\n"
					   "name: pings\n"
					   "platform: n300\n"
					   "runtime: {command_queues: 2}\n"
					   "workload:\n"
					   "  - enqueue_workload: {run_ns: 40000, queue: 1}\n"
					   "  - enqueue_workload: {run_ns: 4000}\n"
					   "  - fabric_ping: {payload_bytes: 64, samples: 20}\n"
					   "  - enqueue_workload: {run_ns: 4000}\n"
					   "  - fabric_ping: {samples: 20, op: fused_atomic_inc}\n"
					   "model: {cores: each}\n";

/* In this scenario, the data of a PCIe read arrive in the same picosecond in which the prefetcher
 * ends a step. This happens with and without running kernels. */
static const char reads_at_the_end_of_a_step[] =
	"meshsim: 1\n"
	"name: ties\n"
	"platform: n150\n"
	"workload:\n"
	"  - trace: 2\n"
	"    replays: 3\n"
	"    do:\n"
	"      - enqueue_workload: {program: first, run_ns: 1}\n"
	"      - enqueue_workload: {program: second, cores: 3, processors: trisc1, "
	"kernel_bytes: 96, runtime_args: 34, common_runtime_args: 9, semaphores: 3, run_ns: 300, "
	"pages: 20}\n"
	"      - enqueue_workload: {program: third, processors: brisc, kernel_bytes: 16, "
	"runtime_args: 58, common_runtime_args: 8, semaphores: 2, run_ns: 1}\n"
	"  - finish\n"
	"model: {cores: each, noise: off}\n";

/* In this scenario, all cores of a chip always do the same: programs on all cores run again and
 * again, often without a finish between two of them. Sometimes, the L1 of the cores is written or
 * read. */
static const char in_step[] =
	"meshsim: 1\n"
	"name: step\n"
	"platform: tgg\n"
	"runtime: {mesh: {shape: [1, 2]}, command_queues: 1, forward: {path: broadcast}}\n"
	"workload:\n"
	"  - write_buffer: {buffer: a, bytes: 65536, memory: l1}\n"
	"  - repeat: 3\n"
	"    do:\n"
	"      - repeat: 6\n"
	"        do:\n"
	"          - enqueue_workload: {program: wide, cores: all, kernel_bytes: 4096, "
	"runtime_args: 12, common_runtime_args: 5, run_ns: 9000}\n"
	"          - finish\n"
	"      - repeat: 4\n"
	"        do:\n"
	"          - enqueue_workload: {program: wide, cores: all, kernel_bytes: 4096, "
	"runtime_args: 12, common_runtime_args: 5, run_ns: 9000}\n"
	"          - enqueue_workload: {program: other, cores: all, common_runtime_args: 3, "
	"run_ns: 5000}\n"
	"          - enqueue_workload: {program: plain, cores: all, run_ns: 7000}\n"
	"      - read_buffer: {buffer: a, blocking: true}\n"
	"      - write_buffer: {buffer: b, bytes: 16384, memory: l1}\n"
	"      - enqueue_workload: {program: few, cores: 5, runtime_args: 3, run_ns: 900}\n"
	"      - finish\n"
	"model: {cores: each}\n";

static void write_file(const char *name, const char *text)
{
	char path[sizeof shell_folder + 32];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", shell_folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Runs `meshsim run` with options and returns its exit code. Standard error goes to a file. */
static int run(const char *name, const char *out, const char *options)
{
	return shell("cd '%s' && \"$MESHSIM_BINARY\" run %s -o %s %s >/dev/null 2>stderr",
		shell_folder, name, out, options);
}

static const char *path_of(const char *out)
{
	static char path[sizeof shell_folder + 32];

	snprintf(path, sizeof path, "%s/%s", shell_folder, out);
	return path;
}

static uint64_t print_of(const char *out, const char *const *but)
{
	return run_print_but(path_of(out), but);
}

/* Checks that both values of model.cores give equal results. Only the number of events and what is
 * recorded about paths may differ: with `chip`, all steps of a pipeline are one event. */
static void equal(const char *yaml, const char *options)
{
	static const char *const events[] = {"events", "cores", "paths", "stages", "charges", NULL};
	char with[512];
	uint64_t each, chip, operations;

	write_file("cores.yaml", yaml);
	assert_int_equal(run("cores.yaml", "each.h5", options), 0);
	snprintf(with, sizeof with, "%s --set model.cores=chip", options);
	assert_int_equal(run("cores.yaml", "chip.h5", with), 0);
	each = print_of("each.h5", events);
	chip = print_of("chip.h5", events);
	operations = run_print_operations(path_of("each.h5"));
	assert_int_not_equal(each, 0);
	assert_int_not_equal(operations, 0);
	if (each != chip || operations != run_print_operations(path_of("chip.h5")))
		fail_msg("'%s': other figures", options);
	assert_int_not_equal(print_of("each.h5", NULL), print_of("chip.h5", NULL));
}

TEST(figures_are_those_of_each_core)
{
	equal(scenario, "");
	equal(scenario, "--set model.noise=off");
	equal(scenario,
		"--seed 7 --set runtime.forward.path=unicast --set runtime.completion=per-device");
	equal(scenario, "--set model.network=ideal");
	equal(scenario, "--set model.noc=links");
	equal(scenario, "--set platform=n150 --set runtime.mesh.shape=[1,1] "
			"--set runtime.forward.path=unicast "
			"--set workload.1.do.3.enqueue_workload.devices={shape:\\ [1,\\ 1]}");
}

TEST(figures_are_those_of_each_core_in_step)
{
	equal(in_step, "");
	equal(in_step, "--set model.noise=off");
	equal(in_step, "--set runtime.forward.path=unicast");
	equal(in_step, "--set model.network=ideal");
	equal(in_step, "--set runtime.forward.go=all");
}

TEST(figures_are_those_of_each_core_beside_reads_of_their_l1)
{
	equal(reads_beside_kernels, "");
	equal(reads_beside_kernels, "--set model.noise=off");
	equal(reads_beside_kernels, "--set workload.0.write_buffer.bytes=4096");
	equal(reads_beside_kernels_in_step, "");
}

TEST(figures_are_those_of_each_core_beside_pings)
{
	equal(pings_beside_kernels, "");
	equal(pings_beside_kernels, "--set model.noise=off");
}

TEST(figures_are_those_of_each_core_where_a_read_and_a_step_end_at_once)
{
	equal(reads_at_the_end_of_a_step, "");
}

TEST(cores_statistics_are_those_of_each_core_without_pipelines)
{
	static const char *const events[] = {"events", "paths", "stages", "charges", NULL};
	const char *options[] = {"--set workload.1.do.2.enqueue_workload.pages=1", "", ""};
	const char *const scenarios[] = {scenario, in_step, reads_beside_kernels_in_step};
	char with[128];

	for (int i = 0; i < 3; i++) {
		write_file("cores.yaml", scenarios[i]);
		assert_int_equal(run("cores.yaml", "each.h5", options[i]), 0);
		snprintf(with, sizeof with, "%s --set model.cores=chip", options[i]);
		assert_int_equal(run("cores.yaml", "chip.h5", with), 0);
		assert_int_equal(print_of("each.h5", events), print_of("chip.h5", events));
	}
}

TEST(what_would_be_wrong_is_refused)
{
	char path[sizeof shell_folder + 32], text[1024] = "";
	FILE *file;

	write_file("short.yaml", short_kernels);
	assert_int_equal(run("short.yaml", "short.h5",
				 "--set platform.firmware.worker_launch=0 "
				 "--set platform.firmware.worker_start=0 "
				 "--set platform.firmware.worker_processor=0"),
		2);
	snprintf(path, sizeof path, "%s/stderr", shell_folder);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof text - 1, file) > 0);
	fclose(file);
	if (!strstr(text, "short.yaml:7:10: error: cores: chip would be wrong"))
		print_error("%s\n", text);
	assert_non_null(strstr(text, "short.yaml:7:10: error: cores: chip would be wrong"));
	assert_int_equal(run("short.yaml", "short.h5",
				 "--set model.cores=each "
				 "--set platform.firmware.worker_launch=0 "
				 "--set platform.firmware.worker_start=0 "
				 "--set platform.firmware.worker_processor=0"),
		0);
}

TEST(links_are_those_of_network_packet)
{
	write_file("short.yaml", short_kernels);
	assert_int_equal(run("short.yaml", "short.h5",
				 "--set model.cores=each --set model.noc=links "
				 "--set model.network=ideal"),
		2);
}

TEST(a_network_without_closed_forms_is_refused)
{
	write_file("short.yaml", short_kernels);
	assert_int_equal(run("short.yaml", "short.h5", "--set model.network=fluid"), 2);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
