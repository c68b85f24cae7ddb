/* Plans collectives: the next step of a Chakra trace in which the ranks of some groups take part.
 * Also has what all planning needs (chakra_planner.h). */
#include "chakra_planner.h"

#include <inttypes.h>
#include <string.h>

const struct chakra_node *planner_node_at(const struct planner *planner, uint32_t rank, uint32_t at)
{
	const struct chakra_rank *of = &planner->trace->ranks[rank];

	return at < of->count ? &of->nodes[planner->order[rank][at]] : NULL;
}

struct location planner_where(const struct planner *planner, uint32_t rank)
{
	return planner->trace->ranks[rank].where;
}

bool planner_is_message(const struct chakra_node *node)
{
	return node->type == CHAKRA_SEND || node->type == CHAKRA_RECEIVE;
}

struct chakra_phase *planner_add_phase(struct planner *planner, enum chakra_phase_kind kind)
{
	uint32_t ranks = planner->trace->count;
	struct chakra_phase *phase = arena_alloc(planner->arena, sizeof *phase);

	phase->kind = kind;
	phase->parts = arena_array(planner->arena, ranks, sizeof *phase->parts);
	for (uint32_t i = 0; i < ranks; i++) {
		phase->parts[i] = (struct chakra_part){
			planner->order[i] + planner->at[i], planner->end[i] - planner->at[i]};
		planner->at[i] = planner->end[i];
	}
	*planner->last = phase;
	planner->last = &phase->next;
	planner->plan->phases++;
	return phase;
}

/* ---- collectives ---- */

static bool is_collective(const struct chakra_node *node)
{
	return node && node->type == CHAKRA_COLLECTIVE;
}

/* Returns the group of the next node of a rank, or NULL if this node is no collective. */
static const struct chakra_group *next_group(const struct planner *planner, uint32_t rank)
{
	if (!is_collective(planner_node_at(planner, rank, planner->at[rank])))
		return NULL;
	return &planner->groups
			.at[planner->groups.of[rank][planner->order[rank][planner->at[rank]]]];
}

/* True if collectives of two groups can be one step. */
static bool is_like(const struct chakra_node *a, const struct chakra_node *b)
{
	return a->comm == b->comm && a->bytes == b->bytes && a->tag == b->tag &&
	       strcmp(a->keys, b->keys) == 0;
}

static bool is_same(const struct chakra_node *a, const struct chakra_node *b)
{
	return is_like(a, b) && strcmp(a->group, b->group) == 0 &&
	       (a->root == b->root || a->comm != CHAKRA_BROADCAST);
}

bool planner_pass_alone(struct planner *planner)
{
	for (uint32_t i = 0; i < planner->trace->count; i++) {
		const struct chakra_group *group = next_group(planner, i);

		if (!group || group->count > 1)
			continue;
		planner->at[i]++;
		planner->plan->skipped++;
		return true;
	}
	return false;
}

/* Reports why no rank can continue. */
static void say_stuck(const struct planner *planner)
{
	for (uint32_t i = 0; i < planner->trace->count; i++) {
		const struct chakra_node *node = planner_node_at(planner, i, planner->at[i]);

		if (node && planner_is_message(node)) {
			diag_error(planner->diag, planner_where(planner, i),
				"node %" PRIu64 ": %s rank %u, tag %u, but that rank never gets to "
				"the other end of this message",
				node->id,
				node->type == CHAKRA_SEND ? "a send to" : "a receive from",
				node->peer, node->tag);
			return;
		}
	}
}

static void say_different(const struct planner *planner, uint32_t rank, uint32_t other)
{
	const struct chakra_node *a = planner_node_at(planner, rank, planner->at[rank]);
	const struct chakra_node *b = planner_node_at(planner, other, planner->at[other]);

	if (!b)
		diag_error(planner->diag, planner_where(planner, rank),
			"node %" PRIu64
			": %s of group '%s' that rank %u does not have: collectives "
			"are of all ranks of their group",
			a->id, chakra_comm_name(a->comm), a->group, other);
	else if (!is_collective(b))
		say_stuck(planner);
	else
		diag_error(planner->diag, planner_where(planner, other),
			"node %" PRIu64 ": %s of %" PRIu64
			" B in group '%s', but rank %u has %s of "
			"%" PRIu64 " B in group '%s' (node %" PRIu64
			"): collectives are of all ranks of their group, in one order",
			b->id, chakra_comm_name(b->comm), b->bytes, b->group, rank,
			chakra_comm_name(a->comm), a->bytes, a->group, a->id);
}

/* Returns the first rank of the group whose next node is not the group's collective that rank
 * `first` has next. Returns the number of ranks of the trace if there is none. */
static uint32_t missing_of(
	const struct planner *planner, const struct chakra_group *group, uint32_t first)
{
	const struct chakra_node *wanted = planner_node_at(planner, first, planner->at[first]);

	for (uint32_t i = 0; i < group->count; i++) {
		const struct chakra_node *node =
			planner_node_at(planner, group->ranks[i], planner->at[group->ranks[i]]);

		if (!is_collective(node) || !is_same(node, wanted))
			return group->ranks[i];
	}
	return planner->trace->count;
}

/* Adds to groups[] the group of the rank's next collective, if the next nodes of all its ranks are
 * this collective, and if it is like that of the groups before it. */
static void take_group(
	struct planner *planner, uint32_t rank, const struct chakra_group **groups, uint32_t *count)
{
	const struct chakra_group *group = next_group(planner, rank);
	const struct chakra_node *node = planner_node_at(planner, rank, planner->at[rank]), *first;

	if (!group || planner->end[rank] > planner->at[rank] ||
		missing_of(planner, group, rank) < planner->trace->count)
		return;
	if (*count > 0) {
		first = planner_node_at(
			planner, groups[0]->ranks[0], planner->at[groups[0]->ranks[0]]);
		if (!is_like(node, first) || group->count != groups[0]->count ||
			chakra_root_place(group, node->root) !=
				chakra_root_place(groups[0], first->root))
			return;
	}
	groups[(*count)++] = group;
	for (uint32_t i = 0; i < group->count; i++)
		planner->end[group->ranks[i]] = planner->at[group->ranks[i]] + 1;
}

/* ---- collectives that ranks have in another order ---- */

/* How far the search for such a collective looks ahead. */
enum { AHEAD_MOST = 64 };

/* True if the nodes on which node `at` of a rank's order depends are all planned. */
static bool is_ready(const struct planner *planner, uint32_t rank, uint32_t at)
{
	const struct chakra_node *node = planner_node_at(planner, rank, at);

	for (uint32_t i = planner->at[rank]; i < at; i++)
		for (uint32_t k = 0; k < node->need_count; k++)
			if (node->needs[k] == planner->order[rank][i])
				return false;
	return true;
}

/* Finds the first collective of a group among the next nodes of a rank. Returns its place in the
 * rank's order, or UINT32_MAX if there is none, or if it depends on nodes that are not planned. */
static uint32_t find_ahead(
	const struct planner *planner, uint32_t rank, const struct chakra_group *group)
{
	for (uint32_t i = planner->at[rank]; i < planner->at[rank] + AHEAD_MOST; i++) {
		const struct chakra_node *node = planner_node_at(planner, rank, i);

		if (!node)
			break;
		if (is_collective(node) &&
			&planner->groups.at[planner->groups.of[rank][planner->order[rank][i]]] ==
				group)
			return is_ready(planner, rank, i) ? i : UINT32_MAX;
	}
	return UINT32_MAX;
}

/* True if all ranks of the group have its next collective among their next nodes. */
static bool is_ahead(const struct planner *planner, const struct chakra_group *group)
{
	const struct chakra_node *first = NULL;

	for (uint32_t i = 0; i < group->count; i++) {
		uint32_t at = find_ahead(planner, group->ranks[i], group);
		const struct chakra_node *node =
			at == UINT32_MAX ? NULL : planner_node_at(planner, group->ranks[i], at);

		if (!node || (first && !is_same(node, first)))
			return false;
		first = node;
	}
	return true;
}

/* Moves the next collective of a group to the front of the next nodes of all its ranks. */
static void bring_forward(struct planner *planner, const struct chakra_group *group)
{
	for (uint32_t i = 0; i < group->count; i++) {
		uint32_t rank = group->ranks[i], at = find_ahead(planner, rank, group);
		uint32_t *order = planner->order[rank], node = order[at];

		memmove(order + planner->at[rank] + 1, order + planner->at[rank],
			(at - planner->at[rank]) * sizeof *order);
		order[planner->at[rank]] = node;
	}
}

/* Ranks may have collectives of several groups that do not depend on each other, each rank in an
 * order of its own. Moves one to the front that all ranks of its group can take. Returns false if
 * there is none. */
static bool look_ahead(struct planner *planner)
{
	for (uint32_t i = 0; i < planner->trace->count; i++)
		for (uint32_t k = planner->at[i]; k < planner->at[i] + AHEAD_MOST; k++) {
			const struct chakra_node *node = planner_node_at(planner, i, k);
			const struct chakra_group *group;

			if (!node)
				break;
			if (!is_collective(node))
				continue;
			group = &planner->groups.at[planner->groups.of[i][planner->order[i][k]]];
			if (group->count > 1 && is_ahead(planner, group)) {
				bring_forward(planner, group);
				return true;
			}
		}
	return false;
}

bool planner_add_collective(struct planner *planner)
{
	uint32_t ranks = planner->trace->count, count = 0, rank = 0;
	const struct chakra_group **groups = arena_array(planner->arena, ranks, sizeof *groups);
	struct chakra_phase *phase;

	for (uint32_t i = 0; i < ranks; i++)
		planner->end[i] = planner->at[i];
	for (uint32_t i = 0; i < ranks; i++)
		take_group(planner, i, groups, &count);
	if (count > 0) {
		phase = planner_add_phase(planner, PHASE_COLLECTIVE);
		phase->groups = groups;
		phase->group_count = count;
		return true;
	}
	if (look_ahead(planner))
		return true;
	while (rank < ranks && !next_group(planner, rank))
		rank++;
	if (rank == ranks)
		say_stuck(planner);
	else
		say_different(planner, rank, missing_of(planner, next_group(planner, rank), rank));
	return false;
}
