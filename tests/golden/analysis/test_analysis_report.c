/* Tests the data in a report page (the page's "model") for files whose contents the test chooses,
 * character by character except for versions. Some tests check the rest of the page. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/report.h"
#include "base/tree.h"
#include "json_tree.h"
#include "planted.h"
#include "shell.h"
#include "toy_results.h"

static void errors_of_a_test(const void *context, struct text *out)
{
	text_append(out, context);
}

/* Returns the report of a file such as toy.h5; the caller frees it. */
static char *report(const char *name, bool model_only, const char *errors)
{
	char table[128];
	struct report_options options = {
		.writer_version = "1.2.3",
		.writer_commit = "abcdef",
		.model_only = model_only,
		.errors = errors ? errors_of_a_test : NULL,
		.errors_context = table,
	};
	const char *out = test_path("out");
	char *text;

	snprintf(table, sizeof(table), "%s", errors ? errors : "");
	assert_int_equal(analysis_report(test_path(name), &options, NULL, out), 0);
	text = test_read_file(out);
	unlink(out);
	return text;
}

static char *toy(uint32_t runs, bool model_only, const char *errors)
{
	char *text;

	toy_results_write(test_path("toy.h5"), shell_folder, runs);
	text = report("toy.h5", model_only, errors);
	unlink(test_path("toy.h5"));
	return text;
}

/* Removes the object "file", which contains versions. */
static void drop_versions(char *text)
{
	char *from = strstr(text, "  \"file\": {"),
	     *to = from ? strstr(from, "  \"writer\"") : NULL;

	assert_non_null(to);
	memmove(from, to, strlen(to) + 1);
}

/* Lines are long, so only the first different one is printed. */
static void assert_same_lines(const char *seen, const char *expected, const char *golden)
{
	size_t same = 0, start;

	while (seen[same] && seen[same] == expected[same])
		same++;
	if (!seen[same] && !expected[same])
		return;
	for (start = same; start > 0 && same - start < 60 && seen[start - 1] != '\n';)
		start--;
	print_error("--- written\n%.300s\n--- instead of, in %s\n%.300s\n", seen + start, golden,
		expected + start);
	fail();
}

TEST(the_model_of_a_file_is_known)
{
	char golden[512], *model = toy(4, true, NULL), *expected;

	snprintf(golden, sizeof(golden), "%s/tests/golden/analysis/report_model.json",
		MESHSIM_SOURCE_DIR);
	drop_versions(model);
	expected = test_read_file(golden);
	assert_same_lines(model, expected, golden);
	free(expected);
	free(model);
}

/* Writes two designs that differ by 3 us in one stage. */
static void write_planted(void)
{
	const struct planted_run runs[] = {
		{.design = "slow", .size = 1, .seed = 1, .copy = 5000000, .dispatch = 1000000},
		{.design = "fast", .size = 1, .seed = 1, .copy = 2000000, .dispatch = 1000000},
	};

	planted_write(test_path("planted.h5"), shell_folder, runs, 2);
}

TEST(verdict_paths_and_distributions_agree)
{
	struct tree *tree;

	write_planted();
	tree = json_tree(report("planted.h5", true, NULL));
	unlink(test_path("planted.h5"));
	json_expect(tree, "compare.questions.0.outcome", "wins");
	json_expect(tree, "compare.questions.0.winner", "fast");
	json_expect(tree, "compare.questions.0.mechanism.first", "1");
	json_expect(tree, "compare.questions.0.mechanism.stage", "host copy");
	json_expect(tree, "distributions.0.runs.0.n", "38");
	/* stages with time: build, copy, ... */
	json_expect(tree, "paths.0.stages.1", "host copy");
	json_expect(tree, "paths.0.runs.0.p50.1", "5000000");
	json_expect(tree, "paths.0.runs.1.p50.1", "2000000");
	json_expect(tree, "paths.0.runs.1.mean.1", "2000000");
	tree_free(tree);
}

TEST(the_page_holds_model_host_and_library)
{
	char *page = toy(2, false, "{\"why\": \"a test\"}");
	char *model = toy(2, true, "{\"why\": \"a test\"}");

	assert_non_null(strstr(page, "<title>toy · meshsim</title>"));
	assert_non_null(strstr(page, model));
	assert_non_null(strstr(page, "<script id=\"host\" type=\"application/json\">{\n"));
	assert_non_null(strstr(page, "https://d3js.org"));
	assert_non_null(strstr(page, "\"errors\": {\"why\": \"a test\"}"));
	assert_null(strstr(page, "{{"));
	free(model);
	free(page);
}

TEST(nothing_is_written_where_it_cannot_be)
{
	struct report_options options = {.writer_version = "", .writer_commit = ""};

	toy_results_write(test_path("toy.h5"), shell_folder, 1);
	assert_int_equal(
		analysis_report(test_path("toy.h5"), &options, NULL, test_path("no/such/out")), 2);
	assert_int_equal(
		analysis_report(test_path("none.h5"), &options, NULL, test_path("out")), 2);
	assert_int_not_equal(access(test_path("out"), F_OK), 0);
	unlink(test_path("toy.h5"));
}

TEST_MAIN(shell_folder_make, shell_folder_remove_empty)
