/* Orders the nodes of a rank by their dependencies. Also has the names of kinds of nodes and
 * collectives. */
#include <stdlib.h>

#include "base/allocate.h"
#include "bench/tools/import/chakra.h"

/* Nodes that are ready, as a heap with the lowest id at the front. */
struct ready {
	const struct chakra_rank *rank;
	uint32_t *at, count;
};

static bool goes_before(const struct ready *ready, uint32_t a, uint32_t b)
{
	return ready->rank->nodes[ready->at[a]].id < ready->rank->nodes[ready->at[b]].id;
}

static void swap(struct ready *ready, uint32_t a, uint32_t b)
{
	uint32_t kept = ready->at[a];

	ready->at[a] = ready->at[b];
	ready->at[b] = kept;
}

static void ready_add(struct ready *ready, uint32_t node)
{
	uint32_t at = ready->count++;

	ready->at[at] = node;
	for (; at > 0 && goes_before(ready, at, (at - 1) / 2); at = (at - 1) / 2)
		swap(ready, at, (at - 1) / 2);
}

static uint32_t ready_take(struct ready *ready)
{
	uint32_t first = ready->at[0], at = 0, next;

	ready->at[0] = ready->at[--ready->count];
	while ((next = 2 * at + 1) < ready->count) {
		if (next + 1 < ready->count && goes_before(ready, next + 1, next))
			next++;
		if (!goes_before(ready, next, at))
			break;
		swap(ready, at, next);
		at = next;
	}
	return first;
}

/* Lists, for each node i, the nodes that depend on it: users[first[i]] to users[first[i + 1] - 1].
 * All entries of `first` must be 0 before. */
static void find_users(const struct chakra_rank *rank, uint32_t *first, uint32_t *users)
{
	uint32_t *at = allocate(rank->count, sizeof *at);

	for (uint32_t i = 0; i < rank->count; i++)
		for (uint32_t k = 0; k < rank->nodes[i].need_count; k++)
			first[rank->nodes[i].needs[k] + 1]++;
	for (uint32_t i = 0; i < rank->count; i++) {
		first[i + 1] += first[i];
		at[i] = first[i];
	}
	for (uint32_t i = 0; i < rank->count; i++)
		for (uint32_t k = 0; k < rank->nodes[i].need_count; k++)
			users[at[rank->nodes[i].needs[k]]++] = i;
	free(at);
}

uint32_t chakra_order(const struct chakra_rank *rank, uint32_t *order)
{
	uint32_t *left = allocate(rank->count, sizeof *left), *first, *users, count = 0;
	size_t total = 0;
	struct ready ready = {.rank = rank, .at = allocate(rank->count, sizeof(uint32_t))};

	for (uint32_t i = 0; i < rank->count; i++) {
		left[i] = rank->nodes[i].need_count;
		total += left[i];
		if (left[i] == 0)
			ready_add(&ready, i);
	}
	first = allocate(rank->count + 1, sizeof *first);
	users = allocate(total, sizeof *users);
	find_users(rank, first, users);
	while (ready.count > 0) {
		uint32_t node = ready_take(&ready);

		order[count++] = node;
		for (uint32_t k = first[node]; k < first[node + 1]; k++)
			if (--left[users[k]] == 0)
				ready_add(&ready, users[k]);
	}
	free(left);
	free(first);
	free(users);
	free(ready.at);
	return count;
}

const char *chakra_type_name(uint32_t type)
{
	static const char *const names[] = {[CHAKRA_METADATA] = "metadata",
		[CHAKRA_LOAD] = "memory load",
		[CHAKRA_STORE] = "memory store",
		[CHAKRA_COMPUTE] = "compute",
		[CHAKRA_SEND] = "send",
		[CHAKRA_RECEIVE] = "receive",
		[CHAKRA_COLLECTIVE] = "collective"};

	return type > 0 && type < CHAKRA_TYPES ? names[type] : "unknown";
}

const char *chakra_comm_name(uint32_t comm)
{
	static const char *const names[] = {[CHAKRA_ALL_REDUCE] = "all-reduce",
		[CHAKRA_REDUCE] = "reduce",
		[CHAKRA_ALL_GATHER] = "all-gather",
		[CHAKRA_GATHER] = "gather",
		[CHAKRA_SCATTER] = "scatter",
		[CHAKRA_BROADCAST] = "broadcast",
		[CHAKRA_ALL_TO_ALL] = "all-to-all",
		[CHAKRA_REDUCE_SCATTER] = "reduce-scatter",
		[CHAKRA_BLOCKS] = "reduce-scatter by blocks",
		[CHAKRA_BARRIER] = "barrier"};

	return comm < CHAKRA_COMMS ? names[comm] : "unknown";
}
