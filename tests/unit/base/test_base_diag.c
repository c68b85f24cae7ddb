/* Diagnostics: order, carets, bounds. The messages of readers are tested under errors/. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/schema.h"
#include "base/tree.h"
#include "diag_text.h"

static const struct source *add_source(struct diag *diag, const char *name, const char *text)
{
	return diag_source(diag, name, text, strlen(text));
}

TEST(messages_come_sorted_by_source_line_and_column)
{
	struct diag *diag = diag_new();
	const struct source *a = add_source(diag, "a.yaml", "one\ntwo words\nthree");
	const struct source *b = add_source(diag, "b.yaml", "other");

	diag_error(diag, location_at(b, 1, 1), "fifth");
	diag_error(diag, location_at(a, 3, 2), "fourth");
	diag_warning(diag, location_at(a, 2, 5), "third");
	diag_error(diag, location_at(a, 2, 1), "second");
	diag_error(diag, (struct location){0}, "first");
	assert_int_equal(diag_errors(diag), 4);
	assert_diag_prints(diag, "error: first\n"
				 "a.yaml:2:1: error: second\n"
				 "two words\n"
				 "^\n"
				 "a.yaml:2:5: warning: third\n"
				 "two words\n"
				 "    ^\n"
				 "a.yaml:3:2: error: fourth\n"
				 "three\n"
				 " ^\n"
				 "b.yaml:1:1: error: fifth\n"
				 "other\n"
				 "^\n");
	diag_free(diag);
}

TEST(the_same_message_at_the_same_place_is_printed_once)
{
	struct diag *diag = diag_new();
	const struct source *a = add_source(diag, "a.yaml", "x");

	for (int i = 0; i < 3; i++)
		diag_error(diag, location_at(a, 1, 1), "twice");
	assert_int_equal(diag_errors(diag), 3);
	assert_diag_prints(diag, "a.yaml:1:1: error: twice\nx\n^\n");
	diag_free(diag);
}

TEST(the_same_message_about_a_text_that_was_read_again_is_printed_once)
{
	struct diag *diag = diag_new();

	diag_warning(diag, location_at(add_source(diag, "a.yaml", "x"), 1, 1), "twice");
	diag_warning(diag, location_at(add_source(diag, "a.yaml", "x"), 1, 1), "twice");
	diag_warning(diag, location_at(add_source(diag, "a.yaml", "y"), 1, 1), "twice");
	diag_warning(diag, location_at(add_source(diag, "b.yaml", "x"), 1, 1), "twice");
	assert_diag_prints(diag, "a.yaml:1:1: warning: twice\nx\n^\n"
				 "a.yaml:1:1: warning: twice\ny\n^\n"
				 "b.yaml:1:1: warning: twice\nx\n^\n");
	diag_free(diag);
}

/* Makes a diag with many sources. If the texts of a diag that was freed before are still in use,
 * this probably overwrites them. */
static struct diag *other_sources(void)
{
	enum { SOURCES = 64 };
	struct diag *diag = diag_new();

	for (int i = 0; i < SOURCES; i++)
		add_source(diag, "other.yaml", "zzz: zzz\nzzz: zzz\n");
	return diag;
}

TEST(a_tree_keeps_its_source_when_the_diag_is_gone)
{
	static const char text[] = "one: 1\ntwo: 2\n";
	struct diag *reader = diag_new(), *others, *diag = diag_new();
	struct tree *tree = tree_read_text("a.yaml", text, sizeof(text) - 1, reader), *copy;

	assert_true(tree_set(tree, "three", "3", "--set", reader));
	diag_free(reader);
	copy = tree_copy(tree);
	tree_free(tree);
	others = other_sources();
	diag_error(diag, tree_where(tree_root(copy), "two"), "late");
	diag_error(diag, tree_where(tree_root(copy), "three"), "later");
	tree_free(copy);
	assert_diag_prints(diag, "a.yaml:2:6: error: late\ntwo: 2\n     ^\n"
				 "--set three:1:7: error: later\nthree=3\n      ^\n");
	diag_free(diag);
	diag_free(others);
}

struct bound {
	int64_t two;
	struct location where, two_where;
};

TEST(an_object_keeps_its_source_when_tree_and_diag_are_gone)
{
	static const char text[] = "two: 2\n";
	static const struct schema_field fields[] = {
		SCHEMA_INT(struct bound, two, "two", SCHEMA_WHERE(struct bound, two_where)),
	};
	static const struct schema schema =
		SCHEMA("bound", struct bound, fields, SCHEMA_WHERE(struct bound, where));
	struct diag *reader = diag_new(), *others, *diag = diag_new();
	struct tree *tree = tree_read_text("a.yaml", text, sizeof(text) - 1, reader);
	struct arena arena = {0};
	struct bound bound;

	assert_true(schema_bind(&schema, tree_root(tree), &bound, &arena, reader));
	tree_free(tree);
	diag_free(reader);
	others = other_sources();
	diag_error(diag, bound.two_where, "late");
	diag_error(diag, bound.where, "whole");
	arena_fini(&arena);
	assert_diag_prints(diag, "a.yaml:1:1: error: whole\ntwo: 2\n^\n"
				 "a.yaml:1:6: error: late\ntwo: 2\n     ^\n");
	diag_free(diag);
	diag_free(others);
}

TEST(the_caret_follows_tabs_and_code_points)
{
	struct diag *diag = diag_new();
	const struct source *a = add_source(diag, "a", "\tk: \xc3\xa9t\xc3\xa9 x\r\nb\rc\x1b[1m");

	diag_error(diag, location_at(a, 1, 9), "here");
	diag_error(diag, location_at(a, 2, 2), "behind the end");
	diag_error(diag, location_at(a, 3, 1), "escape");
	assert_diag_prints(diag, "a:1:9: error: here\n"
				 "\tk: \xc3\xa9t\xc3\xa9 x\n"
				 "\t       ^\n"
				 "a:2:2: error: behind the end\n"
				 "b\n"
				 " ^\n"
				 "a:3:1: error: escape\n"
				 "c?[1m\n"
				 "^\n");
	diag_free(diag);
}

TEST(a_long_line_is_shown_in_part)
{
	struct diag *diag = diag_new();
	char line[1001], expected[400];
	char *printed;

	memset(line, 'x', 1000);
	line[1000] = '\0';
	line[499] = 'Y';
	diag_error(diag, location_at(add_source(diag, "a", line), 1, 500), "wide");
	snprintf(expected, sizeof(expected), "a:1:500: error: wide\n...%.100sY%.49s...\n%103s^\n",
		line, line, "");
	printed = diag_text(diag);
	assert_string_equal(printed, expected);
	free(printed);
	diag_free(diag);
}

TEST(messages_are_bounded_and_the_rest_counted)
{
	struct diag *diag = diag_new();
	const struct source *a = add_source(diag, "a", "x");
	char *printed;
	size_t lines = 0;

	for (uint32_t i = 1; i <= 1500; i++)
		diag_error(diag, location_at(a, i, 1), "no");
	printed = diag_text(diag);
	for (const char *at = printed; *at; at++)
		lines += *at == '\n';
	/* Line 1 is printed with its text and caret; there is no line 2. */
	assert_int_equal(lines, DIAG_PRINTED_MAX + 2 + 1);
	assert_non_null(strstr(printed, "\nand 1400 more\n"));
	free(printed);
	diag_free(diag);
}

TEST(control_characters_of_a_message_do_not_reach_the_terminal)
{
	struct diag *diag = diag_new();
	char name[3001];
	char *printed;

	diag_error(diag, (struct location){0}, "unknown key '%s'", "a\nb\x1b[31m");
	assert_diag_prints(diag, "error: unknown key 'a?b?[31m'\n");
	diag_free(diag);
	diag = diag_new();
	memset(name, 'n', 3000);
	name[3000] = '\0';
	diag_error(diag, (struct location){0}, "%s", name);
	printed = diag_text(diag);
	assert_true(strlen(printed) < 1100);
	assert_string_equal(printed + strlen(printed) - 5, "n...\n");
	free(printed);
	diag_free(diag);
}

TEST(a_place_is_cited_by_file_and_line)
{
	struct diag *diag = diag_new();
	const struct source *a = diag_source(diag, "quad.yaml", NULL, 0);
	char cite[LOCATION_CITE_BYTES];

	assert_string_equal(
		location_cite(location_at(a, 31, 4), cite, sizeof(cite)), "quad.yaml:31");
	assert_string_equal(location_cite(location_at(a, 0, 0), cite, sizeof(cite)), "quad.yaml");
	assert_string_equal(location_cite((struct location){0}, cite, sizeof(cite)), "default");
	diag_error(diag, location_at(a, 0, 0), "cannot read");
	assert_diag_prints(diag, "quad.yaml: error: cannot read\n");
	assert_string_equal(source_name(a), "quad.yaml");
	diag_free(diag);
}

TEST_MAIN(NULL, NULL)
