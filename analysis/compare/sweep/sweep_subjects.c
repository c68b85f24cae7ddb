/* Chooses the subjects of a file's questions (sweep_points.h). By default the subject is a kind of
 * operation. If several steps have this kind, each of these steps is a subject, and an iteration of
 * all of them is another subject. */
#include <string.h>

#include "analysis/compare/sweep_runs.h"
#include "base/nearest.h"

enum { SUBJECTS_MAX = 64, SUBJECTS_SPLIT_MAX = 16 };

struct subject {
	const char *kind, *name, *program;
	bool together; /* true: in some run, the step is in flight together with other steps */
	/* `called`: the current run calls the step. `behind`: in the current run, the step is in a
	 * trace, after another operation. The time of the step then begins with the call of the
	 * replay. `ever_behind`: `behind` is true in some run. `never_behind`: `behind` is false in
	 * some run. */
	bool called, behind, ever_behind, never_behind;
};

struct subjects {
	struct subject at[SUBJECTS_MAX];
	uint32_t count;
	const char *kind; /* kind that the first run chose */
	/* kind of the loops' steps: `kind`, or the kind that the user names */
	const char *step_kind;
	struct sweep_loops loops;
	struct sweep_run_steps steps; /* the steps of all kinds */
	struct sweep_run whole_run, stretches[SWEEP_PARTS_MAX];
	uint32_t runs;		    /* number of runs that ended well */
	const char *repeat;	    /* name of the repeat that the user asks about */
	struct sweep_within within; /* steps of the repeat; none: there is no such repeat */
	bool looked;		    /* true: this repeat was looked for */
	const char *anchor;	    /* "KIND/NAME" of the step that begins its rounds, or NULL */
	bool anchors_differ;	    /* true: different runs have different anchors */
	bool nested;		    /* in some run, the repeat stands among other steps of a loop */
	/* in some run, the repeat begins while these steps are in flight */
	bool begins_behind;
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

/* Returns the default kind of operation: enqueue_workload if the run has such operations; otherwise
 * a kind that is a component of a swept key, as in workload.0.write_buffer.bytes; otherwise the
 * kind that samples_kind() returns. */
static const char *choose_kind(const struct summary *summary, const struct operations *operations)
{
	const char *most = samples_kind(operations), *swept = kind_swept(summary, operations);

	return swept && strcmp(most, "enqueue_workload") != 0 ? swept : most;
}

/* The replay of a trace whose operations are being read. */
struct replay {
	const struct operation *by; /* the replay; NULL: no replay */
	uint32_t operations;
};

/* Returns true if a replay of a trace runs the operation, and the operation is not the first one
 * of the replay. The time of such an operation begins at the call of the replay. The time of any
 * other operation begins at its own call. */
static bool is_behind(struct replay *replay, const struct operation *operation)
{
	if (operation_is_replay(operation->kind))
		*replay = (struct replay){operation, 0};
	else if (!replay->by || strcmp(replay->by->thread, operation->thread) != 0 ||
		 replay->by->marks[MARK_CALLED].last != operation->marks[MARK_CALLED].last)
		replay->by = NULL;
	else
		return replay->operations++ > 0;
	return false;
}

/* Records, at the end of a run, which subjects the run replayed after other operations. */
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

/* Records which of these steps are in flight together with other steps. */
static void note_together(struct subjects *subjects, const char *kind,
	const struct sweep_iteration_step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t s = 0; s < subjects->count; s++)
			subjects->at[s].together |=
				steps[i].together && strcmp(subjects->at[s].kind, kind) == 0 &&
				strcmp(subjects->at[s].name, steps[i].name) == 0;
	for (uint32_t i = 0; i < count; i++)
		if (steps[i].together)
			sweep_run_steps_together(&subjects->steps, steps[i].name);
}

/* Updates the loops from the operations of a run. */
static void add_loops(struct subjects *subjects, const struct operations *operations,
	const char *kind, struct summary *summary, uint64_t row, struct arena *arena)
{
	const struct sweep_within any = {NULL, 0};
	struct sweep_iterations found;

	sweep_run_steps_add(&subjects->steps, operations, kind, arena);
	sweep_iterations_find(operations, kind, &any, &found);
	for (uint32_t i = 0; i < found.count; i++)
		note_together(subjects, kind, found.at[i].steps, found.at[i].step_count);
	note_together(subjects, kind, found.others, found.other_count);
	sweep_loops_add(&subjects->loops, operations, &found, kind, summary, row, arena);
}

/* Updates the repeat that the user asks about from the operations of a run. */
static void add_repeat(struct subjects *subjects, const struct operations *operations,
	const char *kind, struct arena *arena)
{
	struct sweep_iterations found;
	struct sweep_spans spans;
	const char *anchor;

	if (subjects->within.count == 0 ||
		!sweep_iterations_find(operations, kind, &subjects->within, &found))
		return;
	anchor = sweep_anchor_of(&found.at[0], arena);
	subjects->anchors_differ |= subjects->anchor && strcmp(subjects->anchor, anchor) != 0;
	if (!subjects->anchor)
		subjects->anchor = anchor;
	spans = sweep_spans_find(operations, &subjects->within, NULL, arena);
	subjects->nested |= spans.count > 1;
	subjects->begins_behind |= spans.behind > 0;
}

/* Collects the subjects of all runs, because the steps of runs may differ if they are swept. */
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
			subjects->runs++;
			add_subjects(subjects, operations, arena);
			add_loops(subjects, operations, kind ? kind : subjects->kind, summary, row,
				arena);
			add_repeat(subjects, operations, kind ? kind : subjects->kind, arena);
		}
	}
	subjects->step_kind = kind ? kind : subjects->kind;
	if (subjects->step_kind)
		sweep_loops_keep(&subjects->loops, subjects->step_kind, subjects->runs);
	sweep_run_steps_close(&subjects->steps, &subjects->loops);
	subjects->whole_run.of_loops = subjects->steps.loops;
	subjects->whole_run.one_left = subjects->steps.warmed;
	return good;
}

/* True if a subject matches. `kind` may be "KIND/NAME", which matches one step. */
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
	if (nearest.best && strcmp(nearest.best, wanted) == 0)
		text_printf(why, " among those asked for");
	else if (nearest.best)
		text_printf(why, ", did you mean '%s'?", nearest.best);
}

/* The subject of all operations of a kind. */
static struct sweep_subject whole(const char *kind)
{
	return (struct sweep_subject){.kind = kind, .label = kind};
}

/* Returns the subject that is the rounds of a loop. Its label is SWEEP_ITERATION if the loop has
 * this name, or if there is no other loop. The label has the name of the loop if there are several
 * loops, if a repeat in the loop is called `iteration` (nested), or if the user chose this label
 * (`step`). */
static struct sweep_subject iteration_of(const struct subjects *subjects,
	const struct sweep_loop *loop, const char *step, struct arena *arena)
{
	const char *named = arena_printf(arena, SWEEP_ITERATION_OF "%s", loop->name);
	bool only = subjects->loops.count == 1 && !subjects->nested;
	bool plain = (only && !(step && strcmp(step, named) == 0)) ||
		     strcmp(loop->name, SWEEP_ITERATION) == 0;

	return (struct sweep_subject){.kind = loop->whole ? loop->first : loop->anchor,
		.label = plain ? SWEEP_ITERATION : named,
		.iteration = true,
		.of_loop = true,
		.parted = loop->parted,
		.whole = loop->whole ? &loop->parts : NULL,
		.around = &loop->around,
		.step_kind = subjects->step_kind};
}

/* Returns the subject for the repeat that the user chose. If the repeat is in a loop that has other
 * steps before or after it, the subject consists of the executions of the repeat, its spans. Spans
 * are divided into rounds if the rounds of all runs begin with the same step. */
static struct sweep_subject repeat_of(const struct subjects *subjects)
{
	return (struct sweep_subject){.kind = subjects->anchor,
		.label = subjects->repeat,
		.iteration = !subjects->nested,
		.of_loop = true,
		.together = subjects->nested && subjects->begins_behind,
		.span_anchor = subjects->anchors_differ ? NULL : subjects->anchor,
		.within = subjects->nested ? &subjects->within : NULL};
}

static bool has_repeat(const struct subjects *subjects)
{
	return subjects->anchor && (subjects->nested || !subjects->anchors_differ);
}

/* Returns the loop whose only step of the kind is the subject `kind`; NULL if there is none. */
static const struct sweep_loop *lone_loop(const struct subjects *subjects, const char *kind)
{
	for (uint32_t i = 0; i < subjects->loops.count; i++)
		if (!subjects->loops.at[i].asked && subjects->loops.at[i].lone &&
			strcmp(subjects->loops.at[i].lone, kind) == 0)
			return &subjects->loops.at[i];
	return NULL;
}

/* Adds the steps that match the user's choice to `found`. If the user chose a kind that has a
 * single step or too many steps, adds the whole kind instead. */
static uint32_t sweep_subjects_choose(const struct subjects *subjects,
	const struct sweep_choice *choice, const char *kind, struct arena *arena,
	struct sweep_subject *found)
{
	uint32_t count = 0, kinds = 0;

	for (uint32_t i = 0; i < subjects->count; i++) {
		const struct subject *subject = &subjects->at[i];
		struct sweep_subject *new = &found[count];
		const struct sweep_loop *loop;

		kinds += kind && strcmp(subject->kind, kind) == 0;
		if (!sweep_subjects_fits(subject, kind, choice->step, choice->program))
			continue;
		*new = whole(arena_printf(arena, "%s/%s", subject->kind, subject->name));
		new->unlike = subject->ever_behind && subject->never_behind && !choice->metric;
		new->together =
			subject->together && (subjects->loops.count > 0 || !subjects->steps.loops ||
						     subjects->steps.mixed);
		loop = lone_loop(subjects, new->kind);
		new->of_loop = loop != NULL;
		new->around = loop ? &loop->around : NULL;
		new->of_loops = subjects->loops.count > 0;
		count++;
	}
	if (kind && count == 1 && kinds == 1) {
		found[0].kind = found[0].label = kind;
	} else if (kind && count > SUBJECTS_SPLIT_MAX) {
		found[0] = whole(kind);
		count = 1;
	}
	return count;
}

/* Adds the iterations that the user chose. If the user chose none, adds the iterations whose steps
 * cannot be judged separately. */
static uint32_t sweep_subjects_iterations(const struct subjects *subjects,
	const struct sweep_choice *choice, struct arena *arena, struct sweep_subject *found)
{
	bool all = choice->step && strcmp(choice->step, SWEEP_ITERATION) == 0;
	uint32_t count = 0;

	if ((choice->metric && !choice->step) || choice->program)
		return 0;
	if (has_repeat(subjects) && (choice->step || subjects->nested))
		found[count++] = repeat_of(subjects);
	if (count > 0 && choice->step)
		return count;
	for (uint32_t i = 0; i < subjects->loops.count; i++) {
		found[count] = iteration_of(subjects, &subjects->loops.at[i], choice->step, arena);
		count += choice->step ? all || strcmp(choice->step, found[count].label) == 0
				      : subjects->loops.at[i].asked;
	}
	return count;
}

/* The subject that is the whole run, or a stretch of it. */
static struct sweep_subject run_of_steps(
	const struct subjects *subjects, const struct sweep_run *run, const char *label)
{
	return (struct sweep_subject){.kind = subjects->step_kind,
		.label = label,
		.of_loop = true,
		.step_kind = subjects->step_kind,
		.run = run};
}

/* Adds the whole run or stretches of it (sweep_runs.h) to `found`. If the user names a subject,
 * adds only this one. Otherwise, adds the run and the stretches whose steps cannot be judged
 * separately. Returns the number of subjects added. */
static uint32_t sweep_subjects_runs(struct subjects *subjects, const struct sweep_choice *choice,
	struct arena *arena, struct sweep_subject *found)
{
	const char *names[SWEEP_PARTS_MAX];
	bool all = choice->step && strcmp(choice->step, SWEEP_RUN) == 0;
	uint32_t count = 0, stretches;

	if ((choice->metric && !choice->step) || choice->program || !subjects->steps.any)
		return 0;
	if (choice->step ? all && !subjects->steps.rates : sweep_run_is_asked(&subjects->steps))
		found[count++] = run_of_steps(subjects, &subjects->whole_run, SWEEP_RUN);
	if (all)
		return count;
	stretches = sweep_run_stretches(&subjects->steps, subjects->stretches, names);
	for (uint32_t i = 0; i < stretches; i++) {
		found[count] = run_of_steps(subjects, &subjects->stretches[i],
			arena_printf(arena, SWEEP_RUN_OF "%s", names[i]));
		count += !choice->step || strcmp(choice->step, found[count].label) == 0;
	}
	return count;
}

/* Finds the subjects of a choice. If the choice has no kind, no step and no program, takes those of
 * the default kind, and sets *others to the other kinds of work in its loops. */
static uint32_t find_subjects(struct summary *summary, const struct sweep_choice *choice,
	struct arena *arena, struct sweep_subject **found, struct sweep_kinds *others,
	struct text *why)
{
	struct subjects *subjects = arena_alloc(arena, sizeof(*subjects));
	const char *kind = choice->kind;
	uint32_t count, iterations;

	*subjects = (struct subjects){.repeat = choice->step ? choice->step : SWEEP_ITERATION};
	if (!sweep_subjects_find_subjects(summary, kind, arena, subjects, why))
		return 0;
	if (!kind && !choice->step && !choice->program) {
		kind = subjects->kind;
		*others = sweep_kinds_others(&subjects->loops, summary, subjects->kind);
	}
	*found = arena_array(
		arena, SUBJECTS_MAX + SWEEP_ITERATIONS_MAX + SWEEP_PARTS_MAX + 2, sizeof(**found));
	iterations = sweep_subjects_iterations(subjects, choice, arena, *found);
	iterations += sweep_subjects_runs(subjects, choice, arena, *found + iterations);
	count = sweep_subjects_choose(subjects, choice, kind, arena, *found + iterations);
	if (choice->step && iterations > 0 && (*found)->within)
		count = 0; /* the step is a trace among other steps; its spans are the subject */
	else if (choice->step && count > 0) {
		*found += iterations;
		iterations = 0;
	}
	if (count == 0 && (iterations == 0 || !choice->step)) {
		say_none(subjects, kind, choice->step, choice->program, why);
		return 0;
	}
	return count + iterations;
}

uint32_t sweep_subjects(struct summary *summary, const struct sweep_choice *choice,
	struct arena *arena, struct sweep_subject **found, struct text *why)
{
	struct sweep_kinds others = {.count = 0}, none;
	uint32_t count = find_subjects(summary, choice, arena, found, &others, why);

	for (uint32_t i = 0; i < others.count && count > 0 && !choice->metric; i++) {
		struct sweep_choice other = *choice;
		struct sweep_subject *more;
		uint32_t more_count;

		other.kind = others.at[i];
		more_count = find_subjects(summary, &other, arena, &more, &none, why);
		*found = sweep_subjects_join(*found, &count, more, more_count, arena);
	}
	return count;
}
