/* Sweeps: the order of points, the values that they set, the columns of the summary, and errors. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scenario/load.h"

struct fixture {
	struct diag *diag;
	struct tree *tree;
	struct arena arena;
	struct sweep sweep;
	bool good;
};

static struct fixture open_sweep(const char *text)
{
	struct fixture f = {.diag = diag_new()};

	f.tree = tree_read_text("s.yaml", text, strlen(text), f.diag);
	assert_non_null(f.tree);
	arena_init(&f.arena);
	f.good = sweep_read(&f.sweep, tree_root(f.tree), 1, &f.arena, f.diag);
	return f;
}

static void close_sweep(struct fixture *f)
{
	arena_fini(&f->arena);
	tree_free(f->tree);
	diag_free(f->diag);
}

static const char *cell(struct fixture *f, const char *name, uint32_t point)
{
	return sweep_cell(&f->sweep, name, point, &f->arena);
}

TEST(the_first_key_varies_slowest)
{
	static const char *const expected[] = {"1x", "1y", "1z", "2x", "2y", "2z"};
	struct fixture f = open_sweep("sweep: {a: [1, 2], b.c: [x, y, z]}\n");

	assert_true(f.good);
	assert_int_equal(f.sweep.points, 6);
	for (uint32_t point = 0; point < 6; point++) {
		char seen[32];

		snprintf(seen, sizeof seen, "%s%s", cell(&f, "a", point), cell(&f, "b.c", point));
		assert_string_equal(seen, expected[point]);
	}
	close_sweep(&f);
}

TEST(a_map_sets_its_keys_and_leaves_the_others)
{
	struct fixture f = open_sweep("r: {f: {path: x, keep: 1}}\n"
				      "sweep: {r.f: [{path: y}, {path: z, n: 4}]}\n");
	const char **names;

	assert_true(f.good);
	assert_int_equal(sweep_columns(&f.sweep, &f.arena, &names), 2);
	assert_string_equal(names[0], "r.f.path");
	assert_string_equal(names[1], "r.f.n");
	assert_string_equal(cell(&f, "r.f.n", 0), "-");
	assert_string_equal(cell(&f, "r.f.n", 1), "4");
	assert_true(sweep_apply(&f.sweep, 1, f.tree, f.diag));
	assert_string_equal(tree_find(tree_root(f.tree), "r.f.path")->text, "z");
	assert_string_equal(tree_find(tree_root(f.tree), "r.f.keep")->text, "1");
	assert_string_equal(tree_find(tree_root(f.tree), "r.f.n")->text, "4");
	close_sweep(&f);
}

TEST(without_a_sweep_there_is_one_point)
{
	struct fixture f = open_sweep("a: 1\n");
	const char **names;

	assert_true(f.good);
	assert_int_equal(f.sweep.points, 1);
	assert_int_equal(sweep_columns(&f.sweep, &f.arena, &names), 0);
	close_sweep(&f);
}

static void refuse(const char *text, const char *message)
{
	struct fixture f = open_sweep(text);
	char *printed = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&printed, &length);

	assert_false(f.good);
	diag_print(f.diag, out);
	fclose(out);
	if (!strstr(printed, message))
		fail_msg("'%s' does not contain '%s'", printed, message);
	free(printed);
	close_sweep(&f);
}

TEST(sweeps_that_mean_nothing_are_refused)
{
	refuse("sweep: [1]\n", "s.yaml:1:8: error: sweep must be a map");
	refuse("sweep: {a: []}\n", "s.yaml:1:12: error: a swept key needs a list of one or more");
	refuse("sweep: {a: 3}\n", "not the integer 3");
	refuse("sweep: {a.b: [1], a: [2]}\n", "s.yaml:1:19: error: 'a' overlaps 'a.b'");
	refuse("sweep: {sweep.x: [1]}\n", "'sweep.x' cannot be swept");
	refuse("x: &l [1,2,3,4,5,6,7,8,9,10]\n"
	       "sweep: {a: *l, b: *l, c: *l, d: *l, e: *l}\n",
		"error: 100000 runs, but a scenario has at most 10000");
}

TEST(an_option_replaces_the_sweep_of_its_key)
{
	struct fixture f = open_sweep("sweep: {a.b: [1, 2], c: [3, 4]}\n");
	struct location nowhere = {0};

	assert_true(sweep_unset(f.tree, "a.b", nowhere, f.diag));
	assert_true(sweep_unset(f.tree, "x", nowhere, f.diag));
	assert_true(sweep_read(&f.sweep, tree_root(f.tree), 1, &f.arena, f.diag));
	assert_int_equal(f.sweep.axis_count, 1);
	assert_string_equal(f.sweep.axes[0].path, "c");
	assert_false(sweep_unset(f.tree, "c.d", nowhere, f.diag));
	assert_int_equal(diag_errors(f.diag), 1);
	close_sweep(&f);
}

TEST_MAIN(NULL, NULL)
