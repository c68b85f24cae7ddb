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
	ACTOR_READY,   /* in the list of the ready, waits for its turn */
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
	cause_id cause;	  /* READY, or wake kept: of the wake */
	const char *what; /* BLOCKED: waits for */
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
	struct actor *running; /* who has the turn; NULL: the event loop */
	struct actor *first_ready, *last_ready;
	uint32_t activities; /* of SimGrid, outstanding */
	bool loop_waits;     /* in loop_wake */
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

/* Creates an actor; `main_actor`: the engine is finished when it returns. */
struct actor *actor_create(const char *name, const char *host_name, void (*run)(void *argument),
	void *argument, bool main_actor);

/* Frees the records of all actors. */
void actors_free(void);

/* Frees the carriers of communications, after SimGrid's end. */
void carriers_free(void);

/* Runs the event, which has left the heap, with its cause. */
void engine_run_event(const struct event *event, cause_id cause);

/* SimGrid's clock in ps, and how far off it may be: doubles. */
int64_t simgrid_now_ps(void);
int64_t simgrid_tolerance_ps(int64_t at_ps);

/* Lets SimGrid's clock come to engine.now_ps. From SimGrid's actors. */
void simgrid_bring_clock(void);

/* Writes who waits for what: blocked actors, then the registered reporters. Once. */
void stall_report(void);

#endif
