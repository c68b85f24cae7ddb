/* Missing parts of a mesh: chips, connections between neighbours, and single links. A platform
 * either lists the missing parts, or gives the share of parts that are missing. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "private.h"

static const struct schema_field number_item = SCHEMA_ITEM_INT(uint16_t, .max = BOUND_EXTENT - 1);
static const struct schema_field place_item = SCHEMA_ITEM_ARRAY(struct place, &number_item);
static const struct schema_field pair_item = SCHEMA_ITEM_ARRAY(struct place_pair, &place_item);

/* Reads "1 %", or [[[row, column], [row, column]], ...]. */
static void bind_pairs(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	const char *text = node->kind == TREE_SCALAR ? node->text : "";
	struct place_pairs *pairs = member;
	const char *end;
	double percent = 0;

	if (node->kind == TREE_SEQUENCE) {
		pairs->count = node->count;
		pairs->items = arena_array(context->arena, node->count, sizeof(*pairs->items));
		for (uint32_t i = 0; i < node->count; i++)
			schema_bind_value(&pair_item, node->items[i], &pairs->items[i], context);
		return;
	}
	pairs->drawn = true;
	end = number_read_real_until(text, " %", &percent);
	pairs->share = percent / 100;
	if (!end || strcmp(end + strspn(end, " "), "%") != 0 || percent < 0 || percent > 100)
		diag_error(context->diag, node->where,
			"missing %s are a share of all, as 1 %%, or a list of pairs of neighbours, "
			"as [[[0, 0], [0, 1]]]",
			field->name);
}

#define PAIRS_JSON                                                                                 \
	"{\"anyOf\": [{\"type\": \"string\", \"pattern\": \"^[0-9.]+ *%$\"}, {\"type\": "          \
	"\"array\", "                                                                              \
	"\"items\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": "           \
	"{\"type\": "                                                                              \
	"\"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": \"integer\", "         \
	"\"minimum\": 0}}}}]}"

static const struct schema_field missing_fields[] = {
	SCHEMA_CUSTOM(struct missing_shape, connections, "connections", bind_pairs,
		.json = PAIRS_JSON,
		.help = "neighbours without any link between them: a share of all, as 1 %, drawn "
			"by "
			"`seed`, or pairs of [row, column]"),
	SCHEMA_CUSTOM(struct missing_shape, links, "links", bind_pairs, .json = PAIRS_JSON,
		.help = "the same of single links, of which neighbours have `topology.links`: each "
			"pair takes one away"),
	SCHEMA_LIST(struct missing_shape, chips, chip_count, "chips", &place_item,
		.help = "[row, column] of chips"),
	SCHEMA_INT(struct missing_shape, seed, "seed", .fallback = "1", .max = INT64_MAX,
		.help = "of the shares"),
};
const struct schema missing_schema = SCHEMA("missing", struct missing_shape, missing_fields,
	.help = "chips and links of the mesh that are out of order; routes lead round them");

/* ---- queries ---- */

bool missing_chip(const struct topology_shape *topology, unsigned row, unsigned column)
{
	for (uint32_t i = 0; i < topology->missing.chip_count; i++) {
		const uint16_t *at = topology->missing.chips[i].at;

		if (at[0] == row && at[1] == column)
			return true;
	}
	return false;
}

static bool same_place(struct place a, struct place b)
{
	return a.at[0] == b.at[0] && a.at[1] == b.at[1];
}

static bool same_pair(struct place_pair a, struct place_pair b)
{
	return (same_place(a.ends[0], b.ends[0]) && same_place(a.ends[1], b.ends[1])) ||
	       (same_place(a.ends[0], b.ends[1]) && same_place(a.ends[1], b.ends[0]));
}

unsigned missing_count(const struct place_pairs *pairs, struct place_pair pair)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < pairs->count; i++)
		count += same_pair(pairs->items[i], pair);
	return count;
}

unsigned missing_links(const struct topology_shape *topology, struct place_pair pair)
{
	return missing_count(&topology->missing.connections, pair) > 0
		       ? topology->links
		       : missing_count(&topology->missing.links, pair);
}

/* ---- checks ---- */

static bool are_neighbours(const struct topology_shape *topology, struct place_pair pair)
{
	const uint16_t *a = pair.ends[0].at, *b = pair.ends[1].at;

	/* 0: neighbours in a column; 1: neighbours in a row */
	for (int along = 0; along < 2; along++) {
		int step = abs(a[along] - b[along]), length = topology->mesh[along];

		if (a[!along] == b[!along] &&
			(step == 1 || (topology->wrap[!along] && step == length - 1)))
			return step > 0;
	}
	return false;
}

static bool is_inside(const struct topology_shape *topology, struct place place)
{
	return place.at[0] < topology->mesh[0] && place.at[1] < topology->mesh[1];
}

static void check_pairs(const struct topology_shape *topology, const struct place_pairs *pairs,
	const struct tree_node *list, unsigned most, struct diag *diag)
{
	for (uint32_t i = 0; i < pairs->count; i++) {
		const struct place *ends = pairs->items[i].ends;

		if (!is_inside(topology, ends[0]) || !is_inside(topology, ends[1]) ||
			!are_neighbours(topology, pairs->items[i]))
			diag_error(diag, list->items[i]->where,
				"[%u, %u] and [%u, %u] are no neighbours in a mesh of %u x %u "
				"chips",
				ends[0].at[0], ends[0].at[1], ends[1].at[0], ends[1].at[1],
				topology->mesh[0], topology->mesh[1]);
		else if (missing_count(pairs, pairs->items[i]) > most)
			diag_error(diag, list->items[i]->where,
				"missing %u times, and there are %u",
				missing_count(pairs, pairs->items[i]), most);
	}
}

void missing_check(
	const struct topology_shape *topology, const struct tree_node *node, struct diag *diag)
{
	const struct missing_shape *missing = &topology->missing;
	const struct tree_node *chips = tree_find(node, "missing.chips");

	check_pairs(
		topology, &missing->connections, tree_find(node, "missing.connections"), 1, diag);
	check_pairs(
		topology, &missing->links, tree_find(node, "missing.links"), topology->links, diag);
	for (uint32_t i = 0; i < missing->chip_count; i++) {
		const struct place *chip = &missing->chips[i];

		if (!is_inside(topology, *chip))
			diag_error(diag, chips->items[i]->where,
				"no chip at [%u, %u] in a mesh of %u x %u chips", chip->at[0],
				chip->at[1], topology->mesh[0], topology->mesh[1]);
		for (uint32_t k = 0; k < i; k++)
			if (same_place(missing->chips[k], *chip))
				diag_error(diag, chips->items[i]->where,
					"chip [%u, %u] is missing twice", chip->at[0], chip->at[1]);
	}
}
