/* The event engine: a heap in integer picoseconds, drained by one SimGrid actor (the event loop)
 * that leaps: simulated time runs ahead of SimGrid's clock until an event wakes an actor; then
 * SimGrid's clock is brought there and the actor runs. Every sleep, timeout and charge of ours is
 * on the heap. One engine per process (SimGrid cannot be initialized twice). */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* What an event does: `subject` and `argument` are those of engine_push. */
typedef void engine_run(void *subject, uint64_t argument);

/* Why the simulation ended. */
enum engine_end {
	ENGINE_FINISHED, /* the main actor returned */
	ENGINE_STALLED,	 /* nothing can happen any more and the main actor has not returned; or
			    engine_stall() */
	ENGINE_LIMIT,	 /* the bound on events or simulated time was reached */
	ENGINE_STOPPED,	 /* engine_stop() */
};

/* A run ends here at the latest: from then on times could leave 64 bits. 53 days. */
#define ENGINE_TIME_MAX_PS ((INT64_C(1) << 62) - 2)

struct engine_limits {
	uint64_t events; /* 0: unbounded */
	int64_t time_ps; /* 0: ENGINE_TIME_MAX_PS */
};

/* Initializes SimGrid with the configuration that makes time exact, and loads `platform_xml` (a
 * file). Once per process, before anything else here. IO if the file cannot be read; SimGrid itself
 * ends the process on one that is no platform. */
enum status engine_open(const char *platform_xml);

/* The configuration strings given to SimGrid, one per line, for result files. Static text. */
const char *engine_configuration(void);

/* Time of the event being run, or at which the running actor was woken, ps. */
int64_t engine_now(void);

/* Runs run(subject, argument) at `at_ps` >= engine_now() (else: a bug). Equal times run in the
 * order in which they were pushed, but for engine_push_second() and engine_push_last(). Callable
 * from events and from actors. Allocates only when the heap grows. */
void engine_push(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* The same for an event whose run() enters causes of its own (cause/cause.h): it has none. */
void engine_push_alone(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* As engine_push(), but behind all that the two above have for that time, even if it is pushed
 * later: for whoever looks at what that moment brings. */
void engine_push_second(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* As engine_push_alone(), but behind all that the three above have for that time, even if it is
 * pushed later. What is pushed for that time from then on comes behind these. */
void engine_push_last(int64_t at_ps, engine_run *run, void *subject, uint64_t argument);

/* Events run so far; deepest heap so far (engine_heap_high_water). */
uint64_t engine_events(void);

/* Events ever pushed; those that have not run yet. */
uint64_t engine_pushed(void);
uint64_t engine_pending(void);
uint64_t engine_heap_high_water(void);

/* ---- actors ---- */

struct actor; /* opaque: one SimGrid actor of ours */

/* Starts an actor on SimGrid host `host_name` (must exist). fn runs at engine_now(), in turn as
 * with actor_wake. `name` is copied. The handle lives until engine_run_main returns. From events
 * and actors. */
struct actor *actor_start(
	const char *name, const char *host_name, void (*fn)(void *argument), void *argument);

/* The running actor; NULL inside events. */
struct actor *actor_self(void);

/* Anything that the layer above keeps per actor. */
void actor_set_data(struct actor *actor, void *data);
void *actor_data(const struct actor *actor);

/* Blocks the running actor until actor_wake(it). A wake that came before counts: then it returns at
 * once. `what` is for stall reports; static or alive while blocked. */
void actor_block(const char *what);

/* Wakes an actor (from an event or from another actor); it runs at engine_now(), after those woken
 * before it and after the caller has blocked or the event has ended: only one actor or event runs
 * at a time, and none is interrupted. Wakes of an actor that is not blocked are kept, at most one.
 */
void actor_wake(struct actor *actor);

/* Starts main_fn as the main actor on `host_name`, runs until it returns or nothing moves. On
 * ENGINE_STALLED the registered reporters have been asked (below) before this returns. */
enum engine_end engine_run_main(const char *host_name, void (*main_fn)(void *), void *argument,
	struct engine_limits limits);

/* Ends the simulation after the running event or turn: what it shows is not what was asked for. */
void engine_stop(void);

/* The same, for who sees that events are all that will ever happen: a stall. */
void engine_stall(void);

/* ---- SimGrid's own activities (communications, executions) ---- */

/* An activity of SimGrid has been, or is about to be, started: until as many calls of
 * engine_activity_end() the event loop steps, that is, the heap never runs past SimGrid's clock. On
 * return that clock stands at engine_now(). From events and actors. */
void engine_activity_begin(void);

/* An activity has ended. A bug if none was begun. */
void engine_activity_end(void);

struct endpoint; /* opaque: a SimGrid host */

/* The host of that name, which must exist. After engine_open(); valid as long as SimGrid. */
struct endpoint *engine_endpoint(const char *host_name);

struct transfer {
	struct endpoint *from, *to; /* not the same: what stays at one place is no communication */
	uint64_t bytes;
};

/* Starts a communication of SimGrid at engine_now(); when it has ended, run(subject, argument) runs
 * as an event. From events and actors. Allocates only when more are under way than ever before. */
void engine_transfer(
	const struct transfer *transfer, engine_run *run, void *subject, uint64_t argument);

/* Registers a reporter of who waits for what (100 at most); each is called once on a stall with the
 * stream to write lines to, in order of registration. Blocked actors are reported by the engine
 * itself, before. */
void engine_on_stall(void (*report)(void *context, FILE *out), void *context);

/* Stream for stall reports; standard error by default. */
void engine_set_stall_stream(FILE *out);

/* Frees what the engine holds; SimGrid itself stays. After engine_run_main(). */
void engine_close(void);

#endif
