/* The scheduler of stages: begin, an event `cost` later, commit, begin again. A blocked stage costs
 * nothing until what it waits for comes. */
#ifndef CHIP_RUNNER_H
#define CHIP_RUNNER_H

#include "chip/machine/cluster.h"

/* Attaches a stage; it is asked at engine_now(), by an event. */
void sim_runner_start(struct device *device, struct stage *stage);

/* The step whose begin() has answered `cycles` is over. */
void sim_runner_commit(struct runner *runner, uint64_t cycles);

/* The stage is blocked: it may be claimed for a step that its ops know nothing of; since `at_ps`.
 */
bool sim_runner_is_blocked(const struct runner *runner);
void sim_runner_claim(struct runner *runner, int64_t at_ps);

/* That step, of so many cycles, is over: asks the stage. False if it does not block. */
bool sim_runner_release(struct runner *runner, uint64_t cycles);

/* Record of a started stage. */
static inline struct runner *sim_runner_of(const struct stage *stage)
{
	struct runner *runner = sim_own_tile(stage)->runners;

	while (runner != NULL && runner->stage != stage)
		runner = runner->next;
	ensure(runner != NULL, "stage %s was not started", stage->ops->name);
	return runner;
}

/* The words in [address, address + length) of the tile have changed. `arrival`: by something that
 * came from outside, so that stages are asked at once; else one is in commit(), and others are
 * asked by an event. */
void sim_runners_touched(struct tile *tile, uint32_t address, uint32_t length, bool arrival);

/* The arrival waits for its turn at the atomic unit of the tile. */
void sim_runners_expect(struct tile *tile, const struct arrival *arrival);

/* Increments are known to come to the tile, later than now. */
void sim_runners_foresee(struct tile *tile);

/* Slots of the chip's routers have come back. */
void sim_runners_fabric(struct device *device);

/* `count` > 0 writes that the stage has posted (the caller counts that) will be done at `at_ps`, or
 * with those known before if these are done later. */
void sim_runner_writes_done_at(struct runner *runner, uint32_t count, int64_t at_ps);

/* The same, of which nothing but the count is told: completion.c. */
void sim_runner_writes_add(struct runner *runner, uint32_t count, int64_t at_ps);

/* Counts the writes of the stage that are done by now. */
void sim_runner_complete(struct runner *runner);

/* When so many writes will be done, as far as is known; INT64_MAX: not known. */
int64_t sim_runner_writes_reach_ps(const struct runner *runner, uint32_t value);

/* Wakes the blocked stage when what is known to come lets it go on: turns of the atomic unit,
 * writes that will be done. */
void sim_runner_foresee(struct runner *runner);

/* A read of the stage is done now. */
void sim_runner_read_done(struct runner *runner);

/* Times up to now. */
void sim_runner_times(const struct runner *runner, int64_t *busy_ps, int64_t *blocked_ps);

#endif
