/* State of the engine, for the files of this room. There is one engine per process, as there is
 * one SimGrid. */
#ifndef ENGINE_PRIVATE_H
#define ENGINE_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <simgrid/actor.h>
#include <simgrid/semaphore.h>

#include "cause/cause.h"
#include "engine/engine.h"
#include "heap.h"

enum actor_state {
	ACTOR_READY,   /* in the ready list, waiting for its turn */
	ACTOR_RUNNING, /* has the turn */
	ACTOR_BLOCKED, /* in actor_block() */
	ACTOR_ENDED,
};

struct actor {
	struct actor *next_ready;
	struct actor *next; /* in order of start */
	char *name;
	void (*run)(void *argument);
	void *argument;
	void *data;
	sg_sem_t turn; /* given by the event loop */
	enum actor_state state;
	bool wake_kept;
	cause_id cause;	  /* of the wake, while READY or while a wake is kept */
	const char *what; /* BLOCKED: what the actor waits for */
	int64_t since_ps;
};

enum { ENGINE_REPORTERS = 100 };

struct stall_reporter {
	void (*report)(void *context, FILE *out);
	void *context;
};

struct engine {
	int64_t now_ps;
	uint64_t events, event_limit, pushed;
	int64_t time_limit_ps;
	struct actor *running; /* the actor that has the turn; NULL: the event loop */
	struct actor *first_ready, *last_ready;
	uint32_t activities; /* of SimGrid, outstanding */
	bool loop_waits;     /* the event loop waits on loop_wake */
	bool finished;	     /* the main actor has returned */
	bool stopped;	     /* engine_stop(), engine_stall() */
	bool stalled;	     /* engine_stall() */
	bool loop_ended;
	bool reported;
	enum engine_end end;
	sg_sem_t loop_wake;
	struct heap heap;
	struct actor *first_actor, *last_actor;
	struct carrier *carriers, *idle_carriers; /* transfer.c */
	struct stall_reporter reporters[ENGINE_REPORTERS];
	uint32_t reporter_count;
	FILE *stall_stream;
	bool opened, ran;
};

extern struct engine engine;

/* Creates an actor. If `main_actor`, the engine finishes when it returns. */
struct actor *actor_create(const char *name, const char *host_name, void (*run)(void *argument),
	void *argument, bool main_actor);

/* Frees the records of all actors. */
void actors_free(void);

/* Frees the carriers of communications (transfer.c), after SimGrid has ended. */
void carriers_free(void);

/* Runs an event that was popped from the heap, with its cause current. */
void engine_run_event(const struct event *event, cause_id cause);

/* SimGrid's clock in ps, and its possible rounding error at `at_ps`, since it is a double. */
int64_t simgrid_now_ps(void);
int64_t simgrid_tolerance_ps(int64_t at_ps);

/* Sleeps until SimGrid's clock has reached engine.now_ps. Must run in a SimGrid actor. */
void simgrid_bring_clock(void);

/* Writes the stall report: blocked actors, then the registered reporters. Later calls do nothing.
 */
void stall_report(void);

#endif
