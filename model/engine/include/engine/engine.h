/* The event engine: an event heap in integer picoseconds, drained by one SimGrid actor, the event
 * loop. Simulated time runs ahead of SimGrid's clock until an event wakes an actor; then the loop
 * advances SimGrid's clock to that time and the actor runs. Every sleep, timeout and charge of
 * meshsim is on the heap. One engine per process, since SimGrid cannot be initialized twice. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Callback of an event. `subject` and `argument` are those given to engine_push(). */
typedef void engine_run(void *subject, uint64_t argument);

/* Why the simulation ended. */
enum engine_end {
	ENGINE_FINISHED, /* the main actor returned */
	ENGINE_STALLED,	 /* no events are left but the main actor has not returned; or
			    engine_stall() */
	ENGINE_LIMIT,	 /* the bound on events or simulated time was reached */
	ENGINE_STOPPED,	 /* engine_stop() */
};

/* Upper bound on simulated time, 53 days: later times could overflow 64 bits. */
#define ENGINE_TIME_MAX_PS ((INT64_C(1) << 62) - 2)

struct engine_limits {
	uint64_t events; /* 0: unbounded */
	int64_t time_ps; /* 0: ENGINE_TIME_MAX_PS */
};

/* Initializes SimGrid with the configuration that makes time exact, and loads the file
 * `platform_xml`. Call it once per process, before anything else here. Returns IO if the file
 * cannot be read. If it is not a valid platform, SimGrid itself ends the process. */
enum status engine_open(const char *platform_xml);

/* The configuration strings given to SimGrid, one per line, for result files. Static text. */
const char *engine_configuration(void);

/* Current simulated time in ps: that of the running event, or the time at which the running actor
 * was woken. */
int64_t engine_now(void);

/* Schedules run(subject, argument) at `at_ps`, which must be >= engine_now(); an earlier time
 * aborts. Events of one time run in the order in which they were pushed, except for those of
 * engine_push_second() and engine_push_last(). Callable from events and from actors. Allocates only
 * when the heap grows. */
void engine_push(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* As engine_push(), but the event carries no cause: its run() enters its own (cause/cause.h). */
void engine_push_alone(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* As engine_push(), but runs after all events that the two functions above push for that time,
 * including later ones. For callbacks that examine the result of everything at that time. */
void engine_push_second(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* As engine_push_alone(), but runs after all events that the three functions above push for that
 * time, including later ones. Once such an event has run, further events of that time run after
 * the remaining ones of this kind. */
void engine_push_last(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* Events run so far. */
uint64_t engine_events(void);

/* Events pushed so far, those of them still pending, and the most that were ever pending. */
uint64_t engine_pushed(void);
uint64_t engine_pending(void);
uint64_t engine_heap_high_water(void);

/* ---- actors ---- */

struct actor; /* opaque: a SimGrid actor under control of the event loop */

/* Starts an actor on SimGrid host `host_name` (must exist). fn(argument) runs at engine_now(), in
 * the order described at actor_wake(). `name` is copied. The handle is valid until
 * engine_run_main() returns. Callable from events and actors. */
struct actor *actor_start(
	const char *name, const char *host_name, void (*fn)(void *argument), void *argument);

/* The running actor; NULL inside events. */
struct actor *actor_self(void);

/* Per-actor data of the layer above. */
void actor_set_data(struct actor *actor, void *data);
void *actor_data(const struct actor *actor);

/* Blocks the running actor until actor_wake() is called for it. If a wake is already pending,
 * consumes it and returns at once. `what` names the awaited thing in stall reports; it must stay
 * valid while the actor is blocked. Aborts if called from an event. */
void actor_block(const char *what);

/* Wakes an actor, from an event or from another actor. It runs at engine_now(), after actors woken
 * earlier and after the caller has blocked or the event has ended: only one actor or event runs at
 * a time, without preemption. If the actor is not blocked, the wake is kept, at most one. */
void actor_wake(struct actor *actor);

/* Runs main_fn(argument) as the main actor on `host_name`, until it returns, no events are left or
 * a limit is reached. May be called once. On ENGINE_STALLED, the registered reporters (below) have
 * been called before this returns. */
enum engine_end engine_run_main(const char *host_name, void (*main_fn)(void *), void *argument,
	struct engine_limits limits);

/* Ends the simulation after the running event or turn, because its result would be invalid. */
void engine_stop(void);

/* The same, but reports a stall: the caller found that threads would poll for ever. */
void engine_stall(void);

/* ---- SimGrid's own activities (communications, executions) ---- */

/* Announces a SimGrid activity that was or will be started now. While any activity is outstanding,
 * the event loop steps: it never runs events ahead of SimGrid's clock. On return that clock stands
 * at engine_now(). Callable from events and actors. */
void engine_activity_begin(void);

/* Ends one activity. Aborts if none is outstanding. */
void engine_activity_end(void);

struct endpoint; /* opaque: a SimGrid host */

/* The host of that name, which must exist. Call after engine_open(); valid as long as SimGrid. */
struct endpoint *engine_endpoint(const char *host_name);

struct transfer {
	struct endpoint *from, *to; /* must differ */
	uint64_t bytes;
};

/* Starts a SimGrid communication at engine_now(). When it has ended, run(subject, argument) runs as
 * an event. Callable from events and actors. Allocates only when more communications are in flight
 * than ever before. */
void engine_transfer(
	const struct transfer *transfer, engine_run *run, void *subject, uint64_t argument);

/* Registers a stall reporter, at most 100. On a stall the engine first reports blocked actors
 * itself, then calls each reporter once, in order of registration, with the stream to write its
 * lines to. */
void engine_on_stall(void (*report)(void *context, FILE *out), void *context);

/* Stream for stall reports; standard error by default. */
void engine_set_stall_stream(FILE *out);

/* Frees the engine's memory; SimGrid stays loaded. Call after engine_run_main(). */
void engine_close(void);

#endif
