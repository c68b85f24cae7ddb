/* Tests reading protobuf's text format as a tree: every notation of a field, locations, bounds and
 * errors. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "diag_text.h"

/* Checks that the tree, as JSON, equals `expected`. */
static void assert_reads(const char *text, const char *expected)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text_format("t", text, strlen(text), diag);
	struct text json = {0};

	if (!tree)
		diag_print(diag, stderr);
	assert_non_null(tree);
	tree_write_json(tree_root(tree), &json);
	assert_string_equal(text_string(&json), expected);
	text_fini(&json);
	tree_free(tree);
	diag_free(diag);
}

static void assert_refused(const char *text, const char *expected)
{
	struct diag *diag = diag_new();

	assert_null(tree_read_text_format("t", text, strlen(text), diag));
	assert_diag_prints(diag, expected);
	diag_free(diag);
}

TEST(spellings_of_a_message_are_one)
{
	assert_reads("a { b: 1 }", "{\"a\": {\"b\": 1}}");
	assert_reads("a: { b: 1; }", "{\"a\": {\"b\": 1}}");
	assert_reads("a < b: 1, c: x >", "{\"a\": {\"b\": 1, \"c\": \"x\"}}");
	assert_reads("a {}", "{\"a\": {}}");
}

TEST(a_field_that_stands_several_times_is_a_list)
{
	assert_reads("a: 1 b: 2 a: 3", "{\"a\": [1, 3], \"b\": 2}");
	assert_reads("a: [1, 2] a: 3", "{\"a\": [1, 2, 3]}");
	assert_reads("a [ { b: 1 }, < b: 2 > ]", "{\"a\": [{\"b\": 1}, {\"b\": 2}]}");
	assert_reads("a: []", "{\"a\": []}");
}

TEST(strings_have_escapes_and_join)
{
	assert_reads("a: 'x' \"y\\x41\\101\"", "{\"a\": \"xyAA\"}");
	assert_reads("a: \"1\" b: 1 # a comment\nc: t d: 1.5f e: -3",
		"{\"a\": \"1\", \"b\": 1, \"c\": true, \"d\": 1.5, \"e\": -3}");
}

TEST(an_escape_brings_no_control_character_into_a_string)
{
	assert_refused("a: 'host\\nrank 1=evil'",
		"t:1:4: error: a text cannot hold the control character U+000A\n"
		"a: 'host\\nrank 1=evil'\n   ^\n");
	assert_refused("a: '\\033[31m'",
		"t:1:4: error: a text cannot hold the control character U+001B\n"
		"a: '\\033[31m'\n   ^\n");
}

TEST(broken_text_is_refused_at_its_place)
{
	assert_refused("a {\n  b 1\n}", "t:2:5: error: not text format: ':' is missing here\n"
					"  b 1\n    ^\n");
	assert_refused("a: \"x\n\"", "t:1:4: error: not text format: a string that does not end in "
				     "its line\na: \"x\n   ^\n");
	assert_refused("a {", "t:1:4: error: not text format: the file ends inside a message\n"
			      "a {\n   ^\n");
	assert_refused("a: }", "t:1:4: error: not text format: a value is missing here\n"
			       "a: }\n   ^\n");
	assert_refused("# nothing", "t: error: not text format: nothing in it to read\n");
}

TEST(deep_nesting_is_refused)
{
	char text[128];

	for (int i = 0; i < 40; i++)
		memcpy(text + 3 * i, "a{ ", 3);
	text[120] = '\0';
	struct diag *diag = diag_new();
	assert_null(tree_read_text_format("t", text, 120, diag));
	assert_int_equal(diag_errors(diag), 1);
	diag_free(diag);
}

TEST_MAIN(NULL, NULL)
