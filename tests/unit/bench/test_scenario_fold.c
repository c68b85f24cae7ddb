/* Tests which equal neighbours of a workload are folded into `repeat`, and which are not. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/scenario/load.h"

#define HEAD "meshsim: 1\nname: fold\nplatform: n150\n"

struct opened {
	char path[64];
	struct diag *diag;
	struct scenario_file *file;
};

static struct opened open_text(const char *text)
{
	struct load_options load = {.platform_directory = MESHSIM_SOURCE_DIR "/platforms"};
	struct opened opened = {.path = "/tmp/fold-XXXXXX.yaml", .diag = diag_new()};
	int descriptor = mkstemps(opened.path, 5);

	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
	close(descriptor);
	opened.file = scenario_open(opened.path, &load, opened.diag);
	return opened;
}

static void close_opened(struct opened *opened)
{
	unlink(opened->path);
	scenario_close(opened->file);
	diag_free(opened->diag);
}

/* Writes a list of steps as text: a program as its name, a finish as f, a repeat or trace as its
 * number and the steps in it, and any other step as its kind. */
static void write_steps(const struct step *steps, uint32_t count, struct text *out)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		uint32_t programs;

		if (i > 0)
			text_append(out, " ");
		if (body) {
			text_printf(
				out, "%s%u(", steps[i].kind == STEP_TRACE ? "t" : "", body->times);
			write_steps(body->steps, body->step_count, out);
			text_append(out, ")");
		} else if (steps[i].kind == STEP_ENQUEUE_WORKLOAD) {
			text_append(out, step_programs(&steps[i], &programs)->program);
		} else {
			text_append(out, steps[i].kind == STEP_FINISH ? "f" : "o");
		}
	}
}

/* The scenario of a list of steps in which {a} is a program, and f a finish. */
static char *scenario_of(const char *steps, const char *more)
{
	struct text text;
	char *copy;

	text_init(&text);
	text_append(&text, HEAD "workload:\n");
	for (const char *at = steps; *at; at++) {
		if (*at == 'f')
			text_append(&text, "  - finish\n");
		else if (*at == 'R')
			text_append(&text, "  - {repeat: 3, do: [{enqueue_workload: {program: a}}, "
					   "finish]}\n");
		else if (*at == 'n')
			text_append(&text, "  - {enqueue_workload: {program: a}, as: n}\n");
		else if (*at == 'o')
			text_append(&text, "  - open_mesh\n");
		else
			text_printf(&text, "  - enqueue_workload: {program: %c}\n", *at);
	}
	text_append(&text, more);
	copy = strdup(text_string(&text));
	text_fini(&text);
	return copy;
}

static void fold_becomes(const char *scenario, uint32_t run, const char *expected)
{
	struct opened opened = open_text(scenario);
	struct run_plan plan;
	struct text seen;

	diag_print(opened.diag, stdout);
	assert_non_null(opened.file);
	assert_true(run_plan_open(opened.file, run, opened.diag, &plan));
	text_init(&seen);
	write_steps(plan.scenario->steps, plan.scenario->step_count, &seen);
	if (strcmp(text_string(&seen), expected) != 0)
		print_error("%s\n", scenario);
	assert_string_equal(text_string(&seen), expected);
	text_fini(&seen);
	run_plan_close(&plan);
	close_opened(&opened);
}

TEST(equal_neighbours_become_a_repeat)
{
	static const struct {
		const char *steps, *more, *folded;
	} cases[] = {
		{"aaaa", "", "4(a)"},
		{"ab", "", "a b"},
		{"abab", "", "2(a b)"},
		{"aba", "", "a b a"},
		{"afaf", "", "2(a f)"},
		{"fff", "", "f f f"},
		/* the whole is a loop that contains loops */
		{"aafaafaaf", "", "3(2(a) f)"},
		{"afafbfafafbf", "", "2(2(a f) b f)"},
		{"aabbaabb", "", "2(2(a) 2(b))"},
		/* the end of a loop equals the step behind it */
		{"afaff", "", "2(a f) f"},
		{"faf", "", "f a f"},
		{"fafaf", "", "f 2(a f)"},
		{"aafaaff", "", "2(2(a) f) f"},
		/* repeats that were written are steps, too */
		{"RR", "", "2(3(a f))"},
		{"RbRb", "", "2(3(a f) b)"},
		{"aR", "", "a 3(a f)"},
		/* a name keeps steps apart */
		{"nn", "", "a a"},
		{"anan", "", "a a a a"},
		/* warm-up counts iterations of repeated steps */
		{"aa", "measure: {warmup: 1}\n", "2(a)"},
		{"aa", "measure: {warmup: 2}\n", "a a"},
		{"aabb", "measure: {warmup: 1}\n", "2(a) 2(b)"},
		/* operations are named by number or kind, but steps by their place */
		{"aa", "measure: {trace: {operations: [1, enqueue_workload]}}\n", "2(a)"},
		{"aa", "measure: {trace: {operations: [workload/1]}}\n", "a a"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *scenario = scenario_of(cases[i].steps, cases[i].more);

		fold_becomes(scenario, 0, cases[i].folded);
		free(scenario);
	}
}

TEST(steps_that_a_sweep_addresses_stay_as_they_are)
{
	static const char *const more[] = {
		"sweep: {workload.1.enqueue_workload.run_ns: [1us, 2us]}\n",
		"sweep: {workload.1: [{enqueue_workload: {program: a}}, {finish: {}}]}\n",
	};
	char *scenario;

	scenario = scenario_of("aaaa", more[0]);
	fold_becomes(scenario, 0, "a a 2(a)");
	fold_becomes(scenario, 1, "a a 2(a)");
	free(scenario);
	scenario = scenario_of("aaaa", "sweep: {measure.warmup: [0, 1]}\n");
	fold_becomes(scenario, 0, "a a a a");
	free(scenario);
	fold_becomes(HEAD "workload: []\nsweep: {workload: [[{enqueue_workload: {program: a}}, "
			  "{enqueue_workload: {program: a}}], [finish]]}\n",
		0, "a a");
}

TEST(steps_under_do_are_folded_too)
{
	fold_becomes(HEAD "workload:\n"
			  "  - repeat: 5\n"
			  "    rate_per_s: 1000\n"
			  "    do: [{enqueue_workload: {program: a}}, {enqueue_workload: {program: "
			  "a}}, finish]\n"
			  "  - trace: 2\n"
			  "    do: [{enqueue_workload: {program: b}}, {enqueue_workload: {program: "
			  "b}}]\n",
		0, "5(2(a) f) t2(2(b))");
}

TEST(loops_with_a_rate_and_traces_stay_as_they_are)
{
	fold_becomes(HEAD "workload:\n"
			  "  - &a {repeat: 2, rate_per_s: 1000, do: [{enqueue_workload: {program: "
			  "a}}]}\n"
			  "  - *a\n"
			  "  - &b {trace: 1, do: [{enqueue_workload: {program: b}}]}\n"
			  "  - *b\n",
		0, "2(a) 2(a) t1(b) t1(b)");
}

TEST(a_folded_step_has_the_place_of_its_first)
{
	char *scenario = scenario_of("baafaaffb", "");
	struct opened opened = open_text(scenario);
	const char *places[16], *programs[16], *names[16];
	struct run_plan plan;
	struct arena arena;

	arena_init(&arena);
	assert_true(run_plan_open(opened.file, 0, opened.diag, &plan));
	assert_int_equal(steps_count(plan.scenario->steps, plan.scenario->step_count), 7);
	steps_name(
		plan.scenario->steps, plan.scenario->step_count, places, programs, names, &arena);
	assert_string_equal(places[0], "workload.0 enqueue_workload");
	assert_string_equal(places[3], "workload.1 enqueue_workload");
	assert_string_equal(names[3], "a");
	assert_string_equal(places[4], "workload.3 finish");
	assert_string_equal(places[5], "workload.7 finish");
	assert_string_equal(names[5], "workload/7");
	assert_string_equal(names[6], "workload/8");
	run_plan_close(&plan);
	arena_fini(&arena);
	close_opened(&opened);
	free(scenario);
}

/* The result file has the steps as the user wrote them, so that its places are right. */
TEST(results_keep_the_steps_as_written)
{
	char *scenario = scenario_of("afaf", "");
	struct opened opened = open_text(scenario);

	assert_non_null(opened.file);
	assert_null(strstr(scenario_run(opened.file, 0)->scenario_text, "repeat"));
	close_opened(&opened);
	free(scenario);
}

static void has_error_at(const char *scenario, const char *first, const char *second)
{
	struct opened opened = open_text(scenario);
	char *printed = NULL;
	size_t length;
	FILE *out = open_memstream(&printed, &length);

	assert_null(opened.file);
	diag_print(opened.diag, out);
	fclose(out);
	if (!strstr(printed, first) || !strstr(printed, second))
		print_error("%s has not '%s' and '%s'\n", printed, first, second);
	assert_non_null(strstr(printed, first));
	assert_non_null(strstr(printed, second));
	free(printed);
	close_opened(&opened);
}

TEST(every_equal_step_has_its_own_error)
{
	has_error_at(HEAD "workload:\n"
			  "  - enqueue_workload: {program: a, runtme_args: 1}\n"
			  "  - enqueue_workload: {program: a, runtme_args: 1}\n",
		"yaml:5:36: error: unknown key", "yaml:6:36: error: unknown key");
	has_error_at(HEAD "workload:\n"
			  "  - enqueue_workload: {program: a, cores: 5000}\n"
			  "  - enqueue_workload: {program: a, cores: 5000}\n",
		"yaml:5:43: error: program 'a'", "yaml:6:43: error: program 'a'");
}

TEST_MAIN(NULL, NULL)
