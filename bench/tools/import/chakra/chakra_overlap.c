/* Finds which steps of a planned trace can run at the same time (chakra_plan.h). Devices compute
 * for one command queue and communicate for another one. A phase waits for phases of its own queue,
 * and for those of the other queue that it depends on. */
#include "chakra_plan.h"

/* For each queue, the number of a phase; 0: none. */
struct reached {
	uint32_t at[CHAKRA_QUEUES];
};

struct overlap {
	const struct chakra_trace *trace;
	struct arena *arena;
	struct chakra_plan *plan;
	struct chakra_phase **phases; /* [number] */
	uint32_t **phase_of;	      /* [rank][node] number of its phase; 0: left out */
	struct reached *needs;	      /* [number] the last phases that must end before this one */
};

uint32_t chakra_queue_of(const struct chakra_phase *phase)
{
	switch (phase->kind) {
	case PHASE_COMPUTE:
		return CHAKRA_QUEUE_COMPUTE;
	case PHASE_MESSAGES:
	case PHASE_COLLECTIVE:
		return CHAKRA_QUEUE_COMMUNICATE;
	default:
		return CHAKRA_QUEUES;
	}
}

static void later(struct reached *reached, const struct reached *other)
{
	for (uint32_t i = 0; i < CHAKRA_QUEUES; i++)
		if (other->at[i] > reached->at[i])
			reached->at[i] = other->at[i];
}

/* Numbers the phases, and finds the phase of each node. */
static void find_phases(struct overlap *overlap)
{
	uint32_t number = 0;

	for (struct chakra_phase *phase = overlap->plan->first; phase; phase = phase->next) {
		phase->number = ++number;
		overlap->phases[number] = phase;
		for (uint32_t i = 0; i < overlap->trace->count; i++)
			for (uint32_t k = 0; k < phase->parts[i].count; k++)
				overlap->phase_of[i][phase->parts[i].nodes[k]] = number;
	}
}

/* Finds what the nodes of a rank depend on. A node that is left out passes on what it needs. Where
 * the host computes or waits, nothing is passed on, because later steps are enqueued after it. */
static void overlap_needs(struct overlap *overlap, uint32_t rank, const uint32_t *order)
{
	const struct chakra_rank *of = &overlap->trace->ranks[rank];
	struct reached *done = arena_array(overlap->arena, of->count, sizeof *done);

	for (uint32_t i = 0; i < of->count; i++) {
		uint32_t node = order[i], number = overlap->phase_of[rank][node], queue;

		for (uint32_t k = 0; k < of->nodes[node].need_count; k++)
			later(&done[node], &done[of->nodes[node].needs[k]]);
		if (number == 0)
			continue;
		later(&overlap->needs[number], &done[node]);
		queue = chakra_queue_of(overlap->phases[number]);
		done[node] = (struct reached){{0}};
		if (queue < CHAKRA_QUEUES)
			done[node].at[queue] = number;
	}
}

/* Decides which phases wait. Returns true if some phase need not wait for the phase of the other
 * queue that is before it. */
static bool find_waits(struct overlap *overlap)
{
	struct reached last = {{0}}, known[CHAKRA_QUEUES] = {{{0}}};
	bool free = false;

	for (uint32_t i = 1; i <= overlap->plan->phases; i++) {
		struct chakra_phase *phase = overlap->phases[i];
		uint32_t queue = chakra_queue_of(phase), other = 1 - queue, needed;

		if (queue == CHAKRA_QUEUES) {
			if (phase->kind == PHASE_FINISH || phase->waits)
				known[0] = known[1] = last;
			continue;
		}
		needed = overlap->needs[i].at[other];
		if (needed > known[queue].at[other]) {
			phase->after = overlap->phases[needed];
			overlap->phases[needed]->awaited = true;
			known[queue].at[other] = needed;
		}
		free |= last.at[other] > known[queue].at[other];
		last.at[queue] = i;
	}
	return free;
}

void chakra_plan_overlap(const struct chakra_trace *trace, uint32_t *const *order,
	struct arena *arena, struct chakra_plan *plan)
{
	struct overlap overlap = {.trace = trace,
		.arena = arena,
		.plan = plan,
		.phases = arena_array(arena, plan->phases + 1u, sizeof *overlap.phases),
		.phase_of = arena_array(arena, trace->count, sizeof *overlap.phase_of),
		.needs = arena_array(arena, plan->phases + 1u, sizeof *overlap.needs)};

	for (uint32_t i = 0; i < trace->count; i++)
		overlap.phase_of[i] = arena_array(arena, trace->ranks[i].count, sizeof(uint32_t));
	find_phases(&overlap);
	for (uint32_t i = 0; i < trace->count; i++)
		overlap_needs(&overlap, i, order[i]);
	plan->overlaps = find_waits(&overlap);
}
