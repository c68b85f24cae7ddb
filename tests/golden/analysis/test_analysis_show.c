/* Tests the output of `meshsim show` for files whose contents the test chooses, character by
 * character except for the line of versions. Also tests the contents of its JSON output. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/show.h"
#include "base/tree.h"
#include "json_tree.h"
#include "shell.h"
#include "toy_results.h"

/* Returns the output for a file of `runs` runs; the caller frees it. */
static char *show(uint32_t runs, bool json)
{
	char path[400], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	snprintf(path, sizeof(path), "%s/toy.h5", shell_folder);
	toy_results_write(path, shell_folder, runs);
	assert_int_equal(analysis_show(path, json ? SHOW_JSON : SHOW_TEXT, false, out), 0);
	fclose(out);
	unlink(path);
	return text;
}

/* Removes the versions: all lines from the third line to the first empty line. Builds with
 * sanitizers print one line more than other builds. */
static void drop_versions(char *text)
{
	char *line = strchr(strchr(text, '\n') + 1, '\n') + 1, *next = strstr(line, "\n\n") + 1;

	assert_non_null(strstr(line, "meshsim "));
	memmove(line, next, strlen(next) + 1);
}

static void assert_prints(uint32_t runs, const char *golden)
{
	char path[512], *printed = show(runs, false), *expected = NULL;
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/golden/analysis/%s", MESHSIM_SOURCE_DIR, golden);
	drop_versions(printed);
	file = fopen(path, "r");
	if (!file || getdelim(&expected, &size, '\0', file) < 0 || strcmp(expected, printed) != 0)
		fprintf(stderr, "--- printed, instead of %s\n%s---\n", path, printed);
	assert_non_null(file);
	assert_string_equal(printed, expected);
	fclose(file);
	free(expected);
	free(printed);
}

TEST(several_runs_are_compared_line_by_line)
{
	assert_prints(4, "four_runs.txt");
}

TEST(one_run_is_shown_in_detail)
{
	assert_prints(1, "one_run.txt");
}

TEST(json_holds_the_raw_figures)
{
	struct tree *tree = json_tree(show(2, true));
	const struct tree_node *root = tree_root(tree);

	json_expect(tree, "layout_version", "10");
	json_expect(tree, "scenario_name", "toy");
	json_expect(tree, "units.simulated", "ps");
	json_expect(tree, "runs.1.status", "stalled");
	json_expect(tree, "runs.1.message", "dispatcher on chip 1 waits for credits");
	json_expect(tree, "runs.1.simulated", "1500000000");
	json_expect(tree, "runs.0.operations.enqueue_workload.throughput", "45000.5");
	json_expect(tree, "runs.0.operations.enqueue_workload.latency.p90", "16500000");
	assert_null(tree_find(root, "runs.0.operations.write_buffer.host"));
	assert_null(tree_find(root, "runs.1.operations.enqueue_workload.latency"));
	json_expect(tree, "runs.0.host.threads", "2");
	json_expect(tree, "runs.0.host.busy", "400000000");
	json_expect(tree, "runs.0.busiest_link.name", "chip 0 to 1, link 0");
	json_expect(tree, "runs.0.longest_blocked_stage.chip", "1");
	assert_null(tree_find(root, "runs.0.links"));
	tree_free(tree);
}

TEST(json_of_one_run_holds_its_tables)
{
	struct tree *tree = json_tree(show(1, true));
	const struct tree_node *root = tree_root(tree);

	assert_int_equal(tree_find(root, "runs.0.links")->count, 3);
	json_expect(tree, "runs.0.links.1.payload", "2400000");
	json_expect(tree, "runs.0.threads.1.name", "worker-0");
	json_expect(tree, "runs.0.threads.1.ended", "-1");
	json_expect(tree, "runs.0.stages.2.blocked", "90000000");
	json_expect(tree, "runs.0.work.1.units", "77");
	tree_free(tree);
}

TEST_MAIN(shell_folder_make, shell_folder_remove_empty)
