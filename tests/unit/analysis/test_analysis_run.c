/* Tests the makespan of a run and its critical path. Also tests how a run is divided into
 * stretches, which are parts that are judged as a whole. The test chooses the operations of the
 * run. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "analysis/compare/sweep_runs.h"

enum { OPERATIONS_MAX = 16, NS = 1000, NEVER = -1 };

/* A run that a test puts together, call by call. */
struct run {
	struct operation at[OPERATIONS_MAX];
	struct op_mark marks[OPERATIONS_MAX][MARK_POINT_COUNT];
	struct operations operations;
	struct arena arena;
};

static void run_init(struct run *run)
{
	memset(run, 0, sizeof *run);
	arena_init(&run->arena);
	run->operations.at = run->at;
}

static void pass(struct run *run, uint32_t index, enum mark_point point, int64_t at)
{
	if (at != NEVER)
		run->marks[index][point] = (struct op_mark){at * NS, at * NS, 1};
}

/* Adds a call of step `name` at `called` ns, which returns after 1 ns. Devices are done with the
 * operation at `done` ns, and the host sees this at `seen` ns. The first letter of the name
 * determines the kind: f is a finish, w a write, o opens a mesh, t captures a trace, any other
 * letter is a workload. The code of this letter is the number of the step. */
static struct operation *call(
	struct run *run, const char *name, int64_t called, int64_t done, int64_t seen)
{
	uint32_t i = run->operations.count++;

	for (int m = 0; m < MARK_POINT_COUNT; m++)
		run->marks[i][m] = (struct op_mark){-1, -1, 0};
	pass(run, i, MARK_CALLED, called);
	pass(run, i, MARK_RETURNED, called + 1);
	pass(run, i, MARK_WORKERS_DONE, done);
	pass(run, i, MARK_SEEN, seen);
	run->at[i] = (struct operation){.kind = name[0] == 'f'	 ? "finish"
						: name[0] == 'w' ? "write_buffer"
						: name[0] == 'o' ? "open_mesh"
						: name[0] == 't' ? "capture_trace"
								 : "enqueue_workload",
		.thread = "main",
		.mesh = "mesh",
		.step_name = name,
		.program = name,
		.step = (uint32_t)name[0],
		.arrival = -1,
		.cpu_called = called * NS,
		.cpu_returned = (seen != NEVER ? seen : called + 1) * NS,
		.built = -1,
		.told = -1,
		.copied = -1,
		.rung = -1,
		.marks = run->marks[i]};
	return &run->at[i];
}

static struct run_makespan measured(struct run *run)
{
	const struct run_choice choice = {.kind = "enqueue_workload"};

	operations_link(&run->operations, &run->arena);
	return run_measure(&run->operations, &choice, &run->arena);
}

static int64_t sum(const struct split *split)
{
	int64_t total = 0;

	for (int s = 0; s < STAGE_COUNT; s++)
		total += split->time[s];
	return total;
}

/* Expects a makespan from `begin` to `end` ns, of `time` ns, whose stages sum to it. */
static void expect(struct run *run, int64_t begin, int64_t end, int64_t time)
{
	struct run_makespan makespan = measured(run);

	assert_int_equal(makespan.begin, begin * NS);
	assert_int_equal(makespan.end, end * NS);
	assert_int_equal(makespan.time, time * NS);
	assert_int_equal(sum(&makespan.split), makespan.time);
	arena_fini(&run->arena);
}

TEST(a_run_ends_when_the_host_knows_that_all_is_complete)
{
	struct run run;

	run_init(&run);
	call(&run, "a", 100, 200, NEVER);
	call(&run, "b", 120, 300, NEVER);
	call(&run, "f", 140, NEVER, 310);
	expect(&run, 100, 310, 210);
}

TEST(one_path_leads_through_steps_that_are_waited_for_together)
{
	struct run run;
	struct run_makespan makespan;

	run_init(&run);
	call(&run, "a", 100, 200, NEVER);
	call(&run, "b", 120, 300, NEVER);
	call(&run, "f", 140, NEVER, 310);
	makespan = measured(&run);
	assert_int_equal(makespan.count, 1);
	assert_int_equal(makespan.at[0].operation, 0);
	assert_int_equal(makespan.at[0].metric, METRIC_COMPLETION);
	arena_fini(&run.arena);
}

TEST(steps_that_are_waited_for_one_by_one_are_one_piece_each)
{
	struct run run;
	struct run_makespan makespan;

	run_init(&run);
	call(&run, "a", 100, 190, 200);
	call(&run, "b", 220, 290, 300);
	makespan = measured(&run);
	assert_int_equal(makespan.count, 2);
	assert_int_equal(makespan.at[0].operation, 1);
	assert_int_equal(makespan.at[1].operation, 0);
	assert_int_equal(makespan.at[0].time + makespan.at[1].time, 180 * NS);
	assert_int_equal(makespan.host_cpu, 200 * NS);
	arena_fini(&run.arena);
}

TEST(a_write_that_was_waited_for_is_not_in_the_run)
{
	struct run run;

	run_init(&run);
	call(&run, "o", 1, NEVER, NEVER);
	call(&run, "w", 10, 80, 90);
	call(&run, "a", 100, 190, 200);
	call(&run, "b", 120, 290, 300);
	call(&run, "w", 310, 380, 390);
	expect(&run, 100, 300, 200);
}

TEST(a_write_that_nobody_waited_for_is_in_the_run)
{
	struct run run;

	run_init(&run);
	call(&run, "v", 5, 6, 7)->warmup = true;
	call(&run, "w", 10, 80, NEVER);
	call(&run, "a", 100, 190, NEVER);
	call(&run, "f", 140, NEVER, 310);
	expect(&run, 10, 310, 300);
}

TEST(a_capture_is_in_the_run_whose_programs_it_calls)
{
	struct run run;

	run_init(&run);
	call(&run, "t", 10, NEVER, NEVER);
	call(&run, "a", 100, 190, NEVER);
	call(&run, "b", 100, 290, NEVER);
	call(&run, "f", 140, NEVER, 310);
	expect(&run, 10, 310, 300);
}

TEST(work_that_is_called_within_a_run_may_end_it)
{
	struct run run;

	run_init(&run);
	call(&run, "a", 100, 190, 200);
	call(&run, "w", 210, 500, 510);
	call(&run, "b", 520, 590, 600);
	run.at[1].queue = 1;
	run.marks[2][MARK_CALLED] = (struct op_mark){220 * NS, 220 * NS, 1};
	run.marks[2][MARK_SEEN] = (struct op_mark){300 * NS, 300 * NS, 1};
	run.marks[2][MARK_WORKERS_DONE] = (struct op_mark){290 * NS, 290 * NS, 1};
	expect(&run, 100, 510, 410);
}

TEST(warm_up_within_a_run_is_left_out)
{
	struct run run;

	run_init(&run);
	call(&run, "a", 100, 190, 200);
	call(&run, "b", 210, 280, 290)->warmup = true;
	call(&run, "b", 300, 380, 390)->warmup = true;
	call(&run, "b", 400, 480, 490);
	expect(&run, 100, 490, 490 - 100 - (400 - 210));
}

TEST(paths_that_overlap_are_not_counted_twice)
{
	struct run run;
	struct run_makespan makespan;

	run_init(&run);
	call(&run, "a", 100, 290, 300);
	call(&run, "b", 200, 390, 400);
	run.at[1].queue = 1;
	makespan = measured(&run);
	assert_int_equal(makespan.count, 2);
	assert_int_equal(makespan.at[0].time, 200 * NS);
	assert_int_equal(makespan.at[1].time, 100 * NS);
	assert_int_equal(sum(&makespan.split), 300 * NS);
	arena_fini(&run.arena);
}

/* ---- stretches ---- */

/* Divides a run into stretches. All steps of the judged kind are treated as in flight together with
 * other steps. Returns the name of each judged stretch with its number of steps. */
static const char *stretches(struct run *run, struct sweep_run_steps *steps)
{
	static struct sweep_run runs[SWEEP_PARTS_MAX];
	static char text[100];
	static const char *names[SWEEP_PARTS_MAX];
	uint32_t count;
	size_t length = 0;

	memset(steps, 0, sizeof *steps);
	operations_link(&run->operations, &run->arena);
	sweep_run_steps_add(steps, &run->operations, "enqueue_workload", &run->arena);
	for (uint32_t i = 0; i < steps->count; i++)
		sweep_run_steps_together(steps, steps->at[i].name);
	count = sweep_run_stretches(steps, runs, names);
	text[0] = '\0';
	for (uint32_t i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %u",
			i ? ", " : "", names[i], runs[i].count);
	return text;
}

TEST(a_run_that_is_one_stretch_is_judged_once)
{
	struct run run;
	struct sweep_run_steps steps;

	run_init(&run);
	call(&run, "a", 100, 200, NEVER);
	call(&run, "b", 120, 300, NEVER);
	call(&run, "f", 140, NEVER, 310);
	assert_string_equal(stretches(&run, &steps), "");
	assert_true(sweep_run_is_asked(&steps));
	arena_fini(&run.arena);
}

TEST(stretches_end_where_the_host_knows_that_all_is_complete)
{
	struct run run;
	struct sweep_run_steps steps;

	run_init(&run);
	call(&run, "a", 100, 200, NEVER);
	call(&run, "b", 120, 300, NEVER);
	call(&run, "f", 140, NEVER, 310);
	call(&run, "c", 320, 400, NEVER);
	call(&run, "d", 330, 450, NEVER);
	call(&run, "g", 340, 500, 510);
	assert_string_equal(stretches(&run, &steps), "a 3, c 3");
	assert_true(sweep_run_is_asked(&steps));
	arena_fini(&run.arena);
}

TEST(a_run_with_loops_is_judged_by_its_stretches_only)
{
	struct run run;
	struct sweep_run_steps steps;

	run_init(&run);
	call(&run, "a", 100, 200, NEVER);
	call(&run, "b", 120, 300, NEVER);
	call(&run, "b", 140, 320, NEVER);
	call(&run, "f", 150, NEVER, 330);
	call(&run, "c", 340, 400, 410);
	call(&run, "c", 420, 480, 490);
	assert_string_equal(stretches(&run, &steps), "a 3");
	assert_false(sweep_run_is_asked(&steps));
	arena_fini(&run.arena);
}

TEST(one_step_that_is_waited_for_is_no_run)
{
	struct run run;
	struct sweep_run_steps steps;

	run_init(&run);
	call(&run, "a", 100, 190, 200);
	operations_link(&run.operations, &run.arena);
	memset(&steps, 0, sizeof steps);
	sweep_run_steps_add(&steps, &run.operations, "enqueue_workload", &run.arena);
	assert_false(sweep_run_is_asked(&steps));
	arena_fini(&run.arena);
}

TEST_MAIN(NULL, NULL)
