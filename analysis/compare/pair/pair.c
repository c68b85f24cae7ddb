/* Reads two files of one scenario as the points of one question (comparison.h). Each point of one
 * file is matched with the point of the other file that has the same values of the swept keys and
 * the same step. */
#include "analysis/compare/comparison.h"

#include <string.h>

#include "analysis/read/summary.h"

/* ---- which files ---- */

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

static bool open_both(struct comparison *comparison, struct text *why)
{
	struct file_pair *pair = comparison->pair;
	struct summary *const summaries[2] = {&pair->summaries[0], &pair->summaries[1]};
	bool alike = strcmp(base_name(pair->files[0]), base_name(pair->files[1])) == 0;

	if (!pair_allowed(pair->files, why))
		return false;
	for (int i = 0; i < 2; i++) {
		pair->labels[i] = alike ? pair->files[i] : base_name(pair->files[i]);
		if (!summary_open(&pair->summaries[i], pair->files[i], why))
			return false;
	}
	return pair_fits(summaries, pair->files, why);
}

/* ---- keys ---- */

static bool has_name(const char *const *names, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Collects the keys that at least one of the two files sweeps. The last key in the list stands for
 * the file itself. */
static void find_names(struct comparison *comparison)
{
	struct file_pair *pair = comparison->pair;
	uint32_t most = pair->summaries[0].swept_count + pair->summaries[1].swept_count + 1;

	pair->names = arena_array(&comparison->arena, most, sizeof(*pair->names));
	for (int f = 0; f < 2; f++)
		for (uint32_t i = 0; i < pair->summaries[f].swept_count; i++) {
			const char *name =
				pair->summaries[f]
					.dataset.columns[pair->summaries[f].swept_first + i]
					.name;
			if (!has_name(pair->names, pair->name_count, name))
				pair->names[pair->name_count++] = name;
		}
	pair->names[pair->name_count++] = SWEEP_FILE;
}

/* Makes a summary that has no runs, and has the collected keys as its swept keys. */
static void make_view(struct comparison *comparison)
{
	struct file_pair *pair = comparison->pair;
	struct summary *view = &comparison->summary;

	memset(view, 0, sizeof(*view));
	view->result = pair->summaries[0].result;
	view->swept_count = pair->name_count;
	view->dataset.column_count = pair->name_count;
	view->dataset.columns =
		arena_array(&comparison->arena, pair->name_count, sizeof(*view->dataset.columns));
	for (uint32_t i = 0; i < pair->name_count; i++)
		view->dataset.columns[i] =
			(struct dataset_column){.name = pair->names[i], .type = DATASET_TEXT};
}

/* ---- subjects ---- */

static void add_alone(struct comparison *comparison, int file, const char *what)
{
	struct file_pair *pair = comparison->pair;

	if (pair->alone_count < PAIR_ALONE_MAX)
		pair->alone[pair->alone_count] = (struct pair_alone){file, what};
	pair->alone_count++;
}

static bool has_subject(
	const struct sweep_subject *subjects, uint32_t count, const struct sweep_subject *wanted)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(subjects[i].kind, wanted->kind) == 0 &&
			strcmp(subjects[i].label, wanted->label) == 0)
			return true;
	return false;
}

/* Finds the subjects that both files have, and records the subjects that only one file has. */
static uint32_t pair_find_subjects(struct comparison *comparison, const struct sweep_choice *choice,
	struct sweep_subject **subjects, struct text *why)
{
	struct file_pair *pair = comparison->pair;
	struct sweep_subject *found[2];
	uint32_t counts[2], kept = 0;

	for (int f = 0; f < 2; f++) {
		counts[f] = sweep_subjects(
			&pair->summaries[f], choice, &comparison->arena, &found[f], why);
		if (counts[f] == 0)
			return 0;
	}
	for (int f = 0; f < 2; f++)
		for (uint32_t i = 0; i < counts[f]; i++)
			if (!has_subject(found[1 - f], counts[1 - f], &found[f][i]))
				add_alone(comparison, f,
					arena_printf(
						&comparison->arena, "step %s", found[f][i].label));
	for (uint32_t i = 0; i < counts[0]; i++)
		if (has_subject(found[1], counts[1], &found[0][i]))
			found[0][kept++] = found[0][i];
	if (kept == 0)
		text_printf(why, "has no step in common with %s", pair->files[1]);
	*subjects = found[0];
	return kept;
}

/* ---- runs ---- */

/* The point of the other file with the same keys, or NULL. */
static const struct sweep_point *partner_of(
	const struct comparison *comparison, const struct sweep_points *points, uint32_t index)
{
	uint32_t keys = comparison->pair->name_count - 1;
	const struct sweep_point *point = &points->at[index];

	for (uint32_t i = 0; i < points->count; i++) {
		const struct sweep_point *other = &points->at[i];
		uint32_t k = 0;
		if (other->summary == point->summary)
			continue;
		while (k < keys && strcmp(other->keys[k], point->keys[k]) == 0)
			k++;
		if (k == keys)
			return other;
	}
	return NULL;
}

static const char *run_label(struct comparison *comparison, const struct sweep_point *point)
{
	struct arena *arena = &comparison->arena;
	const char *label = arena_printf(arena, "run %lld",
		(long long)dataset_integer(
			&point->summary->dataset, point->summary->run, point->row));

	for (uint32_t k = 0; k + 1 < comparison->pair->name_count; k++)
		label = arena_printf(arena, "%s%s%s=%s", label, k ? ", " : " at ",
			summary_short_name(&comparison->summary, k), point->keys[k]);
	return label;
}

/* Removes the points that only one of the two files has. For the first subject (`is_first`), also
 * lists the runs that only one file has, and the differences between the scenarios and platforms of
 * the files. */
static bool pair_match(
	struct comparison *comparison, struct sweep_points *points, bool is_first, struct text *why)
{
	struct file_pair *pair = comparison->pair;
	struct arena *arena = &comparison->arena;
	struct sweep_point *kept = arena_array(arena, points->count, sizeof(*kept));
	struct sweep_point const **partners = arena_array(arena, points->count, sizeof(*partners));
	uint32_t count = 0;

	for (uint32_t i = 0; i < points->count; i++)
		partners[i] = partner_of(comparison, points, i);
	for (uint32_t i = 0; i < points->count; i++) {
		const struct sweep_point *point = &points->at[i];
		bool second = point->summary == &pair->summaries[1];
		if (!partners[i]) {
			if (is_first)
				add_alone(comparison, second, run_label(comparison, point));
			continue;
		}
		if (second)
			continue;
		if (is_first)
			pair_differ(comparison, point, partners[i]);
		kept[count++] = *point;
		kept[count++] = *partners[i];
	}
	points->at = kept;
	points->count = count;
	if (count == 0)
		text_printf(why, "no run of it has the keys of a run of %s", pair->files[1]);
	return count > 0;
}

bool compare_read_pair(struct comparison *comparison, struct text *why)
{
	struct arena *arena = &comparison->arena;
	struct file_pair *pair = comparison->pair;
	struct sweep_source sources[2];
	struct sweep_wish wish;
	struct sweep_choice choice;
	struct sweep_subject *subjects = NULL;
	uint32_t count;

	if (!open_both(comparison, why))
		return false;
	pair_differ_files(comparison);
	find_names(comparison);
	make_view(comparison);
	wish = compare_wish(comparison, &pair->summaries[0]);
	choice = compare_choice(comparison->options, &wish);
	count = pair_find_subjects(comparison, &choice, &subjects, why);
	comparison->subject_count = 0;
	comparison->subjects = arena_array(arena, count + 1, sizeof(*comparison->subjects));
	model_errors_read(&comparison->errors, pair->summaries[0].result, arena);
	for (int f = 0; f < 2; f++)
		sources[f] = (struct sweep_source){
			&pair->summaries[f], pair->names, pair->name_count, pair->labels[f]};
	for (uint32_t i = 0; i < count; i++) {
		bool first = comparison->subject_count == 0;
		struct sweep_points *points =
			&comparison->subjects[comparison->subject_count].points;
		bool good =
			sweep_points_read_all(sources, 2, &subjects[i], &wish, arena, points, why);
		if ((!good && !points->unmeasured) ||
			(good && !pair_match(comparison, points, first, why)))
			return false;
		points->errors = &comparison->errors;
		comparison->subject_count += good;
	}
	if (comparison->subject_count > 0)
		text_clear(why);
	return comparison->subject_count > 0;
}

void compare_close_pair(struct comparison *comparison)
{
	for (int f = 0; f < 2; f++)
		if (comparison->pair->summaries[f].result)
			summary_close(&comparison->pair->summaries[f]);
}
