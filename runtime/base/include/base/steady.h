/* Finds the steady state of a series of completions: the part in which a process runs at its own
 * rate, and that rate. Series that are too short, or that have not settled by their middle, have
 * none. */
#ifndef BASE_STEADY_H
#define BASE_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Completions needed for a rate after the cut. */
enum { STEADY_LEAST = 20 };

/* A completion at `time` of `weight` (operations, bytes; above 0) since the entry before. */
struct completion {
	int64_t time;
	uint64_t weight;
};

struct steady {
	bool known;	      /* there is a steady state; the members below describe it */
	uint32_t first, last; /* entries at its start and end */
	int64_t duration;     /* from `first` to `last` */
	uint64_t weight;      /* sum over the entries after `first`, up to `last` */
	uint32_t needed;      /* if not known: a number of entries that would probably suffice; else
			       * 0 */
};

/* Finds the steady part of `count` completions in order of time. The first one is only the origin;
 * its weight does not count. Rule (MSER, from both ends): entries are grouped into at most 64
 * batches. As many batches are cut from the front, and then from the end, as minimize the squared
 * standard error of the mean interval. Known if at most half of all batches were cut from the front
 * and a quarter from the end, and STEADY_LEAST entries remain. */
struct steady steady_find(const struct completion *series, uint32_t count, struct arena *arena);

#endif
