/* label: full  needs: simgrid timeout: 300
 * Tests launches on sub-devices (spec 3.3.4, 3.4.5, 3.4.6), in the native and the simulated world.
 * Programs of one sub-device keep their order, and programs of two sub-devices overlap. Every
 * worker runs exactly the launches that were sent to it. Each sub-device has its own memory. */
#include "test.h"

#include <string.h>

#include "base/stream.h"
#include "halves.h"
#include "mesh/trace.h"

enum { ARGS = 3 };

static struct mesh_case test;
static struct program *programs[HALVES];
static struct workload *workloads[HALVES];
static uint32_t launched[HALVES], generation[HALVES];

/* Opens a mesh without launches so far. */
static void open_mesh(
	struct cluster *cluster, const char *forward, const char *go, const char *dispatcher)
{
	halves_open(&test, cluster, forward, go, dispatcher);
	memset(launched, 0, sizeof(launched));
	memset(generation, 0, sizeof(generation));
}

/* Makes a program of a sub-device on all devices. */
static void make(uint32_t part)
{
	static const char *const names[] = {"left", "right"};

	programs[part] =
		mesh_case_program(&test, names[part], halves_cores(part), 600 + 300 * part, ARGS);
	workloads[part] = mesh_case_workload(&test, programs[part]);
}

static void unmake(uint32_t part)
{
	workload_free(workloads[part]);
	program_free(programs[part]);
}

static void launch(struct command_queue *queue, uint32_t part, uint32_t operation)
{
	generation[part]++;
	launched[part]++;
	mesh_case_set_args(&test, programs[part], halves_cores(part), ARGS, generation[part]);
	assert_int_equal(enqueue_workload(queue, workloads[part], false, operation), STATUS_OK);
}

/* Checks that every worker has run all launches that were sent to its sub-device, and that the last
 * launch had the last arguments. */
static void check_workers(const char *where)
{
	halves_finish(&test);
	for (uint32_t device = 0; device < HALVES_DEVICES; device++)
		for (uint32_t core = 0; core < HALVES_WORKERS; core++) {
			struct launch_result result = mesh_case_result(&test, device, core);
			uint32_t part = core % HALVES_WIDE / 2;
			uint32_t sum = mesh_case_checksum(core, ARGS, generation[part]);

			if (result.launches != launched[part] ||
				(launched[part] > 0 && result.checksum != sum))
				fail_msg("%s: device %u, worker %u: %u launches instead of %u, "
					 "checksum %08x instead of %08x",
					where, device, core, result.launches, launched[part],
					result.checksum, sum);
		}
}

/* ---- launches ---- */

/* Launches in random order from both queues, with some finishes. */
static void random_launches(
	struct cluster *cluster, const char *forward, const char *go, const char *dispatcher)
{
	struct stream stream;

	open_mesh(cluster, forward, go, dispatcher);
	halves_load(&test);
	for (uint32_t part = 0; part < HALVES; part++)
		make(part);
	stream_init(&stream, 1, "sub-devices");
	for (uint32_t i = 0; i < 120; i++) {
		struct command_queue *queue =
			mesh_queue(test.mesh, (uint32_t)stream_below(&stream, 2));

		launch(queue, (uint32_t)stream_below(&stream, HALVES), 0);
		if (stream_below(&stream, 20) == 0)
			halves_finish(&test);
	}
	check_workers(forward);
	for (uint32_t part = 0; part < HALVES; part++)
		unmake(part);
	mesh_close(test.mesh);
}

static struct program *big_program(const char *name)
{
	struct program *program = program_new(test.mesh, name);
	struct kernel_config config = {.processor = PROCESSOR_BRISC,
		.cores = halves_cores(1),
		.bytes = 20000,
		.cycles = HALVES_CYCLES / 10,
		.unique_args = ARGS,
		.common_args = ARGS};
	uint32_t kernel;

	assert_int_equal(program_add_kernel(program, &config, NULL, &kernel), STATUS_OK);
	return program;
}

/* Two slow programs of one sub-device run alternately. The config ring of this sub-device holds
 * only a few launches. Each launch must keep its arguments until its workers have run it. The other
 * sub-device is always idle; this must not free the arguments too early. */
static void launches_keep_their_arguments_until_they_have_run(struct cluster *cluster)
{
	enum { SLOW_LAUNCHES = 40, CORE = 2 };
	uint32_t sum = 0;

	open_mesh(cluster, "unicast", "running", "shared");
	halves_load(&test);
	for (uint32_t i = 0; i < 2; i++) {
		programs[i] = big_program(i == 0 ? "big" : "as big");
		workloads[i] = mesh_case_workload(&test, programs[i]);
	}
	for (uint32_t i = 0; i < SLOW_LAUNCHES; i++) {
		mesh_case_set_args(&test, programs[i % 2], halves_cores(1), ARGS, i);
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), workloads[i % 2], false, 0),
			STATUS_OK);
		sum += mesh_case_checksum(CORE, ARGS, i);
	}
	halves_finish(&test);
	for (uint32_t device = 0; device < HALVES_DEVICES; device++)
		assert_int_equal(mesh_case_result(&test, device, CORE).sum, sum);
	for (uint32_t i = 0; i < 2; i++)
		unmake(i);
	mesh_close(test.mesh);
}

static void workers_run_what_their_sub_device_is_sent(struct cluster *cluster)
{
	random_launches(cluster, "unicast", "running", "shared");
}

static void so_do_those_that_broadcasts_reach(struct cluster *cluster)
{
	random_launches(cluster, "broadcast", "running", "shared");
}

static void so_do_those_in_lock_step(struct cluster *cluster)
{
	random_launches(cluster, "broadcast", "all", "shared");
}

static void so_do_those_in_lock_step_by_unicast(struct cluster *cluster)
{
	random_launches(cluster, "unicast", "all", "shared");
}

static void so_do_those_of_two_dispatchers(struct cluster *cluster)
{
	random_launches(cluster, "broadcast", "running", "dedicated");
}

/* Launches a workload with two programs several times: a program of the first sub-device on some
 * devices, and a program of the second sub-device on the other devices. Between these launches,
 * launches programs of a single sub-device. */
static void mixed_workload(struct cluster *cluster, const char *forward, const char *go)
{
	struct device_range first = {0, 0, 0, HALVES_SIDE - 1}, second = {1, 0, 1, HALVES_SIDE - 1};
	struct workload *mixed;

	open_mesh(cluster, forward, go, "shared");
	halves_load(&test);
	for (uint32_t part = 0; part < HALVES; part++)
		make(part);
	mixed = workload_new(test.mesh);
	assert_int_equal(workload_add(mixed, programs[0], first, NULL), STATUS_OK);
	assert_int_equal(workload_add(mixed, programs[1], second, NULL), STATUS_OK);
	for (uint32_t i = 0; i < 20; i++) {
		struct command_queue *queue = mesh_queue(test.mesh, i % 3 == 0);

		launch(queue, i % 2, 0);
		assert_int_equal(enqueue_workload(queue, mixed, false, 0), STATUS_OK);
	}
	halves_finish(&test);
	for (uint32_t device = 0; device < HALVES_DEVICES; device++)
		for (uint32_t core = 0; core < HALVES_WORKERS; core++) {
			uint32_t part = core % HALVES_WIDE / 2,
				 runs_mixed = device / HALVES_SIDE == part;
			struct launch_result result = mesh_case_result(&test, device, core);

			assert_int_equal(result.launches, launched[part] + 20 * runs_mixed);
		}
	workload_free(mixed);
	for (uint32_t part = 0; part < HALVES; part++)
		unmake(part);
	mesh_close(test.mesh);
}

static void programs_of_a_workload_may_be_of_different_sub_devices(struct cluster *cluster)
{
	mixed_workload(cluster, "unicast", "running");
}

static void also_where_broadcasts_reach_them(struct cluster *cluster)
{
	mixed_workload(cluster, "broadcast", "running");
}

static void also_where_goes_are_for_all(struct cluster *cluster)
{
	mixed_workload(cluster, "broadcast", "all");
}

/* ---- time ---- */

/* Checks whether the last launch of `second` begins before the first of `first` ends. */
static void overlap(struct cluster *cluster, const char *forward, uint32_t second, bool expected)
{
	struct program *program[2];
	struct workload *workload[2];
	struct command_queue *queue;
	int64_t end, begin;

	open_mesh(cluster, forward, "running", "shared");
	halves_load(&test);
	workload[0] = halves_slow(&test, 0, &program[0]);
	workload[1] = halves_slow(&test, second, &program[1]);
	queue = mesh_queue(test.mesh, 0);
	for (uint32_t i = 0; i < 2; i++) /* loads the binaries */
		assert_int_equal(enqueue_workload(queue, workload[i], true, 0), STATUS_OK);
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(enqueue_workload(queue, workload[i], false, i + 1), STATUS_OK);
	halves_finish(&test);
	end = halves_mark(1, MARK_WORKERS_DONE, false);
	begin = halves_mark(2, MARK_GO, true);
	/* natively this depends on the threads */
	if (row_current()->timed && (begin < end) != expected)
		fail_msg("%s, sub-devices 0 and %u: the second begins at %lld ps, the first ends "
			 "at %lld ps",
			forward, second, (long long)begin, (long long)end);
	for (uint32_t i = 0; i < 2; i++) {
		workload_free(workload[i]);
		program_free(program[i]);
	}
	mesh_close(test.mesh);
}

static void programs_of_two_sub_devices_overlap(struct cluster *cluster)
{
	overlap(cluster, "unicast", 1, true);
}

static void programs_of_one_sub_device_do_not(struct cluster *cluster)
{
	overlap(cluster, "unicast", 0, false);
}

static void broadcast_programs_of_two_sub_devices_overlap(struct cluster *cluster)
{
	overlap(cluster, "broadcast", 1, true);
}

static void broadcast_programs_of_one_sub_device_do_not(struct cluster *cluster)
{
	overlap(cluster, "broadcast", 0, false);
}

/* ---- the manager ---- */

/* Divides the mesh into sub-devices and removes the division, again and again. Before each
 * division, programs run on the whole mesh. In each division, one sub-device has more launches than
 * the other. */
static void a_mesh_can_be_divided_again_and_again(struct cluster *cluster)
{
	struct program *whole;
	struct workload *workload;

	open_mesh(cluster, "unicast", "running", "shared");
	for (uint32_t round = 0; round < 3; round++) {
		whole = mesh_case_program(
			&test, "whole", (struct cores){.kind = CORES_ALL}, 500, 0);
		workload = mesh_case_workload(&test, whole);
		for (uint32_t i = 0; i < 5 + round; i++)
			assert_int_equal(enqueue_workload(mesh_queue(test.mesh, round % 2),
						 workload, false, 0),
				STATUS_OK);
		halves_finish(&test);
		workload_free(workload);
		program_free(whole);
		for (uint32_t part = 0; part < HALVES; part++)
			launched[part] += 5 + round;
		halves_load(&test);
		assert_int_equal(sub_devices_count(test.mesh), HALVES);
		assert_int_equal(sub_device_workers(test.mesh, 0), 6);
		assert_int_equal(sub_device_workers(test.mesh, 1), 6 + HALVES_ETHERNET);
		for (uint32_t part = 0; part < HALVES; part++)
			make(part);
		for (uint32_t i = 0; i < 9; i++)
			launch(mesh_queue(test.mesh, i % 2), i % (round + 2) == 0, 0);
		check_workers("divided");
		for (uint32_t part = 0; part < HALVES; part++)
			unmake(part);
		assert_int_equal(sub_devices_clear(test.mesh, NULL), STATUS_OK);
		assert_int_equal(sub_devices_count(test.mesh), 0);
	}
	mesh_close(test.mesh);
}

/* One sub-device runs seldom, and the other so often that its run numbers wrap. Each must continue
 * with its own run numbers. */
static void sub_devices_count_their_runs_apart(struct cluster *cluster)
{
	enum { TRACED = 2000, REPLAYS = 20 };
	struct command_queue *queue;
	struct mesh_trace *trace;

	open_mesh(cluster, "unicast", "running", "shared");
	halves_load(&test);
	for (uint32_t part = 0; part < HALVES; part++)
		make(part);
	queue = mesh_queue(test.mesh, 0);
	launch(queue, 1, 0);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	for (uint32_t i = 0; i < TRACED; i++)
		assert_int_equal(enqueue_workload(queue, workloads[0], false, 0), STATUS_OK);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	for (uint32_t i = 0; i < (row_current()->timed ? 2 : REPLAYS); i++) {
		assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_OK);
		launched[0] += TRACED;
		launch(queue, 1, 0);
	}
	launch(queue, 0, 0);
	launch(queue, 1, 0);
	check_workers("behind traces");
	trace_free(trace);
	for (uint32_t part = 0; part < HALVES; part++)
		unmake(part);
	mesh_close(test.mesh);
}

/* A trace may use only one sub-device. It is part of the launch order of that sub-device. */
static void a_trace_is_of_one_sub_device(struct cluster *cluster)
{
	struct command_queue *queue;
	struct mesh_trace *trace;

	open_mesh(cluster, "broadcast", "running", "shared");
	halves_load(&test);
	for (uint32_t part = 0; part < HALVES; part++)
		make(part);
	queue = mesh_queue(test.mesh, 0);
	launch(queue, 0, 0);
	launch(queue, 1, 0);
	assert_int_equal(trace_begin(queue, NULL), STATUS_OK);
	assert_int_equal(enqueue_workload(queue, workloads[1], false, 0), STATUS_OK);
	assert_int_equal(enqueue_workload(queue, workloads[0], false, 0), STATUS_INVALID);
	assert_int_equal(enqueue_workload(queue, workloads[1], false, 0), STATUS_OK);
	assert_int_equal(trace_end(queue, NULL, &trace), STATUS_OK);
	for (uint32_t i = 0; i < 4; i++) {
		launch(mesh_queue(test.mesh, 1), 0, 0);
		assert_int_equal(enqueue_trace(queue, trace, 0, false, 0), STATUS_OK);
		launched[1] += 2;
	}
	check_workers("beside a trace");
	trace_free(trace);
	for (uint32_t part = 0; part < HALVES; part++)
		unmake(part);
	mesh_close(test.mesh);
}

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(launches_keep_their_arguments_until_they_have_run, halves_cluster),
		ROW_CASE(workers_run_what_their_sub_device_is_sent, halves_cluster),
		ROW_CASE(so_do_those_that_broadcasts_reach, halves_cluster),
		ROW_CASE(so_do_those_in_lock_step, halves_cluster),
		ROW_CASE(so_do_those_in_lock_step_by_unicast, halves_cluster),
		ROW_CASE(so_do_those_of_two_dispatchers, halves_cluster),
		ROW_CASE(programs_of_a_workload_may_be_of_different_sub_devices, halves_cluster),
		ROW_CASE(also_where_broadcasts_reach_them, halves_cluster),
		ROW_CASE(also_where_goes_are_for_all, halves_cluster),
		ROW_CASE(programs_of_two_sub_devices_overlap, halves_cluster),
		ROW_CASE(programs_of_one_sub_device_do_not, halves_cluster),
		ROW_CASE(broadcast_programs_of_two_sub_devices_overlap, halves_cluster),
		ROW_CASE(broadcast_programs_of_one_sub_device_do_not, halves_cluster),
		ROW_CASE(a_mesh_can_be_divided_again_and_again, halves_cluster),
		ROW_CASE(sub_devices_count_their_runs_apart, halves_cluster),
		ROW_CASE(a_trace_is_of_one_sub_device, halves_cluster),
	};

	return ROW_RUN_SUITE("sub_device_launches", cases);
}
