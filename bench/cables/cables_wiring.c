/* The wiring of a machine that was found, as the map `topology` of a platform. Leaves out chips
 * that the host does not reach. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "cables_private.h"

enum { ROWS_MAX = 32 };

/* What the map is written from. */
struct writing {
	const struct machine *machine;
	const struct cables_mesh *mesh;
	uint32_t *number; /* [chip] in the platform; MACHINE_NONE: left out */
	uint32_t *order;  /* [number] chip */
	uint32_t count;
	uint8_t rows[ROWS_MAX], harvested[ROWS_MAX]; /* of the platform */
	uint32_t row_count, harvested_count;
	struct text *out;
};

static uint32_t take_rows(const struct tree_node *list, uint8_t rows[ROWS_MAX])
{
	uint32_t count = 0;
	int64_t row;

	for (uint32_t i = 0; list && list->kind == TREE_SEQUENCE && i < list->count; i++)
		if (count < ROWS_MAX && list->items[i]->kind == TREE_SCALAR &&
			tree_integer(list->items[i], &row) == STATUS_OK && row >= 0 && row < 64)
			rows[count++] = (uint8_t)row;
	return count;
}

/* True for chips that have PCIe, or links to chips that are reached. */
static bool *find_reached(const struct machine *machine)
{
	bool *reached = allocate(machine->chip_count, sizeof(*reached)), changed = true;

	for (uint32_t i = 0; i < machine->chip_count; i++)
		reached[i] = machine->chips[i].pcie;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < machine->link_count; i++) {
			const struct machine_link *link = &machine->links[i];

			if (reached[link->a] == reached[link->b])
				continue;
			reached[link->a] = reached[link->b] = changed = true;
		}
	}
	return reached;
}

static void add_chip(struct writing *writing, uint32_t chip)
{
	writing->number[chip] = writing->count;
	writing->order[writing->count++] = chip;
}

/* Chips of the mesh row by row, then those beside it. */
static void number_chips(struct writing *writing, struct location where, struct diag *diag)
{
	const struct machine *machine = writing->machine;
	const struct cables_mesh *mesh = writing->mesh;
	uint32_t places = mesh->rows * mesh->columns;
	uint32_t *at_place = allocate(places, sizeof(*at_place));
	bool *reached = find_reached(machine);
	struct text name;

	for (uint32_t i = 0; i < places; i++)
		at_place[i] = MACHINE_NONE;
	for (uint32_t chip = 0; chip < machine->chip_count; chip++) {
		writing->number[chip] = MACHINE_NONE;
		if (reached[chip] && mesh->at[chip][0] >= 0)
			at_place[(uint32_t)mesh->at[chip][0] * mesh->columns +
				 (uint32_t)mesh->at[chip][1]] = chip;
	}
	for (uint32_t i = 0; i < places; i++)
		if (at_place[i] != MACHINE_NONE)
			add_chip(writing, at_place[i]);
	for (uint32_t chip = 0; chip < machine->chip_count; chip++)
		if (reached[chip] && mesh->at[chip][0] < 0)
			add_chip(writing, chip);
	for (uint32_t chip = 0; chip < machine->chip_count; chip++) {
		if (reached[chip])
			continue;
		text_init(&name);
		machine_chip_name(machine, chip, &name);
		diag_warning(diag, where, "no links lead from a chip with PCIe to %s: left out",
			text_string(&name));
		text_fini(&name);
	}
	free(reached);
	free(at_place);
}

static bool has_row(const uint8_t *rows, uint32_t count, uint8_t row)
{
	for (uint32_t i = 0; i < count; i++)
		if (rows[i] == row)
			return true;
	return false;
}

/* Rows that a chip is without; where others are without more, its last ones too, so that programs
 * have one grid. */
static uint32_t rows_off(
	const struct writing *writing, uint32_t mask, uint32_t most, uint8_t rows[ROWS_MAX])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < writing->row_count; i++)
		if (mask >> i & 1)
			rows[count++] = writing->rows[i];
	for (uint32_t i = writing->row_count; i > 0 && count < most; i--)
		if (!has_row(rows, count, writing->rows[i - 1]))
			rows[count++] = writing->rows[i - 1];
	return count;
}

static void write_chips(const struct writing *writing)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < writing->count; i++) {
		uint8_t rows[ROWS_MAX];
		uint32_t off = rows_off(
			writing, writing->machine->chips[writing->order[i]].harvested, 0, rows);

		most = off > most ? off : most;
	}
	for (uint32_t i = 0; i < writing->count; i++) {
		const struct machine_chip *chip = &writing->machine->chips[writing->order[i]];
		const int32_t *at = writing->mesh->at[writing->order[i]];
		uint8_t rows[ROWS_MAX];
		uint32_t count = rows_off(writing, chip->harvested, most, rows);

		if (most == 0) {
			count = writing->harvested_count;
			memcpy(rows, writing->harvested, count);
		}
		text_append(writing->out, "      - {");
		if (at[0] >= 0)
			text_printf(writing->out, "at: [%d, %d], ", at[0], at[1]);
		text_printf(
			writing->out, "pcie: %s, harvested_rows: [", chip->pcie ? "true" : "false");
		for (uint32_t k = 0; k < count; k++)
			text_printf(writing->out, "%s%u", k ? ", " : "", rows[k]);
		text_append(writing->out, "]}\n");
	}
}

static void write_links(const struct writing *writing)
{
	const struct machine *machine = writing->machine;
	uint32_t count = 0;

	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];

		if (writing->number[link->a] == MACHINE_NONE ||
			writing->number[link->b] == MACHINE_NONE)
			continue;
		text_printf(writing->out, "%s      - [%u, %u, %u]\n", count++ ? "" : "\n",
			writing->number[link->a], writing->number[link->b], link->channels);
	}
	if (count == 0)
		text_append(writing->out, " []\n");
}

bool cables_wiring(const struct machine *machine, const struct cables_mesh *mesh,
	const struct tree_node *rows, const struct tree_node *harvested, struct location where,
	struct text *out, struct diag *diag)
{
	struct writing writing = {.machine = machine,
		.mesh = mesh,
		.number = allocate(machine->chip_count, sizeof(uint32_t)),
		.order = allocate(machine->chip_count, sizeof(uint32_t)),
		.out = out};

	writing.row_count = take_rows(rows, writing.rows);
	writing.harvested_count = take_rows(harvested, writing.harvested);
	number_chips(&writing, where, diag);
	if (writing.count == 0)
		diag_error(diag, where, "no chip has PCIe: the host could not reach any of them");
	text_printf(out,
		"topology:\n  mesh: [%u, %u]\n  links: 1\n  pcie: none\n  wiring:\n    chips:\n",
		mesh->rows, mesh->columns);
	write_chips(&writing);
	text_append(out, "    links:");
	write_links(&writing);
	free(writing.number);
	free(writing.order);
	return writing.count > 0;
}
