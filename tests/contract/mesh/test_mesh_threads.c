/* Tests every variant of host threads in the native world. A post for a range of devices runs the
 * work once for each device of the range, and then done() once. With a synchronous variant, the
 * post returns only after done(); with an asynchronous variant, the post can return while the work
 * is still running. label: full */
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

/* Counts how often run() and done() were called for one post. The counters are atomic. */
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

/* A kind of host threads and, of a pool, its queues and tasks. */
struct kind {
	const struct threads_ops *threads;
	const struct queues_ops *queues;
	const struct tasks_ops *tasks;
	uint32_t batch; /* devices of a task, of `batches` */
};

static bool returns_early(const struct kind *kind)
{
	return kind->threads->asynchronous ||
	       (kind->threads->pool != NULL && kind->tasks->asynchronous);
}

/* Calls act() for every kind; queues that lose the order of posted tasks are refused. */
static void for_each_kind(void (*act)(const struct kind *kind))
{
	for (size_t t = 0; threads_row(t) != NULL; t++)
		for (size_t k = 0; tasks_row(k) != NULL; k++)
			for (size_t q = 0; queues_row(q) != NULL; q++) {
				struct kind kind = {threads_row(t), queues_row(q), tasks_row(k),
					2 + (uint32_t)q};

				if (threads_row(t)->pool == NULL && k + q > 0)
					continue;
				if (!returns_early(&kind) || kind.threads->pool == NULL ||
					kind.queues->kind == POOL_OWN)
					act(&kind);
			}
}

static void open_case(struct mesh_case *test, const struct kind *kind, const struct pin_ops *pin)
{
	mesh_case_init(test, SIDE, SIDE, TEST_PCIE_GATEWAYS);
	test->config.host.threads = kind->threads;
	test->config.host.queues = kind->queues;
	test->config.host.pool_tasks = kind->tasks;
	test->config.host.batch_devices = kind->batch;
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

static void post_to_ranges(const struct kind *kind, const struct pin_ops *pin)
{
	const struct device_range ranges[] = {
		{0, 0, 2, 2}, {1, 1, 1, 1}, {0, 1, 2, 1}, {2, 0, 2, 2}};
	static struct work work[POSTS];
	struct mesh_case test;

	memset(work, 0, sizeof(work));
	open_case(&test, kind, pin);
	for (uint32_t i = 0; i < POSTS; i++) {
		host_threads_post(test.mesh, ranges[i % 4], run, done, &work[i]);
		if (!returns_early(kind))
			assert_int_equal(work[i].done, 1);
	}
	host_threads_wait(test.mesh);
	for (uint32_t i = 0; i < POSTS; i++)
		check(&work[i], test.mesh, ranges[i % 4]);
	mesh_case_close(&test);
}

/* Checks that threads are bound to cores that exist. If there are several cores, no other thread
 * may be on the core of the calling thread. The threads must be spread over the other cores: when
 * thread i is bound to a core, at most i / (cores - 1) threads may already be on this core. */
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
			post_to_ranges(
				&(struct kind){threads_row(t), queues_row(0), tasks_row(0), 0},
				pin_row(p));
		if (pin_row(p)->core != NULL)
			check_places(pin_row(p));
	}
}

static void post_unbound(const struct kind *kind)
{
	post_to_ranges(kind, pin_row(0));
}

TEST(each_device_runs_once_and_done_comes_last)
{
	for_each_kind(post_unbound);
}

/* Posts of a device, in the order in which they ran. */
struct sequence {
	uint32_t next[SIDE * SIDE], out_of_order;
};

struct numbered {
	struct sequence *of;
	uint32_t number;
};

static void run_numbered(void *arg, uint32_t device)
{
	struct numbered *post = arg;

	if (device == 0) /* if nothing keeps the order, posts of other devices overtake this one */
		world->work(WORK_API_CALL, 1);
	if (__atomic_fetch_add(&post->of->next[device], 1, __ATOMIC_SEQ_CST) != post->number)
		__atomic_fetch_add(&post->of->out_of_order, 1, __ATOMIC_SEQ_CST);
}

static void end_numbered(void *arg)
{
	free(arg);
}

static void post_in_order(const struct kind *kind)
{
	const struct device_range all = {0, 0, SIDE - 1, SIDE - 1};
	struct sequence sequence = {.out_of_order = 0};
	struct mesh_case test;

	open_case(&test, kind, pin_row(0));
	for (uint32_t i = 0; i < 500; i++) {
		struct numbered *post = malloc(sizeof(*post));

		*post = (struct numbered){&sequence, i};
		host_threads_post(test.mesh, all, run_numbered, end_numbered, post);
	}
	host_threads_wait(test.mesh);
	if (sequence.out_of_order > 0 || sequence.next[SIDE] != 500)
		fail_msg("%s, tasks %s: %u posts out of order, %u instead of 500 ran",
			kind->threads->entry.name, kind->tasks->entry.name, sequence.out_of_order,
			sequence.next[SIDE]);
	mesh_case_close(&test);
}

TEST(posts_of_a_device_run_in_their_order)
{
	for_each_kind(post_in_order);
}

/* Launches one program LAUNCHES times on all devices. Returns the counters, which include the
 * number of command streams that were built. */
static struct mesh_counters launch_on_all(
	const struct kind *kind, const struct create_ops *create, uint16_t side)
{
	const struct cores cores = {.kind = CORES_COUNT, .count = 4};
	struct mesh_counters counters;
	struct mesh_case test;
	struct program *program;
	struct workload *workload;

	mesh_case_init(&test, side, side, TEST_PCIE_GATEWAYS);
	test.config.host.threads = kind->threads;
	test.config.host.queues = kind->queues;
	test.config.host.pool_tasks = kind->tasks;
	test.config.host.batch_devices = kind->batch;
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

static void check_creations(const struct kind *kind, const struct create_ops *create, uint16_t side)
{
	struct mesh_counters counters = launch_on_all(kind, create, side);
	bool each = create->scope == CREATE_PER_DEVICE ||
		    (create->scope == CREATE_AS_THREADS && kind->threads->own_streams);
	uint32_t streams = each ? (uint32_t)side * side : 1;

	assert_int_equal(counters.streams_built, streams);
	assert_int_equal(counters.streams_reused, (LAUNCHES - 1) * streams);
}

static void create_on_all(const struct kind *kind)
{
	if (kind->threads->pool != NULL && kind->queues->kind != POOL_OWN)
		return;
	for (size_t c = 0; create_row(c) != NULL; c++)
		for (uint16_t side = 1; side <= SIDE; side++)
			check_creations(kind, create_row(c), side);
}

TEST(operations_are_created_once_or_for_every_device)
{
	for_each_kind(create_on_all);
}

static void hold_work(const struct kind *kind)
{
	const struct device_range all = {0, 0, SIDE - 1, SIDE - 1};
	struct work work = {.done = 0};
	struct mesh_case test;

	if (!returns_early(kind))
		return;
	open_case(&test, kind, pin_row(0));
	work.gate = semaphore_new("held work", 0);
	host_threads_post(test.mesh, all, run, done, &work);
	assert_int_equal(__atomic_load_n(&work.done, __ATOMIC_SEQ_CST), 0);
	semaphore_release(work.gate, SIDE * SIDE);
	host_threads_wait(test.mesh);
	check(&work, test.mesh, all);
	mesh_case_close(&test);
	semaphore_free(work.gate);
}

TEST(asynchronous_ones_return_while_work_is_held)
{
	for_each_kind(hold_work);
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
		open_case(
			&test, &(struct kind){&early, queues_row(0), tasks_row(0), 0}, pin_row(0));
		host_threads_post(test.mesh, (struct device_range){0, 0, 0, 0}, run, done, &work);
		_Exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_BUG);
}

TEST_MAIN(NULL, NULL)
