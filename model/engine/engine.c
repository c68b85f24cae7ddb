/* The state of the event engine, and its two clocks: simulated time in integer picoseconds, and
 * SimGrid's own clock, a double. SimGrid's clock may be behind simulated time. It is advanced only
 * when an actor or an activity of SimGrid needs it. */
#include "engine_private.h"

#include <math.h>
#include <stdlib.h>

#include <simgrid/engine.h>

#include "base/ensure.h"

struct engine engine;

/* Order of events that have the same time. */
enum rank { RANK_FIRST, RANK_SECOND, RANK_LAST };

int64_t engine_now(void)
{
	return engine.now_ps;
}

static inline void push(int64_t at_ps, enum rank rank, engine_run *run, void *subject,
	uint64_t argument, cause_id cause)
{
	ensure(at_ps >= engine.now_ps, "an event at %lld ps, now %lld ps", (long long)at_ps,
		(long long)engine.now_ps);
	engine.pushed++;
	heap_push(&engine.heap, heap_key(at_ps, rank), run, subject, argument, cause);
}

void engine_push(int64_t at_ps, engine_run *run, void *subject, uint64_t argument)
{
	push(at_ps, RANK_FIRST, run, subject, argument, cause_take(at_ps));
}

void engine_push_alone(int64_t at_ps, engine_run *run, void *subject, uint64_t argument)
{
	cause_clear();
	push(at_ps, RANK_FIRST, run, subject, argument, CAUSE_NONE);
}

void engine_push_second(int64_t at_ps, engine_run *run, void *subject, uint64_t argument)
{
	push(at_ps, RANK_SECOND, run, subject, argument, cause_take(at_ps));
}

void engine_push_last(int64_t at_ps, engine_run *run, void *subject, uint64_t argument)
{
	cause_clear();
	push(at_ps, RANK_LAST, run, subject, argument, CAUSE_NONE);
}

void engine_run_event(const struct heap_node *node)
{
	/* cause_release() below uses the link of this cause, which is seldom in the cache. So the
	 * link is prefetched while the event runs. */
	__builtin_prefetch(&causes.links[node->cause], 1);
	causes.current = node->cause;
	node->event.run(node->event.subject, node->event.argument);
	cause_release(cause_enter(CAUSE_NONE));
}

uint64_t engine_events(void)
{
	return engine.events;
}

void engine_count_event(void)
{
	engine.pushed++;
	engine.events++;
}

uint64_t engine_pushed(void)
{
	return engine.pushed;
}

uint64_t engine_pending(void)
{
	return engine.heap.count;
}

uint64_t engine_heap_high_water(void)
{
	return engine.heap.high_water;
}

/* ---- SimGrid's clock ---- */

int64_t simgrid_now_ps(void)
{
	return llrint(simgrid_get_clock() * 1e12);
}

int64_t simgrid_tolerance_ps(int64_t at_ps)
{
	/* SimGrid's clock is a double with a mantissa of 53 bits, so its rounding error grows with
	 * the time. The tolerance is 2 ps, and 1 ps more for each 2^51 ps of time. */
	return 2 + (at_ps >> 51);
}

void simgrid_bring_clock(void)
{
	int64_t tolerance_ps = simgrid_tolerance_ps(engine.now_ps);
	if (engine.now_ps - simgrid_now_ps() > tolerance_ps / 2)
		sg_actor_sleep_until((double)engine.now_ps * 1e-12);
	int64_t off_ps = engine.now_ps - simgrid_now_ps();
	ensure(llabs(off_ps) <= tolerance_ps, "SimGrid's clock is %lld ps behind %lld ps",
		(long long)off_ps, (long long)engine.now_ps);
}

void engine_without_activities(void)
{
	ensure(!engine.ran, "the engine runs already");
	engine.no_activities = true;
}

void engine_activity_begin(void)
{
	ensure(!engine.no_activities, "an activity of SimGrid where none was expected");
	if (!engine.running)
		simgrid_bring_clock();
	engine.activities++;
}

void engine_activity_end(void)
{
	ensure(engine.activities > 0, "no activity was begun");
	engine.activities--;
}

void engine_stop(void)
{
	engine.stopped = true;
}

void engine_stall(void)
{
	engine.stopped = engine.stalled = true;
}
