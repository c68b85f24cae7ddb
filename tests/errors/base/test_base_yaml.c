/* label: full
 * Tests the exact messages of the YAML reader and the schema. The inputs are the files in
 * errors/base/, each with its expected output next to it, and texts that are too large for a file.
 */
#define _GNU_SOURCE
#include "test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/tree.h"
#include "diag_text.h"
#include "toy_schema.h"

enum { FIXTURES_MIN = 15 };

static char *read_all(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		print_error("no file %s\n", path);
	assert_non_null(file);
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(file);
	return text;
}

/* Binds the tree, which may be NULL, and drops the result. */
static void bind(struct tree *tree, struct diag *diag)
{
	struct arena arena = {0};
	struct toy toy;

	if (tree)
		schema_bind(&toy_schema, tree_root(tree), &toy, &arena, diag);
	arena_fini(&arena);
}

TEST(every_file_prints_what_stands_beside_it)
{
	glob_t found;

	assert_int_equal(chdir(MESHSIM_SOURCE_DIR "/tests/errors/base"), 0);
	assert_int_equal(glob("*.yaml", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= FIXTURES_MIN);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct diag *diag = diag_new();
		struct tree *tree = tree_read_file(found.gl_pathv[i], diag);
		char beside[256], *expected;

		snprintf(beside, sizeof(beside), "%.*s.expected",
			(int)strlen(found.gl_pathv[i]) - 5, found.gl_pathv[i]);
		expected = read_all(beside);
		bind(tree, diag);
		assert_true(diag_errors(diag) > 0);
		assert_diag_prints(diag, expected);
		free(expected);
		tree_free(tree);
		diag_free(diag);
	}
	globfree(&found);
}

/* Reads `length` bytes, which must be rejected with exactly `expected`. */
static void assert_refused(const char *text, size_t length, const char *expected)
{
	struct diag *diag = diag_new();

	assert_null(tree_read_text("t.yaml", text, length, diag));
	assert_diag_prints(diag, expected);
	diag_free(diag);
}

TEST(bytes_that_are_no_text_are_refused)
{
	assert_refused("a: \0b", 5, "t.yaml:1:4: error: NUL byte: not a text file\na: ?b\n   ^\n");
	assert_refused("\xef\xbb\xbf"
		       "a: b\xff",
		8, "t.yaml:1:5: error: byte 0xff is not UTF-8\na: b?\n    ^\n");
	assert_refused("a: \xc3\xa9\r\nb: \x07", 11,
		"t.yaml:2:4: error: character U+0007 is not allowed in YAML here\nb: ?\n   ^\n");
	assert_refused("a: b\xe2\x80\xa8", 7,
		"t.yaml:1:5: error: character U+2028 is not allowed in YAML here\n"
		"a: b?\n    ^\n");
	/* A surrogate, an overlong slash, a truncated code point. */
	assert_refused("\xed\xa0\x80", 3, "t.yaml:1:1: error: byte 0xed is not UTF-8\n???\n^\n");
	assert_refused("\xc0\xaf", 2, "t.yaml:1:1: error: byte 0xc0 is not UTF-8\n??\n^\n");
	assert_refused("\xe2\x82", 2, "t.yaml:1:1: error: byte 0xe2 is not UTF-8\n??\n^\n");
	assert_refused("a\0: 1", 5, "t.yaml:1:2: error: NUL byte: not a text file\na?: 1\n ^\n");
	assert_refused("", 0, "t.yaml: error: nothing in it to read\n");
}

TEST(files_that_cannot_be_read_are_named)
{
	struct diag *diag = diag_new();

	assert_null(tree_read_file("no/such.yaml", diag));
	assert_null(tree_read_file("/", diag));
	assert_null(tree_read_file("/dev/zero", diag));
	assert_diag_prints(diag, "no/such.yaml: error: cannot read: No such file or directory\n"
				 "/: error: cannot read: it is a directory\n"
				 "/dev/zero: error: cannot read: it is a device\n");
	diag_free(diag);
}

TEST(options_are_located_in_what_was_typed)
{
	static const struct {
		const char *path, *text, *expected;
	} cases[] = {
		{"forward.initators", "4",
			"--set forward.initators:1:9: error: unknown key 'initators', did you mean "
			"'initiators'?\nforward.initators=4\n        ^\n"},
		{"forward.initiators", "four",
			"--set forward.initiators:1:20: error: 'initiators': expected an integer, "
			"found the string 'four'\nforward.initiators=four\n"
			"                   ^\n"},
		{"workload.3.x", "1",
			"--set workload.3.x:1:10: error: 'workload' is a list of 1: it has no item "
			"'3'\nworkload.3.x=1\n         ^\n"},
		{"seed.x", "3",
			"--set seed.x:1:6: error: 'seed' is the integer 1, so it has no key 'x'\n"
			"seed.x=3\n     ^\n"},
		{"a..b", "1",
			"--set a..b:1:3: error: 'a..b' is no path of keys such as "
			"'runtime.forward'\na..b=1\n  ^\n"},
		{"", "1",
			"--set :1:1: error: '' is no path of keys such as 'runtime.forward'\n"
			"=1\n^\n"},
		{"shape", "[1,",
			"--set shape:1:10: error: not YAML: did not find expected node content "
			"while parsing a flow node\nshape=[1,\n         ^\n"},
		{"name", "",
			"--set name:1:6: error: 'name': expected a string, found null\n"
			"name=\n     ^\n"},
		{"workload.0", "{repeat: 5, do: []}",
			"--set workload.0:1:28: error: 'do': expected 1 to 1000 items, found 0\n"
			"workload.0={repeat: 5, do: []}\n"
			"                           ^\n"},
		{"workload.0.finish.queue", "-1",
			"--set workload.0.finish.queue:1:25: error: 'queue': -1 is too small, at "
			"least 0\nworkload.0.finish.queue=-1\n"
			"                        ^\n"},
	};
	static const char text[] = "name: t\nseed: 1\nworkload: [finish: {}]\n";

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct diag *diag = diag_new();
		struct tree *tree = tree_read_text("t.yaml", text, sizeof(text) - 1, diag);

		assert_non_null(tree);
		if (tree_set(tree, cases[i].path, cases[i].text, "--set", diag))
			bind(tree, diag);
		assert_diag_prints(diag, cases[i].expected);
		tree_free(tree);
		diag_free(diag);
	}
}

/* Makes a text that has `head`, then `count` times `unit`, then `tail`. The text must be rejected
 * with the message `expected`. */
static void assert_bomb(
	const char *head, const char *unit, size_t count, const char *tail, const char *expected)
{
	struct diag *diag = diag_new();
	struct text text = {0};
	clock_t begin;
	double seconds;
	char *printed;

	text_append(&text, head);
	for (size_t i = 0; i < count; i++)
		text_append(&text, unit);
	text_append(&text, tail);
	begin = clock();
	assert_null(tree_read_text("t.yaml", text.bytes, text.length, diag));
	seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	printed = diag_text(diag);
	if (!strstr(printed, expected) || seconds > 10)
		print_error("%zu times '%s': %g s, printed\n%.500s\nexpected among it\n%s\n", count,
			unit, seconds, printed, expected);
	assert_true(strstr(printed, expected) != NULL);
	/* Quadratic readers would take minutes; sanitizers on a busy machine take a second. */
	assert_true(seconds <= 10);
	free(printed);
	diag_free(diag);
	text_fini(&text);
}

TEST(bombs_are_refused_in_time)
{
	static const char deep[] = "t.yaml:1:65: error: nested too deep: more than 64 levels\n";

	assert_bomb("", "[", 200000, "", deep);
	assert_bomb("", "{", 200000, "", deep);
	assert_bomb("", "[\n", 200000, "",
		"t.yaml:65:1: error: nested too deep: more than 64 levels\n[\n^\n");
	assert_bomb("", "- ", 200000, "", "t.yaml:1:129: error: nested too deep");
	assert_bomb("", "? ", 200000, "", "t.yaml:1:129: error: nested too deep");
	assert_bomb("", "{a: ", 200000, "", "t.yaml:1:257: error: nested too deep");
	assert_bomb("", "%TAG !a! x\n", 200000, "--- a\n",
		"t.yaml:65:1: error: more than 64 %TAG directives\n");
	assert_bomb("", "a,", 3 << 20, "", "t.yaml: error: larger than 4194304 bytes\n");
	assert_bomb(
		"[", "a,", 1500000, "]", "t.yaml:1:1: error: too many values: more than 1000000");
	assert_bomb("a: &a [x]\nb: [", "*a,", 600000, "]",
		"t.yaml:2:4: error: too many values: more than 1000000 with aliases expanded");
	assert_bomb(
		"a: &a 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"'"
		"\nb: [",
		"*a,", 900000, "]",
		"t.yaml:2:4: error: too much text: more than 64 MiB with aliases expanded");
}

TEST(laughter_and_merges_are_counted_before_they_are_made)
{
	struct text text = {0};
	struct diag *diag = diag_new();

	text_append(&text, "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
	for (int i = 1; i < 10; i++) {
		text_printf(&text, "a%d: &a%d [", i, i);
		for (int j = 0; j < 10; j++)
			text_printf(&text, "*a%d,", i - 1);
		text_append(&text, "]\n");
	}
	assert_null(tree_read_text("t.yaml", text.bytes, text.length, diag));
	assert_diag_prints(diag,
		"t.yaml:6:5: error: too many values: more than 1000000 with aliases expanded\n"
		"a5: &a5 [*a4,*a4,*a4,*a4,*a4,*a4,*a4,*a4,*a4,*a4,]\n"
		"    ^\n");
	diag_free(diag);
	diag = diag_new();
	text_clear(&text);
	text_append(&text, "b: &b {");
	for (int i = 0; i < 10000; i++)
		text_printf(&text, "k%d: 1,", i);
	text_append(&text, "}\n");
	for (int i = 0; i < 1000; i++)
		text_printf(&text, "m%d: {<<: *b}\n", i);
	assert_null(tree_read_text("t.yaml", text.bytes, text.length, diag));
	assert_diag_prints(diag,
		"t.yaml:102:8: error: too many values: more than 1000000 with '<<' merged\n"
		"m100: {<<: *b}\n"
		"       ^\n");
	diag_free(diag);
	text_fini(&text);
}

TEST(nesting_by_aliases_counts)
{
	struct text text = {0};
	struct diag *diag = diag_new();

	text_append(&text, "- &a0 x\n");
	for (int i = 1; i < 100; i++)
		text_printf(&text, "- &a%d [*a%d]\n", i, i - 1);
	assert_null(tree_read_text("t.yaml", text.bytes, text.length, diag));
	assert_diag_prints(diag,
		"t.yaml:65:3: error: nested too deep: more than 64 levels with aliases expanded\n"
		"- &a64 [*a63]\n"
		"  ^\n");
	diag_free(diag);
	text_fini(&text);
}

TEST_MAIN(NULL, NULL)
