/* Finds the rows or columns of tiles that are switched off on each chip of a machine. Uses the
 * harvesting masks in the machine's file, and the positions of tiles in the platform whose
 * constants are used. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "bench/cables/cables.h"
#include "cables_private.h"
#include "platform/platform.h"

static uint32_t take_lines(const struct tree_node *list, uint8_t lines[CABLES_LINES_MAX])
{
	uint32_t count = 0;
	int64_t line;

	for (uint32_t i = 0; list && list->kind == TREE_SEQUENCE && i < list->count; i++)
		if (count < CABLES_LINES_MAX && tree_integer(list->items[i], &line) == STATUS_OK &&
			line >= 0 && line < CABLES_LINES_MAX)
			lines[count++] = (uint8_t)line;
	return count;
}

static bool says(const struct tree_node *map, const char *key, const char *value)
{
	const struct tree_node *node = map ? tree_get(map, key) : NULL;

	return node && node->kind == TREE_SCALAR && strcasecmp(node->text, value) == 0;
}

struct cables_tiles cables_tiles(const struct tree_node *map)
{
	struct cables_tiles tiles = {.columns = says(map, "harvest_mask", "columns")};
	const struct tree_node *dispatch;
	int64_t lines = 0;

	if (!map || map->kind != TREE_MAP)
		return tiles;
	for (unsigned arch = ARCH_WORMHOLE_B0; arch <= ARCH_QUASAR; arch++)
		if (says(map, "arch", topology_arch_name((enum topology_arch)arch)))
			tiles.arch = (enum topology_arch)arch;
	tiles.line_count = take_lines(
		tree_get(map, tiles.columns ? "tensix_columns" : "tensix_rows"), tiles.lines);
	tiles.row_off_count = take_lines(tree_get(map, "harvested_rows"), tiles.rows_off);
	tiles.column_off_count = take_lines(tree_get(map, "harvested_columns"), tiles.columns_off);
	dispatch = tree_get(map, tiles.columns ? "dispatch_columns" : "dispatch_rows");
	if (dispatch && tree_integer(dispatch, &lines) == STATUS_OK && lines > 0 && lines < 64 &&
		!says(map, "dispatch_cores", "ethernet"))
		tiles.dispatch_lines = (uint32_t)lines;
	return tiles;
}

/* Returns the chip's harvesting mask for Tensix tiles. Returns NULL if the file has no mask for the
 * chip, or if the chip is known to have another architecture than `tiles`. */
static const struct machine_mask *mask_of(
	const struct machine_chip *chip, const struct cables_tiles *tiles)
{
	bool fits = tiles->arch == ARCH_INVALID || chip->arch == ARCH_INVALID ||
		    tiles->arch == chip->arch;

	return fits && chip->masks && chip->masks[HARVEST_TENSIX].where.source
		       ? &chip->masks[HARVEST_TENSIX]
		       : NULL;
}

static void check_mask(
	const struct machine_mask *mask, const struct cables_tiles *tiles, struct diag *diag)
{
	const char *kind = tiles->columns ? "column" : "row";
	uint32_t count = tiles->line_count, left = count, taken;

	for (uint32_t bit = 0; bit < 32; bit++) {
		if (!(mask->bits >> bit & 1))
			continue;
		left--;
		if (bit < count)
			continue;
		diag_error(diag, mask->where,
			"'harvest_mask': %u has bit %u, but there is no such %s of Tensix tiles: "
			"%s "
			"has %u, bits 0 to %u",
			mask->bits, bit, kind,
			tiles->arch ? topology_arch_name(tiles->arch) : "the platform", count,
			count - 1);
		return;
	}
	taken = tiles->dispatch_lines;
	if (left > taken)
		return;
	if (left == 0)
		diag_error(diag, mask->where,
			"'harvest_mask': %u switches off all %u %ss of Tensix tiles", mask->bits,
			count, kind);
	else
		diag_error(diag, mask->where,
			"'harvest_mask': %u leaves %u of %u %ss of Tensix tiles, and dispatch "
			"takes "
			"%u: none is left for programs",
			mask->bits, left, count, kind, taken);
}

void cables_check_masks(
	const struct machine *machine, const struct cables_tiles *tiles, struct diag *diag)
{
	for (uint32_t i = 0; tiles->line_count && i < machine->chip_count; i++) {
		const struct machine_mask *mask = mask_of(&machine->chips[i], tiles);

		if (mask)
			check_mask(mask, tiles, diag);
	}
}

/* Warns that all harvesting masks of kind `kind` are ignored, for the reason `why`. Gives only one
 * warning, which cites the first of these masks. `key` is the name of the mask in the file. */
static void say_idle(const struct machine *machine, enum machine_harvest kind, const char *key,
	const char *why, struct diag *diag)
{
	const struct machine_mask *first = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < machine->chip_count; i++) {
		const struct machine_mask *masks = machine->chips[i].masks;

		if (!masks || !masks[kind].bits)
			continue;
		first = first ? first : &masks[kind];
		count++;
	}
	if (first)
		diag_warning(diag, first->where,
			"'%s': %u has no effect (of %u chips, %u have such a mask): %s", key,
			first->bits, machine->chip_count, count, why);
}

static void say_all_idle(
	const struct machine *machine, const struct cables_tiles *tiles, struct diag *diag)
{
	struct text why = {0};

	for (uint32_t i = 0; i < machine->chip_count && why.length == 0; i++) {
		enum topology_arch arch = machine->chips[i].arch;

		if (tiles->arch != ARCH_INVALID && arch != ARCH_INVALID && arch != tiles->arch)
			text_printf(&why, "the chips are of %s, the platform's tiles of %s",
				topology_arch_name(arch), topology_arch_name(tiles->arch));
	}
	if (why.length)
		say_idle(machine, HARVEST_TENSIX, "harvest_mask", text_string(&why), diag);
	say_idle(machine, HARVEST_DRAM, "dram_harvesting_mask",
		"the DRAM banks are those of the platform", diag);
	say_idle(machine, HARVEST_ETHERNET, "eth_harvesting_mask",
		"the Ethernet tiles are those of the platform", diag);
	say_idle(machine, HARVEST_PCIE, "pcie_harvesting_mask",
		"the PCIe tile is that of the platform", diag);
	say_idle(machine, HARVEST_L2CPU, "l2cpu_harvesting_mask",
		"those processors are not modelled", diag);
	text_fini(&why);
}

static bool has_line(const uint8_t *lines, uint32_t count, uint8_t line)
{
	return memchr(lines, line, count) != NULL;
}

struct cables_harvest *cables_harvest(const struct machine *machine,
	const struct cables_tiles *tiles, struct arena *arena, struct diag *diag)
{
	struct cables_harvest *all = arena_array(arena, machine->chip_count, sizeof(*all));
	uint32_t most = 0;

	say_all_idle(machine, tiles, diag);
	for (uint32_t i = 0; i < machine->chip_count; i++) {
		const struct machine_mask *mask = mask_of(&machine->chips[i], tiles);
		uint8_t *lines = tiles->columns ? all[i].columns : all[i].rows;
		uint32_t *count = tiles->columns ? &all[i].column_count : &all[i].row_count;

		all[i].row_count = tiles->row_off_count;
		memcpy(all[i].rows, tiles->rows_off, tiles->row_off_count);
		all[i].column_count = tiles->column_off_count;
		memcpy(all[i].columns, tiles->columns_off, tiles->column_off_count);
		for (uint32_t bit = *count = mask ? 0 : *count; mask && bit < tiles->line_count;
			bit++)
			if (mask->bits >> bit & 1)
				lines[(*count)++] = tiles->lines[bit];
		most = *count > most ? *count : most;
	}
	/* also switch off the last lines, until all chips have the same number of lines off */
	for (uint32_t i = 0; i < machine->chip_count; i++) {
		uint8_t *lines = tiles->columns ? all[i].columns : all[i].rows;
		uint32_t *count = tiles->columns ? &all[i].column_count : &all[i].row_count;

		for (uint32_t k = tiles->line_count; k > 0 && *count < most; k--)
			if (!has_line(lines, *count, tiles->lines[k - 1]))
				lines[(*count)++] = tiles->lines[k - 1];
	}
	return all;
}

bool cables_check(const struct machine *machine, const char *directory, struct diag *diag)
{
	/* Partial platforms with the tiles of each architecture. */
	static const char *const parts[] = {
		[ARCH_WORMHOLE_B0] = "_wormhole", [ARCH_BLACKHOLE] = "_blackhole"};
	size_t errors = diag_errors(diag);

	for (size_t arch = ARCH_WORMHOLE_B0; arch < sizeof(parts) / sizeof(parts[0]); arch++) {
		struct diag *unheard = diag_new(); /* without such a part, checks nothing */
		struct tree *tree = tree_new();

		if (tree_set(tree, "platform", parts[arch], "part", unheard) &&
			platform_expand(tree, "platform", directory, unheard)) {
			struct cables_tiles tiles =
				cables_tiles(tree_find(tree_root(tree), "platform.tiles"));

			for (uint32_t i = 0; tiles.line_count && i < machine->chip_count; i++)
				if (machine->chips[i].arch == arch &&
					mask_of(&machine->chips[i], &tiles))
					check_mask(
						mask_of(&machine->chips[i], &tiles), &tiles, diag);
		}
		tree_free(tree);
		diag_free(unheard);
	}
	return diag_errors(diag) == errors;
}
