/* needs: simgrid
 * Tests harvesting masks of cluster descriptors, whose bits name disabled rows or columns of tiles.
 * Every mask of up to two bits is tested on both architectures. Programs get exactly the cores that
 * the masks leave. Masks of other kinds of tiles have no effect. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cables/cables.h"
#include "bench/scenario/load.h"
#include "diag_text.h"
#include "platform/platform.h"
#include "test_folder.h"

static const char platforms[] = MESHSIM_SOURCE_DIR "/platforms";

/* A machine of one chip, or of two chips with a mask each. */
struct machine {
	struct diag *diag;
	struct tree *tree;
	struct platform *platform;
	const struct cluster_info *cluster;
};

static struct machine open_machine(const char *base, const char *descriptor)
{
	struct machine machine = {.diag = diag_new()};
	const struct constant_table *tables;
	char path[512], name[512], text[1024];
	size_t count;
	FILE *file;

	snprintf(path, sizeof(path), "%s/cluster.yaml", test_folder());
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(descriptor, file);
	fclose(file);
	snprintf(text, sizeof(text), "platform: {extends: %s, cluster: %s}", base, path);
	tables = constant_tables(&count);
	/* In the same folder, so that error messages show the text of the descriptor. */
	snprintf(name, sizeof(name), "%s/test.yaml", test_folder());
	machine.tree = tree_read_text(name, text, strlen(text), machine.diag);
	if (cables_expand(machine.tree, "platform", platforms, machine.diag))
		machine.platform = platform_new(
			tree_get(tree_root(machine.tree), "platform"), tables, count, machine.diag);
	if (machine.platform)
		machine.cluster = platform_cluster(machine.platform);
	return machine;
}

static void close_machine(struct machine *machine)
{
	platform_free(machine->platform);
	tree_free(machine->tree);
	diag_free(machine->diag);
}

static struct machine one_chip(const char *base, const char *arch, const char *harvesting)
{
	char text[1024];

	snprintf(text, sizeof(text),
		"arch: {0: %s}\nchips_with_mmio: [0: 0]\nethernet_connections: []\n%s", arch,
		harvesting);
	return open_machine(base, text);
}

static unsigned workers(const struct machine *machine)
{
	const struct chip_geometry *geometry = machine->cluster->chips[0].geometry;

	return geometry->worker_columns * geometry->worker_rows;
}

/* Counts the Tensix tiles of the chip in the lines that the mask disables. */
static unsigned tensix_in(
	const struct machine *machine, const uint8_t *lines, uint32_t mask, bool columns)
{
	const struct chip_geometry *geometry = machine->cluster->chips[0].geometry;
	unsigned count = 0;

	for (unsigned i = 0; i < geometry->tile_count; i++)
		for (unsigned bit = 0; bit < 32; bit++)
			count += (mask >> bit & 1) && geometry->tiles[i].kind == TILE_TENSIX &&
				 (columns ? geometry->tiles[i].x : geometry->tiles[i].y) ==
					 lines[bit];
	return count;
}

static void check_mask(const char *base, const char *arch, const uint8_t *lines, uint32_t mask,
	bool columns, unsigned expected)
{
	char text[128];
	struct machine machine;

	snprintf(text, sizeof(text), "harvesting: {0: {harvest_mask: %u}}\n", mask);
	machine = one_chip(base, arch, text);
	assert_diag_prints(machine.diag, "");
	assert_non_null(machine.cluster);
	if (workers(&machine) != expected)
		fail_msg("%s, mask %u: %u workers, %u expected", arch, mask, workers(&machine),
			expected);
	if (tensix_in(&machine, lines, mask, columns) != 0)
		fail_msg("%s, mask %u: a tile of a line that is off is there", arch, mask);
	close_machine(&machine);
}

TEST(workers_are_the_rows_that_a_wormhole_mask_leaves)
{
	static const uint8_t rows[] = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11};

	/* Ten rows of eight columns; one row is reserved for dispatch. */
	check_mask("n150", "wormhole_b0", rows, 0, false, 9 * 8);
	for (unsigned a = 0; a < 10; a++) {
		check_mask("n150", "wormhole_b0", rows, 1u << a, false, 8 * 8);
		for (unsigned b = 0; b < a; b++)
			check_mask("n150", "Wormhole", rows, 1u << a | 1u << b, false, 7 * 8);
	}
}

TEST(workers_are_the_columns_that_a_blackhole_mask_leaves)
{
	static const uint8_t columns[] = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16};

	/* Ten rows of fourteen columns; one column is reserved for dispatch. */
	check_mask("[n150, _blackhole]", "blackhole", columns, 0, true, 10 * 13);
	for (unsigned a = 0; a < 14; a++) {
		check_mask("[n150, _blackhole]", "blackhole", columns, 1u << a, true, 10 * 12);
		for (unsigned b = 0; b < a; b++)
			check_mask("[n150, _blackhole]", "blackhole", columns, 1u << a | 1u << b,
				true, 10 * 11);
	}
}

TEST(without_a_mask_the_platform_says_what_is_off)
{
	struct machine machine = one_chip("n150", "wormhole_b0", "");

	assert_diag_prints(machine.diag, "");
	assert_int_equal(workers(&machine), 8 * 8);
	close_machine(&machine);
}

static void assert_says(struct machine *machine, const char *expected)
{
	char *printed = diag_text(machine->diag);

	if (!strstr(printed, expected))
		fail_msg("expected '%s' in:\n%s", expected, printed);
	free(printed);
}

TEST(masks_of_other_tiles_change_nothing_and_that_is_said)
{
	struct machine machine =
		one_chip("n150", "blackhole", "harvesting: {0: {harvest_mask: 192}}\n");

	assert_says(&machine,
		"cluster.yaml:4:32: warning: 'harvest_mask': 192 has no effect (of 1 chips, 1 have "
		"such a mask): the chips are of BLACKHOLE, the platform's tiles of WORMHOLE_B0");
	assert_int_equal(workers(&machine), 8 * 8);
	close_machine(&machine);
	machine = one_chip("n150", "wormhole_b0",
		"harvesting: {0: {harvest_mask: 0, eth_harvesting_mask: 288, "
		"dram_harvesting_mask: 1, pcie_harvesting_mask: 2}}\n");
	assert_says(&machine, "'eth_harvesting_mask': 288 has no effect");
	assert_says(&machine, "'dram_harvesting_mask': 1 has no effect");
	assert_says(&machine, "'pcie_harvesting_mask': 2 has no effect");
	assert_int_equal(workers(&machine), 9 * 8);
	close_machine(&machine);
}

static const struct {
	const char *base, *arch, *mask, *expected;
} refused[] = {
	{"n150", "wormhole_b0", "4096",
		"cluster.yaml:4:32: error: 'harvest_mask': 4096 has bit 12, but there is no such "
		"row "
		"of Tensix tiles: WORMHOLE_B0 has 10, bits 0 to 9"},
	{"n150", "wormhole_b0", "1023",
		"cluster.yaml:4:32: error: 'harvest_mask': 1023 switches off all 10 rows of Tensix "
		"tiles"},
	{"n150", "wormhole_b0", "511",
		"cluster.yaml:4:32: error: 'harvest_mask': 511 leaves 1 of 10 rows of Tensix "
		"tiles, "
		"and dispatch takes 1: none is left for programs"},
	{"[n150, _blackhole]", "blackhole", "16384",
		"cluster.yaml:4:32: error: 'harvest_mask': 16384 has bit 14, but there is no such "
		"column of Tensix tiles: BLACKHOLE has 14, bits 0 to 13"},
	{"[n150, _blackhole]", "blackhole", "16383",
		"cluster.yaml:4:32: error: 'harvest_mask': 16383 switches off all 14 columns of "
		"Tensix tiles"},
	{"[n150, _blackhole]", "blackhole", "8191",
		"cluster.yaml:4:32: error: 'harvest_mask': 8191 leaves 1 of 14 columns of Tensix "
		"tiles, and dispatch takes 1: none is left for programs"},
	{"n150", "wormhole_b0", "-1",
		"cluster.yaml:4:32: error: 'harvest_mask': -1 is too small, at least 0"},
	{"n150", "wormhole_b0", "nan",
		"cluster.yaml:4:32: error: 'harvest_mask': expected an integer, found the string "
		"'nan'"},
	{"n150", "wormhole_b0", "4294967296",
		"cluster.yaml:4:32: error: 'harvest_mask': 4294967296 is too big, at most "
		"4294967295"},
};

TEST(masks_that_no_chip_can_have_are_refused_where_they_stand)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		char text[128];
		struct machine machine;

		snprintf(text, sizeof(text), "harvesting: {0: {harvest_mask: %s}}\n",
			refused[i].mask);
		machine = one_chip(refused[i].base, refused[i].arch, text);
		assert_says(&machine, refused[i].expected);
		assert_null(machine.platform);
		close_machine(&machine);
	}
}

/* Programs have one grid for all chips, so chips with more rows lose their last rows. */
TEST(chips_of_one_mesh_have_as_many_rows_as_the_least)
{
	struct machine machine = open_machine("n300",
		"arch: {0: wormhole_b0, 1: wormhole_b0}\nchips_with_mmio: [0: 0]\n"
		"ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 0}]]\n"
		"harvesting: {0: {harvest_mask: 7}, 1: {harvest_mask: 0}}\n");

	assert_diag_prints(machine.diag, "");
	assert_int_equal(machine.cluster->chip_count, 2);
	assert_int_equal(machine.cluster->chips[1].geometry->worker_rows, 6);
	assert_int_equal(workers(&machine), 6 * 8);
	close_machine(&machine);
}

TEST_MAIN(NULL, NULL)
