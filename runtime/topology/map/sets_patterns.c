/* Enumerates the ways to choose chips for a grouping on a machine, one item of the grouping after
 * another. An item is an ASIC at a location, or a set of chips of a lower grouping. No two items
 * may share a chip, and items must be joined by links as the grouping requires. A grouping named
 * hosts or HOSTS must lie on one host, and a grouping named trays or TRAY_n must lie in one tray.
 * The number of steps is bounded. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "place_private.h"

enum { STEPS_MAX = 20000000 };

struct maker {
	const struct groupings *groupings;
	const struct machine *machine;
	const struct wired *wired;
	struct sets **known; /* [grouping] the sets of its type, after they are made */
	uint64_t steps;
	struct arena *arena;
};

/* A grouping that is being assembled. */
struct build {
	const struct grouping *grouping;
	const struct sets **options; /* [slot] the sets that may fill it */
	uint32_t slots;
	const struct set **chosen;
	bool *used; /* [chip] true if a chosen set contains the chip */
	struct sets *partial, *out;
	bool same_host, same_tray, connected;
	uint32_t tray; /* number of the tray; SOLVE_ANY: any tray */
};

static const struct sets *make_type(struct maker *maker, const char *type);

/* Returns the sets of one chip each that an item's location allows. */
static const struct sets *chips_at(struct maker *maker, const struct grouping_item *item)
{
	struct sets *sets = arena_alloc(maker->arena, sizeof(*sets));

	for (uint32_t i = 0; i < maker->machine->chip_count; i++)
		if ((item->location == GROUPING_ANY_LOCATION ||
			    maker->machine->chips[i].location == item->location) &&
			(item->tray == GROUPING_ANY_TRAY ||
				maker->machine->chips[i].tray == item->tray))
			sets_add(sets, maker->arena, &i, 1);
	return sets;
}

static bool touch(const struct maker *maker, const struct set *a, const struct set *b)
{
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++)
			if (wired_channels(maker->wired, a->chips[i], b->chips[k]))
				return true;
	return false;
}

/* Returns true if the set `set` can be item `slot` of the grouping. The set must have no chip in
 * common with the sets chosen for earlier items, and must have the required links to these sets. If
 * the grouping requires one host or one tray, all chips must lie on the same host or tray. If it
 * requires a certain tray, they must lie on this tray. */
static bool may_be(
	const struct maker *maker, const struct build *build, uint32_t slot, const struct set *set)
{
	const struct machine_chip *chips = maker->machine->chips;
	const struct machine_chip *first =
		&chips[slot ? build->chosen[0]->chips[0] : set->chips[0]];
	bool joined = slot == 0 || !build->connected;

	for (uint32_t i = 0; i < set->count; i++) {
		const struct machine_chip *chip = &chips[set->chips[i]];

		if (build->used[set->chips[i]] || (build->same_host && chip->host != first->host) ||
			(build->same_tray &&
				(chip->host != first->host || chip->tray != first->tray)) ||
			(build->tray != SOLVE_ANY && chip->tray != build->tray))
			return false;
	}
	for (uint32_t i = 0; i < slot && !joined; i++)
		joined = touch(maker, build->chosen[i], set);
	for (uint32_t i = 0; i < build->grouping->edge_count && joined; i++) {
		const struct grouping_edge *edge = &build->grouping->edges[i];
		uint32_t other = edge->a == slot ? edge->b : edge->a;

		if ((edge->a == slot || edge->b == slot) && other < slot)
			joined = touch(maker, build->chosen[other], set);
	}
	return joined;
}

static uint32_t sets_patterns_list_chips(const struct build *build, uint32_t slots, uint32_t *out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < slots; i++)
		for (uint32_t k = 0; k < build->chosen[i]->count; k++)
			out[count++] = build->chosen[i]->chips[k];
	return count;
}

static void extend(struct maker *maker, struct build *build, uint32_t slot)
{
	const struct sets *options = build->options[slot];
	uint32_t *chips = allocate((size_t)maker->machine->chip_count + 1, sizeof(*chips)), count;

	for (uint32_t i = 0; i < options->count && maker->steps < STEPS_MAX; i++) {
		const struct set *set = &options->at[i];

		maker->steps++;
		if (!may_be(maker, build, slot, set))
			continue;
		build->chosen[slot] = set;
		for (uint32_t k = 0; k < set->count; k++)
			build->used[set->chips[k]] = true;
		count = sets_patterns_list_chips(build, slot + 1, chips);
		/* if the grouping only has to be connected, the order of choice does not matter */
		if (slot + 1 == build->slots)
			sets_add(build->out, maker->arena, chips, count);
		else if (!build->connected ||
			 sets_add(&build->partial[slot], maker->arena, chips, count))
			extend(maker, build, slot + 1);
		for (uint32_t k = 0; k < set->count; k++)
			build->used[set->chips[k]] = false;
	}
	build->out->cut |= maker->steps >= STEPS_MAX;
	free(chips);
}

/* Adds all sets that one grouping can form. */
static void make_one(struct maker *maker, const struct grouping *grouping, struct sets *out)
{
	uint32_t slots = 0, at = 0;
	struct build build = {.grouping = grouping, .out = out, .tray = SOLVE_ANY};

	for (uint32_t i = 0; i < grouping->item_count; i++)
		slots += grouping->items[i].count;
	if (slots == 0 || slots > maker->machine->chip_count)
		return;
	build.slots = slots;
	build.options = arena_array(maker->arena, slots, sizeof(struct sets *));
	build.chosen = arena_array(maker->arena, slots, sizeof(struct set *));
	build.used = arena_array(maker->arena, maker->machine->chip_count, sizeof(bool));
	build.partial = arena_array(maker->arena, slots, sizeof(struct sets));
	for (uint32_t i = 0; i < grouping->item_count; i++) {
		const struct grouping_item *item = &grouping->items[i];
		const struct sets *options =
			item->group ? make_type(maker, item->group) : chips_at(maker, item);

		for (uint32_t k = 0; k < item->count; k++)
			build.options[at++] = options;
	}
	build.same_host =
		strcmp(grouping->type, "hosts") == 0 || strcmp(grouping->type, "HOSTS") == 0;
	build.same_tray = strcmp(grouping->type, "trays") == 0;
	if (strncmp(grouping->type, "TRAY_", 5) == 0) {
		build.same_host = true;
		build.tray = (uint32_t)strtoul(grouping->type + 5, NULL, 10);
	}
	build.connected = !grouping->edge_count && !build.same_tray && build.tray == SOLVE_ANY;
	extend(maker, &build, 0);
}

static const struct sets *make_type(struct maker *maker, const char *type)
{
	struct sets *sets = NULL;

	for (uint32_t i = 0; i < maker->groupings->count; i++)
		if (strcmp(maker->groupings->groupings[i].type, type) == 0 && maker->known[i])
			return maker->known[i];
	sets = arena_alloc(maker->arena, sizeof(*sets));
	for (uint32_t i = 0; i < maker->groupings->count; i++)
		if (strcmp(maker->groupings->groupings[i].type, type) == 0) {
			make_one(maker, &maker->groupings->groupings[i], sets);
			maker->known[i] = sets;
		}
	return sets;
}

const struct sets *sets_of_type(const struct groupings *groupings, const struct machine *machine,
	const char *type, struct arena *arena)
{
	struct maker maker = {.groupings = groupings, .machine = machine, .arena = arena};
	struct wired_edge *edges = arena_array(arena, machine->link_count, sizeof(*edges));

	for (uint32_t i = 0; i < machine->link_count; i++)
		edges[i] = (struct wired_edge){
			machine->links[i].a, machine->links[i].b, machine->links[i].channels};
	maker.wired = wired_new(arena, machine->chip_count, edges, machine->link_count);
	maker.known = arena_array(arena, groupings->count, sizeof(struct sets *));
	return make_type(&maker, type);
}
