/* Chooses the subjects of a file's questions (sweep_points.h). A subject is a kind of operation. If
 * several steps have this kind, each of these steps is a subject. */
#include <string.h>

#include "analysis/compare/sweep_points.h"
#include "base/nearest.h"

enum { SUBJECTS_MAX = 64, SUBJECTS_SPLIT_MAX = 16 };

struct subject {
	const char *kind, *name, *program;
};

struct subjects {
	struct subject at[SUBJECTS_MAX];
	uint32_t count;
	const char *kind; /* chosen by the first run */
};

/* The kind of operation that a swept key is about, or NULL. */
static const char *kind_swept(const struct summary *summary, const struct operations *operations)
{
	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const char *name = summary->dataset.columns[summary->swept_first + i].name;
		if (strncmp(name, "workload.", 9) != 0)
			continue;
		for (uint32_t j = 0; j < operations->count; j++) {
			const char *at = strstr(name, operations->at[j].kind);
			size_t length = strlen(operations->at[j].kind);
			if (!operations->at[j].warmup && at && at[-1] == '.' && at[length] == '.')
				return operations->at[j].kind;
		}
	}
	return NULL;
}

/* Returns the default kind of operation. This is enqueue_workload if the run has such operations.
 * If not, it is the kind whose name is part of the name of a swept key. If there is no such kind,
 * it is the most frequent one. */
static const char *choose_kind(const struct summary *summary, const struct operations *operations)
{
	const char *most = samples_kind(operations), *swept = kind_swept(summary, operations);

	return swept && strcmp(most, "enqueue_workload") != 0 ? swept : most;
}

static void add_subjects(
	struct subjects *subjects, const struct operations *operations, struct arena *arena)
{
	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		uint32_t s = 0;
		if (operation->warmup)
			continue;
		while (s < subjects->count &&
			(strcmp(subjects->at[s].kind, operation->kind) != 0 ||
				strcmp(subjects->at[s].name, operation->step_name) != 0))
			s++;
		if (s == subjects->count && s < SUBJECTS_MAX)
			subjects->at[subjects->count++] =
				(struct subject){arena_string(arena, operation->kind),
					arena_string(arena, operation->step_name),
					arena_string(arena, operation->program)};
	}
}

/* Collects the subjects of all runs, since steps may differ between runs if they are swept. */
static bool sweep_subjects_find_subjects(
	struct summary *summary, struct arena *arena, struct subjects *subjects, struct text *why)
{
	bool good = true;

	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++) {
		const struct operations *operations;
		if (strcmp(dataset_text(&summary->dataset, summary->status, row), "ok") != 0)
			continue;
		operations = operations_of(summary, summary_group(summary, row), false, why);
		good = operations != NULL;
		if (good) {
			if (!subjects->kind || !subjects->kind[0])
				subjects->kind =
					arena_string(arena, choose_kind(summary, operations));
			add_subjects(subjects, operations, arena);
		}
	}
	return good;
}

/* True if a subject matches. `kind` may be "KIND/NAME", which selects one step. */
static bool sweep_subjects_fits(
	const struct subject *subject, const char *kind, const char *step, const char *program)
{
	if (kind && strchr(kind, '/'))
		return strncmp(kind, subject->kind, strlen(subject->kind)) == 0 &&
		       kind[strlen(subject->kind)] == '/' &&
		       strcmp(strchr(kind, '/') + 1, subject->name) == 0;
	return (!kind || strcmp(kind, subject->kind) == 0) &&
	       (!step || strcmp(step, subject->name) == 0) &&
	       (!program || strcmp(program, subject->program) == 0);
}

static void say_none(const struct subjects *subjects, const char *kind, const char *step,
	const char *program, struct text *why)
{
	const char *wanted = step ? step : program ? program : kind;
	struct nearest nearest;

	text_printf(why, "no run has measured operations");
	if (!wanted)
		return;
	text_printf(why, " of %s '%s'", step ? "step" : program ? "program" : "kind", wanted);
	nearest_start(&nearest, wanted);
	for (uint32_t i = 0; i < subjects->count; i++)
		nearest_offer(&nearest, step	  ? subjects->at[i].name
					: program ? subjects->at[i].program
						  : subjects->at[i].kind);
	if (nearest.best)
		text_printf(why, ", did you mean '%s'?", nearest.best);
}

uint32_t sweep_subjects(struct summary *summary, const char *kind, const char *step,
	const char *program, struct arena *arena, const char ***found, struct text *why)
{
	struct subjects subjects = {.count = 0};
	uint32_t count = 0, kinds;

	if (!sweep_subjects_find_subjects(summary, arena, &subjects, why))
		return 0;
	if (!kind && !step && !program)
		kind = subjects.kind;
	*found = arena_array(arena, SUBJECTS_MAX, sizeof(**found));
	for (uint32_t i = 0; i < subjects.count; i++)
		if (sweep_subjects_fits(&subjects.at[i], kind, step, program))
			(*found)[count++] = arena_printf(
				arena, "%s/%s", subjects.at[i].kind, subjects.at[i].name);
	if (count == 0)
		say_none(&subjects, kind, step, program, why);
	kinds = 0;
	for (uint32_t i = 0; kind && i < subjects.count; i++)
		kinds += strcmp(subjects.at[i].kind, kind) == 0;
	/* A kind with one step is not split, and neither is a kind with too many steps. */
	if (count == 1 && kinds == 1)
		(*found)[0] = kind;
	else if (count > SUBJECTS_SPLIT_MAX && kind)
		(*found)[0] = kind, count = 1;
	return count;
}
