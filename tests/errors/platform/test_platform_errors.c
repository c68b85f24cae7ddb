/* Tests the exact messages for invalid platforms. A message names the error, its place, and the
 * nearest valid name. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag_text.h"
#include "test_folder.h"
#include "toy_platform.h"

/* The toy machine with one change, and the messages for it: "LINE:COLUMN: error: ...". */
static const struct {
	const char *what, *with, *expected;
} changes[] = {
	{"toy:\n", "tyo:\n",
		"1:1: error: missing constant 'toy.hop' in ps, which the toy model needs: one hop\n"
		"1:1: error: missing constant 'toy.lanes' in count, which the toy model needs: "
		"lanes\n"
		"1:1: error: missing constant 'toy.deep.share' in ratio, which the toy model "
		"needs: a share\n"
		"1:1: error: missing constant 'toy.window_size' in B, which the toy model needs: a "
		"window\n"
		"40:1: error: unknown key 'tyo', did you mean 'toy'?\n"},
	{"{value: 9.5, unit: ns", "{value: 9.5, unit: GB",
		"41:27: error: constant 'toy.hop' is not in 'GB' (valid: ps, ns, us, ms, s)\n"},
	{"{value: 9.5, unit: ns", "{value: 9.5", "41:8: error: missing key 'unit' in 'toy.hop'\n"},
	{"{value: 9.5, unit: ns", "{valeu: 9.5, unit: ns",
		"41:8: error: missing key 'value' in 'toy.hop'\n"
		"41:9: error: unknown key 'valeu', did you mean 'value'?\n"},
	{"{value: 9.5, unit: ns", "{value: fast, unit: ns",
		"41:16: error: 'value': expected a number, found the string 'fast'\n"},
	{"{value: 9.5, unit: ns", "{value: -9.5, unit: ns",
		"41:16: error: 'toy.hop': -9.5 is too small, at least 0\n"},
	{"{value: 9.5, unit: ns", "{value: 0.0001, unit: ns",
		"41:16: error: constant 'toy.hop' must be at least 1 ps\n"},
	{"{value: 9.5, unit: ns", "{value: 9.5001234, unit: ns",
		"41:16: error: constant 'toy.hop' must be a whole number of ps\n"},
	{"{value: 3, unit: count", "{value: 17, unit: count",
		"42:18: error: constant 'toy.lanes' must be at most 16 count\n"},
	{"{value: 3, unit: count", "{value: 2.5, unit: count",
		"42:18: error: constant 'toy.lanes' must be a whole number of count\n"},
	{"lanes: {value: 3, unit: count, kind: assumed, source: a}", "lanes: 3",
		"42:10: error: 'toy.lanes': a constant needs its source: {value: 3, unit: count, "
		"source: \"...\", kind: published, measured, fitted or assumed}\n"},
	{"kind: measured, source: a ruler", "kind: guessed, source: a ruler",
		"41:37: error: 'kind': unknown value 'guessed' (valid: published, measured, "
		"fitted, assumed)\n"},
	{"kind: measured, source: a ruler", "kind: measured, source: ''",
		"41:55: error: 'source': the string is empty\n"},
	{"  deep:\n    share: {value: 25, unit: percent, kind: fitted, source: a}\n", "  deep: 3\n",
		"1:1: error: missing constant 'toy.deep.share' in ratio, which the toy model "
		"needs: a share\n"
		"43:9: error: 'toy.deep' must be a map of constants, not the integer 3\n"},
	{"meshsim_platform: 1", "meshsim_platform: 2",
		"1:19: error: 'meshsim_platform': 2 is out of range 1 to 1\n"},
	{"name: toy\n", "nam: toy\n",
		"1:1: error: missing key 'name'\n"
		"2:1: error: unknown key 'nam', did you mean 'name'?\n"},
	{"tensix_rows: [1, 2, 4]", "tensix_rows: [1, 2, 5]",
		"6:16: error: tile [1, 5] is outside the grid of 4x5\n"
		"6:16: error: tile [2, 5] is outside the grid of 4x5\n"},
	{"pcie: [0, 3]", "pcie: [1, 1]", "10:9: error: two tiles at [1, 1]\n"},
	{"dispatch_rows: 1", "dispatch_rows: 3",
		"7:18: error: 3 rows for dispatch leave none for programs: there are 3\n"},
	{"dispatch_rows: 1", "dispatch_rows: 1\n  dispatch_columns: 2",
		"8:21: error: 2 columns for dispatch leave none for programs: there are 2\n"},
	{"dispatch_rows: 1", "dispatch_rows: 1\n  harvested_by_chip: [[2], [3]]",
		"8:28: error: harvested row 3 is no row of Tensix tiles\n"},
	{"dispatch_rows: 1", "dispatch_rows: 1\n  harvested_by_chip: [[2], [1, 4]]",
		"8:28: error: 2 harvested rows, but the first chip has 1: programs need one grid "
		"on all\n"},
	{"dispatch_rows: 1", "dispatch_rows: 1\n  harvested_by_chip: [2]",
		"8:23: error: a list of rows is expected, not the integer 2\n"},
	{"dispatch_rows: 1", "dispatch_rows: 1\n  harvested_rows: [3]",
		"8:19: error: harvested row 3 is no row of Tensix tiles\n"},
	{"pcie: [0, 2]", "pcie: none",
		"14:9: error: no chip has PCIe: the host could not reach any of them\n"},
	{"pcie: [0, 2]", "pcie: [0, 4]", "14:9: error: no column 4 in a mesh of 4 columns\n"},
	{"pcie: [0, 2]", "pcie: some",
		"14:9: error: 'pcie' must be all, none, or a list of columns, not the string "
		"'some'\n"},
	{"pcie: [0, 2]", "pcie: {columns: 3}",
		"14:9: error: 'pcie' must be all, none, or a list of columns, not a map\n"},
	{"mesh: [1, 4]", "mesh: [1, 4]\n  wrap: [true, true]",
		"13:9: error: columns of 1 chips cannot close to a ring: it takes 3\n"},
	{"mesh: [1, 4]", "mesh: [4]", "12:9: error: 'mesh': expected 2 items, found 1\n"},
	{"mesh: [1, 4]", "mesh: [1024, 1024]",
		"12:9: error: 1048576 chips are more than 65535: their numbers have 16 bits\n"},
	{"links: 1", "links: 2",
		"13:10: error: the chip at row 0, column 1 has 4 links and 3 Ethernet tiles\n"},
	{"links: 1", "links: 1\n  missing: {chips: [[0, 1], [0, 4], [0, 1]]}",
		"14:29: error: no chip at [0, 4] in a mesh of 1 x 4 chips\n"
		"14:37: error: chip [0, 1] is missing twice\n"},
	{"links: 1", "links: 1\n  missing: {connections: [[[0, 1], [0, 3]], [[0, 1], [0, 1]]]}",
		"14:27: error: [0, 1] and [0, 3] are no neighbours in a mesh of 1 x 4 chips\n"
		"14:45: error: [0, 1] and [0, 1] are no neighbours in a mesh of 1 x 4 chips\n"},
	{"links: 1", "links: 1\n  missing: {links: [[[0, 1], [0, 2]], [[0, 2], [0, 1]]]}",
		"14:21: error: missing 2 times, and there are 1\n"
		"14:39: error: missing 2 times, and there are 1\n"},
	{"links: 1", "links: 1\n  missing: {connections: 2}",
		"14:26: error: missing connections are a share of all, as 1 %, or a list of pairs "
		"of neighbours, as [[[0, 0], [0, 1]]]\n"},
	{"links: 1", "links: 1\n  missing: {links: 101 %}",
		"14:20: error: missing links are a share of all, as 1 %, or a list of pairs of "
		"neighbours, as [[[0, 0], [0, 1]]]\n"},
	{"links: 1", "links: 1\n  missing: {chips: [[0, 0], [0, 2]]}",
		"12:3: error: no way from the host to the chip at row 0, column 1\n"},
	{"pcie: [0, 2]",
		"pcie: none\n  wrap: [true, false]\n"
		"  wiring:\n"
		"    chips: [{at: [0, 0]}, {at: [0, 0]}, {at: [0, 4]}, {at: [0], harvested_rows: "
		"[2]}]\n"
		"    links: [[0, 4, 1], [1, 1, 1], [0, 1, 0], [1, 2, 4], [2, 1, 1]]",
		"17:5: error: a wiring says all chips and links: no gateways, wrap or missing "
		"beside it\n"
		"17:12: error: no chip has PCIe: the host could not reach any of them\n"
		"17:27: error: chips 0 and 1 are both at [0, 0]\n"
		"17:41: error: [0, 4] is outside the mesh of 1 x 4 chips\n"
		"17:55: error: a place is a row and a column\n"
		"17:55: error: 1 harvested rows, but the first chip has 0: programs need one grid "
		"on all\n"
		"18:12: error: a chip has 6 links and 3 Ethernet tiles\n"
		"18:13: error: no link can join chips 0 and 4 of 4\n"
		"18:24: error: no link can join chips 1 and 1 of 4\n"
		"18:35: error: a connection of no links\n"
		"18:57: error: the links between chips 2 and 1 stand twice\n"},
	{"links: 1", "lnks: 1",
		"12:3: error: missing key 'links' in 'topology'\n"
		"13:3: error: unknown key 'lnks', did you mean 'links'?\n"},
	{"words: {value: 4", "words: {value: 128",
		"19:10: error: constant 'memory.words' is larger than the L1 of a tile\n"
		"20:16: error: constant 'memory.worker_base' must lie between 'memory.words' and "
		"'memory.l1'\n"},
	{"worker_base: {value: 8", "worker_base: {value: 2",
		"20:16: error: constant 'memory.worker_base' must lie between 'memory.words' and "
		"'memory.l1'\n"},
	{"dram_bank: {value: 1, unit: MiB", "dram_bank: {value: 5, unit: GiB",
		"18:22: error: constant 'memory.dram_bank' must be at most 4.29497e+09 B\n"},
};

/* Returns the message lines of `text`, without the name of the file. */
static char *messages_of(const char *text, const char *file)
{
	char *messages = calloc(1, strlen(text) + 1);
	size_t length = 0, name = strlen(file);

	assert_non_null(messages);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		size_t bytes = strcspn(line, "\n") + 1;
		if (strncmp(line, file, name) != 0)
			continue;
		memcpy(messages + length, line + name, bytes - name);
		length += bytes - name;
	}
	return messages;
}

TEST(each_change_prints_what_is_wrong)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct diag *diag = diag_new();
		struct tree *tree;
		char *text = toy_platform_with(changes[i].what, changes[i].with);
		struct platform *platform = toy_platform_read(text, diag, &tree);
		char *printed = diag_text(diag), *messages = messages_of(printed, "toy.yaml:");
		assert_string_equal(messages, changes[i].expected);
		assert_null(platform);
		tree_free(tree);
		diag_free(diag);
		free(messages);
		free(printed);
		free(text);
	}
}

TEST(a_platform_that_is_no_map_is_refused)
{
	struct diag *diag = diag_new();
	struct tree *tree;

	assert_null(toy_platform_read("[1]\n", diag, &tree));
	assert_diag_prints(diag, "toy.yaml:1:1: error: expected a map, found a list\n[1]\n^\n");
	tree_free(tree);
	diag_free(diag);
}

/* Values of a scenario's `platform`, and the expected messages. */
static const struct {
	const char *scenario, *expected;
} sources[] = {
	{"platform: tg\n", "s.yaml:1:11: error: unknown platform 'tg', did you mean 'tgg'?\n"
			   "platform: tg\n          ^\n"},
	{"platform: cray\n", "s.yaml:1:11: error: unknown platform 'cray' (see meshsim list)\n"
			     "platform: cray\n          ^\n"},
	{"platform: [tgg]\n", "s.yaml:1:11: error: a platform is a name, a path or a map, not a "
			      "list\nplatform: [tgg]\n          ^\n"},
	{"platform:\n", "s.yaml:1:10: error: a platform is a name, a path or a map, not null\n"
			"platform:\n         ^\n"},
	{"seed: 1\n", "s.yaml:1:1: error: missing key 'platform': which machine to simulate\n"
		      "seed: 1\n^\n"},
	{"platform: {extends: {a: 1}}\n",
		"s.yaml:1:21: error: 'extends' must be a name or a path, not a map\n"
		"platform: {extends: {a: 1}}\n                    ^\n"},
	{"platform: ./no-such.yaml\n",
		"./no-such.yaml: error: cannot read: No such file or directory\n"},
};

TEST(sources_that_are_no_platform_are_refused)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		struct diag *diag = diag_new();
		struct tree *tree = tree_read_text(
			"s.yaml", sources[i].scenario, strlen(sources[i].scenario), diag);
		assert_non_null(tree);
		assert_false(
			platform_expand(tree, "platform", MESHSIM_SOURCE_DIR "/platforms", diag));
		assert_diag_prints(diag, sources[i].expected);
		tree_free(tree);
		diag_free(diag);
	}
}

TEST(a_layer_over_itself_is_refused)
{
	char path[512], expected[1200];
	struct diag *diag = diag_new();
	FILE *file;

	snprintf(path, sizeof(path), "%s/loop.yaml", test_folder());
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("extends: loop\nname: loop\n", file);
	fclose(file);
	assert_null(platform_open("loop", test_folder(), &toy_table, 1, diag));
	snprintf(expected, sizeof(expected),
		"%s:1:10: error: '%s' extends itself\nextends: loop\n         ^\n", path, path);
	assert_diag_prints(diag, expected);
	diag_free(diag);
}

TEST_MAIN(NULL, NULL)
