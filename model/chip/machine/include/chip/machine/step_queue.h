/* What the stages of one chip will do next, in order of time. Tens of thousands of cores that
 * compute would fill the engine's heap; here only the next of each chip stands there, and what it
 * will touch is fetched in time. Equal times run in the order in which they were put down. */
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
