/* Steady state of a series of completions: from where to where a process runs at its own rate, and
 * how fast that is. Refuses series that are too short, or that have not settled by their middle. */
#ifndef BASE_STEADY_H
#define BASE_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Completions that a rate needs behind what is cut. */
enum { STEADY_LEAST = 20 };

/* Something was complete at `time`, `weight` (operations, bytes; above 0) of it since the entry
 * before. */
struct completion {
	int64_t time;
	uint64_t weight;
};

struct steady {
	bool known;	      /* there is a steady state, all below is of it */
	uint32_t first, last; /* the entries at its start and its end */
	int64_t duration;     /* from `first` to `last` */
	uint64_t weight;      /* of the entries behind `first`, up to `last` */
	uint32_t needed;      /* not known: so many entries would probably do; else 0 */
};

/* Finds the steady part of `count` completions in the order of time; the first one is the origin
 * only, its weight does not count. Rule (MSER, from both ends): entries are taken together in
 * batches, at most 64 of them; as many batches are cut from the front, and then from the end, as
 * make the squared standard error of the mean interval least. Known if at most half of all batches
 * were cut from the front and a quarter from the end, and STEADY_LEAST entries remain. */
struct steady steady_find(const struct completion *series, uint32_t count, struct arena *arena);

#endif
