/* Finds the steady state of a series of completions, which is the part of the series in which the
 * rate is constant. A series has no steady state if it is too short, or if the rate has not become
 * constant by the middle of the series. */
#ifndef BASE_STEADY_H
#define BASE_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Completions needed for a rate after the cut. */
enum { STEADY_LEAST = 20 };

/* An entry of a series. Something was completed at `time`. `weight`, which is above 0, is the
 * amount of work done since the previous entry, in operations or bytes. */
struct completion {
	int64_t time;
	uint64_t weight;
};

struct steady {
	bool known;	      /* there is a steady state; the members below describe it */
	uint32_t first, last; /* entries at its start and end */
	int64_t duration;     /* time from entry `first` to entry `last` */
	uint64_t weight;      /* sum over the entries after `first`, up to `last` */
	uint32_t needed;      /* 0 if the state is known; otherwise the number of entries that would
			       * probably be enough */
};

/* Finds the steady part of `count` completions, which are in order of time. The first completion
 * only gives the time at which the series starts; its weight does not count. The rule is MSER,
 * applied from both ends. The entries are grouped into at most 64 batches. Batches are cut from the
 * front and then from the end, in each case as many as minimize the squared standard error of the
 * mean interval. The result is known if at most half of all batches were cut from the front and at
 * most a quarter from the end, and if STEADY_LEAST entries remain. */
struct steady steady_find(const struct completion *series, uint32_t count, struct arena *arena);

#endif
