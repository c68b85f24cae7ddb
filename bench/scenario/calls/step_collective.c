/* Checks of collectives. */
#include "bench/scenario/hosts.h"
#include "bench/scenario/load.h"
#include "programs/collective.h"
#include "scenario_private.h"
#include "steps/check.h"

enum { TILE_BYTES = 32 * 32 * 2 };

static void check_idle_key(const struct check *check, const struct tree_node *keys,
	const struct step *step, const char *key)
{
	struct location where = keys ? tree_where(keys, key) : step->where;

	diag_error(check->diag, where.line ? where : step->where,
		"%s: op messages has none, each message has its own", key);
}

static void check_messages(struct check *check, const struct tree_node *keys, struct step *step)
{
	struct collective_step *collective = &step->collective;
	uint32_t devices = mesh_shape_count(check->config->shape), place = 0, entry = 0;
	struct messages_list *lists =
		step_messages_lists(check->run, collective, devices, check->arena);
	struct text why = {0};

	if (collective->links != 1)
		check_idle_key(check, keys, step, "links");
	if (collective->ways != 2)
		check_idle_key(check, keys, step, "ways");
	if (collective->chunk_pages != 0)
		check_idle_key(check, keys, step, "chunk_pages");
	if (collective->workers != 0)
		check_idle_key(check, keys, step, "workers");
	if (!collective_key_is_default(keys, "size_bytes"))
		check_idle_key(check, keys, step, "size_bytes");
	if (collective->rank_count == 0 || collective->rank_count > devices)
		diag_error(check->diag,
			collective->ranks_where.line ? collective->ranks_where : step->where,
			collective->rank_count == 0 ? "op messages: missing key 'ranks'"
						    : "ranks: %u lists for %u devices",
			collective->rank_count, devices);
	else if (messages_check(lists, devices, &why, &place, &entry) != STATUS_OK)
		diag_error(check->diag, collective->ranks[place].at[entry].where, "%s",
			text_string(&why));
	collective->size_bytes = step_messages_bytes(collective);
	text_fini(&why);
}

static bool are_neighbours(struct mesh_shape shape, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a < b ? b : a;

	return high - low == shape.columns ||
	       (high - low == 1 && high / shape.columns == low / shape.columns);
}

bool step_groups_are_rings(
	const struct collective_step *step, struct mesh_shape shape, const uint32_t *order)
{
	for (uint32_t i = 0; i < step->group_count; i++) {
		const struct group_keys *group = &step->groups[i];

		if (group->count < 3)
			return false;
		for (uint32_t k = 0; k < group->count; k++)
			if (!are_neighbours(shape, order[group->places[k]],
				    order[group->places[(k + 1) % group->count]]))
				return false;
	}
	return step->topology == 1;
}

static void check_places(
	const struct check *check, const struct collective_step *step, uint32_t devices)
{
	uint32_t *group_of = arena_array(check->arena, devices, sizeof *group_of);

	if (step->op == STEP_MESSAGES)
		diag_error(check->diag, step->groups_where,
			"groups: op messages has none, a list may be empty");
	for (uint32_t i = 0; i < step->group_count; i++) {
		const struct group_keys *group = &step->groups[i];

		if (group->count != step->groups[0].count)
			diag_error(check->diag, group->where,
				"groups: one of %u devices, but the first has %u", group->count,
				step->groups[0].count);
		for (uint32_t k = 0; k < group->count; k++)
			if (group->places[k] >= devices)
				diag_error(check->diag, group->where, "groups: place %u of %u",
					group->places[k], devices);
			else if (group_of[group->places[k]]++ > 0)
				diag_error(check->diag, group->where,
					"groups: place %u is there twice", group->places[k]);
	}
}

void check_collective(struct check *check, const struct tree_node *keys, struct step *step)
{
	const struct collective_step *collective = &step->collective;
	const struct cluster_info *info = platform_cluster(check->run->platform);
	uint32_t devices = mesh_shape_count(check->config->shape);
	bool ring = collective->topology == 1;
	uint32_t *order = arena_array(check->arena, devices, sizeof *order);
	struct text why = {0};

	check_queue(check, keys, step, collective->queue);
	if (collective->maker)
		check_collective_identity(check, keys, step);
	else if (keys && !tree_get(keys, "op"))
		diag_error(check->diag, step->where, "collective: missing key 'op'");
	if (collective_order(check->config->shape, ring, order, &why) != STATUS_OK)
		diag_error(check->diag,
			collective->topology_where.line ? collective->topology_where : step->where,
			"topology '%s': %s", collective->topology == 1 ? "ring" : "line",
			text_string(&why));
	if (collective->page_bytes > info->fabric_packet_bytes)
		diag_error(check->diag,
			collective->page_where.line ? collective->page_where : step->where,
			"page_bytes: %u, but a packet of platform '%s' has %u",
			collective->page_bytes, platform_name(check->run->platform),
			info->fabric_packet_bytes);
	if (collective->ways == 1 && !ring)
		diag_error(check->diag, collective->ways_where,
			"ways: 1 on a line, whose devices are reached both ways");
	if (collective->op == STEP_MESSAGES)
		check_messages(check, keys, step);
	else if (collective->size_bytes == 0)
		diag_error(check->diag, step->where, "collective: missing key 'size_bytes'");
	if (collective->op != STEP_MESSAGES && collective->rank_count > 0)
		diag_error(check->diag, collective->ranks_where,
			"ranks: %s has none, but op messages", collective_step_op(collective->op));
	if (collective->group_count > 0) {
		check_places(check, collective, devices);
		devices = collective->groups[0].count;
	}
	if (collective->root >= devices)
		diag_error(check->diag, collective->root_where, "root: %u of %u devices",
			collective->root, devices);
	else if (collective->root > 0 && collective->op != COLLECTIVE_BROADCAST)
		diag_error(check->diag, collective->root_where, "root: %s has none",
			collective_step_op(collective->op));
	if ((collective->op == COLLECTIVE_REDUCE_SCATTER ||
		    collective->op == COLLECTIVE_ALL_REDUCE) &&
		collective->page_bytes % TILE_BYTES != 0)
		diag_error(check->diag,
			collective->page_where.line ? collective->page_where : step->where,
			"page_bytes: %u, but %s adds whole tiles of %d B", collective->page_bytes,
			collective_step_op(collective->op), TILE_BYTES);
	text_fini(&why);
}
