/* label: full
 * Tests the verdicts of `compare` about designs. The test writes the result files itself ("plants"
 * them, planted.h). There are equal designs, a clear winner with its mechanism, a crossover that is
 * interpolated and then refined, and a winner that loses when other costs change. If `compare`
 * requests further runs, the test makes up their results, too. */
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

/* ---- the designs ---- */

/* The costs of two designs. A has a high start-up cost and a low cost per byte; B has a low
 * start-up cost and a high cost per byte. For a copy of MEET bytes, both designs cost the same. */
#define COPY_A(size) (9000000 + 1000 * (int64_t)(size))
#define COPY_B(size) (1000000 + 9000 * (int64_t)(size))
#define MEET	     1000.0

/* Constants of the planted platform: A pays for dispatch_go; no design pays for the others. */
static const char *const platform_text =
	"firmware:\n"
	"  dispatch_go: {value: 1000, unit: cycles, kind: assumed, source: planted}\n"
	"  fetch_land: {value: 60, unit: cycles, kind: published, source: planted}\n"
	"host:\n"
	"  memory_bandwidth: {value: 200, unit: GB/s, kind: assumed, source: planted}\n";

/* The behaviour of requested runs, by their design and changes. */
struct world {
	uint32_t runs, made;
	double go_factor;   /* ps of A's dispatch per cycle of dispatch_go */
	const char *stalls; /* value of a change that makes B stall; NULL: none */
};

static double value_of(const struct compare_rerun *rerun, const char *path, double otherwise)
{
	for (uint32_t i = 0; i < rerun->change_count; i++)
		if (strcmp(rerun->changes[i].path, path) == 0)
			return strtod(rerun->changes[i].value, NULL);
	return otherwise;
}

/* True if B stalls with the changes of the run; the reason is then set in the run. */
static bool stalled(const struct world *world, struct compare_rerun *rerun)
{
	for (uint32_t i = 0; world->stalls && i < rerun->change_count; i++)
		if (strcmp(rerun->changes[i].value, world->stalls) == 0 &&
			strstr(rerun->scenario, "design: b")) {
			snprintf(rerun->why, sizeof(rerun->why), "stalled at 5 ns");
			return true;
		}
	return false;
}

static void run_planted(void *context, struct compare_rerun *reruns, uint32_t count)
{
	struct world *world = context;

	for (uint32_t i = 0; i < count; i++) {
		struct compare_rerun *rerun = &reruns[i];
		bool is_a = strstr(rerun->scenario, "design: a") != NULL;
		double size = value_of(rerun, "workload.size", 100);
		double go = value_of(rerun, "platform.firmware.dispatch_go.value", 1000);
		struct planted_run run = {.design = is_a ? "a" : "b",
			.size = (int64_t)size,
			.copy = is_a ? COPY_A(size) : COPY_B(size),
			.dispatch = 1000000};

		world->runs++;
		if (stalled(world, rerun))
			continue;
		if (world->go_factor > 0) {
			run.copy = 1000000;
			run.dispatch = is_a ? (int64_t)(world->go_factor * go) : 1000000;
		}
		snprintf(rerun->result, sizeof(rerun->result), "%s/run-%u.h5", shell_folder,
			world->made++);
		planted_write(rerun->result, shell_folder, &run, 1);
		rerun->good = true;
	}
}

static const struct registry_entry *network(size_t index)
{
	static const struct registry_entry rows[] = {{.name = "packet"}, {.name = "ideal"}};

	return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

static const struct registry networks = {"model.network", "network model", network};

/* How many times as long as with network `packet` a run with network `ideal` takes. */
static double ideal_slowness = 1;

static double slowness_of(const char *name)
{
	return strcmp(name, "ideal") == 0 ? ideal_slowness : 1;
}

/* ---- questions ---- */

static struct tree *tree;

/* Compares and parses the output; the metric is "latency" unless `metric` is given. */
static const struct tree_node *ask(const struct planted_run *runs, uint32_t count,
	struct compare_options options, struct world *world)
{
	struct compare_rerun_ops rerun_ops = {.context = world,
		.networks = &networks,
		.slowness = slowness_of,
		.run = run_planted};
	char path[400], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	snprintf(path, sizeof(path), "%s/planted.h5", shell_folder);
	planted_write(path, shell_folder, runs, count);
	options.json = true;
	if (!options.metric)
		options.metric = "latency";
	assert_int_equal(analysis_compare(path, &options, world ? &rerun_ops : NULL, out), 0);
	fclose(out);
	unlink(path);
	tree = json_tree(text);
	return tree_root(tree);
}

static void done(void)
{
	tree_free(tree);
}

static const char *text_at(const struct tree_node *root, const char *path)
{
	const struct tree_node *node = tree_find(root, path);

	if (!node || node->kind != TREE_SCALAR)
		print_error("nothing at %s\n", path);
	assert_true(node && node->kind == TREE_SCALAR);
	return node->text;
}

static double number_at(const struct tree_node *root, const char *path)
{
	return strtod(text_at(root, path), NULL);
}

/* ---- tests ---- */

TEST(equal_designs_are_undecided)
{
	const struct planted_run runs[] = {
		{.design = "a",
			.size = 1,
			.seed = 1,
			.copy = 5000000,
			.dispatch = 1000000,
			.spread = 2000000},
		{.design = "b",
			.size = 1,
			.seed = 2,
			.copy = 5000000,
			.dispatch = 1000000,
			.spread = 2000000},
	};
	const struct tree_node *root = ask(runs, 2, (struct compare_options){0}, NULL);

	assert_string_equal(text_at(root, "questions.0.outcome"), "undecided");
	assert_true(tree_is_null(tree_find(root, "questions.0.winner")));
	done();
}

TEST(a_difference_below_the_tie_band_is_undecided)
{
	const struct planted_run runs[] = {
		{.design = "a", .size = 1, .copy = 5000000, .dispatch = 1000000},
		{.design = "b", .size = 1, .copy = 5050000, .dispatch = 1000000},
	};
	const struct tree_node *root = ask(runs, 2, (struct compare_options){0}, NULL);

	assert_string_equal(text_at(root, "questions.0.outcome"), "undecided");
	done();
}

TEST(a_winner_has_its_margin_and_its_mechanism)
{
	const struct planted_run runs[] = {
		{.design = "a", .size = 1, .copy = 5000000, .dispatch = 4000000, .spread = 100000},
		{.design = "b", .size = 1, .copy = 5000000, .dispatch = 1000000, .spread = 100000},
	};
	const struct tree_node *root = ask(runs, 2, (struct compare_options){0}, NULL);
	double expected = 3000000.0 / (double)planted_latency(&runs[1]);
	double seen = number_at(root, "questions.0.contexts.0.ranking.1.margin");

	assert_string_equal(text_at(root, "questions.0.outcome"), "wins");
	assert_string_equal(text_at(root, "questions.0.winner"), "b");
	assert_string_equal(text_at(root, "questions.0.mechanism.stage"), "dispatch");
	if (seen < expected - 0.01 || seen > expected + 0.01)
		print_error("margin %g, expected %g\n", seen, expected);
	assert_true(seen > expected - 0.01 && seen < expected + 0.01);
	assert_true(number_at(root, "questions.0.contexts.0.ranking.1.low") <= seen);
	assert_true(number_at(root, "questions.0.contexts.0.ranking.1.high") >= seen);
	done();
}

TEST(runs_that_failed_are_left_out)
{
	const struct planted_run runs[] = {
		{.design = "a", .size = 1, .copy = 1000000, .dispatch = 1, .status = "stalled"},
		{.design = "b", .size = 1, .copy = 5000000, .dispatch = 1000000},
		{.design = "c", .size = 1, .copy = 9000000, .dispatch = 1000000},
	};
	const struct tree_node *root = ask(runs, 3, (struct compare_options){0}, NULL);

	assert_string_equal(text_at(root, "questions.0.winner"), "b");
	assert_string_equal(text_at(root, "points.0.status"), "stalled");
	done();
}

/* A run of design a or b at one size, with the scenario and platform that `--refine` reruns. */
#define CROSSING(name, letter, bytes)                                                              \
	{                                                                                          \
		.design = name, .size = bytes, .copy = COPY_##letter(bytes), .dispatch = 1000000,  \
		.scenario = "design: " name "\n", .platform = "name: p\n"                          \
	}

static const struct planted_run crossing[] = {
	CROSSING("a", A, 100),
	CROSSING("a", A, 5000),
	CROSSING("b", B, 100),
	CROSSING("b", B, 5000),
};

TEST(a_crossover_is_interpolated)
{
	const struct tree_node *root = ask(crossing, 4, (struct compare_options){0}, NULL);
	double at = number_at(root, "questions.0.crossovers.0.at");

	assert_string_equal(text_at(root, "questions.0.outcome"), "depends");
	assert_string_equal(text_at(root, "questions.0.crossovers.0.below"), "b");
	assert_string_equal(text_at(root, "questions.0.crossovers.0.above"), "a");
	assert_string_equal(text_at(root, "questions.0.crossovers.0.refined"), "false");
	if (at < 0.98 * MEET || at > 1.02 * MEET)
		print_error("crossover at %g, planted at %g\n", at, MEET);
	assert_true(at > 0.98 * MEET && at < 1.02 * MEET);
	done();
}

TEST(a_crossover_is_refined_to_two_percent)
{
	struct world world = {0};
	const struct tree_node *root =
		ask(crossing, 4, (struct compare_options){.refine = true}, &world);
	double at = number_at(root, "questions.0.crossovers.0.at");
	double low = number_at(root, "questions.0.crossovers.0.low");
	double high = number_at(root, "questions.0.crossovers.0.high");

	assert_string_equal(text_at(root, "questions.0.crossovers.0.refined"), "true");
	if (!(low <= MEET && MEET <= high && high - low <= 0.02 * at))
		print_error(
			"crossover at %g, between %g and %g, planted at %g\n", at, low, high, MEET);
	assert_true(low <= MEET && MEET <= high);
	assert_true(high - low <= 0.02 * at);
	assert_true(world.runs > 0 && world.runs <= 60);
	done();
}

/* A dispatches in `go` cycles' time; B in 1,000,000 ps. */
static const struct tree_node *ask_robust(double go_factor, struct world *world)
{
	const struct planted_run runs[] = {
		{.design = "a",
			.size = 1,
			.copy = 1000000,
			.dispatch = (int64_t)(1000 * go_factor),
			.scenario = "design: a\nmodel: {network: packet}\n",
			.platform = platform_text},
		{.design = "b",
			.size = 1,
			.copy = 1000000,
			.dispatch = 1000000,
			.scenario = "design: b\nmodel: {network: packet}\n",
			.platform = platform_text},
	};

	world->go_factor = go_factor;
	return ask(runs, 2, (struct compare_options){.robust = true}, world);
}

TEST(a_fragile_winner_is_called_fragile)
{
	struct world world = {0};
	/* A wins by a fifth of its dispatch; with 30 % more dispatch it loses */
	const struct tree_node *root = ask_robust(800, &world);

	assert_string_equal(text_at(root, "questions.0.outcome"), "fragile");
	assert_true(tree_is_null(tree_find(root, "questions.0.winner")));
	assert_int_equal(number_at(root, "questions.0.robust.tried"), 7); /* 3 groups, ideal */
	assert_int_equal(number_at(root, "questions.0.robust.held"), 6);
	assert_non_null(strstr(text_at(root, "questions.0.robust.breaks.0"),
		"dispatch +30 % (firmware.dispatch_go +30 %)"));
	assert_string_equal(
		text_at(root, "questions.0.rests_on.0.constant"), "firmware.dispatch_go");
	done();
}

TEST(a_robust_winner_holds)
{
	struct world world = {0};
	const struct tree_node *root = ask_robust(100, &world);

	assert_string_equal(text_at(root, "questions.0.outcome"), "wins");
	assert_string_equal(text_at(root, "questions.0.winner"), "a");
	assert_int_equal(number_at(root, "questions.0.robust.tried"), 7);
	assert_int_equal(number_at(root, "questions.0.robust.held"), 7);
	assert_int_equal(number_at(root, "questions.0.robust.runs"), 14);
	done();
}

static double first_cost(const struct planted_run *runs, uint32_t count)
{
	double cost =
		number_at(ask(runs, count, (struct compare_options){0}, NULL), "points.0.host_cpu");

	done();
	return cost;
}

/* Some seeds have 10 operations, the others 30. The mean of a stage is taken over operations, so
 * seeds with more operations have more weight. The mean of the host's CPU cost is taken over seeds,
 * so all seeds have the same weight. */
TEST(seeds_are_taken_together_stages_by_operations_and_costs_by_seeds)
{
	const struct tree_node *root;
	struct planted_run runs[8];
	double difference, low, high;

	for (uint32_t i = 0; i < 8; i++)
		runs[i] = (struct planted_run){i < 4 ? "a" : "b", 1, i % 4 + 1,
			i < 4 ? 8000000 + i % 2 * 1000000 : 1000000, 1000000,
			.measured = i % 2 ? 30 : 10};
	root = ask(runs, 8, (struct compare_options){0}, NULL);
	assert_int_equal(tree_find(root, "points")->count, 2);
	assert_int_equal(number_at(root, "points.0.seeds"), 4);
	assert_int_equal(number_at(root, "points.0.operations"), 80);
	difference = number_at(root, "questions.0.mechanism.stages.1.difference");
	/* (10 x 8 us + 30 x 9 us) / 40, less 1 us */
	assert_true(fabs(fabs(difference) - 7.75e6) < 1);
	done();
	low = first_cost((struct planted_run[]){runs[0], runs[4]}, 2);
	high = first_cost((struct planted_run[]){runs[1], runs[4]}, 2);
	difference = 3 * first_cost((struct planted_run[]){runs[0], runs[1], runs[2], runs[4]}, 4);
	assert_true(low != high && fabs(difference / (2 * low + high) - 1) < 1e-9);
}

/* Like the test above, but the cost of each operation is known: 2, 5 and 2 us. */
TEST(costs_of_operations_are_taken_by_seeds)
{
	struct planted_run runs[4];
	double cost;

	for (uint32_t i = 0; i < 4; i++)
		runs[i] = (struct planted_run){i < 3 ? "a" : "b", 1, i % 3 + 1, 8000000, 1000000,
			.measured = i % 2 ? 30 : 10, .host_cpu = i == 1 ? 5000000 : 2000000};
	cost = first_cost(runs, 4);
	if (fabs(cost - 3e6) > 1)
		print_error("host CPU of an operation: %g ps, planted %g\n", cost, 3e6);
	assert_true(fabs(cost - 3e6) <= 1);
}

/* Runs that failed are named in JSON, with their design and the reason. */
TEST(what_cannot_run_is_named)
{
	struct world world = {.stalls = "ideal"};
	const struct tree_node *root = ask_robust(100, &world);

	assert_int_equal(number_at(root, "questions.0.robust.tried"), 6);
	assert_int_equal(number_at(root, "questions.0.robust.failed"), 1);
	assert_string_equal(text_at(root, "questions.0.robust.failures.0"),
		"network ideal, b: stalled at 5 ns");
	done();
	world.stalls = "1300"; /* dispatch_go, with its group and then alone */
	root = ask_robust(100, &world);
	assert_int_equal(number_at(root, "questions.0.robust.failed"), 1);
	assert_string_equal(text_at(root, "questions.0.robust.failures.0"),
		"dispatch +30 %, b: stalled at 5 ns");
	done();
}

/* A network whose runs would take too long is left out, and the verdict counts it. */
TEST(a_network_that_takes_too_long_is_not_tried)
{
	struct world world = {0};
	const struct tree_node *root;

	ideal_slowness = 1e6;
	root = ask_robust(100, &world);
	ideal_slowness = 1;
	assert_int_equal(number_at(root, "questions.0.robust.untried"), 1);
	assert_int_equal(number_at(root, "questions.0.robust.tried"), 6);
	done();
}

/* This comparison is made to have as much output as possible: many designs with long names and many
 * sizes, and reruns of which some stall. */
TEST(a_question_takes_at_most_ten_lines)
{
	struct planted_run runs[PLANTED_RUNS_MAX];
	struct world world = {.stalls = "ideal"};
	struct compare_rerun_ops rerun_ops = {
		.context = &world, .networks = &networks, .run = run_planted};
	struct compare_options options = {.metric = "latency", .refine = true, .robust = true};
	char path[400], design[PLANTED_RUNS_MAX][16], *text = NULL;
	uint32_t count = 0, lines = 0, questions = 0, most = 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (int d = 0; d < 8; d++)
		for (int s = 0; s < 8; s++, count++) {
			int64_t value = 100 << s;
			snprintf(design[count], sizeof(design[count]), "long-name-%c", 'a' + d);
			runs[count] = (struct planted_run){.design = design[count],
				.size = value,
				.copy = d % 2 ? COPY_A(value) + 7000 * d : COPY_B(value) + 5000 * d,
				.dispatch = 1000000 + 20000 * d,
				.scenario = d % 2 ? "design: a\n" : "design: b\n",
				.platform = platform_text};
		}
	snprintf(path, sizeof(path), "%s/planted.h5", shell_folder);
	planted_write(path, shell_folder, runs, count);
	assert_int_equal(analysis_compare(path, &options, &rerun_ops, out), 0);
	fclose(out);
	unlink(path);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		bool starts = strncmp(line, "Question ", 9) == 0;
		if (strncmp(line, "best:", 5) == 0)
			break;
		questions += starts;
		if (questions && strncmp(line, "  with ", 7) == 0)
			break; /* the table of --robust is not part of the question */
		lines = starts ? 1 : lines + 1;
		if (questions && strlen(line) > 100)
			fail_msg("too long: %s", line);
		if (questions && lines > most)
			most = lines;
	}
	assert_int_equal(questions, 1);
	if (most < 6 || most > 10)
		fail_msg("%u lines", most);
	free(text);
}

TEST(one_noisy_operation_decides_nothing)
{
	struct planted_run runs[] = {
		{.design = "a", .size = 1, .copy = 5000000, .dispatch = 4000000, .measured = 1},
		{.design = "b", .size = 1, .copy = 5000000, .dispatch = 1000000, .measured = 1},
	};
	const struct tree_node *root = ask(runs, 2, (struct compare_options){0}, NULL);

	assert_string_equal(text_at(root, "questions.0.outcome"), "undecided");
	done();
	runs[0].scenario = runs[1].scenario = "model: {noise: off}\n";
	root = ask(runs, 2, (struct compare_options){0}, NULL);
	assert_string_equal(text_at(root, "questions.0.winner"), "b");
	done();
}

TEST(unknown_keys_are_refused)
{
	const char *by[] = {"runtime.desing"};
	struct compare_options options = {.by = by, .by_count = 1};
	char path[400];

	snprintf(path, sizeof(path), "%s/planted.h5", shell_folder);
	planted_write(path, shell_folder, crossing, 4);
	assert_int_equal(analysis_compare(path, &options, NULL, stdout), 2);
	options = (struct compare_options){.metric = "latncy"};
	assert_int_equal(analysis_compare(path, &options, NULL, stdout), 2);
	options = (struct compare_options){.kind = "read_buffer"};
	assert_int_equal(analysis_compare(path, &options, NULL, stdout), 2);
	unlink(path);
}

TEST_MAIN(shell_folder_make, shell_folder_remove_empty)
