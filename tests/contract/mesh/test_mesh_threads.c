/* Tests every kind of host threads, natively. If work is posted for a range of devices, the threads
 * do it once for each device of the range. Each kind of threads returns from a post when it
 * promises to. label: full */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mesh/queue/job.h"
#include "mesh_case.h"
#include "world/queue.h"
#include "world/world.h"

enum { SIDE = 3, LAUNCHES = 20, POSTS = 20, PATIENCE_NS = 2000000000, EXIT_BUG = 70 };

/* The executions of one post; atomic. */
struct work {
	struct semaphore *gate; /* run() waits here, or NULL */
	uint32_t runs[SIDE * SIDE], done, run_after_done, timeouts;
};

static void run(void *arg, uint32_t device)
{
	struct work *work = arg;

	if (work->gate != NULL && semaphore_acquire(work->gate, world->now_ns() + PATIENCE_NS,
					  WAIT_PARK) != STATUS_OK)
		__atomic_fetch_add(&work->timeouts, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&work->run_after_done, __atomic_load_n(&work->done, __ATOMIC_SEQ_CST),
		__ATOMIC_SEQ_CST);
	__atomic_fetch_add(&work->runs[device], 1, __ATOMIC_SEQ_CST);
}

static void done(void *arg)
{
	__atomic_fetch_add(&((struct work *)arg)->done, 1, __ATOMIC_SEQ_CST);
}

static void open_case(struct mesh_case *test, const struct threads_ops *threads,
	const struct queues_ops *queues, const struct pin_ops *pin)
{
	mesh_case_init(test, SIDE, SIDE, TEST_PCIE_GATEWAYS);
	test->config.host.threads = threads;
	test->config.host.queues = queues;
	test->config.host.pin = pin;
	test->config.host.count = 2;
	mesh_case_open(test);
}

static void check(
	const struct work *work, const struct mesh_device *mesh, struct device_range range)
{
	uint32_t count = device_range_count(range), in_range[SIDE * SIDE] = {0};

	for (uint32_t i = 0; i < count; i++)
		in_range[range_device(mesh, range, i)] = 1;
	assert_int_equal(work->done, 1);
	assert_int_equal(work->run_after_done, 0);
	assert_int_equal(work->timeouts, 0);
	for (uint32_t device = 0; device < SIDE * SIDE; device++)
		assert_int_equal(work->runs[device], in_range[device]);
}

static void post_to_ranges(const struct threads_ops *threads, const struct queues_ops *queues,
	const struct pin_ops *pin)
{
	const struct device_range ranges[] = {
		{0, 0, 2, 2}, {1, 1, 1, 1}, {0, 1, 2, 1}, {2, 0, 2, 2}};
	static struct work work[POSTS];
	struct mesh_case test;

	memset(work, 0, sizeof(work));
	open_case(&test, threads, queues, pin);
	for (uint32_t i = 0; i < POSTS; i++) {
		host_threads_post(test.mesh, ranges[i % 4], run, done, &work[i]);
		if (!threads->asynchronous)
			assert_int_equal(work[i].done, 1);
	}
	host_threads_wait(test.mesh);
	for (uint32_t i = 0; i < POSTS; i++)
		check(&work[i], test.mesh, ranges[i % 4]);
	mesh_case_close(&test);
}

/* Checks that threads are bound to cores that exist. If there are several cores, the caller has a
 * core of its own, and the other threads use each remaining core once before they use one twice. */
static void check_places(const struct pin_ops *pin)
{
	uint16_t cores = world->core_count(0);
	uint32_t used[1024] = {0};

	assert_in_range(cores, 1, 1024);
	for (uint32_t thread = 0; thread < 2u * cores; thread++) {
		uint16_t core = pin->core(0, thread);

		assert_in_range(core, 0, cores - 1);
		if (thread > 0 && cores > 1)
			assert_int_not_equal(core, pin->core(0, 0));
		assert_in_range(used[core]++, 0, cores > 1 ? thread / (cores - 1u) : thread);
	}
}

TEST(bound_threads_do_their_work_on_processors_that_exist)
{
	for (size_t p = 0; pin_row(p) != NULL; p++) {
		for (size_t t = 0; threads_row(t) != NULL; t++)
			post_to_ranges(threads_row(t), queues_row(0), pin_row(p));
		if (pin_row(p)->core != NULL)
			check_places(pin_row(p));
	}
}

TEST(each_device_runs_once_and_done_comes_last)
{
	for (size_t t = 0; threads_row(t) != NULL; t++)
		for (size_t q = 0; queues_row(q) != NULL; q++)
			post_to_ranges(threads_row(t), queues_row(q), pin_row(0));
}

/* Launches one program LAUNCHES times on all devices. Returns the counters, which include the
 * number of command streams that were built. */
static struct mesh_counters launch_on_all(
	const struct threads_ops *threads, const struct create_ops *create, uint16_t side)
{
	const struct cores cores = {.kind = CORES_COUNT, .count = 4};
	struct mesh_counters counters;
	struct mesh_case test;
	struct program *program;
	struct workload *workload;

	mesh_case_init(&test, side, side, TEST_PCIE_GATEWAYS);
	test.config.host.threads = threads;
	test.config.host.create = create;
	mesh_case_open(&test);
	program = mesh_case_program(&test, "created", cores, 400, 3);
	workload = mesh_case_workload(&test, program);
	for (uint32_t i = 1; i <= LAUNCHES; i++) {
		mesh_case_set_args(&test, program, cores, 3, i);
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), workload, false, i), STATUS_OK);
	}
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 9, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t device = 0; device < (uint32_t)side * side; device++) {
		struct launch_result result = mesh_case_result(&test, device, 0);

		assert_int_equal(result.launches, LAUNCHES);
		assert_int_equal(result.checksum, mesh_case_checksum(0, 3, LAUNCHES));
	}
	mesh_device_counters(test.mesh, &counters);
	workload_free(workload);
	program_free(program);
	mesh_case_close(&test);
	return counters;
}

static void check_creations(
	const struct threads_ops *threads, const struct create_ops *create, uint16_t side)
{
	struct mesh_counters counters = launch_on_all(threads, create, side);
	bool each = create->scope == CREATE_PER_DEVICE ||
		    (create->scope == CREATE_AS_THREADS && threads->own_streams);
	uint32_t streams = each ? (uint32_t)side * side : 1;

	assert_int_equal(counters.streams_built, streams);
	assert_int_equal(counters.streams_reused, (LAUNCHES - 1) * streams);
}

TEST(operations_are_created_once_or_for_every_device)
{
	for (size_t t = 0; threads_row(t) != NULL; t++)
		for (size_t c = 0; create_row(c) != NULL; c++)
			for (uint16_t side = 1; side <= SIDE; side++)
				check_creations(threads_row(t), create_row(c), side);
}

TEST(asynchronous_ones_return_while_work_is_held)
{
	const struct device_range all = {0, 0, SIDE - 1, SIDE - 1};

	for (size_t t = 0; threads_row(t) != NULL; t++) {
		struct work work = {.done = 0};
		struct mesh_case test;

		if (!threads_row(t)->asynchronous)
			continue;
		open_case(&test, threads_row(t), queues_row(0), pin_row(0));
		work.gate = semaphore_new("held work", 0);
		host_threads_post(test.mesh, all, run, done, &work);
		assert_int_equal(__atomic_load_n(&work.done, __ATOMIC_SEQ_CST), 0);
		semaphore_release(work.gate, SIDE * SIDE);
		host_threads_wait(test.mesh);
		check(&work, test.mesh, all);
		mesh_case_close(&test);
		semaphore_free(work.gate);
	}
}

static void post_nothing(struct mesh_device *mesh, struct device_range range,
	void (*run_device)(void *arg, uint32_t device), void (*run_done)(void *arg), void *arg)
{
	(void)mesh;
	(void)range;
	(void)run_device;
	(void)run_done;
	(void)arg;
}

/* Opening and closing enqueue work, so a row that defers work is detected at once. */
TEST(a_row_that_returns_early_without_saying_so_is_a_bug)
{
	static const struct threads_ops early = {.entry = {.name = "early"}, .post = post_nothing};
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct mesh_case test;
		struct work work = {.done = 0};

		close(STDERR_FILENO);
		open_case(&test, &early, queues_row(0), pin_row(0));
		host_threads_post(test.mesh, (struct device_range){0, 0, 0, 0}, run, done, &work);
		_Exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_BUG);
}

TEST_MAIN(NULL, NULL)
