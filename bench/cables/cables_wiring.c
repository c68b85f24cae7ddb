/* Writes how the chips of a machine are connected, as the map `topology` of a platform. Leaves out
 * chips that the host cannot reach. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "cables_private.h"

/* The state while the map is written. */
struct writing {
	const struct machine *machine;
	const struct cables_mesh *mesh;
	uint32_t *number; /* [chip] number of the chip in the platform, or MACHINE_NONE */
	uint32_t *order;  /* [number] the chip with this number */
	uint32_t count;
	const struct cables_harvest *harvest; /* [chip] lines that are switched off */
	struct text *out;
};

/* Marks chips that have PCIe, or are connected with a marked chip. */
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

/* Numbers the chips of the mesh row by row, then the chips outside the mesh. Leaves out chips to
 * which no links lead from a chip with PCIe, and warns about them. */
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

static void write_lines(const char *key, const uint8_t *lines, uint32_t count, struct text *out)
{
	text_printf(out, ", %s: [", key);
	for (uint32_t k = 0; k < count; k++)
		text_printf(out, "%s%u", k ? ", " : "", lines[k]);
	text_append(out, "]");
}

static void write_chips(const struct writing *writing)
{
	for (uint32_t i = 0; i < writing->count; i++) {
		const struct machine_chip *chip = &writing->machine->chips[writing->order[i]];
		const struct cables_harvest *harvest = &writing->harvest[writing->order[i]];
		const int32_t *at = writing->mesh->at[writing->order[i]];

		text_append(writing->out, "      - {");
		if (at[0] >= 0)
			text_printf(writing->out, "at: [%d, %d], ", at[0], at[1]);
		text_printf(writing->out, "pcie: %s", chip->pcie ? "true" : "false");
		write_lines("harvested_rows", harvest->rows, harvest->row_count, writing->out);
		if (harvest->column_count)
			write_lines("harvested_columns", harvest->columns, harvest->column_count,
				writing->out);
		text_append(writing->out, "}\n");
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
	const struct cables_harvest *harvest, struct location where, struct text *out,
	struct diag *diag)
{
	struct writing writing = {.machine = machine,
		.mesh = mesh,
		.number = allocate(machine->chip_count, sizeof(uint32_t)),
		.order = allocate(machine->chip_count, sizeof(uint32_t)),
		.harvest = harvest,
		.out = out};

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
