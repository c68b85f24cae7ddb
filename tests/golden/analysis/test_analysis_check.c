/* label: full
 * Tests `meshsim check` on result files whose contents the test chooses: which files pass or fail,
 * and the output, character by character. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check.h"
#include "base/tree.h"
#include "planted.h"
#include "shell.h"

#define PLATFORM                                                                                   \
	"name: planted\nfirmware:\n  dispatch_go: {value: 60, unit: cycles, kind: assumed}\n"
#define LARGER PLATFORM "fabric: {packet: {value: 4, unit: KiB, kind: assumed}}\n"

#define RUN(d, s, c, t, p)                                                                         \
	{                                                                                          \
		.design = (d), .size = (s), .seed = 1, .copy = (c), .dispatch = (t),               \
		.platform = (p)                                                                    \
	}

static const struct planted_run good[] = {
	RUN("table", 8, 2000000, 3000000, PLATFORM),
	RUN("table", 16, 4000000, 3000000, PLATFORM),
	RUN("a: \"b\", c", 8, 2000000, 5000000, LARGER),
};

enum { GOOD = 3 };

static const char *const planted[] = {"planted.h5"};
static const char *const b_yaml[] = {"b.yaml"}, *const none_yaml[] = {"none.yaml"};

#define BASELINE(list) .baselines = (list), .baseline_count = 1

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* Checks `runs`; if `printed` is not NULL, it receives the output, which the caller frees. */
static int check_runs(const struct planted_run *runs, uint32_t count,
	const struct check_options *options, char **printed)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int code;

	assert_non_null(out);
	planted_write("planted.h5", ".", runs, count);
	code = analysis_check(planted, 1, options, out);
	fclose(out);
	if (printed)
		*printed = text;
	else
		free(text);
	return code;
}

static void take_baseline(void)
{
	const struct check_options options = {BASELINE(b_yaml), .update = true};

	unlink("b.yaml");
	assert_int_equal(check_runs(good, GOOD, &options, NULL), 0);
}

static void assert_golden(const char *text, const char *name)
{
	char path[512], *expected;

	snprintf(path, sizeof(path), "%s/tests/golden/analysis/%s", MESHSIM_SOURCE_DIR, name);
	expected = test_read_file(path);
	if (strcmp(text, expected) != 0) {
		fprintf(stderr, "--- seen, instead of %s\n%s---\n", path, text);
		fail();
	}
	free(expected);
}

static void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in\n%s", part, text);
}

/* Plants the good runs, but run 1 spends `dispatch` more in the stage dispatch. */
static void plant(struct planted_run runs[GOOD], int64_t dispatch)
{
	memcpy(runs, good, sizeof(good));
	runs[1].dispatch += dispatch;
}

/* Checks runs that differ from a new baseline by `change`. */
static int check_changed(int64_t change, const struct check_options *options, char **text)
{
	struct planted_run runs[GOOD];

	take_baseline();
	plant(runs, change);
	return check_runs(runs, GOOD, options, text);
}

/* ---- tests ---- */

TEST(a_baseline_is_small_text)
{
	char *text;

	take_baseline();
	text = test_read_file("b.yaml");
	assert_golden(text, "check_baseline.yaml");
	free(text);
}

TEST(the_same_figures_pass)
{
	const struct check_options options = {BASELINE(b_yaml)};
	char *text;

	take_baseline();
	assert_int_equal(check_runs(good, GOOD, &options, &text), 0);
	assert_string_equal(
		text, "planted: 0 worse, 0 better, 0 within tolerance; 30 figures of 3 runs\n");
	free(text);
}

TEST(a_nanosecond_more_fails_and_names_its_stage)
{
	struct check_options options = {BASELINE(b_yaml), .junit = "j.xml"};
	struct planted_run runs[GOOD];
	char *text;

	take_baseline();
	plant(runs, 1000);
	assert_int_equal(check_runs(runs, GOOD, &options, &text), 1);
	assert_golden(text, "check_worse.txt");
	free(text);
	text = test_read_file("j.xml");
	assert_golden(text, "check_worse.xml");
	free(text);
	options.form = CHECK_MARKDOWN;
	assert_int_equal(check_runs(runs, GOOD, &options, &text), 1);
	assert_golden(text, "check_worse.md");
	free(text);
}

static void assert_value(const struct tree_node *root, const char *path, const char *expected)
{
	const struct tree_node *node = tree_find(root, path);

	if (!node)
		fail_msg("no '%s'", path);
	assert_string_equal(node->text, expected);
}

TEST(json_has_the_raw_figures_and_all_stages)
{
	const struct check_options options = {BASELINE(b_yaml), .form = CHECK_JSON};
	struct diag *diag = diag_new();
	struct tree *tree;
	char *text;

	assert_int_equal(check_changed(1000, &options, &text), 1);
	tree = tree_read_text("json", text, strlen(text), diag);
	assert_non_null(tree);
	const struct tree_node *root = tree_root(tree);
	assert_value(root, "scenario", "planted");
	assert_value(root, "counts.worse", "9");
	assert_value(root, "changes.0.verdict", "worse");
	assert_value(root, "changes.0.what", "figure");
	assert_value(root, "changes.0.metric", "simulated");
	assert_value(root, "changes.0.unit", "ps");
	assert_value(root, "changes.0.stages.0.stage", "dispatch");
	assert_value(root, "changes.0.stages.0.old", "3000000");
	assert_value(root, "changes.0.stages.0.new", "3001000");
	assert_int_equal(tree_find(root, "changes.0.stages")->count, 1);
	assert_null(tree_find(root, "changes.9"));
	tree_free(tree);
	diag_free(diag);
	free(text);
}

TEST(less_passes_with_a_hint)
{
	const struct check_options options = {BASELINE(b_yaml)};
	char *text;

	assert_int_equal(check_changed(-1000, &options, &text), 0);
	assert_contains(text, "0 worse, 9 better");
	assert_contains(text, "better: consider a new baseline:\n  meshsim check planted.h5 "
			      "--baseline b.yaml --update");
	assert_contains(text, "dispatch (-1 ns an");
	free(text);
}

TEST(an_exact_gate_fails_on_what_is_better)
{
	struct check_options options = {BASELINE(b_yaml), .exact = true, .junit = "j.xml"};
	struct planted_run runs[GOOD];
	char *text;

	take_baseline();
	assert_int_equal(check_runs(good, GOOD, &options, NULL), 0);
	plant(runs, -1000);
	assert_int_equal(check_runs(runs, GOOD, &options, &text), 1);
	assert_contains(text, "0 worse, 9 better");
	assert_contains(text, "intended? consider a new baseline");
	free(text);
	text = test_read_file("j.xml");
	assert_contains(text, "tests=\"3\" failures=\"1\"");
	assert_contains(text, "<failure type=\"differs\"");
	free(text);
	options.form = CHECK_MARKDOWN;
	assert_int_equal(check_runs(runs, GOOD, &options, &text), 1);
	assert_contains(text, "planted differs");
	free(text);
}

/* An exact gate ignores the tolerances of a baseline. */
TEST(an_exact_gate_tolerates_nothing)
{
	const struct check_tolerance wide[] = {
		{"enqueue_workload", 1}, {"simulated", 1}, {"host_busy", 1}};
	const struct check_options store = {
		BASELINE(b_yaml), .update = true, .tolerances = wide, .tolerance_count = 3};
	struct check_options options = {BASELINE(b_yaml)};
	struct planted_run runs[GOOD];

	take_baseline();
	assert_int_equal(check_runs(good, GOOD, &store, NULL), 0);
	plant(runs, 1000);
	assert_int_equal(check_runs(runs, GOOD, &options, NULL), 0);
	options.exact = true;
	assert_int_equal(check_runs(runs, GOOD, &options, NULL), 1);
}

/* Makes a baseline, then removes its line that begins with `figure`, or adds a line. */
static void edit_baseline(const char *figure, const char *added)
{
	char *text, *at, *end;
	FILE *file;

	take_baseline();
	text = test_read_file("b.yaml");
	at = strstr(text, figure);
	assert_non_null(at);
	end = added ? at : strchr(at, '\n') + strspn(strchr(at, '\n'), "\n ");
	file = fopen("b.yaml", "w");
	assert_non_null(file);
	fprintf(file, "%.*s%s%s", (int)(at - text), text, added ? added : "", end);
	assert_int_equal(fclose(file), 0);
	free(text);
}

TEST(missing_and_extra_figures_fail)
{
	const struct check_options options = {BASELINE(b_yaml)};
	char *text;

	edit_baseline("enqueue_workload.latency.p50:", NULL);
	assert_int_equal(check_runs(good, GOOD, &options, &text), 1);
	assert_contains(text, "1 worse, 0 better, 0 within tolerance");
	assert_contains(text, "enqueue_workload.latency.p50 (extra, not in the baseline)");
	free(text);
	edit_baseline("enqueue_workload.latency.p50:", "enqueue_workload.vanished: 7\n    ");
	assert_int_equal(check_runs(good, GOOD, &options, &text), 1);
	assert_contains(text, "1 worse, 0 better, 0 within tolerance");
	assert_contains(text, "enqueue_workload.vanished (missing)");
	free(text);
}

/* The difference is 10.5 % of the old value, but 9.5 % of the new one. */
TEST(a_tolerance_is_a_share_of_the_old_value)
{
	const struct check_tolerance tolerances[] = {{"enqueue_workload", 50}, {"simulated", 50},
		{"host_busy", 50}, {"latency.p50", 10}};
	const struct check_options options = {
		BASELINE(b_yaml), .tolerances = tolerances, .tolerance_count = 4};
	char *text;

	assert_int_equal(check_changed(planted_latency(&good[1]) * 21 / 200, &options, &text), 1);
	assert_contains(text, "1 worse, 0 better");
	assert_contains(text, "enqueue_workload.latency.p50");
	free(text);
}

TEST(missing_and_extra_runs_fail)
{
	const struct check_options options = {BASELINE(b_yaml)};
	struct planted_run runs[GOOD];
	char *text;

	take_baseline();
	assert_int_equal(check_runs(good, GOOD - 1, &options, &text), 1);
	assert_contains(text, "1 worse");
	assert_contains(text, "run missing at design=a: \"b\", c, size=8");
	free(text);
	plant(runs, 0);
	runs[1].size = 32;
	assert_int_equal(check_runs(runs, GOOD, &options, &text), 1);
	assert_contains(text, "2 worse");
	assert_contains(text, "run extra, not in the baseline at design=table, size=32");
	assert_contains(text, "run missing at design=table, size=16");
	free(text);
}

TEST(runs_are_known_by_their_keys_not_their_order)
{
	const struct check_options options = {BASELINE(b_yaml)};
	const struct planted_run turned[] = {good[2], good[0], good[1]};

	take_baseline();
	assert_int_equal(check_runs(turned, GOOD, &options, NULL), 0);
}

TEST(another_seed_is_another_run)
{
	const struct check_options options = {BASELINE(b_yaml)};
	struct planted_run runs[GOOD];

	take_baseline();
	plant(runs, 0);
	runs[0].seed = 2;
	assert_int_equal(check_runs(runs, GOOD, &options, NULL), 1);
}

TEST(a_run_that_ends_otherwise_fails)
{
	const struct check_options options = {BASELINE(b_yaml)};
	struct planted_run runs[GOOD];
	char *text;

	take_baseline();
	plant(runs, 0);
	runs[0].status = "stalled";
	assert_int_equal(check_runs(runs, GOOD, &options, &text), 1);
	assert_contains(text, "status ok -> stalled at design=table, size=8");
	assert_contains(text, "1 worse");
	free(text);
}

TEST(tolerances_fit_parts_of_names)
{
	/* 1 ns of 15 us is 0.0067 %; also for sums and totals */
	const struct check_tolerance wide[] = {
		{"enqueue_workload", 0.01}, {"simulated", 0.01}, {"host_busy", 0.01}};
	const struct check_tolerance narrow[] = {{"enqueue_workload", 0.01}, {"simulated", 0.01},
		{"host_busy", 0.01}, {"round.p99", 0.001}};
	struct check_options options = {BASELINE(b_yaml), .tolerances = wide, .tolerance_count = 3};
	struct planted_run runs[GOOD];
	char *text;

	take_baseline();
	plant(runs, 1000);
	assert_int_equal(check_runs(runs, GOOD, &options, &text), 0);
	assert_contains(text, "0 worse, 0 better, 9 within tolerance");
	free(text);
	options.tolerances = narrow;
	options.tolerance_count = 4;
	assert_int_equal(check_runs(runs, GOOD, &options, &text), 1);
	assert_contains(text, "1 worse, 0 better, 8 within tolerance");
	assert_contains(text, "enqueue_workload.round.p99");
	free(text);
}

TEST(update_keeps_and_stores_tolerances)
{
	const struct check_tolerance tolerance = {"latency", 25};
	const struct check_options store = {
		BASELINE(b_yaml), .update = true, .tolerances = &tolerance, .tolerance_count = 1};
	const struct check_options again = {BASELINE(b_yaml), .update = true};
	const struct check_options options = {BASELINE(b_yaml)};
	struct planted_run runs[GOOD];
	char *text;

	take_baseline();
	assert_int_equal(check_runs(good, GOOD, &store, NULL), 0);
	assert_int_equal(check_runs(good, GOOD, &again, NULL), 0);
	text = test_read_file("b.yaml");
	assert_contains(text, "\ntolerance: {latency: 25}\n");
	free(text);
	plant(runs, 1000);
	assert_int_equal(check_runs(runs, GOOD, &options, &text), 1);
	assert_contains(text, "6 worse, 0 better, 3 within tolerance");
	free(text);
}

TEST(what_cannot_be_compared_is_refused)
{
	const struct check_tolerance nonsense = {"lat", 1};
	struct check_options options = {BASELINE(none_yaml)};

	assert_int_equal(check_runs(good, GOOD, &options, NULL), 3);
	options.baselines = b_yaml;
	write_file("b.yaml", "baseline: 2\n");
	assert_int_equal(check_runs(good, GOOD, &options, NULL), 2);
	write_file(
		"b.yaml", "baseline: 1\nscenario: planted\nruns: [{keys: {}, status: ok, x: a}]\n");
	assert_int_equal(check_runs(good, GOOD, &options, NULL), 2);
	write_file("b.yaml", "baseline: 1\nscenario: another\nruns: []\n");
	assert_int_equal(check_runs(good, GOOD, &options, NULL), 2);
	options.update = true;
	write_file("b.yaml", "keep: me\n");
	assert_int_equal(check_runs(good, GOOD, &options, NULL), 2);
	char *text = test_read_file("b.yaml");
	assert_string_equal(text, "keep: me\n");
	free(text);
	take_baseline();
	options = (struct check_options){
		BASELINE(b_yaml), .tolerances = &nonsense, .tolerance_count = 1};
	assert_int_equal(check_runs(good, GOOD, &options, NULL), 2);
	write_file("planted.h5", "no result");
	assert_int_equal(analysis_check(planted, 1, &options, stdout), 2);
}

TEST_MAIN(shell_folder_enter, shell_folder_remove)
