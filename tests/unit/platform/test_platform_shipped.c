/* Tests the shipped machines. Reading them must give no errors or warnings, each constant must have
 * a source, and the memories that the firmware needs must fit. The wiring must be that of the real
 * machines as far as it is known. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scenario/load.h"
#include "diag_text.h"
#include "firmware/core/firmware.h"

static const char platforms[] = MESHSIM_SOURCE_DIR "/platforms";

static struct platform *open_shipped(const char *name, struct diag *diag)
{
	size_t count;
	const struct constant_table *tables = constant_tables(&count);
	struct platform *platform = platform_open(name, platforms, tables, count, diag);

	assert_diag_prints(diag, "");
	assert_non_null(platform);
	return platform;
}

TEST(the_folder_holds_the_promised_machines)
{
	static const char *const promised[] = {"galaxy", "mesh-16x16", "mesh-32x32", "mesh-64x64",
		"n150", "n300", "t3k", "tgg", "tgg-6u", "p100", "p150", "p150-x4", "p150-x8",
		"p300", "blackhole-galaxy"};
	struct arena arena;
	const char *const *names;

	arena_init(&arena);
	names = platform_list(platforms, &arena);
	for (size_t i = 0; i < sizeof(promised) / sizeof(promised[0]); i++) {
		const char *const *name = names;

		while (*name && strcmp(*name, promised[i]) != 0)
			name++;
		if (!*name)
			print_error("no platform %s\n", promised[i]);
		assert_non_null(*name);
	}
	arena_fini(&arena);
}

static void each_shipped(void (*check)(const char *name, const struct platform *platform))
{
	struct arena arena;

	arena_init(&arena);
	for (const char *const *name = platform_list(platforms, &arena); *name; name++) {
		struct diag *diag = diag_new();
		struct platform *platform = open_shipped(*name, diag);
		check(*name, platform);
		platform_free(platform);
		diag_free(diag);
	}
	arena_fini(&arena);
}

static void check_constants(const char *name, const struct platform *platform)
{
	assert_string_equal(platform_name(platform), name);
	assert_true(platform_description(platform)[0] != '\0');
	for (size_t i = 0; i < platform_constant_count(platform); i++) {
		const struct platform_constant *constant = platform_constant(platform, i);
		if (constant->overridden || !constant->given.source[0] || !constant->given.unit[0])
			print_error("%s: %s\n", name, constant->name);
		assert_false(constant->overridden);
		assert_true(constant->given.source[0] != '\0');
		assert_true(constant->given.unit[0] != '\0');
		assert_in_range(constant->given.kind, 0, CONSTANT_KINDS - 1);
	}
}

TEST(every_constant_says_where_it_comes_from)
{
	each_shipped(check_constants);
}

static const struct constant_spec limit_specs[] = {
#define X(name, unit, what)                                                                        \
	CONSTANT_SPEC(struct firmware_limits, "firmware." #name, name, unit, what),
#include "firmware/core/limits.def"
#undef X
};
static const struct constant_table limits_table = {.consumer = "firmware",
	.specs = limit_specs,
	.count = sizeof(limit_specs) / sizeof(limit_specs[0])};

static void check_sizes(const char *name, const struct platform *platform)
{
	struct firmware_limits limits;
	const char *which = "";

	platform_bind(platform, &limits_table, &limits);
	if (firmware_limits_check(&limits, &which, NULL) != STATUS_OK)
		print_error("%s: %s\n", name, which);
	assert_string_equal(which, "");
}

TEST(sizes_of_firmware_fit_each_other)
{
	each_shipped(check_sizes);
}

/* Shape of a machine. */
struct expected {
	const char *name;
	unsigned rows, columns, chips, with_pcie, worker_columns, worker_rows, dispatch, tensix;
	unsigned connections, banks;
};

TEST(machines_have_their_shapes)
{
	static const struct expected machines[] = {
		{"n150", 1, 1, 1, 1, 8, 8, 8, 72, 0, 12},
		{"n300", 1, 2, 2, 1, 8, 7, 8, 128, 1, 12},
		{"t3k", 2, 4, 8, 4, 8, 7, 8, 512, 10, 12},
		{"galaxy", 4, 8, 32, 32, 8, 9, 8, 2560, 64, 12},
		{"tgg", 8, 8, 72, 8, 8, 9, 8, 5696, 120, 12},
		{"tgg-6u", 8, 8, 64, 64, 8, 9, 8, 5120, 112, 12},
		{"mesh-16x16", 16, 16, 272, 16, 8, 9, 8, 21632, 496, 12},
		{"mesh-32x32", 32, 32, 1056, 32, 8, 9, 8, 84224, 2016, 12},
		{"mesh-64x64", 64, 64, 4160, 64, 8, 9, 8, 332288, 8128, 12},
		{"p100", 1, 1, 1, 1, 11, 10, 10, 120, 0, 7},
		{"p150", 1, 1, 1, 1, 11, 10, 10, 120, 0, 8},
		{"p300", 1, 2, 2, 2, 11, 10, 10, 240, 1, 8},
		{"p150-x4", 2, 2, 4, 4, 11, 10, 10, 480, 4, 8},
		{"p150-x8", 2, 4, 8, 8, 11, 10, 10, 960, 12, 8},
		{"blackhole-galaxy", 8, 4, 32, 32, 11, 10, 10, 3840, 64, 8},
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		const struct expected *expected = &machines[i];
		struct diag *diag = diag_new();
		struct platform *platform = open_shipped(expected->name, diag);
		const struct cluster_info *cluster = platform_cluster(platform);
		unsigned with_pcie = 0;
		for (unsigned chip = 0; chip < cluster->chip_count; chip++)
			with_pcie += cluster->chips[chip].has_pcie;
		assert_int_equal(cluster->mesh_rows, expected->rows);
		assert_int_equal(cluster->mesh_columns, expected->columns);
		assert_int_equal(cluster->chip_count, expected->chips);
		assert_int_equal(with_pcie, expected->with_pcie);
		assert_int_equal(
			cluster->chips[0].geometry->worker_columns, expected->worker_columns);
		assert_int_equal(cluster->chips[0].geometry->worker_rows, expected->worker_rows);
		assert_int_equal(
			cluster->chips[0].geometry->dispatch_tile_count, expected->dispatch);
		assert_int_equal(cluster->chips[0].geometry->dram_bank_count, expected->banks);
		assert_int_equal(platform_tensix_tiles(platform), expected->tensix);
		assert_int_equal(cluster->connection_count, expected->connections);
		platform_free(platform);
		diag_free(diag);
	}
}

static struct tree *open_on_ethernet(const char *name, struct diag *diag)
{
	char text[128];
	struct tree *tree;

	snprintf(text, sizeof text, "platform: {extends: %s, tiles: {dispatch_cores: ethernet}}",
		name);
	tree = tree_read_text("test.yaml", text, strlen(text), diag);
	assert_true(platform_expand(tree, "platform", platforms, diag));
	return tree;
}

/* Programs get the rows that dispatch used; links keep their tiles. */
TEST(dispatch_may_stand_on_idle_ethernet_tiles)
{
	static const struct {
		const char *name;
		unsigned worker_rows, idle;
	} machines[] = {{"n150", 9, 16}, {"n300", 8, 14}, {"t3k", 8, 10}, {"galaxy", 10, 0}};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct diag *diag = diag_new();
		struct tree *tree = open_on_ethernet(machines[i].name, diag);
		size_t count;
		const struct constant_table *tables = constant_tables(&count);
		struct platform *platform =
			platform_new(tree_get(tree_root(tree), "platform"), tables, count, diag);
		const struct chip_geometry *geometry =
			platform_cluster(platform)->chips[0].geometry;

		assert_true(platform_dispatches_on_ethernet(platform));
		assert_int_equal(geometry->worker_rows, machines[i].worker_rows);
		assert_int_equal(geometry->idle_ethernet_count, machines[i].idle);
		assert_int_equal(geometry->dispatch_tile_count, machines[i].idle);
		for (unsigned k = 0; k < geometry->dispatch_tile_count; k++)
			assert_int_equal(
				geometry->tiles[geometry->dispatch_tiles[k]].kind, TILE_ETHERNET);
		platform_free(platform);
		tree_free(tree);
		diag_free(diag);
	}
}

TEST(gateways_are_where_the_boards_put_them)
{
	static const uint16_t of_t3k[] = {1, 1, 2, 2, 5, 5, 6, 6};
	struct diag *diag = diag_new();
	struct platform *platform = open_shipped("t3k", diag);

	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(platform_cluster(platform)->chips[i].gateway, of_t3k[i]);
	platform_free(platform);
	platform = open_shipped("n300", diag);
	assert_int_equal(platform_cluster(platform)->chips[1].gateway, 0);
	platform_free(platform);
	platform = open_shipped("tgg", diag);
	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(platform_cluster(platform)->chips[i].gateway, 64 + i / 8);
	platform_free(platform);
	diag_free(diag);
}

TEST_MAIN(NULL, NULL)
