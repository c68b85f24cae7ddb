/* Measures the makespan of a run and its critical path, see run.h. */
#include "analysis/operations/run.h"

#include <string.h>

enum { LOOK_BACK = 256 }; /* earlier operations whose paths may be the next piece */

/* ---- the makespan ---- */

/* The kind of operations that capture a trace. The steps of the trace are called in them. */
static const char captures[] = "capture_trace";

/* True for an operation that a trace replays, which has no marks of its own call. */
static bool is_replayed(const struct operation *operation)
{
	return operation->marks[MARK_RETURNED].last < 0;
}

int64_t run_known_at(const struct operations *operations, uint32_t index)
{
	const struct operation *operation = &operations->at[index];
	int64_t known = known_at(operations, index);
	bool on_devices = operation->marks[MARK_DOORBELL].last >= 0 || completed_at(operation) >= 0;

	if (!on_devices && !is_replayed(operation) && strcmp(operation->kind, captures) != 0)
		return operation->marks[MARK_RETURNED].last;
	return known >= 0 ? known : INT64_MAX;
}

static bool run_is_chosen(const struct run_choice *choice, const struct operation *operation)
{
	return !operation->warmup && (!choice->has || choice->has(choice->steps, operation));
}

/* When an operation ended: the host knew, or, if it never did, the operation was complete. */
static int64_t run_end_of(const struct operations *operations, uint32_t index)
{
	int64_t known = known_at(operations, index);

	return known >= 0 ? known : completed_at(&operations->at[index]);
}

/* Finds where the makespan begins. Returns false if no operation of the kind is chosen. */
static bool find_begin(const struct operations *operations, const struct run_choice *choice,
	struct run_makespan *makespan)
{
	uint32_t i = 0;

	while (i < operations->count && (!run_is_chosen(choice, &operations->at[i]) ||
						!operation_is(&operations->at[i], choice->kind)))
		i++;
	if (i == operations->count)
		return false;
	makespan->first = i;
	makespan->begin = operations->at[i].marks[MARK_CALLED].last;
	while (i-- > 0) {
		const struct operation *operation = &operations->at[i];
		int64_t complete = completed_at(operation);

		if (operation->warmup && complete > makespan->begin)
			makespan->begin = complete;
		if (!run_is_chosen(choice, operation) ||
			run_known_at(operations, i) <= makespan->begin)
			continue;
		makespan->first = i;
		makespan->begin = operation->marks[MARK_CALLED].last;
	}
	return true;
}

/* Finds where the makespan ends. Operations that are called within it may move its end. */
static void find_end(const struct operations *operations, const struct run_choice *choice,
	struct run_makespan *makespan)
{
	bool of_kind = true;

	for (int pass = 0; pass < 2; pass++, of_kind = false)
		for (uint32_t i = makespan->first; i < operations->count; i++) {
			const struct operation *operation = &operations->at[i];
			int64_t end = run_end_of(operations, i);

			if (run_is_chosen(choice, operation) && end > makespan->end &&
				(of_kind ? operation_is(operation, choice->kind)
					 : operation->marks[MARK_CALLED].last < makespan->end))
				makespan->end = end;
		}
}

/* Returns the time that host threads spent on cores within the makespan, ps; -1: unknown. */
static double run_host_cpu(const struct operations *operations, const struct run_makespan *makespan)
{
	int64_t since = operations->at[makespan->first].cpu_called, until = -1;

	for (uint32_t i = makespan->first; i < operations->count; i++)
		if (operations->at[i].marks[MARK_CALLED].last < makespan->end &&
			operations->at[i].cpu_returned > until)
			until = operations->at[i].cpu_returned;
	return since < 0 || until < since ? -1 : (double)(until - since);
}

/* ---- the critical path ---- */

/* A piece that may be the next one. */
struct candidate {
	struct run_piece piece;
	int64_t start, end;
	bool cut; /* the path ends later than the piece */
};

struct back {
	const struct operations *operations;
	const struct run_choice *choice;
	struct run_makespan *makespan;
	bool *without; /* [3 * operation + n] the file does not have the n-th path of it */
	int64_t now;   /* the path from here to the end is known */
	uint32_t next; /* operations from this one on are called at `now` or later */
};

static const enum metric path_metrics[] = {METRIC_COMPLETION, METRIC_ROUND, METRIC_LATENCY};

enum { PATH_METRICS = sizeof path_metrics / sizeof *path_metrics };

/* True if piece `a` is a better next piece of the critical path than `b`, or if there is no `b` yet
 * (its time is 0). The piece that ends later is better. If both end at the same time, a piece that
 * reaches the end of its operation's path is better than a piece that is cut off before. If both
 * are alike in this, the piece that starts earlier is better. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
	if (b->piece.time == 0 || a->end != b->end)
		return b->piece.time == 0 || a->end > b->end;
	if (a->cut != b->cut)
		return b->cut;
	return a->start < b->start;
}

static void consider(const struct back *back, uint32_t index, int metric, struct candidate *best)
{
	struct metric_window window;
	struct candidate candidate = {.piece = {index, path_metrics[metric], 0}};

	if (back->without[PATH_METRICS * index + (uint32_t)metric] ||
		!metric_window(back->operations, index, path_metrics[metric], &window) ||
		window.end <= back->makespan->begin || window.start >= back->now)
		return;
	candidate.cut = window.end > back->now;
	candidate.end = candidate.cut ? back->now : window.end;
	candidate.start =
		window.start > back->makespan->begin ? window.start : back->makespan->begin;
	candidate.piece.time = candidate.end - candidate.start;
	if (candidate.piece.time > 0 && is_better(&candidate, best))
		*best = candidate;
}

/* The best next piece; its time is 0 if there is none. */
static struct candidate find_piece(struct back *back)
{
	struct candidate best = {.piece = {.time = 0}};
	uint32_t least = back->makespan->first;

	while (back->next > least &&
		back->operations->at[back->next - 1].marks[MARK_CALLED].last >= back->now)
		back->next--;
	if (back->next > least + LOOK_BACK)
		least = back->next - LOOK_BACK;
	for (uint32_t i = back->next; i-- > least;)
		for (int m = 0;
			m < PATH_METRICS && run_is_chosen(back->choice, &back->operations->at[i]);
			m++)
			consider(back, i, m, &best);
	return best;
}

/* There is no piece of the critical path from `until` to back->now. Adds this time to the stage
 * CALL. If warm-up operations are called in this time, adds only the time until the first of these
 * calls, and removes the rest from the makespan. Sets back->now to `until`. */
static void run_add_gap(struct back *back, int64_t until)
{
	int64_t called = back->now;

	for (uint32_t i = back->next; i-- > back->makespan->first;) {
		const struct operation *operation = &back->operations->at[i];

		if (operation->marks[MARK_CALLED].last < until)
			break;
		if (operation->warmup)
			called = operation->marks[MARK_CALLED].last;
	}
	back->makespan->time -= back->now - called;
	back->makespan->split.time[STAGE_CALL] += called - until;
	back->now = until;
}

/* Adds the stages of a piece. Returns false if they are unknown. */
static bool run_add_piece(struct back *back, const struct candidate *candidate)
{
	struct run_makespan *makespan = back->makespan;
	const struct run_piece *piece = &candidate->piece;
	int64_t whole = 0, rest = piece->time;
	struct split split;

	if (!path_split(back->operations, piece->operation, piece->metric, &split))
		return false;
	for (int s = 0; s < STAGE_COUNT; s++)
		whole += split.time[s];
	if (whole <= 0)
		return false;
	run_add_gap(back, candidate->end);
	for (int s = 0; s < STAGE_COUNT; s++) {
		int64_t time = whole == piece->time
				       ? split.time[s]
				       : (int64_t)((double)split.time[s] *
						   ((double)piece->time / (double)whole));
		makespan->split.time[s] += time;
		rest -= time;
	}
	makespan->split.time[STAGE_CALL] += rest; /* what rounding leaves */
	makespan->at[makespan->count++] = *piece;
	back->now = candidate->start;
	return true;
}

static void walk(struct back *back)
{
	while (back->now > back->makespan->begin) {
		struct candidate best = find_piece(back);

		if (best.piece.time == 0)
			run_add_gap(back, back->makespan->begin);
		else if (!run_add_piece(back, &best))
			for (uint32_t m = 0; m < PATH_METRICS; m++)
				back->without[PATH_METRICS * best.piece.operation + m] |=
					path_metrics[m] == best.piece.metric;
	}
}

struct run_makespan run_measure(
	const struct operations *operations, const struct run_choice *choice, struct arena *arena)
{
	struct run_makespan makespan = {.time = -1, .host_cpu = -1};
	struct back back = {operations, choice, &makespan, NULL, 0, operations->count};

	if (!find_begin(operations, choice, &makespan))
		return makespan;
	find_end(operations, choice, &makespan);
	if (makespan.end <= makespan.begin)
		return makespan;
	makespan.time = makespan.end - makespan.begin;
	makespan.host_cpu = run_host_cpu(operations, &makespan);
	makespan.at = arena_array(
		arena, (size_t)PATH_METRICS * operations->count + 1, sizeof *makespan.at);
	back.without = arena_array(
		arena, (size_t)PATH_METRICS * operations->count + 1, sizeof *back.without);
	back.now = makespan.end;
	walk(&back);
	makespan.has_stages = makespan.count > 0;
	return makespan;
}

void run_to_measured(
	const struct run_makespan *makespan, struct arena *arena, struct measured *measured)
{
	int64_t *value = arena_array(arena, 1, sizeof *value);

	*value = makespan->time;
	*measured = (struct measured){.operations = makespan->time > 0,
		.values = {value, makespan->time > 0},
		.makespan = makespan->time,
		.has_stages = makespan->has_stages,
		.host_cpu = makespan->host_cpu};
	for (int s = 0; s < STAGE_COUNT; s++)
		measured->stages[s] = (double)makespan->split.time[s];
}

/* ---- charges ---- */

/* True if two pieces have the same step and metric. */
static bool run_is_alike(
	const struct operations *operations, const struct run_piece *a, const struct run_piece *b)
{
	const struct operation *x = &operations->at[a->operation];
	const struct operation *y = &operations->at[b->operation];

	return a->metric == b->metric && strcmp(x->kind, y->kind) == 0 &&
	       strcmp(x->step_name, y->step_name) == 0;
}

bool run_charges_add(struct charges *charges, struct summary *summary, const char *group,
	const struct operations *operations, const struct run_makespan *makespan,
	struct arena *arena, struct text *why)
{
	double known = 0;

	for (uint32_t i = 0; i < makespan->count; i++) {
		const struct run_piece *piece = &makespan->at[i];
		const struct operation *operation = &operations->at[piece->operation];
		struct charges step = {.known = true};
		double time = 0;
		uint32_t before = 0;

		while (before < i && !run_is_alike(operations, &makespan->at[before], piece))
			before++;
		if (before < i)
			continue; /* it was added with the first piece that is alike */
		for (uint32_t k = i; k < makespan->count; k++)
			if (run_is_alike(operations, &makespan->at[k], piece))
				time += (double)makespan->at[k].time;
		if (!charges_add(&step, summary, group,
			    arena_printf(arena, "%s/%s", operation->kind, operation->step_name),
			    metric_names[piece->metric], arena, why))
			return false;
		charges_merge(charges, &step, step.whole > 0 ? time / step.whole : 0, arena);
		known += step.whole > 0 ? time : 0;
	}
	charges->whole += (double)makespan->time - known;
	return true;
}
