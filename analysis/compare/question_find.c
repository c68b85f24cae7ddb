/* Finds the questions that a sweep asks (question.h). Keys that were swept together belong to one
 * question. */
#include "analysis/compare/question.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/compare/sweep_points.h"
#include "base/ensure.h"
#include "base/nearest.h"

/* ---- columns that belong together ---- */

static int question_find_compare_pairs(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	int order = strcmp(x[0], y[0]);

	return order ? order : strcmp(x[1], y[1]);
}

/* Returns the number of different pairs of values of two columns. */
static uint32_t distinct(const struct sweep_points *points, uint32_t a, uint32_t b)
{
	const char *(*pairs)[2] = calloc(points->count, sizeof(*pairs));
	uint32_t count = 0;

	ensure_memory(pairs, "%u pairs", points->count);
	for (uint32_t i = 0; i < points->count; i++) {
		pairs[i][0] = points->at[i].keys[a];
		pairs[i][1] = points->at[i].keys[b];
	}
	qsort(pairs, points->count, sizeof(*pairs), question_find_compare_pairs);
	for (uint32_t i = 0; i < points->count; i++)
		count += i == 0 || question_find_compare_pairs(pairs[i], pairs[i - 1]) != 0;
	free(pairs);
	return count;
}

/* Returns true if the runs have only some combinations of the values of two columns, for example
 * because a map in the sweep sets the keys of both columns together. */
static bool together(const struct sweep_points *points, uint32_t a, uint32_t b)
{
	return distinct(points, a, b) < (uint64_t)distinct(points, a, a) * distinct(points, b, b);
}

static void find_together(
	const struct summary *summary, const struct sweep_points *points, uint32_t *leader)
{
	for (uint32_t i = 0; i < summary->swept_count; i++)
		leader[i] = i;
	for (uint32_t i = 0; i < summary->swept_count; i++)
		for (uint32_t j = 0; j < i; j++) {
			uint32_t from = leader[i], to = leader[j];
			if (from == to || !together(points, j, i))
				continue;
			for (uint32_t k = 0; k < summary->swept_count; k++)
				leader[k] = leader[k] == from ? to : leader[k];
		}
}

/* Returns true if only some points have the key. Such a key has an effect only together with one
 * value of another key; for example, the key `initiators` has an effect only for broadcasts. */
static bool is_optional(const struct sweep_points *points, uint32_t column)
{
	for (uint32_t i = 0; i < points->count; i++)
		if (strcmp(points->at[i].keys[column], "-") == 0)
			return true;
	return false;
}

/* Returns true if there are two points that differ only in the value of this key. */
static bool is_separable(
	const struct summary *summary, const struct sweep_points *points, uint32_t column)
{
	for (uint32_t i = 0; i < points->count; i++)
		for (uint32_t j = 0; j < i; j++) {
			const char *const *a = points->at[i].keys, *const *b = points->at[j].keys;
			uint32_t differ = 0;
			if (strcmp(a[column], "-") == 0 || strcmp(b[column], "-") == 0 ||
				strcmp(a[column], b[column]) == 0)
				continue;
			for (uint32_t k = 0; k < summary->swept_count; k++)
				differ += strcmp(a[k], b[k]) != 0;
			if (differ == 1)
				return true;
		}
	return false;
}

/* ---- which questions ---- */

struct finder {
	const struct summary *summary;
	const struct sweep_points *points;
	struct arena *arena;
	uint32_t *leader; /* [column] column that represents all columns swept together with it */
	bool *optional;
	struct questions *questions;
};

static struct question *new_question(struct finder *finder)
{
	struct question *question = &finder->questions->at[finder->questions->count++];

	question->is_option =
		arena_array(finder->arena, finder->summary->swept_count + 1, sizeof(bool));
	question->is_free =
		arena_array(finder->arena, finder->summary->swept_count + 1, sizeof(bool));
	return question;
}

/* Marks the free keys of a question: the keys that are swept together with its option keys. For
 * each option, the question uses the values of the free keys that are best for this option. If only
 * some points have the option keys, the question is only about these points, and has no free keys.
 */
static void free_others(const struct finder *finder, struct question *question)
{
	uint32_t count = finder->summary->swept_count;

	question->is_part = true;
	for (uint32_t i = 0; i < count; i++)
		question->is_part &= !question->is_option[i] || finder->optional[i];
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < count; j++)
			question->is_free[i] |= !question->is_part && !question->is_option[i] &&
						question->is_option[j] &&
						finder->leader[i] == finder->leader[j];
}

/* Adds one question about the keys in the list `keys`, which are separated by commas. Returns
 * false, with a sentence in `why`, if one of the keys is not swept. */
static bool ask(struct finder *finder, const char *keys, struct text *why)
{
	struct question *question = new_question(finder);
	const struct summary *summary = finder->summary;

	for (size_t length; *keys; keys += length + (keys[length] == ',')) {
		const char *key;
		struct nearest nearest;
		bool any = false;
		length = strcspn(keys, ",");
		key = arena_copy(finder->arena, keys, length);
		nearest_start(&nearest, key);
		for (uint32_t i = 0; i < summary->swept_count; i++) {
			bool found = name_has_part(swept_key(summary, i), key);
			question->is_option[i] |= found;
			any |= found;
			nearest_offer(&nearest, swept_key(summary, i));
			nearest_offer(&nearest, summary_short_name(summary, i));
		}
		if (any)
			continue;
		text_printf(why, "'%s' is not swept in it", key);
		if (nearest.best)
			text_printf(why, ", did you mean '%s'?", nearest.best);
		return false;
	}
	free_others(finder, question);
	return true;
}

/* Adds the questions about the keys that are swept together with `leader`. Some of these keys may
 * be partial, which means that only some points have them. Adds several questions if some but not
 * all of these keys are partial, and each partial key varies separately from all other keys of the
 * sweep: one about the keys that are not partial, and one about each partial key. Otherwise adds a
 * single question about all keys that are swept together with `leader`. */
static void ask_group(struct finder *finder, uint32_t leader)
{
	const struct summary *summary = finder->summary;
	uint32_t whole = 0, parts = 0;
	bool apart = true;

	for (uint32_t i = 0; i < summary->swept_count; i++) {
		if (finder->leader[i] != leader)
			continue;
		whole += !finder->optional[i];
		parts += finder->optional[i];
		apart &= !finder->optional[i] || is_separable(summary, finder->points, i);
	}
	apart &= whole > 0 && parts > 0;
	struct question *question = new_question(finder);
	for (uint32_t i = 0; i < summary->swept_count; i++)
		question->is_option[i] =
			finder->leader[i] == leader && !(apart && finder->optional[i]);
	free_others(finder, question);
	if (!apart)
		question->is_part = false;
	for (uint32_t i = 0; apart && i < summary->swept_count; i++) {
		if (finder->leader[i] != leader || !finder->optional[i])
			continue;
		question = new_question(finder);
		question->is_option[i] = true;
		question->is_part = true;
	}
}

/* True if all points have the same value in each of the columns that are swept with `leader`. */
static bool is_single(const struct finder *finder, uint32_t leader)
{
	for (uint32_t i = 0; i < finder->summary->swept_count; i++)
		if (finder->leader[i] == leader && distinct(finder->points, i, i) > 1)
			return false;
	return true;
}

/* Adds the questions about groups of columns that were swept together. Takes only groups that are
 * conditions if `conditions` is set, and only others if not. Takes only groups of offered rates if
 * `rates` is set, and only others if not. The caller takes offered rates last, because they
 * describe neither a design nor a machine. */
static void ask_all(struct finder *finder, bool conditions, bool rates)
{
	for (uint32_t i = 0; i < finder->summary->swept_count; i++)
		if (finder->leader[i] == i && !is_single(finder, i) &&
			key_is_condition(swept_key(finder->summary, i)) == conditions &&
			name_has_part(swept_key(finder->summary, i), "rate_per_s") == rates)
			ask_group(finder, i);
}

/* Drops questions with a single option. */
static void drop_single(struct questions *questions)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < questions->count; i++)
		if (questions->at[i].option_count > 1)
			questions->at[kept++] = questions->at[i];
	questions->count = kept;
}

bool questions_find(const struct summary *summary, const struct sweep_points *points,
	const char *const *by, uint32_t by_count, struct arena *arena, struct questions *questions,
	struct text *why)
{
	struct finder finder = {summary, points, arena,
		arena_array(arena, summary->swept_count + 1, sizeof(uint32_t)),
		arena_array(arena, summary->swept_count + 1, sizeof(bool)), questions};

	questions->at =
		arena_array(arena, summary->swept_count + by_count + 1, sizeof(*questions->at));
	questions->count = 0;
	find_together(summary, points, finder.leader);
	for (uint32_t i = 0; i < summary->swept_count; i++)
		finder.optional[i] = is_optional(points, i);
	for (uint32_t i = 0; i < by_count; i++)
		if (!ask(&finder, by[i], why))
			return false;
	if (by_count == 0)
		ask_all(&finder, false, false);
	if (questions->count == 0)
		ask_all(&finder, true, false);
	if (questions->count == 0)
		ask_all(&finder, true, true);
	for (uint32_t i = 0; i < questions->count; i++)
		question_answer(&questions->at[i], summary, points, arena);
	if (by_count == 0)
		drop_single(questions);
	if (questions->count == 0) {
		text_append(why,
			"nothing is swept in it, or with one value only, so there is nothing to "
			"compare");
		return false;
	}
	return true;
}
