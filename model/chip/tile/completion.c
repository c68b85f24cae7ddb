/* Writes of a stage that are under way: the first ones in its record, the others in a ring, in
 * order of time. Nothing happens when one is done; the stage's counter moves when it looks. */
#include "chip/tile/runner.h"

#include <stdlib.h>
#include <string.h>

static struct completion *more_at(struct runner *runner, uint32_t i)
{
	return &runner->more[(runner->more_first + i) & (runner->more_capacity - 1)];
}

static void append(struct runner *runner, struct completion completion)
{
	if (runner->more_count == runner->more_capacity) {
		uint32_t before = runner->more_capacity, capacity = before ? 2 * before : 4;

		runner->more = realloc(runner->more, capacity * sizeof *runner->more);
		ensure(runner->more != NULL, "no memory for %u completions", capacity);
		/* The ring's part that had wrapped around continues behind its old end. */
		if (before > 0)
			memcpy(runner->more + before, runner->more,
				runner->more_first * sizeof *runner->more);
		runner->more_capacity = capacity;
	}
	*more_at(runner, runner->more_count++) = completion;
}

/* Counts the first writes as done; the next ones move up. */
static void advance(struct runner *runner)
{
	runner->stage->writes_done += runner->first_writes;
	runner->first_writes = 0;
	if (runner->more_count == 0)
		return;
	runner->first_ps = more_at(runner, 0)->at_ps;
	runner->first_writes = more_at(runner, 0)->writes;
	runner->more_first = (runner->more_first + 1) & (runner->more_capacity - 1);
	runner->more_count--;
}

void sim_runner_complete(struct runner *runner)
{
	while (runner->first_writes > 0 && runner->first_ps <= engine_now())
		advance(runner);
}

void sim_runner_writes_add(struct runner *runner, uint32_t count, int64_t at_ps)
{
	struct completion *last;

	if (runner->first_writes > 0 && runner->first_ps <= engine_now())
		sim_runner_complete(runner);
	last = runner->more_count > 0 ? more_at(runner, runner->more_count - 1) : NULL;
	if (runner->first_writes == 0) {
		runner->first_ps = at_ps;
		runner->first_writes = count;
	} else if (last != NULL && at_ps <= last->at_ps) {
		last->writes += count;
	} else if (last == NULL && at_ps <= runner->first_ps) {
		runner->first_writes += count;
	} else {
		append(runner, (struct completion){.at_ps = at_ps, .writes = count});
	}
}

int64_t sim_runner_writes_reach_ps(const struct runner *runner, uint32_t value)
{
	uint32_t done = runner->stage->writes_done + runner->first_writes;

	if (runner->first_writes == 0)
		return INT64_MAX;
	if ((int32_t)(done - value) >= 0)
		return runner->first_ps;
	for (uint32_t i = 0; i < runner->more_count; i++) {
		const struct completion *more =
			&runner->more[(runner->more_first + i) & (runner->more_capacity - 1)];

		done += more->writes;
		if ((int32_t)(done - value) >= 0)
			return more->at_ps;
	}
	return INT64_MAX;
}
