/* Tests how `compare` finds the iterations of a workload, with operations that the test makes: the
 * step that begins an iteration, the steps that belong to it, the steps that are in flight at the
 * same time, and the time of a repeat that has other steps before and after it. */
#include "test.h"

#include <string.h>

#include "analysis/compare/sweep_iteration.h"

enum { OPERATIONS_MAX = 64, NS = 1000 };

/* A run that a test puts together, call by call. */
struct run {
	struct operation at[OPERATIONS_MAX];
	struct op_mark marks[OPERATIONS_MAX][MARK_POINT_COUNT];
	struct operations operations;
	struct sweep_within within; /* the repeat that is asked about; none: any */
	struct arena arena;
};

static void run_init(struct run *run)
{
	memset(run, 0, sizeof *run);
	arena_init(&run->arena);
	run->operations.at = run->at;
}

/* Adds a call of step `name` at `called` ns. The operation is complete at `seen` ns, and the host
 * knows this at once. The first letter of the name determines the number of the step. It also
 * determines the kind of the step: f is a finish, w a write. */
static struct operation *call(struct run *run, const char *name, int64_t called, int64_t seen)
{
	uint32_t i = run->operations.count++;
	struct op_mark *marks = run->marks[i];

	for (int m = 0; m < MARK_POINT_COUNT; m++)
		marks[m] = (struct op_mark){-1, -1, 0};
	marks[MARK_CALLED] = (struct op_mark){called * NS, called * NS, 1};
	marks[MARK_SEEN] = (struct op_mark){seen * NS, seen * NS, 1};
	run->at[i] = (struct operation){.kind = name[0] == 'f'	 ? "finish"
						: name[0] == 'w' ? "write_buffer"
								 : "enqueue_workload",
		.thread = "main",
		.mesh = "mesh",
		.step_name = name,
		.program = name,
		.step = (uint32_t)name[0],
		.iteration = i,
		.arrival = -1,
		.cpu_called = -1,
		.cpu_returned = -1,
		.cpu_complete = -1,
		.marks = marks};
	return &run->at[i];
}

static bool all_found(struct run *run, struct sweep_iterations *found)
{
	bool good;

	operations_link(&run->operations, &run->arena);
	good = sweep_iterations_find(&run->operations, "enqueue_workload", &run->within, found);
	arena_fini(&run->arena);
	return good;
}

/* The first iteration. */
static bool found(struct run *run, struct sweep_iteration *iteration)
{
	struct sweep_iterations all;
	bool good = all_found(run, &all);

	*iteration = all.at[0];
	return good;
}

static void assert_step(
	const struct sweep_iteration *iteration, uint32_t index, const char *name, bool together)
{
	assert_true(index < iteration->step_count);
	assert_string_equal(iteration->steps[index].name, name);
	assert_int_equal(iteration->steps[index].together, together);
}

TEST(steps_in_flight_together_are_told_from_those_waited_for)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		call(&run, "a", at, at + 30);
		call(&run, "b", at + 10, at + 50); /* while a is in flight */
		call(&run, "c", at + 60, at + 90); /* when all is complete */
	}
	assert_true(found(&run, &iteration));
	assert_string_equal(iteration.anchor->step_name, "a");
	assert_int_equal(iteration.step_count, 3);
	assert_step(&iteration, 0, "a", true);
	assert_step(&iteration, 1, "b", true);
	assert_step(&iteration, 2, "c", false);
}

TEST(a_step_of_an_inner_repeat_does_not_begin_the_iteration)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		for (int64_t inner = 0; inner < 4; inner++)
			call(&run, "a", at + 10 * inner, at + 10 * inner + 5);
		call(&run, "b", at + 50, at + 60);
	}
	assert_true(found(&run, &iteration));
	assert_string_equal(iteration.anchor->step_name, "b");
	assert_step(&iteration, 0, "a", false);
	assert_step(&iteration, 1, "b", false);
}

TEST(two_steps_of_an_inner_repeat_are_counted_by_the_finish_behind_it)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		for (int64_t inner = 0; inner < 3; inner++) {
			call(&run, "a", at + 20 * inner, at + 20 * inner + 15);
			call(&run, "b", at + 20 * inner + 5, at + 20 * inner + 19);
		}
		call(&run, "f", at + 70, at + 80);
	}
	assert_true(found(&run, &iteration));
	assert_string_equal(iteration.anchor->kind, "finish");
	assert_step(&iteration, 0, "a", true);
}

TEST(loops_one_behind_the_other_are_not_one_iteration)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100)
		call(&run, "a", at, at + 50);
	for (int64_t at = 400; at < 800; at += 100)
		call(&run, "b", at, at + 50);
	assert_true(found(&run, &iteration));
	assert_string_equal(iteration.anchor->step_name, "a");
	assert_int_equal(iteration.step_count, 1);
}

TEST(a_call_before_the_repeat_is_not_in_the_iteration)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	call(&run, "p", 0, 50);
	for (int64_t at = 100; at < 500; at += 100) {
		call(&run, "a", at, at + 30);
		call(&run, "b", at + 40, at + 60);
	}
	assert_true(found(&run, &iteration));
	assert_int_equal(iteration.step_count, 2);
	assert_step(&iteration, 0, "a", false);
}

TEST(steps_of_two_threads_are_not_one_iteration)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		call(&run, "a", at, at + 30);
		call(&run, "b", at + 40, at + 60)->thread = "other";
	}
	assert_true(found(&run, &iteration));
	assert_int_equal(iteration.step_count, 1);
}

TEST(one_step_is_an_iteration_of_one_step)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		call(&run, "a", at, at + 30);
		call(&run, "f", at + 40, at + 60);
	}
	assert_true(found(&run, &iteration));
	assert_string_equal(iteration.anchor->step_name, "a");
	assert_int_equal(iteration.step_count, 1);
}

/* Two loops behind each other: two rounds of one step, then four of two. */
static void two_loops(struct run *run)
{
	run_init(run);
	for (int64_t at = 0; at < 200; at += 100)
		call(run, "a", at, at + 30);
	for (int64_t at = 200; at < 600; at += 100) {
		call(run, "b", at, at + 30);
		call(run, "c", at + 40, at + 60);
	}
}

TEST(each_of_several_loops_has_an_iteration)
{
	struct sweep_iterations all;
	struct run run;

	two_loops(&run);
	assert_true(all_found(&run, &all));
	assert_int_equal(all.count, 2);
	assert_string_equal(all.at[0].anchor->step_name, "a");
	assert_int_equal(all.at[0].step_count, 1);
	assert_string_equal(all.at[1].anchor->step_name, "b");
	assert_int_equal(all.at[1].step_count, 2);
	assert_int_equal(all.other_count, 0);
}

TEST(the_iteration_of_a_loop_that_is_asked_about_has_only_its_steps)
{
	const char *names[] = {"a"};
	struct sweep_iteration iteration;
	struct run run;

	two_loops(&run);
	run.within = (struct sweep_within){names, 1};
	assert_true(found(&run, &iteration));
	assert_string_equal(iteration.anchor->step_name, "a");
	assert_int_equal(iteration.step_count, 1);
}

TEST(steps_that_arrive_at_a_rate_are_no_iteration)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		call(&run, "a", at, at + 30)->arrival = at * NS;
		call(&run, "b", at + 40, at + 60);
	}
	assert_false(found(&run, &iteration));
}

TEST(steps_of_another_loop_that_are_in_flight_together_are_told_too)
{
	const char *names[] = {"c", "d"};
	struct sweep_iterations all;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 300; at += 100) {
		call(&run, "a", at, at + 60);
		call(&run, "b", at + 10, at + 80); /* while a is in flight */
	}
	for (int64_t at = 300; at < 900; at += 100) {
		call(&run, "c", at, at + 20);
		call(&run, "d", at + 30, at + 50);
	}
	run.within = (struct sweep_within){names, 2};
	assert_true(all_found(&run, &all));
	assert_int_equal(all.count, 1);
	assert_int_equal(all.at[0].step_count, 2);
	assert_step(&all.at[0], 0, "c", false);
	assert_int_equal(all.other_count, 2);
	assert_string_equal(all.others[1].name, "b");
	assert_true(all.others[0].together);
	assert_true(all.others[1].together);
}

TEST(a_step_behind_work_of_another_kind_is_in_flight_with_it)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		call(&run, "w", at, at + 40);
		call(&run, "a", at + 10, at + 60); /* while the write is in flight */
		call(&run, "f", at + 20, at + 60);
	}
	assert_true(found(&run, &iteration));
	assert_int_equal(iteration.step_count, 1);
	assert_step(&iteration, 0, "a", true);
	assert_true(iteration.behind);
}

TEST(a_replayed_step_is_not_behind_its_trace)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		call(&run, "w", at, at + 60)->kind = "trace";
		call(&run, "a", at, at + 60);
		call(&run, "f", at + 20, at + 60);
	}
	assert_true(found(&run, &iteration));
	assert_step(&iteration, 0, "a", false);
	assert_false(iteration.behind);
}

TEST(a_step_before_work_of_another_kind_is_not_in_flight_with_it)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		call(&run, "a", at, at + 60);
		call(&run, "w", at + 10, at + 80); /* while a is in flight */
		call(&run, "f", at + 20, at + 80);
	}
	assert_true(found(&run, &iteration));
	assert_step(&iteration, 0, "a", false);
	assert_false(iteration.behind);
}

/* The spans of the repeat that holds steps a and f, by the number of calls of a. */
static struct sweep_spans spans_of(struct run *run)
{
	static const char *names[] = {"a", "f"};
	const struct sweep_within within = {names, 2};

	operations_link(&run->operations, &run->arena);
	return sweep_spans_find(&run->operations, &within, "enqueue_workload/a", &run->arena);
}

TEST(a_repeat_among_other_steps_is_timed_without_them)
{
	struct sweep_spans spans;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 3000; at += 1000) {
		call(&run, "a", at, at + 90)->warmup = at == 0;
		call(&run, "a", at + 10, at + 100)->warmup = at == 0;
		call(&run, "f", at + 20, at + 110 + at / 50)->warmup = at == 0;
		call(&run, "b", at + 500, at + 900); /* not of the repeat */
	}
	spans = spans_of(&run);
	assert_int_equal(spans.count, 2);
	assert_int_equal(spans.at[0], 65 * NS); /* 130 ns of two rounds */
	if (spans.cpu != 0)
		fail_msg("host CPU that no operation has is %g ps, not unknown", spans.cpu);
	assert_int_equal(spans.at[1], 75 * NS);
	arena_fini(&run.arena);
}

TEST(a_repeat_that_is_never_left_has_no_spans)
{
	struct sweep_spans spans;
	struct run run;

	run_init(&run);
	call(&run, "b", 0, 50);
	for (int64_t at = 100; at < 500; at += 100) {
		call(&run, "a", at, at + 30)->warmup = at == 100;
		call(&run, "f", at + 10, at + 40);
	}
	spans = spans_of(&run);
	assert_int_equal(spans.count, 0);
	arena_fini(&run.arena);
}

TEST(a_step_that_calls_two_queues_once_is_no_iteration)
{
	struct sweep_iterations all;
	struct run run;

	run_init(&run);
	call(&run, "a", 0, 30)->iteration = 0;
	call(&run, "a", 40, 60)->iteration = 0;
	assert_false(all_found(&run, &all));
}

TEST(warm_up_counts_for_the_rounds_but_not_as_in_flight)
{
	struct sweep_iteration iteration;
	struct run run;

	run_init(&run);
	for (int64_t at = 0; at < 400; at += 100) {
		bool warm = at == 0;

		call(&run, "a", at, at + (warm ? 60 : 30))->warmup = warm;
		call(&run, "b", at + 40, at + 60)->warmup = warm;
	}
	assert_true(found(&run, &iteration));
	assert_step(&iteration, 0, "a", false);
	assert_step(&iteration, 1, "b", false);
}

TEST_MAIN(NULL, NULL)
