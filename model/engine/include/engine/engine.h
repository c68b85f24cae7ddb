/* The event engine: a heap of events with times in integer picoseconds. The event loop, a SimGrid
 * actor, removes the events in order and runs them. Simulated time may be ahead of SimGrid's clock
 * until an event wakes an actor. Then the event loop advances SimGrid's clock to simulated time,
 * and the actor runs. All sleeps, timeouts and charges of meshsim are events on this heap. There is
 * one engine per process, because SimGrid cannot be initialized twice. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Callback of an event. `subject` and `argument` are the ones that were given to engine_push(). */
typedef void engine_run(void *subject, uint64_t argument);

/* Why the simulation ended. */
enum engine_end {
	ENGINE_FINISHED, /* the main actor returned */
	ENGINE_STALLED,	 /* no event is left although the main actor has not returned; or
			  * engine_stall() was called */
	ENGINE_LIMIT,	 /* the bound on events or simulated time was reached */
	ENGINE_STOPPED,	 /* engine_stop() was called */
};

/* Upper bound on simulated time, 53 days. Later times could overflow 64 bits. */
#define ENGINE_TIME_MAX_PS ((INT64_C(1) << 62) - 2)

struct engine_limits {
	uint64_t events; /* largest number of events; 0: any number */
	int64_t time_ps; /* largest simulated time; 0: ENGINE_TIME_MAX_PS */
};

/* Initializes SimGrid, with a configuration in which times are exact, and loads the platform from
 * the file `platform_xml`. This function must be called once per process, before all other
 * functions of this header. Returns OK, or IO if the file cannot be read. If the file is not a
 * valid platform, SimGrid itself ends the process. */
enum status engine_open(const char *platform_xml);

/* The configuration strings that SimGrid gets, one per line, for result files. Static text. */
const char *engine_configuration(void);

/* Returns the current simulated time in ps. In an event this is the time of the event; in an actor,
 * the time at which the actor was woken. */
int64_t engine_now(void);

/* Schedules run(subject, argument) at `at_ps`; aborts if `at_ps` is before engine_now(). Events
 * with the same time run in the order in which they were pushed. This order does not hold for
 * events that engine_push_second() or engine_push_last() have pushed. Events and actors may call
 * this function. It allocates memory only when the heap grows. */
void engine_push(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* Like engine_push(), but the event gets no cause. Its function run() must therefore itself set the
 * current cause (cause_enter() in cause/cause.h). */
void engine_push_alone(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* Like engine_push(), but the event runs after all events of the same time that were pushed with
 * engine_push() or engine_push_alone(), even if they are pushed later. It is meant for callbacks
 * that examine the result of everything else that happens at this time. */
void engine_push_second(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* Like engine_push_alone(), but the event runs after all events of the same time that were pushed
 * with engine_push(), engine_push_alone() or engine_push_second(), even if they are pushed later.
 * There is one exception: after the first engine_push_last() event of a time has run, events that
 * are pushed for this time run after its other engine_push_last() events. */
void engine_push_last(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* Number of events that have run so far. */
uint64_t engine_events(void);

/* Counts an event as pushed and run, although there is none. Call this for a change that happens
 * now without an event. Then the counts of events do not depend on which changes have events. */
void engine_count_event(void);

/* engine_pushed() returns how many events have been pushed so far. engine_pending() returns how
 * many events are pending now, and engine_heap_high_water() the largest number of events that were
 * pending at the same time. */
uint64_t engine_pushed(void);
uint64_t engine_pending(void);
uint64_t engine_heap_high_water(void);

/* ---- actors ---- */

struct actor; /* opaque: a SimGrid actor under control of the event loop */

/* Starts an actor on the SimGrid host `host_name`, which must exist. The actor runs fn(argument) at
 * engine_now(), after the actors that were woken before it. Copies `name`. The returned handle is
 * valid until engine_run_main() returns. Events and actors may call this function. */
struct actor *actor_start(
	const char *name, const char *host_name, void (*fn)(void *argument), void *argument);

/* The running actor; NULL inside events. */
struct actor *actor_self(void);

/* Data that the caller stores with an actor. */
void actor_set_data(struct actor *actor, void *data);
void *actor_data(const struct actor *actor);

/* Blocks the running actor until actor_wake() is called for it. If a wake is already pending,
 * consumes this wake and returns at once. `what` says what the actor waits for; stall reports print
 * it, so the text must stay valid while the actor is blocked. Aborts if it is called inside an
 * event. */
void actor_block(const char *what);

/* Wakes a blocked actor. Events and actors may call this function. The caller is not preempted: it
 * runs until it blocks or ends. Then the woken actor runs, still at engine_now(), after the actors
 * that were woken before it. If the actor is not blocked, the wake stays pending until the actor's
 * next actor_block(). At most one wake is pending. */
void actor_wake(struct actor *actor);

/* Runs main_fn(argument) as the main actor on the SimGrid host `host_name`. Returns when the main
 * actor returns, when no events are left, when a limit is reached, or when the engine is stopped.
 * It may be called only once. Before it returns ENGINE_STALLED, it writes the stall report
 * (engine_on_stall()). */
enum engine_end engine_run_main(const char *host_name, void (*main_fn)(void *), void *argument,
	struct engine_limits limits);

/* Ends the simulation as soon as the running event, or the running actor's turn, has ended. It is
 * called if an error makes the result of the simulation invalid. */
void engine_stop(void);

/* Like engine_stop(), but reports a stall. Call it if threads would poll for ever. */
void engine_stall(void);

/* ---- SimGrid's own activities (communications, executions) ---- */

/* Says that no activity of SimGrid will begin in this process. SimGrid's clock then stays at 0,
 * because nothing needs it; an actor gets its turn at a third of the cost. Call it before
 * engine_run_main(). Without this call, SimGrid's clock is at engine_now() while an actor runs. */
void engine_without_activities(void);

/* Announces an activity of SimGrid that has started or is about to start. Until
 * engine_activity_end() is called, simulated time is not ahead of SimGrid's clock. When this
 * function returns, SimGrid's clock is at engine_now(). Events and actors may call this function.
 * Aborts after engine_without_activities(). */
void engine_activity_begin(void);

/* Ends one activity. Aborts if none is outstanding. */
void engine_activity_end(void);

struct endpoint; /* opaque: a SimGrid host */

/* Returns the SimGrid host with that name, which must exist. Call it after engine_open(). The
 * result is valid until the process ends. */
struct endpoint *engine_endpoint(const char *host_name);

struct transfer {
	struct endpoint *from, *to; /* two different endpoints */
	uint64_t bytes;
};

/* Starts a SimGrid communication at engine_now(). When the communication has ended, run(subject,
 * argument) runs as an event. Events and actors may call this function. It allocates memory only
 * when more communications are in flight than ever before. */
void engine_transfer(
	const struct transfer *transfer, engine_run *run, void *subject, uint64_t argument);

/* Registers a stall reporter; at most 100 are possible. On a stall, the engine first lists blocked
 * actors itself, then calls each reporter once, in order of registration. A reporter writes its
 * lines to `out`. */
void engine_on_stall(void (*report)(void *context, FILE *out), void *context);

/* Stream for stall reports; standard error by default. */
void engine_set_stall_stream(FILE *out);

/* Frees the engine's memory; SimGrid stays loaded. Call after engine_run_main(). */
void engine_close(void);

#endif
