/* Chooses the subjects of a file's questions (sweep_points.h). A subject is a kind of operation. If
 * several steps have this kind, each of these steps is a subject, and their iteration is, too. */
#include <string.h>

#include "analysis/compare/sweep_iteration.h"
#include "analysis/compare/sweep_points.h"
#include "base/nearest.h"

enum { SUBJECTS_MAX = 64, SUBJECTS_SPLIT_MAX = 16 };

struct subject {
	const char *kind, *name, *program;
	bool together; /* in flight together with other steps, in some run */
	/* in this run; of these behind the first operation of a replay, whose call is its own; in
	 * some run it is so, and in some it is not */
	bool called, behind, ever_behind, never_behind;
};

struct subjects {
	struct subject at[SUBJECTS_MAX];
	uint32_t count;
	const char *kind; /* chosen by the first run */
	const char
		*anchor; /* "KIND/NAME" of the step that begins the rounds of all runs, or NULL */
	bool no_anchor;	 /* a run has none, or another one */
	bool several;	 /* two or more steps of the kind are in the iteration of some run */
	const char *repeat;	    /* name of the repeat whose rounds the iteration is */
	struct sweep_within within; /* the steps of this repeat; none: the outermost one */
	bool looked;		    /* for this repeat */
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

/* The replay of a trace, while its operations follow. */
struct replay {
	const struct operation *by; /* NULL: none */
	uint32_t operations;
};

/* Returns true if a trace replays the operation behind another one. All of them count from the call
 * of the replay, while outside of a trace each counts from its own call. */
static bool is_behind(struct replay *replay, const struct operation *operation)
{
	if (strcmp(operation->kind, "trace") == 0 || strcmp(operation->kind, "replay_trace") == 0)
		*replay = (struct replay){operation, 0};
	else if (!replay->by || strcmp(replay->by->thread, operation->thread) != 0 ||
		 replay->by->marks[MARK_CALLED].last != operation->marks[MARK_CALLED].last)
		replay->by = NULL;
	else
		return replay->operations++ > 0;
	return false;
}

/* Notes at the end of a run which of its subjects were replayed behind others. */
static void note_behind(struct subjects *subjects)
{
	for (uint32_t s = 0; s < subjects->count; s++) {
		struct subject *subject = &subjects->at[s];

		subject->ever_behind |= subject->behind;
		subject->never_behind |= subject->called && !subject->behind;
		subject->called = subject->behind = false;
	}
}

static void add_subjects(
	struct subjects *subjects, const struct operations *operations, struct arena *arena)
{
	struct replay replay = {NULL, 0};

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		bool behind = is_behind(&replay, operation);
		uint32_t s = 0;
		if (operation->warmup)
			continue;
		while (s < subjects->count &&
			(strcmp(subjects->at[s].kind, operation->kind) != 0 ||
				strcmp(subjects->at[s].name, operation->step_name) != 0))
			s++;
		if (s == subjects->count && s < SUBJECTS_MAX)
			subjects->at[subjects->count++] =
				(struct subject){.kind = arena_string(arena, operation->kind),
					.name = arena_string(arena, operation->step_name),
					.program = arena_string(arena, operation->program)};
		if (s < subjects->count) {
			subjects->at[s].called = true;
			subjects->at[s].behind |= behind;
		}
	}
	note_behind(subjects);
}

/* Notes which of these steps are in flight together with others. */
static void note_together(struct subjects *subjects, const char *kind,
	const struct sweep_iteration_step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t s = 0; s < subjects->count; s++)
			subjects->at[s].together |=
				steps[i].together && strcmp(subjects->at[s].kind, kind) == 0 &&
				strcmp(subjects->at[s].name, steps[i].name) == 0;
}

/* Adds what a run says of the iteration. */
static void add_iteration(struct subjects *subjects, const struct operations *operations,
	const char *kind, struct arena *arena)
{
	struct sweep_iteration iteration;
	const char *anchor;

	if (!sweep_iteration_find(operations, kind, &subjects->within, &iteration)) {
		subjects->no_anchor = true;
		return;
	}
	anchor = arena_printf(arena, "%s/%s", iteration.anchor->kind, iteration.anchor->step_name);
	if (!subjects->anchor)
		subjects->anchor = anchor;
	subjects->no_anchor |= strcmp(anchor, subjects->anchor) != 0;
	subjects->several |= iteration.step_count > 1;
	note_together(subjects, kind, iteration.steps, iteration.step_count);
	note_together(subjects, kind, iteration.others, iteration.other_count);
}

/* Collects the subjects of all runs, since steps may differ between runs if they are swept. */
static bool sweep_subjects_find_subjects(struct summary *summary, const char *kind,
	struct arena *arena, struct subjects *subjects, struct text *why)
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
			if (!subjects->looked)
				subjects->within.count = sweep_repeat_steps(summary, row,
					subjects->repeat, &subjects->within.names, arena);
			subjects->looked = true;
			add_subjects(subjects, operations, arena);
			add_iteration(subjects, operations, kind ? kind : subjects->kind, arena);
		}
	}
	if (subjects->no_anchor)
		subjects->anchor = NULL;
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

/* The subject of all operations of a kind. */
static struct sweep_subject whole(const char *kind)
{
	return (struct sweep_subject){.kind = kind, .label = kind};
}

static struct sweep_subject iteration_of(const struct subjects *subjects)
{
	return (struct sweep_subject){.kind = subjects->anchor, .label = SWEEP_ITERATION};
}

/* Adds the subjects that match the choice. A kind with one step is not split, and neither is a kind
 * with too many steps. */
static uint32_t sweep_subjects_choose(const struct subjects *subjects,
	const struct sweep_choice *choice, const char *kind, struct arena *arena,
	struct sweep_subject *found)
{
	uint32_t count = 0, kinds = 0;

	for (uint32_t i = 0; i < subjects->count; i++) {
		const struct subject *subject = &subjects->at[i];

		kinds += kind && strcmp(subject->kind, kind) == 0;
		if (!sweep_subjects_fits(subject, kind, choice->step, choice->program))
			continue;
		found[count] = whole(arena_printf(arena, "%s/%s", subject->kind, subject->name));
		found[count].unlike =
			subject->ever_behind && subject->never_behind && !choice->metric;
		found[count++].together = subject->together && subjects->anchor;
	}
	if (kind && ((count == 1 && kinds == 1) || count > SUBJECTS_SPLIT_MAX)) {
		found[0] = whole(kind);
		count = 1;
	}
	return count;
}

uint32_t sweep_subjects(struct summary *summary, const struct sweep_choice *choice,
	struct arena *arena, struct sweep_subject **found, struct text *why)
{
	struct subjects subjects = {.repeat = choice->step ? choice->step : SWEEP_ITERATION};
	const char *kind = choice->kind;
	uint32_t count;

	if (!sweep_subjects_find_subjects(summary, kind, arena, &subjects, why))
		return 0;
	if (!kind && !choice->step && !choice->program)
		kind = subjects.kind;
	*found = arena_array(arena, SUBJECTS_MAX + 1, sizeof(**found));
	count = sweep_subjects_choose(&subjects, choice, kind, arena, *found + 1);
	if (count == 0 && choice->step && subjects.anchor &&
		(subjects.within.count > 0 || strcmp(choice->step, SWEEP_ITERATION) == 0)) {
		**found = iteration_of(&subjects);
		return 1;
	}
	if (count == 0)
		say_none(&subjects, kind, choice->step, choice->program, why);
	if (((count > 1 && subjects.several) || subjects.within.count > 0) && subjects.anchor &&
		!choice->step && !choice->program && !choice->metric) {
		**found = iteration_of(&subjects);
		return count + 1;
	}
	*found += 1;
	return count;
}
