/* The state of the engine, only for files of this folder. There is one engine per process, because
 * a process can initialize SimGrid only once. */
#ifndef ENGINE_PRIVATE_H
#define ENGINE_PRIVATE_H

#include <simgrid/actor.h>
#include <simgrid/semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cause/cause.h"
#include "engine/engine.h"

/* The event heap, a monotone radix heap. Events are removed in the order of their times. Events
 * with the same time are removed in the order of their ranks, and those with the same rank in the
 * order of their insertion. A new event must not be earlier than the event that was removed last.
 */
struct event {
	uint64_t key; /* time and rank, see heap_key() */
	engine_run *run;
	void *subject;
	uint64_t argument;
};

enum { HEAP_DIGIT_BITS = 6, HEAP_SLOTS = 1 << HEAP_DIGIT_BITS, HEAP_LEVELS = 11, HEAP_WIDE = 2 };

#define HEAP_NONE UINT32_MAX

struct heap_node {
	struct event event;
	uint32_t next;
	uint32_t cause; /* see cause/cause.h */
};

enum { HEAP_RANK_BITS = 2 };

/* Returns the sort key: the time in the high bits, the rank in the low bits. Times above
 * ENGINE_TIME_MAX_PS are replaced by ENGINE_TIME_MAX_PS + 1, so that every key fits in 64 bits. */
static inline uint64_t heap_key(int64_t at_ps, unsigned rank)
{
	if (at_ps > ENGINE_TIME_MAX_PS)
		at_ps = ENGINE_TIME_MAX_PS + 1;
	return (uint64_t)at_ps << HEAP_RANK_BITS | rank;
}

static inline int64_t heap_key_ps(uint64_t key)
{
	return (int64_t)(key >> HEAP_RANK_BITS);
}

/* The events of a slot, in the order in which they were inserted. */
struct heap_list {
	uint32_t first, last;
};

/* An event is in one of the lists lists[level][slot]. Its key is compared with the key of the event
 * that was removed last, where each six bits of a key are a digit. The level is the highest digit
 * in which the two keys differ, and the slot is the event's value of this digit.
 *
 * Most events are less than 4 us ahead: their keys differ in the digits 2 or 3. These two digits
 * are one level, the wide one, so that such an event need not move from one level to the next. Its
 * slot is the event's value of both digits, and slots[HEAP_WIDE] has a bit for each word of `wide`.
 */
struct heap {
	uint64_t last_key;
	uint32_t levels; /* bit l is set: level l is not empty */
	uint32_t free;	 /* first free node of the heap */
	struct heap_node *nodes;
	uint32_t count, capacity, high_water;
	uint64_t slots[HEAP_LEVELS]; /* bit s of slots[l] is set: slot s of level l is not empty */
	uint64_t wide[HEAP_SLOTS];   /* the same for the slots of the wide level, 64 in each word */
	struct heap_list lists[HEAP_LEVELS][HEAP_SLOTS];
	struct heap_list wide_lists[HEAP_SLOTS * HEAP_SLOTS];
};

/* Initializes an empty heap at time 0. */
void heap_init(struct heap *heap);
void heap_fini(struct heap *heap);

/* Inserts an event. Its time must not be before the time of the event that was removed last. If
 * both times are equal, a lower rank of the new event is raised to the rank of the removed event,
 * because the heap cannot go back. Allocates memory only to grow the heap. */
void heap_push(struct heap *heap, uint64_t key, engine_run *run, void *subject, uint64_t argument,
	uint32_t cause);

/* Removes the earliest event. The heap must not be empty. The next heap_push() may overwrite the
 * returned node. */
const struct heap_node *heap_pop(struct heap *heap);

/* Time of the earliest event; INT64_MAX if the heap is empty. Costs more than heap_pop(). */
int64_t heap_first_ps(const struct heap *heap);

enum actor_state {
	ACTOR_READY,   /* in the ready list, waiting for its turn */
	ACTOR_RUNNING, /* the actor has the turn */
	ACTOR_BLOCKED, /* the actor waits in actor_block() */
	ACTOR_ENDED,
};

struct actor {
	struct actor *next_ready;
	struct actor *next; /* next actor in order of start */
	char *name;
	void (*run)(void *argument);
	void *argument;
	void *data;
	sg_sem_t turn; /* the event loop releases it to give the turn */
	enum actor_state state;
	bool wake_kept;
	cause_id cause;	  /* while READY, or while a wake is pending: cause of the wake */
	const char *what; /* what a BLOCKED actor waits for */
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
	uint32_t activities; /* outstanding activities of SimGrid */
	bool loop_waits;     /* the event loop waits on loop_wake */
	bool finished;	     /* the main actor has returned */
	bool stopped;	     /* engine_stop() or engine_stall() was called */
	bool stalled;	     /* engine_stall() was called */
	bool loop_ended;
	bool reported;
	enum engine_end end;
	sg_sem_t loop_wake;
	struct heap heap;
	struct actor *first_actor, *last_actor;
	struct carrier *carriers, *idle_carriers; /* see transfer.c */
	struct stall_reporter reporters[ENGINE_REPORTERS];
	uint32_t reporter_count;
	FILE *stall_stream;
	bool opened, ran;
	bool no_activities; /* engine_without_activities() was called */
};

extern struct engine engine;

/* Creates an actor. When a main actor returns, the engine finishes. */
struct actor *actor_create(const char *name, const char *host_name, void (*run)(void *argument),
	void *argument, bool main_actor);

/* Frees the records of all actors. */
void actors_free(void);

/* Frees the carriers of communications (transfer.c). Call after SimGrid has ended. */
void carriers_free(void);

/* Runs the event of a node that heap_pop() has just returned. The node's cause is the current cause
 * while the event runs. */
void engine_run_event(const struct heap_node *node);

/* simgrid_now_ps() returns SimGrid's clock, a double, in ps. simgrid_tolerance_ps() returns how
 * much this clock may differ from `at_ps` by rounding. */
int64_t simgrid_now_ps(void);
int64_t simgrid_tolerance_ps(int64_t at_ps);

/* Sleeps until SimGrid's clock has reached engine.now_ps. Call only in a SimGrid actor. */
void simgrid_bring_clock(void);

/* Writes the stall report: lists blocked actors, then calls the registered reporters. Later calls
 * do nothing. */
void stall_report(void);

#endif
