/* The event heap: a monotone radix heap. Events leave in order of time, equal times in the order in
 * which they came. It refuses times before the last that left. */
#ifndef ENGINE_HEAP_H
#define ENGINE_HEAP_H

#include <stdint.h>

#include "engine/engine.h"

struct event {
	int64_t at_ps;
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

/* An event lies on the level of the highest digit (of six bits) in which its time differs from that
 * of the last event that left, in the slot of its own digit there. */
struct heap {
	int64_t last_ps;
	uint32_t levels; /* bit l: something is on level l */
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

/* Puts an event in; at_ps must not be before the last that left. Allocates only to grow. */
void heap_push(struct heap *heap, const struct event *event, uint32_t cause);

/* Takes the earliest event. Must not be empty. Returns its cause. */
uint32_t heap_pop(struct heap *heap, struct event *event);

/* Time of the earliest event, INT64_MAX if empty. Costs more than heap_pop. */
int64_t heap_first_ps(const struct heap *heap);

#endif
