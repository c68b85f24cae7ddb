/* Tests which step begins the iteration of a workload, which steps are in it, and which of them are
 * in flight together, with operations that the test writes down. */
#include "test.h"

#include <string.h>

#include "analysis/compare/sweep_iteration.h"

enum { OPERATIONS_MAX = 64, NS = 1000 };

/* A run as it is written down: calls in their order. */
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

/* Adds a call of step `name` at `called` ns, which is complete and seen at `seen` ns. The first
 * letter of the name is the number of the step. */
static struct operation *call(struct run *run, const char *name, int64_t called, int64_t seen)
{
	uint32_t i = run->operations.count++;
	struct op_mark *marks = run->marks[i];

	for (int m = 0; m < MARK_POINT_COUNT; m++)
		marks[m] = (struct op_mark){-1, -1, 0};
	marks[MARK_CALLED] = (struct op_mark){called * NS, called * NS, 1};
	marks[MARK_SEEN] = (struct op_mark){seen * NS, seen * NS, 1};
	run->at[i] = (struct operation){.kind = name[0] == 'f' ? "finish" : "enqueue_workload",
		.thread = "main",
		.mesh = "mesh",
		.step_name = name,
		.program = name,
		.step = (uint32_t)name[0],
		.arrival = -1,
		.marks = marks};
	return &run->at[i];
}

static bool found(struct run *run, struct sweep_iteration *iteration)
{
	bool good;

	operations_link(&run->operations, &run->arena);
	good = sweep_iteration_find(&run->operations, "enqueue_workload", &run->within, iteration);
	arena_fini(&run->arena);
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

TEST(of_several_loops_the_one_with_most_calls_is_the_iteration)
{
	struct sweep_iteration iteration;
	struct run run;

	two_loops(&run);
	assert_true(found(&run, &iteration));
	assert_string_equal(iteration.anchor->step_name, "b");
	assert_int_equal(iteration.step_count, 2);
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
	struct sweep_iteration iteration;
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
	assert_true(found(&run, &iteration));
	assert_int_equal(iteration.step_count, 2);
	assert_step(&iteration, 0, "c", false);
	assert_int_equal(iteration.other_count, 2);
	assert_string_equal(iteration.others[1].name, "b");
	assert_true(iteration.others[0].together);
	assert_true(iteration.others[1].together);
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
