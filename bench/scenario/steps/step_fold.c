/* Finds equal steps, or equal blocks of steps, that follow each other in a workload, and replaces
 * them by a `repeat`. Without this, each of the equal steps would make its own programs and send
 * them for the first time, and there would be no iterations to measure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "scenario_private.h"

/* The longest block, in steps, that is searched for. The time to load a file grows with it. */
enum { FOLD_PERIOD_MAX = 256 };

/* The kinds of steps that have the same effect in a repeat as when they are written one after
 * another. Steps that define traces or events are left out, because other steps refer to them by
 * name. */
static const struct fold_kind {
	const char *name;
	bool acts; /* false: a block that has only such steps is not folded */
} kinds[] = {{"enqueue_workload", true}, {"write_buffer", true}, {"read_buffer", true},
	{"write_tensor", true}, {"read_tensor", true}, {"collective", true}, {"replay_trace", true},
	{"repeat", true}, {"finish", false}};

struct fold {
	struct arena *arena; /* the arena of the tree */
	const struct sweep *sweep;
	uint64_t warmup;
};

struct fold_step {
	const struct tree_node *node;
	uint64_t key; /* equal for equal steps */
	bool may, acts;
};

/* `count` equal blocks of `period` steps. */
struct fold_run {
	uint32_t start, period, count;
};

struct fold_runs {
	struct fold_run *at;
	uint32_t count, room;
};

/* ---- which steps may be folded ---- */

static bool fold_is_addressed(const struct fold *fold, const char *place)
{
	for (uint32_t i = 0; i < fold->sweep->axis_count; i++)
		if (sweep_overlap(fold->sweep->axes[i].path, place))
			return true;
	return false;
}

static const struct fold_kind *fold_find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

/* Returns true if the step may be folded. Its kind must be in `kinds`. It may have no other keys
 * than the key of this kind, `mesh` and, in a repeat, `do`. For example, a step with a name (`as`)
 * is not folded, nor is a repeat with a rate of arrival. If the step is a repeat, all steps inside
 * it must also meet these conditions. */
static bool fold_may(const struct tree_node *node, bool *acts)
{
	const struct tree_node *body = tree_get(node, "do");
	const struct fold_kind *kind = NULL;
	bool inside;

	*acts = false;
	if (node->kind == TREE_SCALAR)
		kind = fold_find_kind(node->text);
	for (uint32_t i = 0; node->kind == TREE_MAP && i < node->count; i++) {
		const char *key = node->pairs[i].key;
		const struct fold_kind *found = fold_find_kind(key);

		if (strcmp(key, "mesh") == 0 || (strcmp(key, "do") == 0 && body))
			continue;
		if (!found || kind)
			return false;
		kind = found;
	}
	if (!kind || (body != NULL) != (strcmp(kind->name, "repeat") == 0))
		return false;
	*acts = kind->acts;
	for (uint32_t i = 0; body && body->kind == TREE_SEQUENCE && i < body->count; i++)
		if (!fold_may(body->items[i], &inside))
			return false;
	return !body || body->kind == TREE_SEQUENCE;
}

static char *fold_text(const struct tree_node *node)
{
	struct text text;
	char *copy;

	text_init(&text);
	tree_write(node, &text);
	copy = allocate_text(text_string(&text));
	text_fini(&text);
	return copy;
}

static struct fold_step fold_describe(const struct tree_node *node)
{
	struct fold_step step = {.node = node};
	char *text = fold_text(node);

	step.key = hash_string(text);
	step.may = fold_may(node, &step.acts);
	free(text);
	return step;
}

static bool fold_is_same(const struct fold_step *a, const struct fold_step *b)
{
	char *text = fold_text(a->node), *other = fold_text(b->node);
	bool same = strcmp(text, other) == 0;

	free(text);
	free(other);
	return same;
}

/* ---- which blocks are folded ---- */

static bool fold_matches(const struct fold_step *steps, uint32_t i, uint32_t period)
{
	return steps[i].may && steps[i + period].may && steps[i].key == steps[i + period].key;
}

static bool fold_acts(const struct fold_step *steps, uint32_t count)
{
	bool acts = false;

	for (uint32_t i = 0; i < count; i++)
		acts |= steps[i].acts;
	return acts;
}

static void fold_note(struct fold_runs *runs, struct fold_run run)
{
	if (runs->count == runs->room) {
		runs->room = 2 * runs->room + 16;
		runs->at = allocate_more(runs->at, runs->room, sizeof *runs->at);
	}
	runs->at[runs->count++] = run;
}

/* Finds all sequences of equal blocks that cannot be made longer. A sequence that could begin at
 * several steps does not begin at a finish, which usually ends an iteration. It begins at the first
 * of these steps that is no finish. */
static void fold_find(const struct fold *fold, const struct fold_step *steps, uint32_t count,
	uint64_t times, struct fold_runs *runs)
{
	for (uint32_t period = 1; period <= FOLD_PERIOD_MAX && 2 * period <= count; period++) {
		for (uint32_t i = 0, length; i + period < count; i += length + 1) {
			struct fold_run run = {i, period, 0};
			uint32_t spare;

			for (length = 0; i + length + period < count &&
					 fold_matches(steps, i + length, period);)
				length++;
			if (length < period || !fold_acts(&steps[i], period))
				continue;
			run.count = length / period + 1;
			for (spare = length % period; spare > 0 && !steps[run.start].acts; spare--)
				run.start++;
			if (!steps[run.start].acts)
				run.start = i;
			/* A repeat that lies wholly in the warm-up is not measured. So folding must
			 * not move measured steps into such a repeat. */
			if (times * run.count > fold->warmup)
				fold_note(runs, run);
		}
	}
}

/* Compares two sequences for sorting. Sequences that cover more steps come first. Among sequences
 * that cover equally many steps, those with shorter blocks come first. So an outer loop is found
 * first, and then the loops in its body. This order is needed for a loop that begins and ends with
 * the same steps: otherwise, its iterations could be divided at the wrong step. */
static int fold_compare(const void *left, const void *right)
{
	const struct fold_run *a = left, *b = right;
	uint32_t covered = a->period * a->count, other = b->period * b->count;

	if (covered != other)
		return covered > other ? -1 : 1;
	if (a->period != b->period)
		return a->period < b->period ? -1 : 1;
	return (a->start > b->start) - (a->start < b->start);
}

/* ---- folding ---- */

static uint32_t fold_steps(
	const struct fold *fold, struct fold_step *steps, uint32_t count, uint64_t times);

static const struct tree_node *fold_list_of(const struct fold *fold, struct location where,
	const struct fold_step *steps, uint32_t count)
{
	const struct tree_node **items = arena_array(fold->arena, count, sizeof *items);

	for (uint32_t i = 0; i < count; i++)
		items[i] = steps[i].node;
	return tree_new_sequence(fold->arena, where, items, count);
}

/* Makes a repeat from a sequence of equal blocks, with the location of its first step (see
 * step_is_folded()). Returns NULL if the tree would become too deep, or if the blocks differ after
 * all, although their hashes are equal. */
static const struct tree_node *fold_make(const struct fold *fold, const struct fold_step *steps,
	const struct fold_run *run, uint64_t times)
{
	struct location where = steps[run->start].node->where;
	struct tree_pair *pairs = arena_array(fold->arena, 2, sizeof *pairs);
	struct fold_step *block = allocate(run->period, sizeof *block);
	char number[16];
	uint32_t count;

	memcpy(block, &steps[run->start], run->period * sizeof *block);
	snprintf(number, sizeof number, "%u", run->count);
	count = fold_steps(fold, block, run->period, times * run->count);
	pairs[0] = (struct tree_pair){"repeat", where,
		tree_new_scalar(fold->arena, where, number, strlen(number), false)};
	pairs[1] = (struct tree_pair){"do", where, fold_list_of(fold, where, block, count)};
	free(block);
	for (uint32_t i = run->period; i < run->period * run->count; i++)
		if (!fold_is_same(&steps[run->start + i], &steps[run->start + i % run->period]))
			return NULL;
	return pairs[1].value ? tree_new_map(fold->arena, where, pairs, 2) : NULL;
}

/* Replaces sequences of equal blocks by repeats, in the order of fold_compare(). Leaves out each
 * sequence that overlaps one that was already replaced. Returns the new number of steps. */
static uint32_t fold_once(
	const struct fold *fold, struct fold_step *steps, uint32_t count, uint64_t times)
{
	struct fold_runs runs = {0};
	uint32_t *skip = allocate(count, sizeof *skip), kept = 0;

	fold_find(fold, steps, count, times, &runs);
	if (runs.count)
		qsort(runs.at, runs.count, sizeof *runs.at, fold_compare);
	for (uint32_t r = 0; r < runs.count; r++) {
		const struct fold_run *run = &runs.at[r];
		uint32_t covered = run->period * run->count, taken = 0;
		const struct tree_node *node;

		for (uint32_t i = 0; i < covered; i++)
			taken += skip[run->start + i];
		node = taken ? NULL : fold_make(fold, steps, run, times);
		if (!node)
			continue;
		for (uint32_t i = 0; i < covered; i++)
			skip[run->start + i] = i == 0 ? 1 : 2;
		steps[run->start] = fold_describe(node);
	}
	for (uint32_t i = 0; i < count; i++)
		if (skip[i] < 2)
			steps[kept++] = steps[i];
	free(skip);
	free(runs.at);
	return kept;
}

/* Folds repeatedly, until no equal blocks follow each other. */
static uint32_t fold_steps(
	const struct fold *fold, struct fold_step *steps, uint32_t count, uint64_t times)
{
	uint32_t before;

	do {
		before = count;
		count = fold_once(fold, steps, count, times);
	} while (count < before);
	return count;
}

static const struct tree_node *fold_list(
	const struct fold *fold, const struct tree_node *list, const char *place, uint64_t times);

static uint64_t fold_times(const struct tree_node *node, const char *key)
{
	const struct tree_node *value = tree_get(node, key);
	int64_t times = 1;

	if (value && value->kind == TREE_SCALAR)
		(void)tree_integer(value, &times);
	return times < 1			 ? 1
	       : times > SCENARIO_OPERATIONS_MAX ? SCENARIO_OPERATIONS_MAX
						 : (uint64_t)times;
}

/* Replaces sequences of equal steps under the key `do` of a step by repeats. Returns the new step,
 * or `node` if nothing was replaced. */
static const struct tree_node *fold_below(
	const struct fold *fold, const struct tree_node *node, const char *place, uint64_t times)
{
	const struct tree_node *body = tree_get(node, "do"), *folded, *made;
	struct tree_pair *pairs;

	if (!body || body->kind != TREE_SEQUENCE)
		return node;
	times *= fold_times(node, "repeat") * fold_times(node, "trace");
	times = times > SCENARIO_OPERATIONS_MAX ? SCENARIO_OPERATIONS_MAX : times;
	folded = fold_list(fold, body, arena_printf(fold->arena, "%s.do", place), times);
	if (folded == body)
		return node;
	pairs = arena_array(fold->arena, node->count, sizeof *pairs);
	for (uint32_t i = 0; i < node->count; i++) {
		pairs[i] = node->pairs[i];
		if (pairs[i].value == body)
			pairs[i].value = folded;
	}
	made = tree_new_map(fold->arena, node->where, pairs, node->count);
	return made ? made : node;
}

static const struct tree_node *fold_list(
	const struct fold *fold, const struct tree_node *list, const char *place, uint64_t times)
{
	struct fold_step *steps = allocate(list->count, sizeof *steps);
	const struct tree_node *made = list;
	uint32_t count;
	bool changed = false;

	for (uint32_t i = 0; i < list->count; i++) {
		const char *here = arena_printf(fold->arena, "%s.%u", place, i);
		const struct tree_node *node = fold_below(fold, list->items[i], here, times);

		changed |= node != list->items[i];
		steps[i] = fold_describe(node);
		steps[i].may &= !fold_is_addressed(fold, here);
	}
	count = fold_steps(fold, steps, list->count, times);
	if (changed || count < list->count)
		made = fold_list_of(fold, list->where, steps, count);
	free(steps);
	return made ? made : list;
}

/* True if `measure.trace` names a step by its place. */
static bool fold_is_traced(const struct tree_node *root)
{
	const struct tree_node *list = tree_find(root, "measure.trace.operations");

	for (uint32_t i = 0; list && list->kind == TREE_SEQUENCE && i < list->count; i++)
		if (list->items[i]->kind == TREE_SCALAR &&
			strncmp(list->items[i]->text, "workload/", 9) == 0)
			return true;
	return false;
}

const struct tree_node *steps_fold(struct tree *tree, const struct sweep *sweep, struct diag *diag)
{
	const struct tree_node *root = tree_root(tree), *list = tree_get(root, "workload"), *folded;
	const struct tree_node *warmup = tree_find(root, "measure.warmup");
	struct fold fold = {.arena = tree_arena(tree), .sweep = sweep};
	int64_t number = 0;

	/* Do not fold if `measure.trace` names a step by its place. Do not fold if the sweep sets a
	 * key on which folding depends: all runs must have the same steps. */
	if (!list || list->kind != TREE_SEQUENCE || fold_is_traced(root) ||
		fold_is_addressed(&fold, "measure.warmup") ||
		fold_is_addressed(&fold, "measure.trace.operations"))
		return NULL;
	if (warmup && warmup->kind == TREE_SCALAR && tree_integer(warmup, &number) == STATUS_OK)
		fold.warmup = number > 0 ? (uint64_t)number : 0;
	folded = fold_list(&fold, list, "workload", 1);
	return folded != list && tree_put(tree, "workload", list->where, folded, diag) ? list
										       : NULL;
}

bool step_is_folded(const struct step *step)
{
	const struct location *of = &step->where, *first;

	if (step->kind != STEP_REPEAT || step->repeat.step_count == 0)
		return false;
	first = &step->repeat.steps[0].where;
	return of->line > 0 && of->source == first->source && of->line == first->line &&
	       of->column == first->column;
}

uint32_t step_written(const struct step *step)
{
	uint32_t steps = 0;

	if (!step_is_folded(step))
		return 1;
	for (uint32_t i = 0; i < step->repeat.step_count; i++)
		steps += step_written(&step->repeat.steps[i]);
	return steps * step->repeat.times;
}
