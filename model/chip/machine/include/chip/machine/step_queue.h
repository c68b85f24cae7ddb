/* The steps that stages of one chip have begun, ordered by their end. Tens of thousands of
 * computing cores would fill the engine's heap; with this queue only the next step of each chip is
 * there, and the data of that step are prefetched. At one time, steps end after all other events,
 * in order of insertion. */
#ifndef CHIP_MACHINE_STEP_QUEUE_H
#define CHIP_MACHINE_STEP_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct task;

/* Called when a step of `cycles` cycles of a stage is over. */
typedef void sim_step_over(struct task *task, uint64_t cycles);

struct step {
	int64_t at_ps;
	struct task *task;
	uint64_t cycles;
};

struct step_queue {
	struct step *entries; /* sorted: [first, end) */
	uint32_t first, end, capacity;
	int64_t *armed_ps; /* times of own events on the engine's heap, the next one last */
	uint32_t armed_count, armed_capacity;
	bool running;
	sim_step_over *over;
};

/* `over` runs at the end of each step. */
void sim_step_queue_init(struct step_queue *queue, sim_step_over *over);
void sim_step_queue_fini(struct step_queue *queue);

/* Schedules over(task, cycles) at `at_ps` >= engine_now(). */
void sim_step_queue_put(
	struct step_queue *queue, int64_t at_ps, struct task *task, uint64_t cycles);

#endif
