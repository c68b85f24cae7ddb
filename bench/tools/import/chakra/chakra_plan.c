/* Plans in which order the nodes of all ranks become steps (chakra_plan.h). Goes through all ranks
 * at once. Each phase takes from each rank the nodes that can be executed next. */
#include "chakra_planner.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* Largest number of messages for which a core's arguments have room (programs/messages.h). */
enum { PART_MAX = 600 };

static uint64_t time_at(const struct planner *planner, uint32_t rank, uint32_t at)
{
	return planner->time_ns[rank][planner->order[rank][at]];
}

static bool computes(const struct chakra_node *node)
{
	return node->type < CHAKRA_SEND;
}

/* True if meshsim has written the node, with this value of `keys` (chakra_plan.h). */
static bool is_written_as(const struct chakra_node *node, const char *keys)
{
	return computes(node) && strcmp(node->keys, keys) == 0;
}

/* True if the node is a message, or the busy time of a list of messages that meshsim has written.
 */
static bool is_of_messages(const struct chakra_node *node)
{
	return planner_is_message(node) || is_written_as(node, CHAKRA_KEYS_BUSY);
}

/* Skips the next nodes of each rank that take no time, except waits of the host. */
static void chakra_plan_skip(struct planner *planner)
{
	const struct chakra_node *node;

	for (uint32_t i = 0; i < planner->trace->count; i++)
		while ((node = planner_node_at(planner, i, planner->at[i])) != NULL &&
			computes(node) && time_at(planner, i, planner->at[i]) == 0 &&
			!is_written_as(node, CHAKRA_KEYS_FINISH) &&
			!is_written_as(node, CHAKRA_KEYS_UNTIL)) {
			planner->at[i]++;
			planner->plan->skipped++;
		}
}

/* True if a device executes the node. A node of the host that depends on this node waits for the
 * device. */
static bool is_of_device(const struct chakra_node *node)
{
	return !node->on_cpu && node->type != CHAKRA_METADATA;
}

/* Adds a phase in which the host waits, if the next node of every rank is a wait that meshsim has
 * written with these `keys`. Otherwise returns false. */
static bool add_of_host(struct planner *planner, const char *keys, enum chakra_phase_kind kind)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < planner->trace->count; i++) {
		const struct chakra_node *node = planner_node_at(planner, i, planner->at[i]);
		bool takes = node && is_written_as(node, keys);

		planner->end[i] = planner->at[i] + takes;
		count += takes;
	}
	if (count < planner->trace->count)
		return false;
	(void)planner_add_phase(planner, kind);
	return true;
}

/* Adds a phase in which nodes compute: on the host if `on_cpu` is set, otherwise on devices. If the
 * next node of a rank is such a node, the phase contains it. The other ranks do nothing in this
 * phase. Returns false if no rank has such a node next. */
static bool add_computes(struct planner *planner, bool on_cpu)
{
	bool found = false, waits = false;

	for (uint32_t i = 0; i < planner->trace->count; i++) {
		const struct chakra_node *node = planner_node_at(planner, i, planner->at[i]);
		bool takes = node && computes(node) && node->on_cpu == on_cpu &&
			     time_at(planner, i, planner->at[i]) > 0 && !is_of_messages(node);

		planner->end[i] = planner->at[i] + takes;
		for (uint32_t k = 0; takes && k < node->need_count; k++)
			waits |= is_of_device(&planner->trace->ranks[i].nodes[node->needs[k]]);
		found |= takes;
	}
	if (found)
		planner_add_phase(planner, on_cpu ? PHASE_CPU : PHASE_COMPUTE)->waits = waits;
	return found;
}

/* ---- messages ---- */

/* The messages from one rank to another with one tag: how many were sent and received so far. */
struct channel {
	uint64_t key;
	uint32_t sent, received;
	bool used;
};

struct channels {
	struct channel *at;
	uint32_t most;
};

static struct channel *channel_of(
	struct channels *channels, uint32_t rank, const struct chakra_node *node)
{
	bool sends = node->type == CHAKRA_SEND;
	uint32_t from = sends ? rank : node->peer, to = sends ? node->peer : rank;
	uint64_t key = (uint64_t)node->tag << 24 | from << 12 | to;
	uint32_t slot = (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % channels->most;

	while (channels->at[slot].used && channels->at[slot].key != key)
		slot = (slot + 1) % channels->most;
	channels->at[slot].key = key;
	channels->at[slot].used = true;
	return &channels->at[slot];
}

/* Adds the next messages of a rank to the phase, and short computations after them, until a node
 * cannot be added. A receive can be added only after its send. Returns false if nothing was added.
 */
static bool extend(struct planner *planner, struct channels *channels, uint32_t rank)
{
	uint32_t start = planner->end[rank];
	const struct chakra_node *node;

	while ((node = planner_node_at(planner, rank, planner->end[rank])) != NULL &&
		planner->end[rank] - planner->at[rank] < PART_MAX) {
		if (planner_is_message(node)) {
			struct channel *channel = channel_of(channels, rank, node);

			if (node->type == CHAKRA_RECEIVE && channel->received == channel->sent)
				break;
			channel->sent += node->type == CHAKRA_SEND;
			channel->received += node->type == CHAKRA_RECEIVE;
		} else if (!is_of_messages(node) &&
			   (!computes(node) || node->on_cpu || node->keys[0] ||
				   planner->end[rank] == planner->at[rank] ||
				   time_at(planner, rank, planner->end[rank]) > planner->fuse_ns)) {
			break;
		}
		planner->end[rank]++;
	}
	return planner->end[rank] > start;
}

/* Finds a message of type `type` whose other end, of type `other`, is not in the phase. Removes
 * this message, and all later nodes of its rank, from the phase. Returns false if there is no such
 * message. */
static bool cut(struct planner *planner, struct channels *channels, enum chakra_type type,
	enum chakra_type other)
{
	const struct chakra_node *node;

	memset(channels->at, 0, channels->most * sizeof *channels->at);
	for (uint32_t i = 0; i < planner->trace->count; i++)
		for (uint32_t k = planner->at[i]; k < planner->end[i]; k++)
			if ((node = planner_node_at(planner, i, k))->type == other)
				channel_of(channels, i, node)->sent++;
	for (uint32_t i = 0; i < planner->trace->count; i++)
		for (uint32_t k = planner->at[i]; k < planner->end[i]; k++) {
			struct channel *channel;

			if ((node = planner_node_at(planner, i, k))->type != type)
				continue;
			channel = channel_of(channels, i, node);
			if (++channel->received <= channel->sent)
				continue;
			planner->end[i] = k;
			return true;
		}
	return false;
}

/* Removes nodes from the phase until each send has its receive, and the last node of each rank is a
 * message. */
static void trim(struct planner *planner, struct channels *channels)
{
	while (cut(planner, channels, CHAKRA_SEND, CHAKRA_RECEIVE) ||
		cut(planner, channels, CHAKRA_RECEIVE, CHAKRA_SEND))
		;
	for (uint32_t i = 0; i < planner->trace->count; i++)
		while (planner->end[i] > planner->at[i] &&
			!is_of_messages(planner_node_at(planner, i, planner->end[i] - 1)))
			planner->end[i]--;
}

static bool add_messages(struct planner *planner)
{
	uint32_t ranks = planner->trace->count;
	struct channels channels = {.most = 4 * PART_MAX * ranks + 1};
	bool moved = true, found = false;

	for (uint32_t i = 0; i < ranks; i++) {
		const struct chakra_node *node = planner_node_at(planner, i, planner->at[i]);

		planner->end[i] = planner->at[i];
		found |= node && is_of_messages(node);
	}
	if (!found)
		return false;
	channels.at = allocate(channels.most, sizeof *channels.at);
	while (moved) {
		moved = false;
		for (uint32_t i = 0; i < ranks; i++)
			moved |= extend(planner, &channels, i);
	}
	trim(planner, &channels);
	free(channels.at);
	found = false;
	for (uint32_t i = 0; i < ranks; i++)
		found |= planner->end[i] > planner->at[i];
	if (found)
		(void)planner_add_phase(planner, PHASE_MESSAGES);
	return found;
}

/* ---- all ---- */

static bool has_root(const struct planner *planner, uint32_t rank, uint32_t node)
{
	const struct chakra_group *group = &planner->groups.at[planner->groups.of[rank][node]];

	return chakra_root_place(group, planner->trace->ranks[rank].nodes[node].root) <
	       group->count;
}

static bool check_peers(const struct planner *planner)
{
	size_t before = diag_errors(planner->diag);

	for (uint32_t i = 0; i < planner->trace->count; i++)
		for (uint32_t k = 0; k < planner->trace->ranks[i].count; k++) {
			const struct chakra_node *node = &planner->trace->ranks[i].nodes[k];
			uint32_t other = node->type == CHAKRA_COLLECTIVE ? node->root : node->peer;

			if (node->type < CHAKRA_SEND)
				continue;
			if (other >= planner->trace->count)
				diag_error(planner->diag, planner_where(planner, i),
					"node %" PRIu64 ": rank %u of a trace of %u", node->id,
					other, planner->trace->count);
			else if (node->type == CHAKRA_COLLECTIVE &&
				 node->comm == CHAKRA_BROADCAST && !has_root(planner, i, k))
				diag_error(planner->diag, planner_where(planner, i),
					"node %" PRIu64 ": root %u is no rank of group '%s'",
					node->id, other, node->group);
			else if (planner_is_message(node) && other == i)
				diag_error(planner->diag, planner_where(planner, i),
					"node %" PRIu64 ": a message of rank %u to itself",
					node->id, i);
		}
	return diag_errors(planner->diag) == before;
}

bool chakra_plan_make(const struct chakra_trace *trace, uint64_t *const *time_ns,
	const struct import_request *request, struct arena *arena, struct diag *diag,
	struct chakra_plan *plan)
{
	uint32_t ranks = trace->count;
	size_t before = diag_errors(diag);
	struct planner planner = {.trace = trace,
		.time_ns = time_ns,
		.fuse_ns = request->fuse_ns,
		.arena = arena,
		.diag = diag,
		.plan = plan,
		.last = &plan->first,
		.order = arena_array(arena, ranks, sizeof(uint32_t *)),
		.at = arena_array(arena, ranks, sizeof(uint32_t)),
		.end = arena_array(arena, ranks, sizeof(uint32_t))};

	*plan = (struct chakra_plan){0};
	chakra_groups_find(trace, arena, &planner.groups);
	if (!check_peers(&planner))
		return false;
	for (uint32_t i = 0; i < ranks; i++) {
		planner.order[i] = arena_array(arena, trace->ranks[i].count, sizeof(uint32_t));
		(void)chakra_order(&trace->ranks[i], planner.order[i]);
	}
	do
		chakra_plan_skip(&planner);
	while (add_computes(&planner, false) || add_computes(&planner, true) ||
		add_messages(&planner) || add_of_host(&planner, CHAKRA_KEYS_FINISH, PHASE_FINISH) ||
		add_of_host(&planner, CHAKRA_KEYS_UNTIL, PHASE_UNTIL) ||
		planner_pass_alone(&planner) || planner_add_collective(&planner));
	if (request->queues > 1 && diag_errors(diag) == before)
		chakra_plan_overlap(trace, planner.order, arena, plan);
	return diag_errors(diag) == before;
}
