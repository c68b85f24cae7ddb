/* Checks groupings. Reports references to unknown groupings, groupings that mix ASICs and
 * groupings, circles of references, and files without a mesh. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "read_private.h"

static bool groupings_check_is_known(const struct groupings *groupings, const char *type)
{
	for (uint32_t i = 0; i < groupings->count; i++)
		if (strcmp(groupings->groupings[i].type, type) == 0)
			return true;
	return false;
}

static void check_items(
	const struct groupings *groupings, const struct grouping *grouping, struct diag *diag)
{
	uint64_t instances = 0;
	bool asics = false, refs = false;

	for (uint32_t i = 0; i < grouping->item_count; i++) {
		const struct grouping_item *item = &grouping->items[i];

		asics |= !item->group;
		refs |= item->group != NULL;
		instances += item->count;
		if (item->group && !groupings_check_is_known(groupings, item->group))
			diag_error(diag, item->where,
				"Grouping '%s' references non-existent grouping '%s'",
				grouping->name, item->group);
		for (uint32_t k = 0; groupings->kind == GROUPINGS_PATTERNS && k < i; k++)
			if (grouping->items[k].id == item->id && (item->id || k)) {
				diag_error(diag, item->where,
					"Grouping '%s': instance id %lld is there twice",
					grouping->name, (long long)item->id);
				break;
			}
	}
	if (asics && refs)
		diag_error(diag, grouping->where,
			"Grouping '%s' uses ASIC locations but also has grouping references",
			grouping->name);
	if (groupings->kind == GROUPINGS_COUNTS && instances < 2 &&
		strcmp(grouping->name, "meshes") != 0)
		diag_error(diag, grouping->where,
			"Grouping '%s' must have at least two instances: one is no group",
			grouping->name);
}

enum mark { UNSEEN, OPEN, DONE };

/* Follows references from all groupings of a type. Returns false after it has reported a circle. */
static bool groupings_check_follow(const struct groupings *groupings, const char *type,
	enum mark *marks, unsigned depth, struct diag *diag)
{
	for (uint32_t i = 0; i < groupings->count; i++) {
		const struct grouping *grouping = &groupings->groupings[i];

		if (strcmp(grouping->type, type) != 0 || marks[i] == DONE)
			continue;
		if (marks[i] == OPEN || depth > 256) {
			diag_error(diag, grouping->where,
				"Circular dependencies detected: grouping '%s' contains itself",
				grouping->name);
			return false;
		}
		marks[i] = OPEN;
		for (uint32_t k = 0; k < grouping->item_count; k++)
			if (grouping->items[k].group &&
				!groupings_check_follow(groupings, grouping->items[k].group, marks,
					depth + 1, diag))
				return false;
		marks[i] = DONE;
	}
	return true;
}

static void check_circles(const struct groupings *groupings, struct diag *diag)
{
	enum mark *marks = allocate((size_t)groupings->count + 1, sizeof(*marks));
	bool good = true;

	for (uint32_t i = 0; i < groupings->count && good; i++)
		good = groupings_check_follow(
			groupings, groupings->groupings[i].type, marks, 0, diag);
	free(marks);
}

static const struct grouping_row *groupings_check_find_row(
	const struct groupings *groupings, uint32_t id)
{
	for (uint32_t i = 0; i < groupings->row_count; i++)
		if (groupings->rows[i].id == id)
			return &groupings->rows[i];
	return NULL;
}

static void check_rows(const struct groupings *groupings, struct diag *diag)
{
	for (uint32_t i = 0; i < groupings->row_count; i++) {
		const struct grouping_row *row = &groupings->rows[i];

		if (groupings_check_find_row(groupings, row->id) != row)
			diag_error(diag, row->where, "Group id %u is there twice, first in line %u",
				row->id, groupings_check_find_row(groupings, row->id)->where.line);
		for (uint32_t k = 0; k < row->group_count; k++) {
			const struct grouping_row *below =
				groupings_check_find_row(groupings, row->groups[k]);

			if (!below)
				diag_error(diag, row->where,
					"Group %u references non-existent grouping %u", row->id,
					row->groups[k]);
			else if (below->level >= row->level)
				diag_error(diag, row->where,
					"Circular dependencies detected: group %u holds group %u, "
					"which is not below it",
					row->id, row->groups[k]);
		}
	}
}

void groupings_check(const struct groupings *groupings, struct diag *diag)
{
	size_t errors = diag_errors(diag);

	if (groupings->kind == GROUPINGS_YAML) {
		check_rows(groupings, diag);
		return;
	}
	for (uint32_t i = 0; i < groupings->count; i++)
		check_items(groupings, &groupings->groupings[i], diag);
	if (groupings->kind == GROUPINGS_COUNTS && !groupings_check_is_known(groupings, "meshes"))
		diag_error(diag, groupings->where, "There must be a grouping 'meshes'");
	if (diag_errors(diag) == errors)
		check_circles(groupings, diag);
}
