/* The steps that stages of one chip have begun, in order of their end. Tens of thousands of
 * computing cores would fill the engine's heap; this queue keeps only the next step of each chip
 * there, and prefetches what that step will touch. Steps end behind all else that happens at
 * their time, equal ones in the order in which they were put in. */
#ifndef CHIP_MACHINE_STEP_QUEUE_H
#define CHIP_MACHINE_STEP_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct task;

/* A step of a stage, of so many cycles, is over. */
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

/* over(task, cycles) at `at_ps` >= engine_now(). */
void sim_step_queue_put(
	struct step_queue *queue, int64_t at_ps, struct task *task, uint64_t cycles);

#endif
