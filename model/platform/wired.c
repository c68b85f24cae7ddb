/* Machines whose chips and links are listed one by one, as they were found on a real machine: the
 * schema of this list, and its checks. For example, a list is rejected if two chips have the same
 * place, or if a link has no Ethernet tile. */
#include <string.h>

#include "private.h"

static const struct schema_field number_item = SCHEMA_ITEM_INT(uint16_t, .max = BOUND_CHIPS - 1);
static const struct schema_field line_item = SCHEMA_ITEM_INT(uint8_t, .max = 63);

static const struct schema_field chip_fields[] = {
	SCHEMA_LIST(struct wired_chip, at, at_count, "at", &number_item, .max = 2,
		.help = "[row, column] in the mesh; nothing: beside it, for routes and as a "
			"gateway"),
	SCHEMA_BOOL(struct wired_chip, pcie, "pcie", .fallback = "false",
		.help = "whether the host reaches it directly"),
	SCHEMA_LIST(struct wired_chip, harvested.rows.items, harvested.rows.count, "harvested_rows",
		&line_item, .max = 62, .fallback = "[]",
		.help = "Tensix rows that are switched off on it, as many as on the others"),
	SCHEMA_LIST(struct wired_chip, harvested.columns.items, harvested.columns.count,
		"harvested_columns", &line_item, .max = 62, .fallback = "[]",
		.help = "Tensix columns that are switched off on it, as many as on the others"),
};
static const struct schema chip_schema =
	SCHEMA("wired_chip", struct wired_chip, chip_fields, .help = "a chip");

static const struct schema_field chip_item = SCHEMA_ITEM_MAP(struct wired_chip, &chip_schema);
static const struct schema_field link_item = SCHEMA_ITEM_ARRAY(struct wired_link, &number_item);

static const struct schema_field wiring_fields[] = {
	SCHEMA_LIST(struct wiring_shape, chips, chip_count, "chips", &chip_item, .min = 1,
		.max = BOUND_CHIPS, .required = true,
		.help = "all chips, in the order of their numbers"),
	SCHEMA_LIST(struct wiring_shape, links, link_count, "links", &link_item, .required = true,
		.max = BOUND_CONNECTIONS, .help = "[chip, chip, parallel links between them]"),
};
const struct schema wiring_schema = SCHEMA("wiring", struct wiring_shape, wiring_fields,
	.help = "every chip and link of a machine, in place of what follows from the mesh");

unsigned wired_links_most(const struct wiring_shape *wiring)
{
	unsigned most = 0;

	for (uint32_t chip = 0; chip < wiring->chip_count; chip++) {
		unsigned links = 0;

		for (uint32_t i = 0; i < wiring->link_count; i++) {
			const uint16_t *link = wiring->links[i].chips_and_links;

			links += link[0] == chip || link[1] == chip ? link[2] : 0;
		}
		most = links > most ? links : most;
	}
	return most;
}

static void check_chip(const struct platform_shape *shape, uint32_t number,
	const struct tree_node *node, struct diag *diag)
{
	const struct wired_chip *chips = shape->topology.wiring->chips, *chip = &chips[number];

	if (chip->at_count == 1)
		diag_error(diag, node->where, "a place is a row and a column");
	if (chip->at_count == 2 &&
		(chip->at[0] >= shape->topology.mesh[0] || chip->at[1] >= shape->topology.mesh[1]))
		diag_error(diag, node->where, "[%u, %u] is outside the mesh of %u x %u chips",
			chip->at[0], chip->at[1], shape->topology.mesh[0], shape->topology.mesh[1]);
	for (uint32_t i = 0; i < number && chip->at_count == 2; i++)
		if (chips[i].at_count == 2 && chips[i].at[0] == chip->at[0] &&
			chips[i].at[1] == chip->at[1])
			diag_error(diag, node->where, "chips %u and %u are both at [%u, %u]", i,
				number, chip->at[0], chip->at[1]);
	if (chip->harvested.rows.count != chips[0].harvested.rows.count)
		diag_error(diag, node->where,
			"%u harvested rows, but the first chip has %u: programs need one grid on "
			"all",
			chip->harvested.rows.count, chips[0].harvested.rows.count);
	if (chip->harvested.columns.count != chips[0].harvested.columns.count)
		diag_error(diag, node->where,
			"%u harvested columns, but the first chip has %u: programs need one grid "
			"on all",
			chip->harvested.columns.count, chips[0].harvested.columns.count);
}

static void check_link(const struct wiring_shape *wiring, uint32_t number,
	const struct tree_node *node, struct diag *diag)
{
	const uint16_t *link = wiring->links[number].chips_and_links;

	if (link[0] >= wiring->chip_count || link[1] >= wiring->chip_count || link[0] == link[1])
		diag_error(diag, node->where, "no link can join chips %u and %u of %u", link[0],
			link[1], wiring->chip_count);
	if (link[2] == 0)
		diag_error(diag, node->where, "a connection of no links");
	for (uint32_t i = 0; i < number; i++) {
		const uint16_t *other = wiring->links[i].chips_and_links;

		if ((other[0] == link[0] && other[1] == link[1]) ||
			(other[0] == link[1] && other[1] == link[0]))
			diag_error(diag, node->where,
				"the links between chips %u and %u stand twice", link[0], link[1]);
	}
}

void wired_check(
	const struct platform_shape *shape, const struct tree_node *node, struct diag *diag)
{
	const struct topology_shape *topology = &shape->topology;
	const struct wiring_shape *wiring = topology->wiring;
	const struct missing_shape *missing = &topology->missing;
	const struct tree_node *chips = tree_find(node, "wiring.chips");
	const struct tree_node *links = tree_find(node, "wiring.links");
	bool pcie = false;

	if (topology->gateways || topology->wrap[0] || topology->wrap[1] ||
		missing->chip_count + missing->connections.count + missing->links.count > 0)
		diag_error(diag, tree_where(node, "wiring"),
			"a wiring says all chips and links: no gateways, wrap or missing beside "
			"it");
	for (uint32_t i = 0; i < wiring->chip_count; i++) {
		check_chip(shape, i, chips->items[i], diag);
		pcie |= wiring->chips[i].pcie;
	}
	for (uint32_t i = 0; i < wiring->link_count; i++)
		check_link(wiring, i, links->items[i], diag);
	if (!pcie)
		diag_error(diag, chips->where,
			"no chip has PCIe: the host could not reach any of them");
	if (wired_links_most(wiring) > shape->tiles.ethernet.count)
		diag_error(diag, links->where, "a chip has %u links and %u Ethernet tiles",
			wired_links_most(wiring), shape->tiles.ethernet.count);
}
