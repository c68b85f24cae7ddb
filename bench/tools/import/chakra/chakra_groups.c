/* Finds the process groups of a Chakra trace (chakra_plan.h). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "chakra_plan.h"

/* A rank of a group, with its place in the group if meshsim has written the trace. */
struct member {
	uint32_t rank, place;
};

struct found {
	struct member *at;
	uint32_t count, room;
};

struct finder {
	const struct chakra_trace *trace;
	struct chakra_groups *groups;
	struct found *found; /* [group] */
	uint32_t room;	     /* number of groups for which memory is allocated */
	uint32_t *slots;     /* hash table with numbers of groups, from 1 */
	uint32_t slot_count;
};

static void slots_grow(struct finder *finder)
{
	uint32_t count = finder->slot_count > 0 ? 2 * finder->slot_count : 64;
	uint32_t *slots = allocate(count, sizeof *slots);

	for (uint32_t i = 0; i < finder->groups->count; i++) {
		uint32_t slot = (uint32_t)(hash_string(finder->groups->at[i].name) % count);

		while (slots[slot] > 0)
			slot = (slot + 1) % count;
		slots[slot] = i + 1;
	}
	free(finder->slots);
	finder->slots = slots;
	finder->slot_count = count;
}

/* Returns the number of the group with this name. Adds it if it is new. */
static uint32_t chakra_group_named(struct finder *finder, const char *name)
{
	struct chakra_groups *groups = finder->groups;
	uint32_t slot;

	if (2 * groups->count >= finder->slot_count)
		slots_grow(finder);
	slot = (uint32_t)(hash_string(name) % finder->slot_count);
	for (; finder->slots[slot] > 0; slot = (slot + 1) % finder->slot_count)
		if (strcmp(groups->at[finder->slots[slot] - 1].name, name) == 0)
			return finder->slots[slot] - 1;
	if (groups->count == finder->room) {
		finder->room = finder->room > 0 ? 2 * finder->room : 16;
		groups->at = allocate_more(groups->at, finder->room, sizeof *groups->at);
		finder->found = allocate_more(finder->found, finder->room, sizeof *finder->found);
	}
	groups->at[groups->count] = (struct chakra_group){.name = name};
	finder->found[groups->count] = (struct found){0};
	finder->slots[slot] = ++groups->count;
	return groups->count - 1;
}

/* Adds a rank to a group. Ranks come in order, so a rank that is already there is the last one. */
static void add_rank(struct found *found, uint32_t rank, uint32_t place)
{
	if (found->count > 0 && found->at[found->count - 1].rank == rank)
		return;
	if (found->count == found->room) {
		found->room = found->room > 0 ? 2 * found->room : 4;
		found->at = allocate_more(found->at, found->room, sizeof *found->at);
	}
	found->at[found->count++] = (struct member){rank, place};
}

static int by_place(const void *left, const void *right)
{
	const struct member *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void groups_keep(struct finder *finder, struct arena *arena)
{
	struct chakra_groups *groups = finder->groups;
	struct chakra_group *kept = arena_array(arena, groups->count, sizeof *kept);

	for (uint32_t i = 0; i < groups->count; i++) {
		struct found *found = &finder->found[i];

		kept[i] = groups->at[i];
		kept[i].count = kept[i].name[0] ? found->count : finder->trace->count;
		kept[i].ranks = arena_array(arena, kept[i].count, sizeof(uint32_t));
		if (found->count > 0)
			qsort(found->at, found->count, sizeof *found->at, by_place);
		for (uint32_t k = 0; k < kept[i].count; k++)
			kept[i].ranks[k] = kept[i].name[0] ? found->at[k].rank : k;
		free(found->at);
	}
	free(groups->at);
	groups->at = kept;
	free(finder->found);
	free(finder->slots);
}

void chakra_groups_find(
	const struct chakra_trace *trace, struct arena *arena, struct chakra_groups *groups)
{
	struct finder finder = {.trace = trace, .groups = groups};

	*groups =
		(struct chakra_groups){.of = arena_array(arena, trace->count, sizeof(uint32_t *))};
	for (uint32_t i = 0; i < trace->count; i++) {
		const struct chakra_rank *rank = &trace->ranks[i];

		groups->of[i] = arena_array(arena, rank->count, sizeof(uint32_t));
		for (uint32_t k = 0; k < rank->count; k++) {
			if (rank->nodes[k].type != CHAKRA_COLLECTIVE)
				continue;
			groups->of[i][k] = chakra_group_named(&finder, rank->nodes[k].group);
			add_rank(&finder.found[groups->of[i][k]], i, rank->nodes[k].place);
		}
	}
	groups_keep(&finder, arena);
}

uint32_t chakra_root_place(const struct chakra_group *group, uint32_t root)
{
	for (uint32_t i = 0; i < group->count; i++)
		if (group->ranks[i] == root)
			return i;
	return root == 0 ? 0 : group->count;
}
