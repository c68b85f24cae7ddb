/* Plans in which order the nodes of all ranks become steps (chakra_plan.h). Goes through all ranks
 * at once. Each phase takes from each rank the nodes that can be executed next. */
#include "chakra_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* Largest number of messages for which a core's arguments have room (programs/messages.h). */
enum { PART_MAX = 600 };

struct planner {
	const struct chakra_trace *trace;
	uint64_t *const *time_ns;
	uint64_t fuse_ns;
	struct arena *arena;
	struct diag *diag;
	struct chakra_plan *plan;
	struct chakra_phase **last;
	uint32_t **order; /* [rank] its nodes */
	uint32_t *at;	  /* [rank] number of nodes in earlier phases */
	uint32_t *end;	  /* [rank] end of the nodes in the next phase */
};

static const struct chakra_node *node_at(const struct planner *planner, uint32_t rank, uint32_t at)
{
	const struct chakra_rank *of = &planner->trace->ranks[rank];

	return at < of->count ? &of->nodes[planner->order[rank][at]] : NULL;
}

static uint64_t time_at(const struct planner *planner, uint32_t rank, uint32_t at)
{
	return planner->time_ns[rank][planner->order[rank][at]];
}

static bool is_message(const struct chakra_node *node)
{
	return node->type == CHAKRA_SEND || node->type == CHAKRA_RECEIVE;
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
	return is_message(node) || is_written_as(node, CHAKRA_KEYS_BUSY);
}

/* Skips the next nodes of each rank that take no time, except waits of the host. */
static void chakra_plan_skip(struct planner *planner)
{
	const struct chakra_node *node;

	for (uint32_t i = 0; i < planner->trace->count; i++)
		while ((node = node_at(planner, i, planner->at[i])) != NULL && computes(node) &&
			time_at(planner, i, planner->at[i]) == 0 &&
			!is_written_as(node, CHAKRA_KEYS_FINISH) &&
			!is_written_as(node, CHAKRA_KEYS_UNTIL)) {
			planner->at[i]++;
			planner->plan->skipped++;
		}
}

/* Adds a phase with the nodes from at[rank] to end[rank] - 1 of each rank. Then sets at[rank] to
 * end[rank], where the next phase begins. */
static struct chakra_phase *add_phase(struct planner *planner, enum chakra_phase_kind kind)
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
		const struct chakra_node *node = node_at(planner, i, planner->at[i]);
		bool takes = node && is_written_as(node, keys);

		planner->end[i] = planner->at[i] + takes;
		count += takes;
	}
	if (count < planner->trace->count)
		return false;
	(void)add_phase(planner, kind);
	return true;
}

/* Adds a phase in which nodes compute: on the host if `on_cpu` is set, otherwise on devices. If the
 * next node of a rank is such a node, the phase contains it. The other ranks do nothing in this
 * phase. Returns false if no rank has such a node next. */
static bool add_computes(struct planner *planner, bool on_cpu)
{
	bool found = false, waits = false;

	for (uint32_t i = 0; i < planner->trace->count; i++) {
		const struct chakra_node *node = node_at(planner, i, planner->at[i]);
		bool takes = node && computes(node) && node->on_cpu == on_cpu &&
			     time_at(planner, i, planner->at[i]) > 0 && !is_of_messages(node);

		planner->end[i] = planner->at[i] + takes;
		for (uint32_t k = 0; takes && k < node->need_count; k++)
			waits |= is_of_device(&planner->trace->ranks[i].nodes[node->needs[k]]);
		found |= takes;
	}
	if (found)
		add_phase(planner, on_cpu ? PHASE_CPU : PHASE_COMPUTE)->waits = waits;
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

	while ((node = node_at(planner, rank, planner->end[rank])) != NULL &&
		planner->end[rank] - planner->at[rank] < PART_MAX) {
		if (is_message(node)) {
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
			if ((node = node_at(planner, i, k))->type == other)
				channel_of(channels, i, node)->sent++;
	for (uint32_t i = 0; i < planner->trace->count; i++)
		for (uint32_t k = planner->at[i]; k < planner->end[i]; k++) {
			struct channel *channel;

			if ((node = node_at(planner, i, k))->type != type)
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
			!is_of_messages(node_at(planner, i, planner->end[i] - 1)))
			planner->end[i]--;
}

static bool add_messages(struct planner *planner)
{
	uint32_t ranks = planner->trace->count;
	struct channels channels = {.most = 4 * PART_MAX * ranks + 1};
	bool moved = true, found = false;

	for (uint32_t i = 0; i < ranks; i++) {
		const struct chakra_node *node = node_at(planner, i, planner->at[i]);

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
		(void)add_phase(planner, PHASE_MESSAGES);
	return found;
}

/* ---- collectives ---- */

static struct location rank_where(const struct planner *planner, uint32_t rank)
{
	return planner->trace->ranks[rank].where;
}

/* True if the rank has a collective of the group, in any phase. */
static bool has_group(const struct planner *planner, uint32_t rank, const char *group)
{
	const struct chakra_rank *of = &planner->trace->ranks[rank];

	for (uint32_t i = 0; i < of->count; i++)
		if (of->nodes[i].type == CHAKRA_COLLECTIVE &&
			strcmp(of->nodes[i].group, group) == 0)
			return true;
	return false;
}

static bool is_same(const struct chakra_node *a, const struct chakra_node *b)
{
	return a->comm == b->comm && a->bytes == b->bytes && strcmp(a->group, b->group) == 0 &&
	       (a->root == b->root || a->comm != CHAKRA_BROADCAST) && strcmp(a->keys, b->keys) == 0;
}

/* Skips a collective whose group has only one rank. Returns false if there is none. */
static bool pass_alone(struct planner *planner)
{
	for (uint32_t i = 0; i < planner->trace->count; i++) {
		const struct chakra_node *node = node_at(planner, i, planner->at[i]);
		uint32_t others = 0;

		if (!node || node->type != CHAKRA_COLLECTIVE)
			continue;
		for (uint32_t k = 0; k < planner->trace->count; k++)
			others += k != i && has_group(planner, k, node->group);
		if (others > 0)
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
		const struct chakra_node *node = node_at(planner, i, planner->at[i]);

		if (node && is_message(node)) {
			diag_error(planner->diag, rank_where(planner, i),
				"node %" PRIu64 ": %s rank %u, tag %u, but that rank never gets to "
				"the other end of this message",
				node->id,
				node->type == CHAKRA_SEND ? "a send to" : "a receive from",
				node->peer, node->tag);
			return;
		}
	}
}

static bool say_different(const struct planner *planner, uint32_t rank, uint32_t other)
{
	const struct chakra_node *a = node_at(planner, rank, planner->at[rank]);
	const struct chakra_node *b = node_at(planner, other, planner->at[other]);

	if (!b)
		diag_error(planner->diag, rank_where(planner, rank),
			"node %" PRIu64
			": %s of group '%s' that rank %u does not have: collectives "
			"are of all ranks",
			a->id, chakra_comm_name(a->comm), a->group, other);
	else if (b->type != CHAKRA_COLLECTIVE)
		say_stuck(planner);
	else
		diag_error(planner->diag, rank_where(planner, other),
			"node %" PRIu64 ": %s of %" PRIu64
			" B in group '%s', but rank %u has %s of "
			"%" PRIu64 " B in group '%s' (node %" PRIu64
			"): collectives are of all ranks",
			b->id, chakra_comm_name(b->comm), b->bytes, b->group, rank,
			chakra_comm_name(a->comm), a->bytes, a->group, a->id);
	return false;
}

/* Adds the next collective, which must be the next node of every rank. Returns false after an
 * error, or if no nodes are left. */
static bool add_collective(struct planner *planner)
{
	uint32_t ranks = planner->trace->count, rank = 0;

	while (rank < ranks &&
		!(node_at(planner, rank, planner->at[rank]) &&
			node_at(planner, rank, planner->at[rank])->type == CHAKRA_COLLECTIVE))
		rank++;
	if (rank == ranks) {
		say_stuck(planner);
		return false;
	}
	for (uint32_t i = 0; i < ranks; i++) {
		const struct chakra_node *node = node_at(planner, i, planner->at[i]);

		if (!node || node->type != CHAKRA_COLLECTIVE ||
			!is_same(node, node_at(planner, rank, planner->at[rank])))
			return say_different(planner, rank, i);
		planner->end[i] = planner->at[i] + 1;
	}
	(void)add_phase(planner, PHASE_COLLECTIVE);
	return true;
}

/* ---- all ---- */

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
				diag_error(planner->diag, rank_where(planner, i),
					"node %" PRIu64 ": rank %u of a trace of %u", node->id,
					other, planner->trace->count);
			else if (is_message(node) && other == i)
				diag_error(planner->diag, rank_where(planner, i),
					"node %" PRIu64 ": a message of rank %u to itself",
					node->id, i);
		}
	return diag_errors(planner->diag) == before;
}

bool chakra_plan_make(const struct chakra_trace *trace, uint64_t *const *time_ns, uint64_t fuse_ns,
	struct arena *arena, struct diag *diag, struct chakra_plan *plan)
{
	uint32_t ranks = trace->count;
	size_t before = diag_errors(diag);
	struct planner planner = {.trace = trace,
		.time_ns = time_ns,
		.fuse_ns = fuse_ns,
		.arena = arena,
		.diag = diag,
		.plan = plan,
		.last = &plan->first,
		.order = arena_array(arena, ranks, sizeof(uint32_t *)),
		.at = arena_array(arena, ranks, sizeof(uint32_t)),
		.end = arena_array(arena, ranks, sizeof(uint32_t))};

	*plan = (struct chakra_plan){0};
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
		add_of_host(&planner, CHAKRA_KEYS_UNTIL, PHASE_UNTIL) || pass_alone(&planner) ||
		add_collective(&planner));
	return diag_errors(diag) == before;
}
