/* Finds the kinds of work in a loop, and joins lists of subjects (sweep_loops.h). */
#include "analysis/compare/sweep_loops.h"

#include <string.h>

/* True if operations of the kind move data in some run. */
static bool moves_data(const struct summary *summary, const char *kind)
{
	bool moves = false;

	for (uint32_t i = 0; i < summary->kind_count; i++)
		for (uint64_t row = 0; row < summary->dataset.row_count && !moves; row++)
			moves = strcmp(summary->kinds[i].name, kind) == 0 &&
				summary->kinds[i].bandwidth && summary_is_ok(summary, row) &&
				dataset_real(&summary->dataset, summary->kinds[i].bandwidth, row) >
					0;
	return moves;
}

struct sweep_kinds sweep_kinds_others(
	const struct sweep_loops *loops, const struct summary *summary, const char *kind)
{
	struct sweep_kinds others = {.count = 0};

	for (uint32_t l = 0; l < loops->count && strcmp(kind, "enqueue_workload") != 0; l++)
		for (uint32_t p = 0; p < loops->at[l].parts.count; p++) {
			const char *other = loops->at[l].parts.at[p].kind;
			uint32_t i = 0;

			while (i < others.count && strcmp(others.at[i], other) != 0)
				i++;
			if (i == others.count && i < SWEEP_PARTS_MAX && strcmp(other, kind) != 0 &&
				moves_data(summary, other))
				others.at[others.count++] = other;
		}
	return others;
}

struct sweep_subject *sweep_subjects_join(const struct sweep_subject *list, uint32_t *count,
	const struct sweep_subject *more, uint32_t more_count, struct arena *arena)
{
	struct sweep_subject *joined = arena_array(arena, *count + more_count + 1, sizeof *joined);
	uint32_t joined_count = 0, old_count = *count;

	for (int steps = 0; steps < 2; steps++) {
		for (uint32_t i = 0; i < more_count; i++) {
			bool is_step = !more[i].iteration && !more[i].run && !more[i].within;
			uint32_t s = 0;

			while (s < old_count && strcmp(list[s].label, more[i].label) != 0)
				s++;
			if (s == old_count && is_step == (steps == 1))
				joined[joined_count++] = more[i];
		}
		for (uint32_t i = 0; i < old_count && steps == 0; i++)
			joined[joined_count++] = list[i];
	}
	*count = joined_count;
	return joined;
}
