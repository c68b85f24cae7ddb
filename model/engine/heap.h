/* The event heap: a monotone radix heap. Events leave ordered by time, then by rank, then by order
 * of insertion. No event may be earlier than the last one that left. */
#ifndef ENGINE_HEAP_H
#define ENGINE_HEAP_H

#include <stdint.h>

#include "engine/engine.h"

struct event {
	uint64_t key; /* heap_key() */
	engine_run *run;
	void *subject;
	uint64_t argument;
};

enum { HEAP_DIGIT_BITS = 6, HEAP_SLOTS = 1 << HEAP_DIGIT_BITS, HEAP_LEVELS = 11 };

#define HEAP_NONE UINT32_MAX

struct heap_node {
	struct event event;
	uint32_t next;
	uint32_t cause; /* cause/cause.h */
};

enum { HEAP_RANK_BITS = 2 };

/* The sort key: time, then rank. Times beyond the end of every run are clamped to the first such
 * time, so that keys fit in 64 bits. */
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

/* The level of an event is the highest digit (of six bits) in which its key differs from the key of
 * the last event that left; its slot is its own digit there. */
struct heap {
	uint64_t last_key;
	uint32_t levels; /* bit l: level l is not empty */
	uint32_t free;	 /* first free node */
	struct heap_node *nodes;
	uint32_t count, capacity, high_water;
	uint64_t slots[HEAP_LEVELS]; /* bit s of [l]: slot s is not empty */
	struct {
		uint32_t first, last;
	} lists[HEAP_LEVELS][HEAP_SLOTS];
};

/* An empty heap at time 0. */
void heap_init(struct heap *heap);
void heap_fini(struct heap *heap);

/* Inserts an event. Its time must not be before that of the last event that left. If it has that
 * time but a lower rank, its rank is raised to that of the last event. Allocates only to grow. */
void heap_push(struct heap *heap, const struct event *event, uint32_t cause);

/* Removes the earliest event and returns its cause. The heap must not be empty. */
uint32_t heap_pop(struct heap *heap, struct event *event);

/* Time of the earliest event, INT64_MAX if empty. Costs more than heap_pop. */
int64_t heap_first_ps(const struct heap *heap);

#endif
