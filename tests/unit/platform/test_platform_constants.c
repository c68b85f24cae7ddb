/* Tests the constants of a platform: that values are converted to the units of their users, that
 * names are those in the file, that other layers, numbers and options can override values, and that
 * error messages name the right place. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag_text.h"
#include "toy_platform.h"

TEST(values_come_in_the_units_of_their_consumer)
{
	struct diag *diag = diag_new();
	struct tree *tree;
	struct platform *platform = toy_platform_read(toy_platform, diag, &tree);
	struct toy_constants constants;

	assert_diag_prints(diag, "");
	assert_non_null(platform);
	platform_bind(platform, &toy_table, &constants);
	assert_int_equal(constants.hop_ps, 9500);
	assert_int_equal(constants.lanes, 3);
	assert_true(constants.share == 0.25);
	assert_int_equal(constants.window_bytes, 3 << 19);
	assert_int_equal((int64_t)platform_real(platform, "toy.hop"), 9500);
	assert_true(platform_real(platform, "toy.deep.share") == 0.25);
	assert_null(platform_find(platform, "toy.hop_ps"));
	platform_free(platform);
	tree_free(tree);
	diag_free(diag);
}

TEST(a_constant_keeps_what_the_file_says)
{
	struct diag *diag = diag_new();
	struct tree *tree;
	struct platform *platform = toy_platform_read(toy_platform, diag, &tree);
	const struct platform_constant *hop = platform_find(platform, "toy.hop");

	assert_non_null(hop);
	assert_true(hop->given.value == 9.5);
	assert_string_equal(hop->given.unit, "ns");
	assert_string_equal(hop->given.source, "a ruler");
	assert_int_equal(hop->given.kind, CONSTANT_MEASURED);
	assert_int_equal(hop->given.where.line, 41);
	assert_string_equal(hop->spec->what, "one hop");
	assert_false(hop->overridden);
	assert_string_equal(platform_constant(platform, 0)->name, "memory.l1");
	assert_string_equal(
		platform_constant(platform, platform_constant_count(platform) - 1)->name,
		"toy.window_size");
	platform_free(platform);
	tree_free(tree);
	diag_free(diag);
}

/* Sets a constant to 3 `unit`. Returns its value in the unit `consumer`, the unit of the code that
 * uses the constant. */
static double value_of_three(const char *unit, const char *consumer)
{
	struct constant_spec specs[8] = {{"toy.hop", consumer, "one hop", .least = 1e-9,
		.most = 1e18, .size = 8, .real = true}};
	const struct constant_table table = {
		.consumer = "toy", .specs = specs, .count = toy_table.count};
	struct diag *diag = diag_new();
	struct platform *platform;
	char three[64], *text;
	struct tree *tree;
	double value;

	for (size_t i = 1; i < toy_table.count; i++)
		specs[i] = toy_table.specs[i];
	snprintf(three, sizeof three, "{value: 3, unit: %s,", unit);
	text = toy_platform_with("{value: 9.5, unit: ns,", three);
	platform = toy_platform_read_for(text, &table, diag, &tree);
	assert_diag_prints(diag, "");
	value = platform_real(platform, "toy.hop");
	platform_free(platform);
	tree_free(tree);
	diag_free(diag);
	free(text);
	return value;
}

TEST(every_unit_is_so_many_of_the_next_smaller_one)
{
	static const struct {
		const char *from, *to;
		double factor;
	} units[] = {{"ns", "ps", 1000}, {"us", "ns", 1000}, {"ms", "us", 1000}, {"s", "ms", 1000},
		{"KiB", "B", 1024}, {"MiB", "KiB", 1024}, {"GiB", "MiB", 1024}, {"KB", "B", 1000},
		{"MB", "KB", 1000}, {"GB", "MB", 1000}, {"KB/s", "B/s", 1000},
		{"MB/s", "KB/s", 1000}, {"GB/s", "MB/s", 1000}, {"kHz", "Hz", 1000},
		{"MHz", "kHz", 1000}, {"GHz", "MHz", 1000}, {"ratio", "percent", 100}};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		double seen = value_of_three(units[i].from, units[i].to) / units[i].factor;

		if (seen < 2.999999 || seen > 3.000001)
			fail_msg("3 %s are %g x %g %s", units[i].from, seen, units[i].factor,
				units[i].to);
	}
}

/* Makes a scenario-like tree with the toy machine as `platform`, and applies `option`. */
static struct tree *scenario_with(
	const char *path, const char *value, const char *option, struct diag *diag)
{
	struct tree *scenario = tree_new();
	struct tree *machine = tree_read_text("toy.yaml", toy_platform, strlen(toy_platform), diag);
	struct location nowhere = {0};

	assert_true(tree_put(scenario, "platform", nowhere, tree_root(machine), diag));
	assert_true(tree_set(scenario, path, value, option, diag));
	tree_free(machine);
	return scenario;
}

/* Returns the constant toy.hop of a scenario in which `path` is set to `value`. The caller frees
 * platform and tree. */
static const struct platform_constant *hop_with(
	const char *path, const char *value, struct platform **platform, struct tree **tree)
{
	struct diag *diag = diag_new();

	*tree = scenario_with(path, value, "--set", diag);
	*platform = platform_new(tree_get(tree_root(*tree), "platform"), &toy_table, 1, diag);
	assert_diag_prints(diag, "");
	diag_free(diag);
	return platform_find(*platform, "toy.hop");
}

TEST(a_value_set_by_an_option_is_assumed_and_cites_the_option)
{
	struct platform *platform;
	struct tree *tree;
	const struct platform_constant *hop =
		hop_with("platform.toy.hop.value", "12", &platform, &tree);

	assert_true(hop->value == 12000);
	assert_true(hop->overridden);
	assert_int_equal(hop->given.kind, CONSTANT_ASSUMED);
	assert_string_equal(
		hop->given.source, "set at --set platform.toy.hop.value:1, in place of: a ruler");
	assert_false(platform_find(platform, "toy.lanes")->overridden);
	platform_free(platform);
	tree_free(tree);
}

TEST(a_whole_constant_set_by_an_option_speaks_for_itself)
{
	struct platform *platform;
	struct tree *tree;
	const struct platform_constant *hop = hop_with("platform.toy.hop",
		"{value: 1, unit: us, kind: measured, source: my machine}", &platform, &tree);

	assert_true(hop->value == 1000000);
	assert_false(hop->overridden);
	assert_string_equal(hop->given.source, "my machine");
	platform_free(platform);
	tree_free(tree);
}

TEST(the_schema_of_constants_names_each_once)
{
	struct text text;
	const char *at;

	text_init(&text);
	platform_write_schema(&toy_table, 1, &text);
	for (size_t i = 0; i < toy_table.count; i++) {
		char what[64];
		snprintf(what, sizeof(what), "\"%s\",", toy_table.specs[i].what);
		at = strstr(text_string(&text), what);
		assert_non_null(at);
		assert_null(strstr(at + 1, what));
	}
	assert_non_null(strstr(text_string(&text), "\"KiB\""));
	assert_non_null(strstr(text_string(&text), "\"window_size\""));
	text_fini(&text);
}

TEST_MAIN(NULL, NULL)
