/* Prints how many steps have no table, because the summary of a file has a bounded number of
 * columns and so cannot have every step (show_private.h). */
#include <stdlib.h>
#include <string.h>

#include "analysis/operations/operations.h"
#include "analysis/print/wrap.h"
#include "show_private.h"

static bool is_in_summary(const struct summary *summary, const char *kind)
{
	for (uint32_t i = 0; i < summary->kind_count; i++)
		if (strcmp(summary->kinds[i].name, kind) == 0)
			return true;
	return false;
}

/* True if the step `name` ("KIND/NAME") is the only step of its kind, and the kind has a table. The
 * table then shows the step. `others` are the step's neighbours in the sorted list of steps. */
static bool is_whole_kind(
	const struct summary *summary, const char *name, const char *const others[2])
{
	size_t length = strcspn(name, "/") + 1;

	for (int i = 0; i < 2; i++)
		if (others[i] && strcmp(others[i], name) != 0 &&
			strncmp(others[i], name, length) == 0)
			return false;
	for (uint32_t i = 0; i < summary->kind_count; i++)
		if (strlen(summary->kinds[i].name) == length - 1 &&
			strncmp(summary->kinds[i].name, name, length - 1) == 0)
			return summary->kinds[i].step_count == 0;
	return false;
}

static int left_out_by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns how many steps of a run are not in the summary. Steps with one name count once. */
static uint32_t left_out(
	const struct summary *summary, const struct operations *operations, struct arena *arena)
{
	uint32_t most = 0, count = 0, different = 0;
	const char **names;
	bool *seen;

	for (uint32_t i = 0; i < operations->count; i++)
		most = operations->at[i].step > most ? operations->at[i].step : most;
	seen = arena_array(arena, most + 1u, sizeof *seen);
	names = arena_array(arena, most + 1u, sizeof(*names));
	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		const char *name;

		if (seen[operation->step] || !operation->step_name[0])
			continue;
		seen[operation->step] = true;
		name = arena_printf(arena, "%s/%s", operation->kind, operation->step_name);
		if (!is_in_summary(summary, name))
			names[count++] = name;
	}
	if (count > 0)
		qsort(names, count, sizeof(*names), left_out_by_name);
	for (uint32_t i = 0; i < count; i++) {
		const char *const others[] = {
			i > 0 ? names[i - 1] : NULL, i + 1 < count ? names[i + 1] : NULL};

		if (others[0] && strcmp(names[i], others[0]) == 0)
			continue;
		different += !is_whole_kind(summary, names[i], others);
	}
	return different;
}

/* With fewer groups than this, a run has recorded each of its steps. */
enum { GROUPS_MANY = 16 };

/* True if the summary may lack steps of the run. It may if it has GROUPS_MANY groups or more, or
 * if it lacks a group that the run's table `kinds` has. To compare the summary with this table is
 * not enough, because the table also has a limited number of groups. */
static bool is_cut(struct summary *summary, const char *group, struct arena *arena)
{
	const struct dataset_column *names;
	struct dataset kinds;
	struct text why = {0};
	bool cut = summary->kind_count >= GROUPS_MANY;

	if (result_table(summary->result, arena_printf(arena, "%s/kinds", group), &kinds, &why) ==
		STATUS_OK) {
		names = dataset_column(&kinds, "kind");
		for (uint64_t row = 0; names && row < kinds.row_count && !cut; row++)
			cut = !is_in_summary(summary, dataset_text(&kinds, names, row));
	}
	text_fini(&why);
	return cut;
}

void show_left_out(struct summary *summary, struct arena *arena, const struct show_page *page)
{
	const char *group = summary->dataset.row_count > 0 ? summary_group(summary, 0) : NULL;
	const struct operations *operations = NULL;
	struct text why = {0};
	uint32_t missing;

	if (group && is_cut(summary, group, arena))
		operations = operations_of(summary, group, false, &why);
	missing = operations ? left_out(summary, operations, arena) : 0;
	text_fini(&why);
	if (missing == 0)
		return;
	fputc('\n', page->out);
	wrap_hang(arena_printf(arena,
			  "%u steps more have no table here, since a file holds the columns of %u "
			  "groups: they are in its table ops, and in `meshsim explain FILE RUN "
			  "--kind=KIND/NAME`",
			  missing, summary->kind_count),
		2, 4, page->columns, "", page->out);
}
