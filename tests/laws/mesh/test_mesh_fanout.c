/* label: full  timeout: 300
 * Compares two ways to send a launch to many devices: a loop in the calling thread, and a task for
 * each device in a pool of threads. Each task costs a wake-up. So the loop must be faster for small
 * command streams, and the pool for large ones. If wake-ups and context switches cost nothing, the
 * loop's lead for small streams must shrink to less than a quarter. */
#include "test.h"

#include <stdio.h>

#include "summary.h"

static const char scenario[] =
	"meshsim: 1\n"
	"name: fan-out\n"
	"platform: galaxy\n"
	"model: {noise: off}\n"
	"measure: {warmup: 2, verify: false}\n"
	"runtime: {mesh: {shape: [4, 8]}, command_cache: false, host: {count: 32, queues: own}}\n"
	"workload:\n"
	"  - repeat: 6\n"
	"    do:\n"
	"      - enqueue_workload: {processors: all, kernel_bytes: 2048, runtime_args: 1}\n"
	"      - finish\n"
	"sweep:\n"
	"  workload.0.do.0.enqueue_workload.runtime_args: [1, 341]\n"
	"  runtime.host.threads: [main, pool]\n";

enum { SMALL_LOOP, SMALL_TASKS, LARGE_LOOP, LARGE_TASKS };

static struct summary_column host_times(const char *options)
{
	struct summary_column host;

	summary_run(scenario, options);
	host = summary_column("enqueue_workload.host.p50");
	assert_int_equal(host.runs, 4);
	for (uint32_t i = 0; i < host.runs; i++) {
		host.values[i] *= 1e-6;
		print_message("%s streams, %s: %.3f us\n", i < LARGE_LOOP ? "small" : "large",
			i % 2 ? "a task per device" : "the caller's loop", host.values[i]);
	}
	return host;
}

static void less(const char *what, double low, double high)
{
	if (!(low < high))
		fail_msg("%s: %.3f us is not below %.3f us", what, low, high);
}

TEST(a_loop_wins_for_small_streams_and_tasks_for_large_ones)
{
	struct summary_column host = host_times("");
	double wakes = host.values[SMALL_TASKS] - host.values[SMALL_LOOP];

	less("small streams: the loop, and tasks", 1.5 * host.values[SMALL_LOOP],
		host.values[SMALL_TASKS]);
	less("large streams: tasks, and the loop", 1.5 * host.values[LARGE_TASKS],
		host.values[LARGE_LOOP]);
	/* A wake-up costs a call at the waker and a context switch at the woken thread. */
	host = host_times("--set platform.host.wake_call=0 --set platform.host.wake_queued=0 --set "
			  "platform.host.wake_hot=0 "
			  "--set platform.host.wake_idle=0 --set platform.host.switch=0");
	less("what tasks cost more without wake-ups, and a quarter of it",
		host.values[SMALL_TASKS] - host.values[SMALL_LOOP], wakes / 4);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
