/* label: full
 * Tests the joint uncertainty of verdicts, with designs whose costs the test chooses. The expected
 * chances are known: if each of two designs spends all of its time on one cost of its own, the
 * logarithm of their margin has a normal distribution. If `compare` requests further runs, the test
 * chooses their results, too. */
#define _GNU_SOURCE
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare.h"
#include "base/tree.h"
#include "json_tree.h"
#include "planted.h"
#include "shell.h"

#define US INT64_C(1000000)

/* Standard deviation of a cost's logarithm, if nine of ten draws are within `factor`. */
#define SIGMA(factor) (log(factor) / 1.6448536269514722)

enum { COSTS = 2 };

/* A design: its time, and the parts of it that are charged for costs. */
struct design {
	const char *name;
	int64_t total; /* ps */
	struct planted_charge charges[COSTS];
	struct planted_charge hidden; /* another path, which is as long as this cost; not charged */
};

/* The costs of the planted platform, by their names. The kinds are set by the test. */
static const char *const wake_path = "host.wake_call", *const copy_path = "host.copy.x.y.bandwidth",
			 *const build_path = "host.work.build_command.cost";

static char platform_text[1000];

static void set_platform(const char *wake, const char *copy, const char *build)
{
	snprintf(platform_text, sizeof(platform_text),
		"host:\n"
		"  wake_call: {value: 1000, unit: ns, kind: %s, source: planted}\n"
		"  copy: {x: {y: {bandwidth: {value: 1000, unit: GB/s, kind: %s, source: p}}}}\n"
		"  work: {build_command: {cost: {value: 1000, unit: ns, kind: %s, source: p}}}\n",
		wake, copy, build);
}

struct world {
	const struct design *designs; /* two */
	uint32_t runs, made;
};

/* Returns the factor by which the rerun's changes make the time charged for a constant longer. */
static double growth_of(const struct compare_rerun *rerun, const char *constant)
{
	char path[100];

	snprintf(path, sizeof(path), "platform.%s.value", constant);
	for (uint32_t i = 0; i < rerun->change_count; i++)
		if (strcmp(rerun->changes[i].path, path) == 0) {
			double factor = strtod(rerun->changes[i].value, NULL) / 1000;
			return strstr(path, "bandwidth") ? 1 / factor : factor;
		}
	return 1;
}

static int64_t time_of(const struct design *design, const struct compare_rerun *rerun)
{
	double time = (double)design->total, other = 0;

	for (int i = 0; i < COSTS && design->charges[i].constant; i++)
		time += (double)design->charges[i].each *
			(growth_of(rerun, design->charges[i].constant) - 1);
	if (design->hidden.constant)
		other = (double)design->hidden.each * growth_of(rerun, design->hidden.constant);
	return (int64_t)fmax(time, other);
}

/* A run whose operations take `time` from the call to the end. */
static struct planted_run run_of(const struct design *design, int64_t time)
{
	struct planted_run run = {.design = design->name, .size = 1, .dispatch = 0};

	run.copy = time - planted_latency(&run);
	return run;
}

static void run_planted(void *context, struct compare_rerun *reruns, uint32_t count)
{
	struct world *world = context;

	for (uint32_t i = 0; i < count; i++) {
		struct compare_rerun *rerun = &reruns[i];
		const struct design *design =
			&world->designs[strstr(rerun->scenario, "design: a") ? 0 : 1];
		struct planted_run run = run_of(design, time_of(design, rerun));

		world->runs++;
		snprintf(rerun->result, sizeof(rerun->result), "%s/run-%u.h5", shell_folder,
			world->made++);
		planted_write(rerun->result, shell_folder, &run, 1);
		rerun->good = true;
	}
}

static struct tree *tree;

/* Compares two designs, a and b, and returns the question. */
static const struct tree_node *ask(
	const struct design *designs, struct compare_options options, struct world *world)
{
	struct compare_rerun_ops rerun_ops = {.context = world, .run = run_planted};
	struct planted_run runs[2];
	char path[400], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (int d = 0; d < 2; d++) {
		uint32_t count = 0;
		while (count < COSTS && designs[d].charges[count].constant)
			count++;
		runs[d] = run_of(&designs[d], designs[d].total);
		runs[d].scenario =
			d ? "design: b\nmodel: {noise: off}\n" : "design: a\nmodel: {noise: off}\n";
		runs[d].platform = platform_text;
		runs[d].charges = designs[d].charges;
		runs[d].charge_count = count;
	}
	if (world)
		*world = (struct world){.designs = designs};
	snprintf(path, sizeof(path), "%s/planted.h5", shell_folder);
	planted_write(path, shell_folder, runs, 2);
	options.json = true;
	options.metric = "latency";
	options.robust = world != NULL;
	assert_int_equal(analysis_compare(path, &options, world ? &rerun_ops : NULL, out), 0);
	fclose(out);
	unlink(path);
	tree = json_tree(text);
	return tree_find(tree_root(tree), "questions.0");
}

static void done(void)
{
	tree_free(tree);
}

static const char *text_at(const struct tree_node *root, const char *path)
{
	const struct tree_node *node = tree_find(root, path);

	if (!node || node->kind != TREE_SCALAR)
		fail_msg("nothing at %s", path);
	return node->text;
}

static double number_at(const struct tree_node *root, const char *path)
{
	return strtod(text_at(root, path), NULL);
}

static void near(const char *what, double seen, double expected, double within)
{
	if (fabs(seen - expected) > within)
		fail_msg("%s: %g, expected %g within %g", what, seen, expected, within);
}

/* The probability that the design of this name is the best. */
static double chance_of(const struct tree_node *question, const char *name)
{
	for (int i = 0; i < 2; i++) {
		char option[40], chance[40];
		snprintf(option, sizeof(option), "joint.options.%d.option", i);
		snprintf(chance, sizeof(chance), "joint.options.%d.chance", i);
		if (strcmp(text_at(question, option), name) == 0)
			return number_at(question, chance);
	}
	fail_msg("no option %s", name);
	return 0;
}

static double chance_to_first_order(const struct design *designs)
{
	double chance = chance_of(ask(designs, (struct compare_options){0}, NULL), "a");

	done();
	return chance;
}

/* ---- tests ---- */

TEST(margins_of_two_costs_have_the_closed_form)
{
	const struct design designs[] = {
		{"a", 100 * US, {{build_path, 100 * US}}, {0}},
		{"b", 120 * US, {{copy_path, 120 * US}}, {0}},
	};
	double one = SIGMA(2.5), two = SIGMA(1.5), whole = one * one + two * two;
	const struct tree_node *question;

	set_platform("published", "fitted", "assumed");
	question = ask(designs, (struct compare_options){0}, NULL);
	near("chance of a", chance_of(question, "a"), 0.5 * erfc(-log(1.2) / sqrt(2 * whole)),
		0.015);
	near("chance of b", chance_of(question, "b"), 0.5 * erfc(log(1.2) / sqrt(2 * whole)),
		0.015);
	assert_string_equal(text_at(question, "joint.costs.0.constant"), build_path);
	assert_string_equal(text_at(question, "joint.costs.1.constant"), copy_path);
	for (int i = 0; i < 2; i++) {
		double share = (i ? two * two : one * one) / whole;
		const char *paths[2][2] = {{"joint.costs.0.first", "joint.costs.0.total"},
			{"joint.costs.1.first", "joint.costs.1.total"}};
		near("first-order share", number_at(question, paths[i][0]), share, 0.04);
		near("total share", number_at(question, paths[i][1]), share, 0.04);
	}
	near("5 % of the margins", log(1 + number_at(question, "joint.low")),
		log(1.2) - 1.6448536 * sqrt(whole), 0.05);
	near("95 % of the margins", log(1 + number_at(question, "joint.high")),
		log(1.2) + 1.6448536 * sqrt(whole), 0.05);
	done();
}

TEST(equal_designs_with_costs_of_their_own_are_each_the_best_in_half)
{
	const struct design designs[] = {
		{"a", 100 * US, {{build_path, 80 * US}}, {0}},
		{"b", 100 * US, {{wake_path, 80 * US}}, {0}},
	};

	set_platform("assumed", "published", "assumed");
	near("chance of a", chance_to_first_order(designs), 0.5, 0.015);
}

TEST(designs_with_the_same_costs_share_every_draw)
{
	const struct design designs[] = {
		{"a", 100 * US, {{build_path, 80 * US}}, {0}},
		{"b", 100 * US, {{build_path, 80 * US}}, {0}},
	};

	set_platform("assumed", "published", "assumed");
	near("chance of a", chance_to_first_order(designs), 0.5, 1e-9);
}

TEST(a_design_that_costs_less_of_everything_is_always_the_best)
{
	const struct design designs[] = {
		{"a", 100 * US, {{build_path, 50 * US}, {wake_path, 20 * US}}, {0}},
		{"b", 110 * US, {{build_path, 55 * US}, {wake_path, 21 * US}}, {0}},
	};

	set_platform("assumed", "published", "assumed");
	near("chance of a", chance_to_first_order(designs), 1, 0);
}

TEST(a_wider_cost_of_one_side_moves_the_chance_towards_a_half)
{
	static const char *const kinds[] = {"published", "fitted", "assumed"};
	static const double factors[] = {1.1, 1.5, 2.5};
	const struct design designs[] = {
		{"a", 100 * US, {{build_path, 100 * US}}, {0}},
		{"b", 110 * US, {{0}}, {0}},
	};
	double before = 1;

	for (int i = 0; i < 3; i++) {
		double chance;
		set_platform("published", "published", kinds[i]);
		chance = chance_to_first_order(designs);
		if (chance >= before || chance <= 0.5)
			fail_msg("%s: %g, before %g", kinds[i], chance, before);
		near(kinds[i], chance, 0.5 * erfc(-log(1.1) / SIGMA(factors[i]) / sqrt(2)), 0.015);
		before = chance;
	}
}

/* b is behind by 25 %. 30 % less of one of its costs saves 15 of 125 us, which is not enough. */
static const struct design two_groups[] = {
	{"a", 100 * US, {{0}}, {0}},
	{"b", 125 * US, {{build_path, 50 * US}, {wake_path, 50 * US}}, {0}},
};

TEST(two_groups_of_costs_that_reverse_a_verdict_only_together_are_named)
{
	struct world world;
	const struct tree_node *question;

	set_platform("assumed", "published", "assumed");
	question = ask(two_groups, (struct compare_options){0}, &world);
	for (uint32_t i = 0; i < 4; i++) {
		char path[40];
		snprintf(path, sizeof(path), "robust.cases.%u.margin", i);
		if (number_at(question, path) <= 0)
			fail_msg("no group reverses it alone: %s is %g", path,
				number_at(question, path));
	}
	assert_int_equal(tree_find(question, "robust.breaks")->count, 0);
	assert_int_equal(number_at(question, "joint.together.count"), 2);
	assert_string_equal(text_at(question, "joint.together.groups.0"), "build -30 %");
	assert_string_equal(text_at(question, "joint.together.groups.1"), "wakes -30 %");
	assert_string_equal(text_at(question, "joint.together.rival"), "b");
	near("margin to first order", number_at(question, "joint.together.margin"), -0.05, 1e-6);
	near("margin of the rerun", number_at(question, "joint.together.measured"), -0.05, 1e-6);
	done();
}

/* The cases are all there, with the margins of their runs. */
TEST(every_perturbation_has_its_margin)
{
	static const char *const labels[] = {
		"build -30 %", "build +30 %", "wakes -30 %", "wakes +30 %"};
	static const double margins[] = {0.1, 0.4, 0.1, 0.4};
	struct world world;
	const struct tree_node *question;

	set_platform("published", "published", "published");
	question = ask(two_groups, (struct compare_options){0}, &world);
	for (int i = 0; i < 4; i++) {
		char label[40], margin[40];
		snprintf(label, sizeof(label), "robust.cases.%d.with", i);
		snprintf(margin, sizeof(margin), "robust.cases.%d.margin", i);
		assert_string_equal(text_at(question, label), labels[i]);
		near(labels[i], number_at(question, margin), margins[i], 1e-6);
	}
	done();
}

/* One cost is a rate, so the time charged for it is proportional to its reciprocal. */
TEST(a_first_order_that_is_right_is_confirmed_by_twenty_reruns)
{
	const struct design designs[] = {
		{"a", 100 * US, {{wake_path, 20 * US}}, {0}},
		{"b", 125 * US, {{build_path, 50 * US}, {copy_path, 50 * US}}, {0}},
	};
	struct world world;
	const struct tree_node *question;

	set_platform("assumed", "assumed", "assumed");
	question = ask(designs, (struct compare_options){0}, &world);
	assert_string_equal(text_at(question, "joint.basis"), "confirmed");
	assert_int_equal(number_at(question, "joint.reruns"), 20);
	near("error", number_at(question, "joint.error"), 0, 1e-5);
	done();
}

/* To first order, b is the best design if its builds cost 10 % less. In truth, b also has a second
 * path, with its wakes, which is nearly as long as the path with the builds. So b is the best
 * design only if its wakes do not become much slower, either. */
TEST(reruns_correct_a_first_order_that_is_wrong)
{
	const struct design designs[] = {
		{"a", 100 * US, {{0}}, {0}},
		{"b", 105 * US, {{build_path, 105 * US}}, {wake_path, 95 * US}},
	};
	double build = SIGMA(2.5), wake = SIGMA(2.5), truth, first, corrected;
	struct world world;
	const struct tree_node *question;

	set_platform("assumed", "published", "assumed");
	first = chance_to_first_order(designs);
	truth = 1 - 0.5 * erfc(log(1.05) / build / sqrt(2)) * 0.5 *
			    erfc(-log(1 / 0.95) / wake / sqrt(2));
	question = ask(designs, (struct compare_options){0}, &world);
	assert_string_equal(text_at(question, "joint.basis"), "corrected");
	if (number_at(question, "joint.reruns") < 40 || number_at(question, "joint.reruns") > 200)
		fail_msg("%g reruns, expected 40 to 200", number_at(question, "joint.reruns"));
	corrected = chance_of(question, "a");
	if (fabs(first - truth) < 0.1)
		fail_msg("the first order is right: %g, truth %g", first, truth);
	near("corrected chance", corrected, truth, 0.05);
	if (fabs(corrected - truth) > number_at(question, "joint.precision"))
		fail_msg("%g is not within %g of %g", corrected,
			number_at(question, "joint.precision"), truth);
	assert_string_equal(text_at(question, "outcome"), "fragile");
	done();
}

/* The first-order estimate says that b is ahead if its builds cost less than half as much as
 * assumed. But b also has a second path, with its wakes. When this path is the longer one, b can be
 * behind although its builds are cheap. So b is ahead less often than the estimate says. */
TEST(a_small_chance_of_the_second_is_corrected_too)
{
	const struct design designs[] = {
		{"a", 100 * US, {{0}}, {0}},
		{"b", 165 * US, {{build_path, 120 * US}}, {wake_path, 90 * US}},
	};
	double build = SIGMA(2.5), truth, first, corrected;
	struct world world;
	const struct tree_node *question;

	set_platform("assumed", "published", "assumed");
	first = chance_to_first_order(designs);
	truth = 1 - 0.5 * erfc(-log(55.0 / 120) / build / sqrt(2)) * 0.5 *
			    erfc(-log(100.0 / 90) / SIGMA(2.5) / sqrt(2));
	question = ask(designs, (struct compare_options){0}, &world);
	corrected = chance_of(question, "a");
	near("corrected chance", corrected, truth, 0.03);
	if (fabs(corrected - truth) > fabs(first - truth) + 0.005)
		fail_msg("reruns took %g to %g, truth %g", first, corrected, truth);
	done();
}

/* Only the results of reruns count, as many as were requested, and not the first order. */
TEST(three_hundred_reruns_agree_with_the_closed_form)
{
	const struct design designs[] = {
		{"a", 100 * US, {{build_path, 100 * US}}, {0}},
		{"b", 120 * US, {{copy_path, 120 * US}}, {0}},
	};
	double one = SIGMA(2.5), two = SIGMA(1.5), whole = one * one + two * two;
	struct world world;
	const struct tree_node *question;

	set_platform("published", "fitted", "assumed");
	question = ask(designs, (struct compare_options){.draws = 300}, &world);
	assert_string_equal(text_at(question, "joint.basis"), "reruns");
	assert_int_equal(number_at(question, "joint.reruns"), 300);
	near("chance of a", chance_of(question, "a"), 0.5 * erfc(-log(1.2) / sqrt(2 * whole)),
		0.05);
	done();
}

/* Six pairs of seeds differ by 0.5 % on average, with a standard error of 0.57 %. The interval uses
 * Student's quantile for five degrees of freedom, 2.571. */
TEST(a_difference_that_may_be_chance_makes_no_design_the_best_in_all_draws)
{
	static const int64_t wobble[6] = {3 * US, -1 * US, 1 * US, US / 2, -US / 2, 0};
	struct design design = {"a", 100 * US, {{build_path, US / 100}}, {0}};
	struct compare_options options = {.json = true, .metric = "latency"};
	struct planted_run runs[12];
	double mean = 0, square = 0, deviation;
	char path[400], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	set_platform("published", "published", "published");
	for (uint32_t i = 0; i < 12; i++) {
		design.name = i < 6 ? "a" : "b";
		runs[i] = run_of(&design, design.total + (i < 6 ? 0 : wobble[i % 6]));
		runs[i].seed = i % 6 + 1;
		runs[i].platform = platform_text;
		runs[i].charges = design.charges;
		runs[i].charge_count = 1;
		mean += i < 6 ? 0 : (double)wobble[i % 6] / 6 / (double)design.total;
	}
	for (uint32_t i = 0; i < 6; i++)
		square += pow((double)wobble[i] / (double)design.total - mean, 2);
	deviation = 2.571 / 1.96 * sqrt(square / 5 / 6);
	snprintf(path, sizeof(path), "%s/planted.h5", shell_folder);
	planted_write(path, shell_folder, runs, 12);
	assert_int_equal(analysis_compare(path, &options, NULL, out), 0);
	fclose(out);
	unlink(path);
	tree = json_tree(text);
	near("chance of a", chance_of(tree_find(tree_root(tree), "questions.0"), "a"),
		0.5 * erfc(-mean / deviation / sqrt(2)), 0.02);
	done();
}

TEST(the_same_question_has_the_same_bytes)
{
	char *texts[2] = {NULL, NULL};

	set_platform("assumed", "fitted", "assumed");
	for (int i = 0; i < 2; i++) {
		struct text text;
		ask(two_groups, (struct compare_options){0}, NULL);
		text_init(&text);
		tree_write(tree_root(tree), &text);
		texts[i] = strdup(text_string(&text));
		text_fini(&text);
		done();
	}
	assert_string_equal(texts[0], texts[1]);
	free(texts[0]);
	free(texts[1]);
}

TEST_MAIN(shell_folder_make, shell_folder_remove_empty)
