/* What the stages of one chip will do next, in order of time. Tens of thousands of cores that
 * compute would fill the engine's heap; here only the next of each chip stands there, and what it
 * will touch is fetched in time. Equal times run in the order in which they were put down. */
#ifndef CHIP_AGENDA_H
#define CHIP_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

struct runner;

/* A step of a stage, of so many cycles, is over. */
typedef void sim_step_over(struct runner *runner, uint64_t cycles);

struct agenda_entry {
	int64_t at_ps;
	struct runner *runner;
	uint64_t cycles;
};

struct agenda {
	struct agenda_entry *entries; /* sorted: [first, end) */
	uint32_t first, end, capacity;
	int64_t *armed_ps; /* times of own events on the engine's heap, the next one last */
	uint32_t armed_count, armed_capacity;
	bool running;
	sim_step_over *over;
};

/* `over` runs at the end of each step. */
void sim_agenda_init(struct agenda *agenda, sim_step_over *over);
void sim_agenda_fini(struct agenda *agenda);

/* over(runner, cycles) at `at_ps` >= engine_now(). */
void sim_agenda_put(struct agenda *agenda, int64_t at_ps, struct runner *runner, uint64_t cycles);

#endif
