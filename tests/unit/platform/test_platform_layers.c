/* Tests platforms in layers, in which one platform changes another: names, paths, maps, `extends`,
 * numbers that override constants, and the effective platform that results. The files are in a
 * temporary folder. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag_text.h"
#include "test_folder.h"
#include "toy_platform.h"
#include "tree_equal.h"

static const char *folder;

static void write_file(const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
	(void)state;
	folder = test_folder();
	write_file("toy.yaml", toy_platform);
	write_file("_part.yaml", "toy: {lanes: 5}\n");
	write_file("wide.yaml", "extends: toy\n"
				"name: wide\n"
				"topology: {mesh: [2, 4]}\n"
				"toy:\n"
				"  lanes: 7\n"
				"  hop: {value: 4, kind: fitted, source: a fit}\n");
	write_file("wider.yaml", "extends: ./wide.yaml\n"
				 "name: wider\n"
				 "toy: {lanes: {value: 8}}\n");
	return 0;
}

TEST(a_name_is_looked_up_in_the_folder)
{
	struct diag *diag = diag_new();
	struct platform *platform = platform_open("toy", folder, &toy_table, 1, diag);

	assert_diag_prints(diag, "");
	assert_string_equal(platform_name(platform), "toy");
	assert_int_equal(platform_cluster(platform)->chip_count, 4);
	platform_free(platform);
	diag_free(diag);
}

TEST(each_layer_lies_over_the_one_it_extends)
{
	struct diag *diag = diag_new();
	struct platform *platform = platform_open("wider", folder, &toy_table, 1, diag);
	const struct platform_constant *lanes, *hop;
	char expected[256];

	assert_diag_prints(diag, "");
	assert_string_equal(platform_name(platform), "wider");
	assert_int_equal(platform_cluster(platform)->mesh_rows, 2);
	assert_int_equal(platform_cluster(platform)->chip_count, 8);
	lanes = platform_find(platform, "toy.lanes");
	assert_true(lanes->value == 8);
	assert_true(lanes->overridden);
	snprintf(expected, sizeof(expected), "set at %s/./wider.yaml:3, in place of: a", folder);
	assert_int_equal(lanes->given.kind, CONSTANT_ASSUMED);
	/* The unit of the lower file stays; a new source replaces the old one. */
	hop = platform_find(platform, "toy.hop");
	assert_true(hop->value == 4000);
	assert_false(hop->overridden);
	assert_int_equal(hop->given.kind, CONSTANT_FITTED);
	assert_string_equal(hop->given.source, "a fit");
	platform_free(platform);
	diag_free(diag);
}

static struct tree *read_scenario(const char *text, struct diag *diag)
{
	char name[512];

	snprintf(name, sizeof(name), "%s/scenario.yaml", folder);
	return tree_read_text(name, text, strlen(text), diag);
}

TEST(a_map_in_a_scenario_may_extend_a_name)
{
	struct diag *diag = diag_new();
	struct tree *tree =
		read_scenario("platform:\n  extends: toy\n  host: {cores_per_socket: 16}\n", diag);
	struct platform *platform;

	assert_true(platform_expand(tree, "platform", folder, diag));
	platform = platform_new(tree_get(tree_root(tree), "platform"), &toy_table, 1, diag);
	assert_diag_prints(diag, "");
	assert_int_equal((int64_t)platform_real(platform, "host.cores_per_socket"), 16);
	assert_null(tree_find(tree_root(tree), "platform.extends"));
	platform_free(platform);
	tree_free(tree);
	diag_free(diag);
}

TEST(a_path_is_relative_to_the_file_that_says_it)
{
	struct diag *diag = diag_new();
	struct tree *tree = read_scenario("platform: ./wide.yaml\n", diag);

	assert_true(platform_expand(tree, "platform", "/no/such/folder", diag) == false);
	diag_free(diag);
	diag = diag_new();
	tree_free(tree);
	tree = read_scenario("platform: toy.yaml\n", diag);
	assert_true(platform_expand(tree, "platform", "/no/such/folder", diag));
	assert_string_equal(tree_find(tree_root(tree), "platform.name")->text, "toy");
	tree_free(tree);
	diag_free(diag);
}

TEST(options_act_below_a_prepared_name)
{
	struct diag *diag = diag_new();
	struct tree *tree = read_scenario("platform: toy\n", diag);
	struct platform *platform;

	assert_true(platform_prepare(tree, "platform", diag));
	assert_true(tree_set(tree, "platform.toy.lanes", "11", "--set", diag));
	assert_true(tree_set(tree, "platform.topology.mesh", "[1, 3]", "--set", diag));
	assert_true(platform_prepare(tree, "platform", diag));
	assert_true(platform_expand(tree, "platform", folder, diag));
	platform = platform_new(tree_get(tree_root(tree), "platform"), &toy_table, 1, diag);
	assert_diag_prints(diag, "");
	assert_int_equal((int64_t)platform_real(platform, "toy.lanes"), 11);
	assert_string_equal(platform_find(platform, "toy.lanes")->given.source,
		"set at --set platform.toy.lanes:1, in place of: a");
	assert_int_equal(platform_cluster(platform)->chip_count, 3);
	platform_free(platform);
	tree_free(tree);
	diag_free(diag);
}

TEST(the_effective_platform_reads_back_as_itself)
{
	struct diag *diag = diag_new();
	struct tree *tree = read_scenario("platform: wider.yaml\n", diag), *again;
	const struct tree_node *full;
	struct platform *platform;
	struct text text;

	assert_true(platform_expand(tree, "platform", folder, diag));
	full = tree_get(tree_root(tree), "platform");
	text_init(&text);
	tree_write(full, &text);
	again = tree_read_text("effective", text_string(&text), text.length, diag);
	assert_true(tree_equal(full, tree_root(again)));
	platform = platform_new(tree_root(again), &toy_table, 1, diag);
	assert_diag_prints(diag, "");
	assert_int_equal((int64_t)platform_real(platform, "toy.lanes"), 8);
	platform_free(platform);
	text_fini(&text);
	tree_free(again);
	tree_free(tree);
	diag_free(diag);
}

TEST(parts_are_not_listed)
{
	struct arena arena;
	const char *const *names;

	arena_init(&arena);
	names = platform_list(folder, &arena);
	assert_string_equal(names[0], "toy");
	assert_string_equal(names[1], "wide");
	assert_string_equal(names[2], "wider");
	assert_null(names[3]);
	assert_null(platform_list("/no/such/folder", &arena)[0]);
	arena_fini(&arena);
}

TEST_MAIN(make_folder, NULL)
