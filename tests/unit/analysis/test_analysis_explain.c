/* Tests `explain` on runs whose contents the test chooses. The differences of the stages add up to
 * the total difference, a cost that is added to one stage appears only in this stage, and invalid
 * files are rejected. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare.h"
#include "analysis/explain.h"
#include "base/tree.h"
#include "planted.h"
#include "shell.h"

static char path[400];

static int make_folder(void **state)
{
	int failed = shell_folder_make(state);

	snprintf(path, sizeof(path), "%s", test_path("planted.h5"));
	return failed;
}

static const struct planted_run runs[] = {
	{.design = "a", .size = 1, .copy = 2000000, .dispatch = 1000000},
	{.design = "b", .size = 1, .copy = 2000000, .dispatch = 1000001},
	{.design = "c", .size = 1, .seed = 3, .copy = 7000000, .dispatch = 900000, .spread = 999},
};

static int64_t integer_at(const struct tree_node *node, const char *where)
{
	int64_t value = 0;

	node = tree_find(node, where);
	assert_true(node && tree_integer(node, &value) == STATUS_OK);
	return value;
}

/* Explains the difference between `first` and `second`, and checks that all sums are right. Sets
 * *dispatch to the difference of the dispatch stage, and *whole to the total difference. */
static void explain(uint32_t first, uint32_t second, int64_t *dispatch, int64_t *whole)
{
	static const char *const names[] = {"paths.p50", "paths.p99", "paths.mean"};
	struct explain_options options = {
		.runs = {first, second}, .metric = "latency", .json = true};
	struct diag *diag = diag_new();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	planted_write(path, shell_folder, runs, 3);
	assert_int_equal(analysis_explain(path, &options, out), 0);
	fclose(out);
	unlink(path);
	struct tree *tree = tree_read_text("json", text, size, diag);
	assert_non_null(tree);
	for (int i = 0; i < 3; i++) {
		const struct tree_node *node = tree_find(tree_root(tree), names[i]);
		const struct tree_node *stages = tree_get(node, "stages");
		int64_t sum = 0;
		for (uint32_t s = 0; s < stages->count; s++) {
			sum += integer_at(stages->items[s], "difference");
			if (i == 0 &&
				strcmp(tree_get(stages->items[s], "stage")->text, "dispatch") == 0)
				*dispatch = integer_at(stages->items[s], "difference");
		}
		if (sum != integer_at(node, "difference"))
			print_error("%s: stages sum to %lld, the whole is %lld\n", names[i],
				(long long)sum, (long long)integer_at(node, "difference"));
		assert_int_equal(sum, integer_at(node, "difference"));
		assert_int_equal(integer_at(node, "difference"),
			integer_at(node, "value.1") - integer_at(node, "value.0"));
	}
	*whole = integer_at(tree_root(tree), "paths.p50.difference");
	tree_free(tree);
	diag_free(diag);
	free(text);
}

TEST(a_planted_picosecond_goes_to_its_stage)
{
	int64_t dispatch, whole;

	explain(0, 1, &dispatch, &whole);
	assert_int_equal(dispatch, 1);
	assert_int_equal(whole, 1);
}

TEST(stages_sum_to_the_difference_with_noise)
{
	int64_t dispatch, whole;

	explain(1, 2, &dispatch, &whole);
	assert_int_equal(dispatch, -100001);
	assert_true(whole >= 5000000 - 100001 && whole <= 5000000 - 100001 + 999);
}

TEST(what_is_not_there_is_refused)
{
	struct explain_options options = {.runs = {0, 9}};

	planted_write(path, shell_folder, runs, 3);
	assert_int_equal(analysis_explain(path, &options, stdout), 2);
	options = (struct explain_options){.runs = {0, 1}, .kind = "nothing"};
	assert_int_equal(analysis_explain(path, &options, stdout), 2);
	options = (struct explain_options){.runs = {0, 1}, .metric = "nothing"};
	assert_int_equal(analysis_explain(path, &options, stdout), 2);
	unlink(path);
}

/* Truncation at any point gives a message and exit code 2 in both commands, and no crash. */
TEST(files_that_are_cut_off_are_refused)
{
	struct explain_options explain_options = {.runs = {0, 1}};
	struct compare_options compare_options = {.by_count = 0};
	FILE *file;
	long size;

	assert_int_equal(analysis_explain("/nowhere.h5", &explain_options, stdout), 2);
	assert_int_equal(analysis_compare("/nowhere.h5", &compare_options, NULL, stdout), 2);
	planted_write(path, shell_folder, runs, 3);
	file = fopen(path, "r+");
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	for (int i = 9; i >= 0; i--) {
		assert_int_equal(ftruncate(fileno(file), size * i / 10), 0);
		assert_int_equal(analysis_explain(path, &explain_options, stdout), 2);
		assert_int_equal(analysis_compare(path, &compare_options, NULL, stdout), 2);
	}
	fclose(file);
	unlink(path);
}

TEST_MAIN(make_folder, shell_folder_remove_empty)
