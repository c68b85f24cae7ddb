/* Finds the iterations of a workload, and steps in flight together (sweep_iteration.h). */
#include "analysis/compare/sweep_iteration.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = SWEEP_PARTS_MAX, EXECUTIONS_LEAST = 2, PERCENT_ALONE = 90 };

/* One step on one mesh; steps are in the order of their first calls. */
struct iteration_step {
	const struct operation *first;
	uint32_t calls, in_round; /* all calls; calls since the last call of the anchor */
	/* how often the step was executed: one execution of a `finish` calls each command queue */
	uint32_t executions, last; /* `last`: the number of the last execution */
	int64_t called;		   /* time of the step's last call */
	int64_t complete, end; /* time at which all calls were complete; when the host knew so */
	uint32_t measured, together, behind;
	uint32_t held; /* calls that were in flight when a call of another kind held its thread */
	/* true: the last call was counted in `together` (`behind`, `held`) */
	bool together_now, behind_now, held_now;
	bool repeats; /* true: the step is called equally often in each round of the anchor */
	bool within;  /* true: the step belongs to the repeat that the user asks about */
	bool taken;   /* true: the step belongs to an iteration that was found before */
};

struct iteration_steps {
	struct iteration_step at[STEPS_MAX];
	uint32_t count;
	uint32_t *of; /* [i]: the step of operation i */
	bool known;   /* true: there are not too many steps, and no step arrives at a rate */
};

static struct iteration_step *step_of(
	struct iteration_steps *steps, const struct operation *operation)
{
	uint32_t i = 0;

	while (i < steps->count &&
		(steps->at[i].first->step != operation->step ||
			steps->at[i].first->mesh_number != operation->mesh_number))
		i++;
	if (i < steps->count)
		return &steps->at[i];
	if (steps->count == STEPS_MAX)
		return NULL;
	steps->at[steps->count] = (struct iteration_step){.first = operation, .repeats = true};
	return &steps->at[steps->count++];
}

bool sweep_within_has(const struct sweep_within *within, const char *name)
{
	bool found = false;

	for (uint32_t i = 0; i < within->count && !found; i++)
		found = strcmp(within->names[i], name) == 0;
	return found;
}

static void count_calls(struct iteration_steps *steps, const struct operations *operations,
	const struct sweep_within *within)
{
	steps->known = true;
	for (uint32_t i = 0; i < operations->count; i++) {
		struct iteration_step *step = step_of(steps, &operations->at[i]);

		steps->known &= step != NULL && operations->at[i].arrival < 0;
		if (!step)
			return;
		steps->of[i] = (uint32_t)(step - steps->at);
		step->executions += step->calls == 0 || step->last != operations->at[i].iteration;
		step->last = operations->at[i].iteration;
		if (step->calls++ == 0)
			step->within = within->count == 0 ||
				       sweep_within_has(within, step->first->step_name);
	}
}

/* Sets `repeats` of each step. A round lasts from one call of the anchor to the next. `repeats` is
 * true if four conditions hold. The step has equally many calls in each round: step->calls /
 * anchor->calls. Its first call comes from the thread that makes the first call of the anchor.
 * `within` is true. `taken` is false. Calls before the first call of the anchor, and after its last
 * call, are not checked: the first run of a model also computes constants. */
static void check_rounds(struct iteration_steps *steps, const struct operations *operations,
	const struct iteration_step *anchor)
{
	uint32_t rounds = 0;

	for (uint32_t s = 0; s < steps->count; s++) {
		steps->at[s].in_round = 0;
		steps->at[s].repeats = true;
	}
	for (uint32_t i = 0; i < operations->count; i++) {
		struct iteration_step *called = &steps->at[steps->of[i]];

		for (uint32_t s = 0; called == anchor && s < steps->count; s++) {
			struct iteration_step *step = &steps->at[s];

			step->repeats &= rounds == 0 ||
					 (step->in_round > 0 &&
						 step->in_round == step->calls / anchor->calls);
			step->in_round = 0;
		}
		rounds += called == anchor;
		called->in_round++;
	}
	for (uint32_t s = 0; s < steps->count; s++)
		steps->at[s].repeats &=
			steps->at[s].within && !steps->at[s].taken &&
			strcmp(steps->at[s].first->thread, anchor->first->thread) == 0;
}

/* True if one execution of the step makes several calls, as that of a model does. Then a call is
 * not a round. */
static bool is_of_parts(const struct iteration_step *step)
{
	return step->calls > step->executions;
}

/* Returns the number of calls of the kind that are in rounds of the anchor. */
static uint64_t covered(
	const struct iteration_steps *steps, const struct iteration_step *anchor, const char *kind)
{
	uint64_t calls = 0;

	for (uint32_t s = 0; s < steps->count; s++)
		if (steps->at[s].repeats && strcmp(steps->at[s].first->kind, kind) == 0)
			calls += steps->at[s].calls - steps->at[s].calls % anchor->calls;
	return calls;
}

static bool is_of_kind(const struct iteration_step *step, const char *kind)
{
	return strcmp(step->first->kind, kind) == 0;
}

/* Returns the anchor, which is the step whose calls begin the rounds, and sets `repeats` of all
 * steps. Considers only loops that were not found before. Chooses the loop with the most calls of
 * kind `kind`. If loops are nested, chooses the outermost of them. The anchor is the step of this
 * loop with the fewest calls. If several steps have equally few calls, prefers a step of kind
 * `kind`, and then the first one. Steps that make several calls at once begin rounds only if
 * `parts` is true. Returns NULL if no step repeats. */
static struct iteration_step *best_anchor(struct iteration_steps *steps,
	const struct operations *operations, const char *kind, bool parts)
{
	struct iteration_step *anchor = NULL;
	uint64_t most = 0;

	for (uint32_t i = 0; i < steps->count; i++) {
		struct iteration_step *step = &steps->at[i];
		uint64_t calls;

		if (step->executions < EXECUTIONS_LEAST || !step->within || step->taken ||
			(is_of_parts(step) && !parts))
			continue;
		check_rounds(steps, operations, step);
		calls = covered(steps, step, kind);
		if (!anchor || calls > most || (calls == most && step->calls < anchor->calls) ||
			(calls == most && step->calls == anchor->calls && is_of_kind(step, kind) &&
				!is_of_kind(anchor, kind))) {
			anchor = step;
			most = calls;
		}
	}
	return most > 0 || parts ? anchor : NULL;
}

static struct iteration_step *find_anchor(
	struct iteration_steps *steps, const struct operations *operations, const char *kind)
{
	struct iteration_step *anchor = best_anchor(steps, operations, kind, false);

	if (!anchor)
		anchor = best_anchor(steps, operations, kind, true);
	if (anchor)
		check_rounds(steps, operations, anchor);
	return anchor;
}

static void count_once(uint32_t *count, bool *counted)
{
	*count += !*counted;
	*counted = true;
}

/* True if the step `other` is in flight when an operation is called. A step of kind `kind` is in
 * flight until the host knows that it is complete. A step of another kind is in flight only until
 * it is complete, and only if it was called earlier than the operation. So the other steps of the
 * same replay of a trace do not count, because they have the same time of call as the operation. */
static bool is_in_flight(
	const struct iteration_step *other, const struct operation *operation, const char *kind)
{
	int64_t called = operation->marks[MARK_CALLED].last;

	return is_of_kind(other, kind) ? other->end > called
				       : other->called < called && other->complete > called;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Called for each call of the step `called`, whose kind is `kind`. Looks for other steps that are
 * in flight at this time. If there is one of the same kind, adds 1 to `together` of both steps. If
 * there is one of another kind, adds 1 to `together` and `behind` of `called` only. One call adds
 * at most 1 to each count of a step. */
static void count_call(struct iteration_steps *steps, struct iteration_step *called,
	const struct operation *operation, const char *kind)
{
	called->measured++;
	called->together_now = called->behind_now = called->held_now = false;
	for (uint32_t s = 0; s < steps->count; s++) {
		struct iteration_step *other = &steps->at[s];

		if (other == called || !is_in_flight(other, operation, kind))
			continue;
		if (is_of_kind(other, kind))
			count_once(&other->together, &other->together_now);
		else
			count_once(&called->behind, &called->behind_now);
		count_once(&called->together, &called->together_now);
	}
}

static bool moves_data(const struct operation *operation)
{
	return strncmp(operation->kind, "read_", strlen("read_")) == 0 ||
	       strncmp(operation->kind, "write_", strlen("write_")) == 0;
}

/* True if the call moved data and returned only when the data were complete, as a blocking read
 * does. The thread of such a call may wake up late. This delay belongs to the time of the round,
 * but to no step. */
static bool holds_thread(const struct operation *operation)
{
	return moves_data(operation) && completed_at(operation) >= 0 &&
	       operation->marks[MARK_RETURNED].last >= completed_at(operation);
}

/* Counts the steps of the kind that are in flight when a call of another kind holds its thread. */
static void count_held(
	struct iteration_steps *steps, const struct operation *operation, const char *kind)
{
	for (uint32_t s = 0; s < steps->count; s++)
		if (is_of_kind(&steps->at[s], kind) && steps->at[s].measured > 0 &&
			is_in_flight(&steps->at[s], operation, kind))
			count_once(&steps->at[s].held, &steps->at[s].held_now);
}

/* Counts, for each step of kind `kind`, how many of its calls are in flight together with a call of
 * another step. */
static void iteration_find_together(
	struct iteration_steps *steps, const struct operations *operations, const char *kind)
{
	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		struct iteration_step *called = &steps->at[steps->of[i]];
		int64_t end = known_at(operations, i);

		if (operation->warmup)
			continue;
		if (is_of_kind(called, kind))
			count_call(steps, called, operation, kind);
		else if (holds_thread(operation))
			count_held(steps, operation, kind);
		called->end = later(called->end, end >= 0 ? end : completed_at(operation));
		called->complete = later(called->complete, completed_at(operation));
		called->called = operation->marks[MARK_CALLED].last;
	}
}

/* True if `count` is more than a tenth of the step's calls. */
static bool is_often(uint32_t count, const struct iteration_step *step)
{
	return 100 * (uint64_t)(step->measured - count) < PERCENT_ALONE * (uint64_t)step->measured;
}

/* Adds a step to a list of at most `most` steps. If the list already has a step of this name,
 * updates this entry instead. Returns false if the list is full. */
static bool iteration_add_step(const struct iteration_step *step, struct sweep_iteration_step *list,
	uint32_t *count, uint32_t most)
{
	uint32_t i = 0;

	while (i < *count && strcmp(list[i].name, step->first->step_name) != 0)
		i++;
	if (i == most)
		return false;
	if (i == *count)
		list[(*count)++] = (struct sweep_iteration_step){step->first->step_name, false};
	list[i].together |= is_often(step->together, step) || is_often(step->held, step);
	return true;
}

/* True if the step moves data beside programs, so that it may want another design than they do. */
static bool works_beside(const struct iteration_step *step, const char *kind)
{
	return strcmp(kind, "enqueue_workload") == 0 && moves_data(step->first);
}

/* Fills the iteration with the steps of the kind that are in rounds of the anchor. */
static void iteration_take(struct iteration_steps *steps, const char *kind,
	const struct iteration_step *anchor, struct sweep_iteration *iteration)
{
	*iteration = (struct sweep_iteration){.anchor = anchor->first};
	for (uint32_t s = 0; s < steps->count; s++) {
		struct iteration_step *step = &steps->at[s];

		if (!step->repeats)
			continue;
		step->taken = true;
		iteration->parts[iteration->part_count++] =
			(struct sweep_part){step->first->step, step->first->mesh_number,
				step->first->kind, step->calls / anchor->calls, 1};
		if (is_of_kind(step, kind) &&
			iteration_add_step(step, iteration->steps, &iteration->step_count,
				SWEEP_ITERATION_STEPS_MAX))
			iteration->behind |= is_often(step->behind, step);
		iteration->holds |= is_often(step->held, step);
		iteration->works_beside |= works_beside(step, kind);
	}
}

/* Lists the steps of the kind that are in no iteration. */
static void iteration_take_others(
	const struct iteration_steps *steps, const char *kind, struct sweep_iterations *found)
{
	for (uint32_t s = 0; s < steps->count; s++)
		if (!steps->at[s].taken && is_of_kind(&steps->at[s], kind))
			iteration_add_step(
				&steps->at[s], found->others, &found->other_count, SWEEP_PARTS_MAX);
}

static int by_first_call(const void *a, const void *b)
{
	const struct sweep_iteration *x = a, *y = b;

	return (x->anchor > y->anchor) - (x->anchor < y->anchor);
}

bool sweep_iterations_find(const struct operations *operations, const char *kind,
	const struct sweep_within *within, struct sweep_iterations *found)
{
	struct iteration_steps steps = {.count = 0};
	const struct iteration_step *anchor;
	struct arena scratch;

	*found = (struct sweep_iterations){.count = 0};
	arena_init(&scratch);
	steps.of = arena_array(&scratch, operations->count + 1, sizeof(*steps.of));
	count_calls(&steps, operations, within);
	if (steps.known)
		iteration_find_together(&steps, operations, kind);
	while (steps.known && found->count < SWEEP_ITERATIONS_MAX) {
		struct sweep_iteration *iteration = &found->at[found->count];

		anchor = find_anchor(&steps, operations, kind);
		if (!anchor)
			break;
		iteration_take(&steps, kind, anchor, iteration);
		if (iteration->step_count == 0 && within->count == 0)
			break;
		found->count++;
	}
	if (steps.known)
		iteration_take_others(&steps, kind, found);
	qsort(found->at, found->count, sizeof(*found->at), by_first_call);
	arena_fini(&scratch);
	return found->count > 0;
}
