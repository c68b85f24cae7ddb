/* Matches the loops of runs with each other (sweep_loops.h). */
#include "analysis/compare/sweep_loops.h"

#include <string.h>

const char *sweep_anchor_of(const struct sweep_iteration *iteration, struct arena *arena)
{
	return arena_printf(arena, "%s/%s", iteration->anchor->kind, iteration->anchor->step_name);
}

/* True for steps that only some runs have: traces, and rounds of reads that are gathered. */
static bool is_of_some_runs(const char *kind)
{
	return strstr(kind, "trace") != NULL || strcmp(kind, "gather") == 0;
}

static struct sweep_part *part_of(struct sweep_whole *parts, const struct sweep_part *part)
{
	uint32_t i = 0;

	while (i < parts->count &&
		(parts->at[i].step != part->step || parts->at[i].mesh_number != part->mesh_number ||
			strcmp(parts->at[i].kind, part->kind) != 0))
		i++;
	return i < parts->count ? &parts->at[i] : NULL;
}

/* True if a loop and an iteration have a step of the kind in common. */
static bool shares_step(
	struct sweep_loop *loop, const struct sweep_iteration *iteration, const char *kind)
{
	bool shares = false;

	for (uint32_t i = 0; i < iteration->part_count && !shares; i++)
		shares = strcmp(iteration->parts[i].kind, kind) == 0 &&
			 part_of(&loop->parts, &iteration->parts[i]);
	return shares;
}

uint32_t sweep_whole_part(const struct sweep_whole *whole, const struct operation *operation)
{
	uint32_t i = 0;

	while (i < whole->count && (whole->at[i].step != operation->step ||
					   whole->at[i].mesh_number != operation->mesh_number))
		i++;
	return i;
}

bool sweep_whole_has(const struct sweep_whole *whole, const struct operation *operation)
{
	return sweep_whole_part(whole, operation) < whole->count;
}

/* Adds the steps of an iteration to a loop. A round of one run may be as long as several rounds of
 * another run, for example if it replays a trace of four rounds. The numbers of calls per round
 * must then differ by the same factor for all steps. */
static void add_parts(struct sweep_loop *loop, const struct sweep_part *parts, uint32_t count,
	struct arena *arena)
{
	uint64_t ours = 0, theirs = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct sweep_part *part = part_of(&loop->parts, &parts[i]);

		if (part && ours == 0) {
			ours = part->each;
			theirs = parts[i].each;
		}
		loop->odd |= part && part->each * theirs != parts[i].each * ours;
	}
	for (uint32_t i = 0; i < loop->parts.count && theirs > ours; i++)
		loop->parts.at[i].each = (uint32_t)(loop->parts.at[i].each * theirs / ours);
	for (uint32_t i = 0; i < count; i++) {
		struct sweep_part *part = part_of(&loop->parts, &parts[i]);
		uint64_t each = theirs < ours ? parts[i].each * ours / theirs : parts[i].each;

		if (is_of_some_runs(parts[i].kind))
			continue;
		if (!part && loop->parts.count == SWEEP_PARTS_MAX) {
			loop->odd = true;
			continue;
		}
		if (!part) {
			part = &loop->parts.at[loop->parts.count++];
			*part = parts[i];
			part->kind = arena_string(arena, parts[i].kind);
			part->runs = 0;
		}
		part->each = (uint32_t)each;
		part->runs += parts[i].runs;
	}
}

/* Joins two loops of earlier runs, because the current run calls their steps in one loop. */
static void join(
	struct sweep_loops *loops, uint32_t index, struct sweep_loop *into, struct arena *arena)
{
	struct sweep_loop *from = &loops->at[index];

	add_parts(into, from->parts.at, from->parts.count, arena);
	into->odd |= from->odd || from->runs != into->runs;
	into->anchors_differ |= from->anchors_differ;
	into->asked |= from->asked;
	into->several |= from->several;
	into->one |= from->one;
	into->split = true;
	loops->count--;
	memmove(from, from + 1, (loops->count - index) * sizeof(*from));
}

/* Returns the loop that has steps of an iteration. If several loops have such steps, joins them
 * into one loop. If no loop has any, adds a loop, and takes its name from the scenario of the run
 * in row `row`. Returns NULL if there are too many loops. */
static struct sweep_loop *loop_of(struct sweep_loops *loops,
	const struct sweep_iteration *iteration, const char *kind, struct summary *summary,
	uint64_t row, struct arena *arena)
{
	const char *first = iteration->steps[0].name, *name;
	struct sweep_loop *found = NULL;

	for (uint32_t i = 0; i < loops->count; i++) {
		if (!shares_step(&loops->at[i], iteration, kind))
			continue;
		if (found)
			join(loops, i--, found, arena);
		else
			found = &loops->at[i];
	}
	if (found || loops->count == SWEEP_ITERATIONS_MAX)
		return found;
	name = sweep_repeat_of(summary, row, first, arena);
	found = &loops->at[loops->count++];
	*found = (struct sweep_loop){.anchor = sweep_anchor_of(iteration, arena),
		.first = arena_printf(arena, "%s/%s", kind, first),
		.name = name ? name : arena_string(arena, first),
		.asked = name && strcmp(name, SWEEP_ITERATION) == 0};
	found->around.count = sweep_repeat_around(summary, row, first, &found->around.names, arena);
	return found;
}

/* True if several threads call operations. */
static bool has_threads(const struct operations *operations)
{
	for (uint32_t i = 1; i < operations->count; i++)
		if (strcmp(operations->at[i].thread, operations->at[0].thread) != 0)
			return true;
	return false;
}

void sweep_loops_add(struct sweep_loops *loops, const struct operations *operations,
	const struct sweep_iterations *found, const char *kind, struct summary *summary,
	uint64_t row, struct arena *arena)
{
	bool threads = has_threads(operations);

	for (uint32_t i = 0; i < found->count; i++) {
		const struct sweep_iteration *iteration = &found->at[i];
		struct sweep_loop *loop = loop_of(loops, iteration, kind, summary, row, arena);

		if (!loop)
			continue;
		add_parts(loop, iteration->parts, iteration->part_count, arena);
		loop->anchors_differ |=
			loop->iterations == 0 &&
			strcmp(loop->anchor, sweep_anchor_of(iteration, arena)) != 0;
		loop->iterations++;
		loop->split |= loop->iterations > 1;
		loop->asked |= iteration->step_count > 1 || iteration->behind || iteration->holds ||
			       iteration->works_beside;
		loop->lone = iteration->step_count == 1
				     ? arena_printf(arena, "%s/%s", kind, iteration->steps[0].name)
				     : NULL;
	}
	for (uint32_t i = 0; i < loops->count; i++) {
		struct sweep_loop *loop = &loops->at[i];

		loop->runs += loop->iterations > 0;
		loop->several |= loop->iterations > 0 && threads;
		loop->one |= loop->iterations > 0 && !threads;
		loop->iterations = 0;
	}
}

/* Decides how the rounds of a loop are timed. */
static void sweep_loops_decide(struct sweep_loop *loop, const char *kind)
{
	bool same = true, complete = true, shared;

	for (uint32_t i = 0; i < loop->parts.count; i++) {
		const struct sweep_part *part = &loop->parts.at[i];

		same &= part->runs == loop->runs;
		complete &= part->runs == loop->runs || strcmp(part->kind, kind) != 0;
	}
	shared = loop->several && loop->one && (loop->split || !same);
	loop->whole = (shared || loop->anchors_differ) && complete && !loop->odd;
	loop->parted = shared && !loop->whole;
	loop->parts.threads = shared;
	loop->asked |= shared;
}

void sweep_loops_keep(struct sweep_loops *loops, const char *kind, uint32_t runs)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < loops->count; i++) {
		struct sweep_loop *loop = &loops->at[i];

		sweep_loops_decide(loop, kind);
		if (loop->runs == runs && (!loop->anchors_differ || loop->whole))
			loops->at[kept++] = *loop;
	}
	loops->count = kept;
}
