/* Finds the sets of chips that groupings allow as meshes. If a grouping contains the ids of chips,
 * these chips are its only set. Otherwise this file enumerates all ways to choose chips of this
 * machine for the grouping. The number of sets is bounded; if sets are left out, a warning reports
 * it. */
#include <stdlib.h>
#include <string.h>

#include "place_private.h"

static int sets_compare_chips(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* --- by ids ---------------------------------------------------------------------------------- */

struct rows {
	const struct groupings *groupings;
	const struct machine *machine;
	struct arena *arena;
	struct diag *diag;
};

static const struct grouping_row *sets_find_row(const struct groupings *groupings, uint32_t id)
{
	for (uint32_t i = 0; i < groupings->row_count; i++)
		if (groupings->rows[i].id == id)
			return &groupings->rows[i];
	return NULL;
}

/* Adds the chips of a group, and of all groups that it contains, to `out`, which has `count` chips.
 * Returns the new number of chips in `out`. Returns SOLVE_ANY if a chip is not in the machine. */
static uint32_t sets_collect(
	const struct rows *rows, const struct grouping_row *row, uint32_t *out, uint32_t count)
{
	for (uint32_t i = 0; i < row->asic_count; i++) {
		uint32_t chip = machine_find(rows->machine, row->asics[i]);

		if (chip == MACHINE_NONE) {
			diag_warning(rows->diag, row->where,
				"ASIC %llu of group %u is not in the machine: the group is left "
				"out",
				(unsigned long long)row->asics[i], row->id);
			return SOLVE_ANY;
		}
		for (uint32_t k = 0; k < count; k++)
			if (out[k] == chip)
				return count;
		out[count++] = chip;
	}
	for (uint32_t i = 0; i < row->group_count && count != SOLVE_ANY; i++)
		count = sets_collect(
			rows, sets_find_row(rows->groupings, row->groups[i]), out, count);
	return count;
}

static bool sets_holds(
	const struct groupings *groupings, const struct grouping_row *row, uint32_t id)
{
	for (uint32_t i = 0; i < row->group_count; i++)
		if (row->groups[i] == id ||
			sets_holds(groupings, sets_find_row(groupings, row->groups[i]), id))
			return true;
	return false;
}

/* Finds, for each level, the group that contains this group. */
static void find_above(
	const struct rows *rows, const struct grouping_row *row, struct place_set *set)
{
	for (int level = 0; level < PLACE_LEVELS; level++)
		set->above[level] = SOLVE_ANY;
	for (uint32_t i = 0; i < rows->groupings->row_count; i++) {
		const struct grouping_row *above = &rows->groupings->rows[i];

		if (above->level >= GROUP_POD && sets_holds(rows->groupings, above, row->id))
			set->above[above->level - GROUP_POD] = above->id;
	}
}

static void make_by_ids(const struct rows *rows, struct place_options *options)
{
	const struct groupings *groupings = rows->groupings;
	struct place_set *sets = arena_array(rows->arena, groupings->row_count, sizeof(*sets));
	enum grouping_level level = GROUP_ASIC;
	uint32_t *chips;

	for (uint32_t i = 0; i < groupings->row_count; i++) {
		level = groupings->rows[i].level == GROUP_MESH ? GROUP_MESH : level;
		if (groupings->rows[i].level >= GROUP_POD)
			options->has_level[groupings->rows[i].level - GROUP_POD] = true;
	}
	for (uint32_t i = 0; i < groupings->row_count; i++) {
		const struct grouping_row *row = &groupings->rows[i];
		uint32_t count;

		if (row->level != level)
			continue;
		chips = arena_array(
			rows->arena, (size_t)rows->machine->chip_count + 1, sizeof(*chips));
		count = sets_collect(rows, row, chips, 0);
		if (count == SOLVE_ANY)
			continue;
		qsort(chips, count, sizeof(*chips), sets_compare_chips);
		sets[options->set_count] = (struct place_set){
			arena_printf(rows->arena, "group %u", row->id), chips, count, {0}};
		find_above(rows, row, &sets[options->set_count++]);
	}
	options->sets = sets;
}

/* --- by patterns ------------------------------------------------------------------------------ */

static void keep_sets(const struct sets *from, const char *name, uint32_t least,
	struct place_options *options, struct arena *arena)
{
	struct place_set *sets = arena_array(arena, (size_t)from->count + 1, sizeof(*sets));

	for (uint32_t i = 0; i < from->count; i++) {
		struct place_set set = {
			.name = name, .chips = from->at[i].chips, .count = from->at[i].count};

		if (set.count < least)
			continue;
		for (int level = 0; level < PLACE_LEVELS; level++)
			set.above[level] = SOLVE_ANY;
		sets[options->set_count++] = set;
	}
	options->sets = sets;
}

void groupings_sets(const struct groupings *groupings, const struct machine *machine,
	uint32_t least, struct place_options *options, struct arena *arena, struct diag *diag)
{
	const struct rows rows = {groupings, machine, arena, diag};
	const char *name = groupings->kind == GROUPINGS_COUNTS ? "meshes" : "MESH";
	const struct sets *sets;

	options->set_count = 0;
	memset(options->has_level, 0, sizeof(options->has_level));
	if (groupings->kind == GROUPINGS_YAML) {
		make_by_ids(&rows, options);
		return;
	}
	sets = sets_of_type(groupings, machine, name, arena);
	if (sets->cut)
		diag_warning(diag, groupings->where,
			"more than %d sets of chips can be meshes by this: not all are tried",
			GROUPING_SETS_MAX);
	keep_sets(sets, name, least, options, arena);
}
