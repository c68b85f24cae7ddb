/* Tests sizes and times with a unit. They must be converted exactly, and be printed as plain
 * integers in the effective form, and the JSON Schema must allow them. Also tests that aliases of
 * names have the same effect as the names, and that dotted paths find their keys. */
#include "test.h"

#include <inttypes.h>
#include <string.h>

#include "base/schema.h"
#include "diag_text.h"
#include "toy_schema.h"

enum scatter { SCATTER_OFF, SCATTER_ON };

struct values {
	uint64_t bytes;
	uint32_t run_ns;
	uint32_t limit_ms;
	uint32_t plain;
	enum scatter scatter;
};

static const char *const scatter_names[] = {"off", "on", NULL};
static const struct schema_alias scatter_aliases[] = {
	{"none", "off"}, {"full", "on"}, {"false", "off"}, {"true", "on"}, {NULL, NULL}};

static const struct schema_field fields[] = {
	SCHEMA_INT(struct values, bytes, "bytes", .max = INT64_C(1) << 40, .unit = "B"),
	SCHEMA_INT(struct values, run_ns, "run_ns", .unit = "ns", .fallback = "1000"),
	SCHEMA_INT(struct values, limit_ms, "limit_ms", .max = 1000, .unit = "ms"),
	SCHEMA_INT(struct values, plain, "plain"),
	SCHEMA_ENUM(struct values, scatter, "scatter", scatter_names, .fallback = "on",
		.aliases = scatter_aliases),
};
static const struct schema schema = SCHEMA("values", struct values, fields);

struct bound {
	struct diag *diag;
	struct tree *tree;
	struct arena arena;
	struct values values;
	struct text text; /* effective form, or messages */
};

static struct bound bound;

static int start(void **state)
{
	(void)state;
	bound = (struct bound){.diag = diag_new()};
	return 0;
}

static int stop(void **state)
{
	(void)state;
	text_fini(&bound.text);
	tree_free(bound.tree);
	arena_fini(&bound.arena);
	diag_free(bound.diag);
	return 0;
}

static bool bind(const char *yaml)
{
	tree_free(bound.tree);
	bound.tree = tree_read_text("v.yaml", yaml, strlen(yaml), bound.diag);
	assert_non_null(bound.tree);
	return schema_bind(&schema, tree_root(bound.tree), &bound.values, &bound.arena, bound.diag);
}

TEST(a_unit_stands_for_its_number_of_the_keys_unit)
{
	static const struct {
		const char *yaml;
		uint64_t bytes;
	} sizes[] = {
		{"bytes: 4096", 4096},
		{"bytes: 4096B", 4096},
		{"bytes: 4KiB", 4096},
		{"bytes: 4 KiB", 4096},
		{"bytes: \"4KiB\"", 4096},
		{"bytes: 4KB", 4000},
		{"bytes: 1.5MiB", 1572864},
		{"bytes: 1.50MB", 1500000},
		{"bytes: 0.5KiB", 512},
		{"bytes: 2GiB", UINT64_C(2) << 30},
		{"bytes: 0.001TB", 1000000000},
		{"bytes: 1TiB", UINT64_C(1) << 40},
		{"bytes: 0KiB", 0},
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (!bind(sizes[i].yaml) || bound.values.bytes != sizes[i].bytes)
			fail_msg("%s: %" PRIu64, sizes[i].yaml, bound.values.bytes);
	}
	assert_true(bind("{run_ns: 1.5ms, limit_ms: 1s}"));
	assert_int_equal(bound.values.run_ns, 1500000);
	assert_int_equal(bound.values.limit_ms, 1000);
	assert_true(bind("{run_ns: 20us, limit_ms: 3000us}"));
	assert_int_equal(bound.values.run_ns, 20000);
	assert_int_equal(bound.values.limit_ms, 3);
	assert_true(bind("run_ns: 2000ps"));
	assert_int_equal(bound.values.run_ns, 2);
}

TEST(what_is_no_whole_number_of_the_unit_is_refused)
{
	static const char *const refused[] = {"bytes: 1.5B", "bytes: 0.0001KiB", "run_ns: 1ps",
		"run_ns: 0.0005us", "limit_ms: 1us", "limit_ms: 1.5ms", "bytes: 1.5"};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (bind(refused[i]))
			fail_msg("%s is taken", refused[i]);
	}
}

TEST(other_spellings_and_other_units_are_refused)
{
	static const char *const refused[] = {"bytes: 4kib", "bytes: 4K", "bytes: 4Kib",
		"bytes: 4  KiB", "bytes: 4ns", "bytes: -4KiB", "bytes: +4KiB", "bytes: 1e3KiB",
		"bytes: .5KiB", "bytes: 5.KiB", "bytes: KiB", "bytes: 4KiB4", "bytes: 1.2.3KiB",
		"run_ns: 4KiB", "plain: 4KiB", "plain: 4ns", "bytes: 2TiB",
		"bytes: 99999999999999999999KiB", "bytes: 999999999999999999TiB", "limit_ms: 2s",
		"run_ns: \"4us \""};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (bind(refused[i]))
			fail_msg("%s is taken", refused[i]);
	}
}

TEST(the_effective_form_is_the_same_however_a_value_is_spelled)
{
	assert_true(bind("{bytes: 1MiB, run_ns: 20us, scatter: none}"));
	tree_write(schema_complete(&schema, tree_root(bound.tree), &bound.arena), &bound.text);
	assert_string_equal(
		text_string(&bound.text), "bytes: 1048576\nrun_ns: 20000\nscatter: \"off\"\n");
	text_clear(&bound.text);
	assert_true(bind("{bytes: 1048576, run_ns: 20000, scatter: false}"));
	tree_write(schema_complete(&schema, tree_root(bound.tree), &bound.arena), &bound.text);
	assert_string_equal(
		text_string(&bound.text), "bytes: 1048576\nrun_ns: 20000\nscatter: \"off\"\n");
}

TEST(an_alias_stands_for_its_name)
{
	assert_true(bind("scatter: none"));
	assert_int_equal(bound.values.scatter, SCATTER_OFF);
	assert_true(bind("scatter: false"));
	assert_int_equal(bound.values.scatter, SCATTER_OFF);
	assert_true(bind("scatter: full"));
	assert_int_equal(bound.values.scatter, SCATTER_ON);
	assert_false(bind("scatter: neither"));
	assert_diag_prints(bound.diag,
		"v.yaml:1:10: error: 'scatter': unknown value 'neither' (valid: "
		"off, on, none, full, false, true)\n"
		"scatter: neither\n"
		"         ^\n");
}

static const char *json_at(const char *path)
{
	const struct tree_node *node = tree_find(tree_root(bound.tree), path);

	assert_non_null(node);
	return node->text;
}

TEST(the_json_schema_takes_both_spellings)
{
	schema_append_json(&schema, &bound.text);
	bound.tree =
		tree_read_text("schema", text_string(&bound.text), bound.text.length, bound.diag);
	assert_non_null(bound.tree);
	assert_string_equal(json_at("$defs.values.properties.bytes.type.0"), "integer");
	assert_string_equal(json_at("$defs.values.properties.bytes.type.1"), "string");
	assert_string_equal(json_at("$defs.values.properties.bytes.maximum"), "1099511627776");
	assert_string_equal(json_at("$defs.values.properties.run_ns.pattern"),
		"^[0-9]+(\\.[0-9]+)? ?(ps|ns|us|ms|s)$");
	assert_string_equal(json_at("$defs.values.properties.plain.type"), "integer");
	assert_string_equal(json_at("$defs.values.properties.scatter.enum.2"), "none");
	assert_int_equal(tree_type(tree_find(
				 tree_root(bound.tree), "$defs.values.properties.scatter.enum.4")),
		TREE_BOOL);
}

TEST(a_dotted_path_finds_its_key)
{
	static const char *const nowhere[] = {"", ".", "forward.", "forward.paths", "name.x",
		"shape.x", "workload.0.finish.bytes", "workload.x.repeat"};

	assert_string_equal(schema_find(&toy_schema, "forward.path")->name, "path");
	assert_string_equal(
		schema_find(&toy_schema, "workload.0.write_buffer.bytes")->name, "bytes");
	assert_string_equal(
		schema_find(&toy_schema, "workload.7.do.12.finish.queue")->name, "queue");
	assert_string_equal(schema_find(&toy_schema, "workload.1.traced")->name, "traced");
	assert_string_equal(schema_find(&toy_schema, "links.eth.lanes")->name, "lanes");
	assert_int_equal(schema_find(&toy_schema, "shape.1")->max, 32);
	for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++)
		assert_null(schema_find(&toy_schema, nowhere[i]));
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_unit_stands_for_its_number_of_the_keys_unit),
		IN_FOLDER(what_is_no_whole_number_of_the_unit_is_refused),
		IN_FOLDER(other_spellings_and_other_units_are_refused),
		IN_FOLDER(the_effective_form_is_the_same_however_a_value_is_spelled),
		IN_FOLDER(an_alias_stands_for_its_name),
		IN_FOLDER(the_json_schema_takes_both_spellings),
		IN_FOLDER(a_dotted_path_finds_its_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
