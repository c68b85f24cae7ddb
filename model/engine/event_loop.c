/* The event loop, a SimGrid actor that runs the events of the heap and gives actors their turns.
 * While no activity of SimGrid is running, SimGrid's clock can be behind engine_now(): the loop
 * runs events without it, and advances it to engine_now() only before an actor runs. It is not
 * advanced at all if there will be no activities. */
#include "engine_private.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <simgrid/engine.h>
#include <simgrid/host.h>

#include "base/ensure.h"

/* SimGrid's configuration. Without these settings, SimGrid's network model would multiply latencies
 * by a factor, and its precision would be coarser than a nanosecond. */
#define CONFIGURATION(X)                                                                           \
	X("network/model:CM02")                                                                    \
	X("network/crosstraffic:0")                                                                \
	X("network/TCP-gamma:0")                                                                   \
	X("surf/precision:1e-12")                                                                  \
	X("contexts/nthreads:1")

/* Limit on how often the event loop yields to an actor that has the turn. An actor normally gives
 * the turn back after far fewer yields. An actor that reaches the limit is blocked inside SimGrid,
 * which is a bug. */
enum { YIELD_LIMIT = 1 << 16 };

enum status engine_open(const char *platform_xml)
{
#define X(setting) "--cfg=" setting,
	char *arguments[] = {"meshsim", CONFIGURATION(X) "--log=root.thresh:warning", NULL};
#undef X
	int count = sizeof(arguments) / sizeof(arguments[0]) - 1;
	void (*interrupt)(int);

	ensure(!engine.opened, "SimGrid can be initialized once per process");
	if (access(platform_xml, R_OK) != 0)
		return STATUS_IO;
	/* SimGrid's handler would print its stack and abort(); keep the previous one. */
	interrupt = signal(SIGINT, SIG_DFL);
	simgrid_init(&count, arguments);
	signal(SIGINT, interrupt);
	simgrid_load_platform(platform_xml);
	engine.opened = true;
	heap_init(&engine.heap);
	return STATUS_OK;
}

const char *engine_configuration(void)
{
#define X(setting) setting "\n"
	return CONFIGURATION(X);
#undef X
}

/* ---- draining ---- */

static bool limit_reached(int64_t next_ps)
{
	return engine.events >= engine.event_limit || next_ps > engine.time_limit_ps;
}

/* Runs events without advancing SimGrid's clock. Returns true when an actor is ready, when the heap
 * is empty, when an activity of SimGrid has begun, or when the engine is stopped. Returns false if
 * a limit is reached. */
static bool leap(void)
{
	while (engine.heap.count && !engine.first_ready && !engine.activities && !engine.stopped) {
		const struct heap_node *node = heap_pop(&engine.heap);
		int64_t at_ps = heap_key_ps(node->event.key);
		if (limit_reached(at_ps))
			return false;
		engine.events++;
		engine.now_ps = at_ps;
		engine_run_event(node);
	}
	return true;
}

/* Runs the next event if SimGrid's clock has reached its time. If it has not, sleeps until the
 * clock reaches that time or the loop is woken. Returns true, or false if a limit is reached. */
static bool event_loop_step(void)
{
	int64_t next_ps = heap_first_ps(&engine.heap);
	int64_t ahead_ps = next_ps - simgrid_now_ps();
	if (next_ps != INT64_MAX && ahead_ps <= simgrid_tolerance_ps(next_ps) / 2) {
		const struct heap_node *node = heap_pop(&engine.heap);
		if (limit_reached(next_ps))
			return false;
		engine.events++;
		engine.now_ps = next_ps;
		engine_run_event(node);
		return true;
	}
	engine.loop_waits = true;
	if (next_ps == INT64_MAX)
		sg_sem_acquire(engine.loop_wake);
	else
		sg_sem_acquire_timeout(
			engine.loop_wake, (double)next_ps * 1e-12 - simgrid_get_clock());
	engine.loop_waits = false;
	return true;
}

/* Gives one actor its turn, until it blocks or ends. */
static void give_turn(void)
{
	struct actor *actor = engine.first_ready;
	engine.first_ready = actor->next_ready;
	if (!engine.first_ready)
		engine.last_ready = NULL;
	if (!engine.no_activities)
		simgrid_bring_clock();
	actor->state = ACTOR_RUNNING;
	engine.running = actor;
	cause_release(cause_enter(actor->cause));
	actor->cause = CAUSE_NONE;
	sg_sem_release(actor->turn);
	for (uint32_t rounds = 0; engine.running; rounds++) {
		ensure(rounds < YIELD_LIMIT, "actor '%s' blocks outside the engine", actor->name);
		sg_actor_yield();
	}
	cause_release(cause_enter(CAUSE_NONE));
}

/* SimGrid calls this function when the actor of the event loop ends. If all actors wait for ever (a
 * deadlock), SimGrid kills them, beginning with this one. `failed` is then set. */
static void on_loop_exit(int failed, void *data)
{
	(void)data;
	if (!failed || engine.loop_ended)
		return;
	engine.end = ENGINE_STALLED;
	stall_report();
}

static void event_loop(int count, char **arguments)
{
	(void)count;
	(void)arguments;
	bool going = true;
	sg_actor_on_exit(on_loop_exit, NULL);
	engine.end = ENGINE_LIMIT;
	while (going && !engine.finished && !engine.stopped) {
		if (engine.first_ready) {
			give_turn();
		} else if (engine.activities) {
			going = event_loop_step();
		} else if (engine.heap.count) {
			going = leap();
		} else {
			engine.end = ENGINE_STALLED;
			going = false;
		}
	}
	if (engine.finished)
		engine.end = ENGINE_FINISHED;
	else if (engine.stopped)
		engine.end = engine.stalled ? ENGINE_STALLED : ENGINE_STOPPED;
	if (engine.end == ENGINE_STALLED)
		stall_report();
	engine.loop_ended = true;
	/* SimGrid 3.32 crashes on daemons that have ended, so none of our actors is a daemon. */
	sg_actor_kill_all();
}

enum engine_end engine_run_main(
	const char *host_name, void (*main_fn)(void *), void *argument, struct engine_limits limits)
{
	ensure(engine.opened && !engine.ran, "the engine runs once, after engine_open()");
	sg_host_t host = sg_host_by_name(host_name);
	ensure(host, "no SimGrid host '%s'", host_name);
	engine.ran = true;
	engine.event_limit = limits.events ? limits.events : UINT64_MAX;
	engine.time_limit_ps = limits.time_ps && limits.time_ps < ENGINE_TIME_MAX_PS
				       ? limits.time_ps
				       : ENGINE_TIME_MAX_PS;
	engine.loop_wake = sg_sem_init(0);
	sg_actor_t actor = sg_actor_init("event loop", host);
	sg_actor_start(actor, event_loop, 0, NULL);
	actor_create("main", host_name, main_fn, argument, true);
	simgrid_run();
	sg_sem_destroy(engine.loop_wake);
	carriers_free();
	actors_free();
	return engine.end;
}

void engine_close(void)
{
	heap_fini(&engine.heap);
}
