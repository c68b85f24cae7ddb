/* The located tree: its construction from YAML, and how it is changed, copied and written. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "diag_text.h"
#include "tree_equal.h"

static struct diag *diag;

static int start(void **state)
{
	(void)state;
	diag = diag_new();
	return 0;
}

static int stop(void **state)
{
	(void)state;
	diag_free(diag);
	return 0;
}

static struct tree *read_text(const char *text)
{
	struct tree *tree = tree_read_text("t.yaml", text, strlen(text), diag);

	if (!tree)
		diag_print(diag, stderr);
	assert_non_null(tree);
	return tree;
}

static const char *text_at(const struct tree *tree, const char *path)
{
	const struct tree_node *node = tree_find(tree_root(tree), path);

	assert_non_null(node);
	assert_int_equal(node->kind, TREE_SCALAR);
	return node->text;
}

/* Fails unless `node` written as YAML is `expected`. */
static void assert_writes(const struct tree_node *node, const char *expected)
{
	struct text text = {0};

	tree_write(node, &text);
	assert_string_equal(text_string(&text), expected);
	text_fini(&text);
}

TEST(every_node_and_key_knows_its_place)
{
	struct tree *tree = read_text("# head\nmesh:\n  shape: [8, 16]\nrest: |\n  text\n");
	const struct tree_node *root = tree_root(tree);
	struct location where = tree_where(root, "mesh.shape.1");

	assert_int_equal(where.line, 3);
	assert_int_equal(where.column, 14);
	assert_string_equal(source_name(where.source), "t.yaml");
	assert_int_equal(tree_get_pair(root, "rest")->where.line, 4);
	assert_int_equal(tree_get_pair(root, "rest")->where.column, 1);
	assert_int_equal(tree_where(root, "rest").column, 7);
	assert_int_equal(tree_where(root, "none").line, 0);
	assert_string_equal(text_at(tree, "rest"), "text\n");
	tree_free(tree);
}

TEST(scalars_have_the_types_of_the_core_schema)
{
	static const struct {
		const char *text;
		enum tree_type type;
	} cases[] = {{"~", TREE_NULL}, {"null", TREE_NULL}, {"", TREE_NULL}, {"true", TREE_BOOL},
		{"FALSE", TREE_BOOL}, {"yes", TREE_STRING}, {"off", TREE_STRING},
		{"12", TREE_INTEGER}, {"-3", TREE_INTEGER}, {"+4", TREE_INTEGER},
		{"0", TREE_INTEGER}, {"0x1F", TREE_INTEGER}, {"010", TREE_STRING},
		{"0x", TREE_STRING}, {"-", TREE_STRING}, {"1_000", TREE_STRING}, {"1.5", TREE_REAL},
		{".5", TREE_REAL}, {"5.", TREE_REAL}, {"1e3", TREE_REAL}, {"-1.5E-3", TREE_REAL},
		{"1e", TREE_STRING}, {".", TREE_STRING}, {"1.2.3", TREE_STRING},
		{".inf", TREE_STRING}, {"v1.1", TREE_STRING}, {"8-0", TREE_STRING}};
	struct arena arena = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t length = strlen(cases[i].text);
		const struct tree_node *node =
			tree_new_scalar(&arena, (struct location){0}, cases[i].text, length, false);

		if (tree_type(node) != cases[i].type)
			print_error("'%s' is of type %d, expected %d\n", cases[i].text,
				(int)tree_type(node), (int)cases[i].type);
		assert_int_equal(tree_type(node), cases[i].type);
		node = tree_new_scalar(&arena, (struct location){0}, cases[i].text, length, true);
		assert_int_equal(tree_type(node), TREE_STRING);
	}
	arena_fini(&arena);
}

TEST(numbers_have_values_or_statuses)
{
	struct tree *tree = read_text("[9223372036854775807, 9223372036854775808, 0x10, 1.5e3, "
				      "1e999, word, -9223372036854775808]");
	const struct tree_node *const *items = tree_root(tree)->items;
	int64_t integer = 0;
	double real = 0;

	assert_int_equal(tree_integer(items[0], &integer), STATUS_OK);
	assert_true(integer == INT64_MAX);
	assert_int_equal(tree_integer(items[1], &integer), STATUS_OUT_OF_RANGE);
	assert_int_equal(tree_integer(items[2], &integer), STATUS_OK);
	assert_int_equal(integer, 16);
	assert_int_equal(tree_integer(items[3], &integer), STATUS_INVALID);
	assert_int_equal(tree_integer(items[6], &integer), STATUS_OK);
	assert_true(integer == INT64_MIN);
	assert_int_equal(tree_real(items[3], &real), STATUS_OK);
	assert_true(real == 1500.0);
	assert_int_equal(tree_real(items[2], &real), STATUS_OK);
	assert_true(real == 16.0);
	assert_int_equal(tree_real(items[4], &real), STATUS_OUT_OF_RANGE);
	assert_int_equal(tree_real(items[5], &real), STATUS_INVALID);
	assert_int_equal(tree_real(tree_root(tree), &real), STATUS_INVALID);
	tree_free(tree);
}

TEST(merges_add_what_is_missing_and_the_first_one_wins)
{
	struct tree *tree = read_text("a: &a {x: 1, y: 2}\n"
				      "b: &b {y: 3, z: 4}\n"
				      "one: {<<: *a, y: 9}\n"
				      "two: {<<: [*b, *a]}\n"
				      "in: {<<: {q: 1}}\n"
				      "text: {'<<': plain}\n");

	assert_writes(tree_find(tree_root(tree), "one"), "\"y\": 9\nx: 1\n");
	assert_writes(tree_find(tree_root(tree), "two"), "\"y\": 3\nz: 4\nx: 1\n");
	assert_writes(tree_find(tree_root(tree), "in"), "q: 1\n");
	assert_writes(tree_find(tree_root(tree), "text"), "\"<<\": plain\n");
	assert_int_equal(tree_where(tree_root(tree), "one.x").line, 1);
	tree_free(tree);
}

TEST(an_anchor_may_be_used_again)
{
	struct tree *tree = read_text("a: &k 1\nb: *k\nc: &k 2\nd: *k\n&key e: *key\n");

	assert_string_equal(text_at(tree, "b"), "1");
	assert_string_equal(text_at(tree, "d"), "2");
	assert_string_equal(text_at(tree, "e"), "e");
	tree_free(tree);
}

TEST(tags_of_the_core_schema_say_what_a_scalar_is)
{
	struct tree *tree =
		read_text("a: !!str 5\nb: !!int \"5\"\nc: ! 5\nd: !!map {}\ne: !!seq []");

	assert_int_equal(tree_type(tree_find(tree_root(tree), "a")), TREE_STRING);
	assert_int_equal(tree_type(tree_find(tree_root(tree), "b")), TREE_INTEGER);
	assert_int_equal(tree_type(tree_find(tree_root(tree), "c")), TREE_STRING);
	tree_free(tree);
}

TEST(a_byte_order_mark_and_line_ends_of_windows_are_read)
{
	struct tree *tree = read_text("\xef\xbb\xbf"
				      "a: 1\r\nb: 2\r\n");

	assert_string_equal(text_at(tree, "b"), "2");
	assert_int_equal(tree_where(tree_root(tree), "a").column, 4);
	tree_free(tree);
}

TEST(a_path_leads_through_maps_and_lists)
{
	struct tree *tree = read_text("w: [{do: [{x: 1}]}, 2]");
	const struct tree_node *root = tree_root(tree);

	assert_string_equal(text_at(tree, "w.0.do.0.x"), "1");
	assert_string_equal(text_at(tree, "w.1"), "2");
	assert_ptr_equal(tree_find(root, ""), root);
	assert_null(tree_find(root, "w.2"));
	assert_null(tree_find(root, "w.00"));
	assert_null(tree_find(root, "w.-1"));
	assert_null(tree_find(root, "w.99999999999999999999"));
	assert_null(tree_find(root, "w.1.x"));
	assert_null(tree_find(root, "v"));
	tree_free(tree);
}

TEST(setting_replaces_creates_and_leaves_aliases_alone)
{
	struct tree *tree = read_text("a: &a {x: 1}\nb: *a\nlist: [1, 2]\nnone:\n");
	const struct tree_node *before = tree_root(tree);

	assert_true(tree_set(tree, "b.x", "5", "--set", diag));
	assert_true(tree_set(tree, "new.deep.key", "[1, {y: z}]", "--set", diag));
	assert_true(tree_set(tree, "list.1", "two words", "--set", diag));
	assert_true(tree_set(tree, "none.inner", "", "--set", diag));
	assert_writes(tree_root(tree), "a:\n  x: 1\nb:\n  x: 5\nlist: [1, two words]\n"
				       "none:\n  inner: null\nnew:\n  deep:\n    key:\n"
				       "      - 1\n      - \"y\": z\n");
	assert_writes(before, "a:\n  x: 1\nb:\n  x: 1\nlist: [1, 2]\nnone: null\n");
	assert_string_equal(source_name(tree_where(tree_root(tree), "b.x").source), "--set b.x");
	assert_int_equal(tree_where(tree_root(tree), "b.x").column, 5);
	tree_free(tree);
}

TEST(putting_copies_a_node_with_its_place)
{
	struct tree *tree = read_text("sweep: {a.b: [1, 2]}\n"), *run = tree_copy(tree);
	const struct tree_pair *axis = &tree_find(tree_root(tree), "sweep")->pairs[0];

	assert_true(tree_put(run, axis->key, axis->where, axis->value->items[1], diag));
	assert_true(tree_remove(run, "sweep"));
	assert_false(tree_remove(run, "sweep"));
	assert_false(tree_remove(run, "a.c"));
	assert_writes(tree_root(run), "a:\n  b: 2\n");
	tree_free(tree);
	assert_string_equal(text_at(run, "a.b"), "2");
	assert_int_equal(tree_where(tree_root(run), "a.b").column, 18);
	assert_true(tree_remove(run, "a.b"));
	assert_writes(tree_root(run), "a: {}\n");
	tree_free(run);
}

TEST(strings_that_look_like_something_else_are_quoted)
{
	struct tree *tree = read_text(
		"['yes', yes, \"1e3\", 1e3, 'null', ~, '', on, 'v1.1', \"a: b\", \"#\", '-x', "
		"2001-01-01, \"tab\\there\", \"\\\\\\\"\", caf\xc3\xa9, ' x', 'x ', "
		"'1', 0x1F, '*a', True, 'a,b', one two]");

	assert_writes(tree_root(tree),
		"[\"yes\", \"yes\", \"1e3\", 1e3, \"null\", null, \"\", \"on\", v1.1, \"a: b\", "
		"\"#\", \"-x\", \"2001-01-01\", \"tab\\there\", \"\\\\\\\"\", "
		"\"caf\xc3\xa9\", \" x\", \"x \", \"1\", 0x1F, \"*a\", True, \"a,b\", one two]\n");
	tree_free(tree);
}

TEST(what_was_written_reads_as_an_equal_tree)
{
	struct tree *tree = read_text("a: [[1, [2, {b: []}]], {}, [[]]]\n"
				      "c: {d: {e: 'x\ny'}}\n'f g': |2\n     lead\n  "),
		    *again;
	struct text text = {0}, twice = {0};

	tree_write(tree_root(tree), &text);
	again = read_text(text_string(&text));
	assert_true(tree_equal(tree_root(tree), tree_root(again)));
	tree_write(tree_root(again), &twice);
	assert_string_equal(text_string(&text), text_string(&twice));
	assert_true(tree_set(again, "c.d.e", "xy", "--set", diag));
	assert_false(tree_equal(tree_root(tree), tree_root(again)));
	text_fini(&text);
	text_fini(&twice);
	tree_free(tree);
	tree_free(again);
}

TEST(the_longest_key_survives_its_escapes)
{
	char key[TREE_KEY_BYTES_MAX + 1];
	struct arena arena = {0};
	struct tree_pair pair = {.key = key};
	struct text text = {0};
	struct tree *tree;

	memset(key, '\t', TREE_KEY_BYTES_MAX);
	key[TREE_KEY_BYTES_MAX] = '\0';
	pair.value = tree_new_scalar(&arena, (struct location){0}, "1", 1, false);
	tree_write(tree_new_map(&arena, (struct location){0}, &pair, 1), &text);
	tree = read_text(text_string(&text));
	assert_string_equal(tree_root(tree)->pairs[0].key, key);
	tree_free(tree);
	text_fini(&text);
	arena_fini(&arena);
}

TEST(json_keeps_digits_and_types)
{
	struct tree *tree = read_text("{a: [1.50, +7, 0x1f, .5, 5., 1e3, 99999999999999999999], "
				      "b: {c: ~, d: True, e: 'no', f: yes}}");
	struct text text = {0};

	tree_write_json(tree_root(tree), &text);
	assert_string_equal(text_string(&text),
		"{\"a\": [1.50, 7, 31, 0.5, 5, 1e3, 99999999999999999999], "
		"\"b\": {\"c\": null, \"d\": true, \"e\": \"no\", \"f\": \"yes\"}}");
	text_fini(&text);
	tree_free(tree);
}

TEST(builders_stay_within_the_bounds)
{
	struct arena arena = {0};
	const struct tree_node *node = tree_new_scalar(&arena, (struct location){0}, "x", 1, false);

	for (int i = 1; i < TREE_DEPTH_MAX; i++) {
		const struct tree_node **items = arena_array(&arena, 1, sizeof(*items));

		items[0] = node;
		node = tree_new_sequence(&arena, (struct location){0}, items, 1);
		assert_non_null(node);
	}
	assert_int_equal(node->depth, TREE_DEPTH_MAX);
	assert_int_equal(node->nodes, TREE_DEPTH_MAX);
	assert_null(tree_new_sequence(&arena, (struct location){0}, &node, 1));
	arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(test) cmocka_unit_test_setup_teardown(test, start, stop)
		CASE(every_node_and_key_knows_its_place),
		CASE(scalars_have_the_types_of_the_core_schema),
		CASE(numbers_have_values_or_statuses),
		CASE(merges_add_what_is_missing_and_the_first_one_wins),
		CASE(an_anchor_may_be_used_again),
		CASE(tags_of_the_core_schema_say_what_a_scalar_is),
		CASE(a_byte_order_mark_and_line_ends_of_windows_are_read),
		CASE(a_path_leads_through_maps_and_lists),
		CASE(setting_replaces_creates_and_leaves_aliases_alone),
		CASE(putting_copies_a_node_with_its_place),
		CASE(strings_that_look_like_something_else_are_quoted),
		CASE(what_was_written_reads_as_an_equal_tree),
		CASE(the_longest_key_survives_its_escapes),
		CASE(json_keeps_digits_and_types),
		CASE(builders_stay_within_the_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
