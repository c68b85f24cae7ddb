/* Finds the iteration of a workload, and steps that are in flight together (sweep_iteration.h). */
#include "analysis/compare/sweep_iteration.h"

#include <string.h>

enum { STEPS_MAX = 64, CALLS_LEAST = 2, PERCENT_ALONE = 90 };

/* One step of one mesh, in the order of the first calls. */
struct iteration_step {
	const struct operation *first;
	uint32_t calls, in_round; /* in all; since the last call of the anchor */
	int64_t end;		  /* when all its calls until now were complete */
	uint32_t measured, together;
	bool together_now; /* its last call was counted in `together` */
	bool repeats;	   /* equally often in each round of the anchor */
	bool within;	   /* of the repeat that is asked about */
};

struct iteration_steps {
	struct iteration_step at[STEPS_MAX];
	uint32_t count;
	uint32_t *of; /* [i]: the step of operation i */
	bool known;   /* they are not too many, and none arrives at a rate */
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

static bool is_within(const struct sweep_within *within, const char *name)
{
	bool found = within->count == 0;

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
		if (step->calls++ == 0)
			step->within = is_within(within, step->first->step_name);
	}
}

/* Sets `repeats` of each step: it is called equally often in each round of the anchor, by the same
 * thread. What is called before the first call of the anchor belongs to the first round, and the
 * last one has no end. */
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
					 (uint64_t)step->in_round * anchor->calls == step->calls;
			step->in_round = 0;
		}
		rounds += called == anchor;
		called->in_round++;
	}
	for (uint32_t s = 0; s < steps->count; s++)
		steps->at[s].repeats &= steps->at[s].within && strcmp(steps->at[s].first->thread,
								       anchor->first->thread) == 0;
}

/* Calls of the kind that are in rounds. */
static uint64_t covered(const struct iteration_steps *steps, const char *kind)
{
	uint64_t calls = 0;

	for (uint32_t s = 0; s < steps->count; s++)
		if (steps->at[s].repeats && strcmp(steps->at[s].first->kind, kind) == 0)
			calls += steps->at[s].calls;
	return calls;
}

static bool is_of_kind(const struct iteration_step *step, const char *kind)
{
	return strcmp(step->first->kind, kind) == 0;
}

/* Returns the step whose calls begin the rounds, and sets `repeats` of all steps. Of several loops
 * it is the one with most calls of the kind, and of loops in each other the outermost: among the
 * steps of it the one that is called least often, preferably of the kind, and of these the first.
 * NULL if no step repeats. */
static struct iteration_step *find_anchor(
	struct iteration_steps *steps, const struct operations *operations, const char *kind)
{
	struct iteration_step *anchor = NULL;
	uint64_t most = 0;

	for (uint32_t i = 0; i < steps->count; i++) {
		struct iteration_step *step = &steps->at[i];
		uint64_t calls;

		if (step->calls < CALLS_LEAST || !step->within)
			continue;
		check_rounds(steps, operations, step);
		calls = covered(steps, kind);
		if (!anchor || calls > most || (calls == most && step->calls < anchor->calls) ||
			(calls == most && step->calls == anchor->calls && is_of_kind(step, kind) &&
				!is_of_kind(anchor, kind))) {
			anchor = step;
			most = calls;
		}
	}
	if (anchor)
		check_rounds(steps, operations, anchor);
	return anchor;
}

static void count_together(struct iteration_step *step)
{
	step->together += !step->together_now;
	step->together_now = true;
}

/* Counts for each step of the kind how many of its calls were in flight together with a call of
 * another one. */
static void iteration_find_together(
	struct iteration_steps *steps, const struct operations *operations, const char *kind)
{
	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		struct iteration_step *called = &steps->at[steps->of[i]];
		int64_t end = known_at(operations, i);

		if (operation->warmup || strcmp(operation->kind, kind) != 0)
			continue;
		called->measured++;
		called->together_now = false;
		for (uint32_t s = 0; s < steps->count; s++) {
			struct iteration_step *other = &steps->at[s];

			if (other == called || other->end <= operation->marks[MARK_CALLED].last)
				continue;
			count_together(other);
			count_together(called);
		}
		end = end >= 0 ? end : completed_at(operation);
		called->end = end > called->end ? end : called->end;
	}
}

/* Adds the steps of the kind that are in rounds, or those that are not, but are called more than
 * once. */
static void iteration_take_steps(const struct iteration_steps *steps, const char *kind,
	bool in_rounds, struct sweep_iteration_step *taken, uint32_t *count)
{
	for (uint32_t s = 0; s < steps->count; s++) {
		const struct iteration_step *step = &steps->at[s];
		uint32_t alone = step->measured - step->together, i = 0;

		if (step->repeats != in_rounds || strcmp(step->first->kind, kind) != 0 ||
			(!in_rounds && step->calls < CALLS_LEAST))
			continue;
		while (i < *count && strcmp(taken[i].name, step->first->step_name) != 0)
			i++;
		if (i == SWEEP_ITERATION_STEPS_MAX)
			return;
		if (i == *count)
			taken[(*count)++] =
				(struct sweep_iteration_step){step->first->step_name, false};
		taken[i].together |=
			100 * (uint64_t)alone < PERCENT_ALONE * (uint64_t)step->measured;
	}
}

bool sweep_iteration_find(const struct operations *operations, const char *kind,
	const struct sweep_within *within, struct sweep_iteration *iteration)
{
	struct iteration_steps steps = {.count = 0};
	const struct iteration_step *anchor;
	struct arena scratch;

	*iteration = (struct sweep_iteration){.step_count = 0};
	arena_init(&scratch);
	steps.of = arena_array(&scratch, operations->count + 1, sizeof(*steps.of));
	count_calls(&steps, operations, within);
	anchor = steps.known ? find_anchor(&steps, operations, kind) : NULL;
	if (anchor) {
		iteration_find_together(&steps, operations, kind);
		iteration_take_steps(&steps, kind, true, iteration->steps, &iteration->step_count);
		iteration_take_steps(
			&steps, kind, false, iteration->others, &iteration->other_count);
		iteration->anchor = anchor->first;
	}
	arena_fini(&scratch);
	return anchor && (iteration->step_count > 0 || within->count > 0);
}
