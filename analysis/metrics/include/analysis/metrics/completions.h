/* The times at which operations completed, and the rate of completions. */
#ifndef ANALYSIS_METRICS_COMPLETIONS_H
#define ANALYSIS_METRICS_COMPLETIONS_H

#include "analysis/metrics/metric.h"
#include "base/arena.h"

/* Returns the time in ps at which an operation was complete: the last time at which it passed the
 * mark that ends its latency. Returns -1 if it passed no such mark. */
int64_t completed_at(const struct operation *operation);

/* Returns the time at which the host knew that operation `index` was complete, ps; -1: never. */
int64_t known_at(const struct operations *operations, uint32_t index);

/* Returns how long an operation took to move its payload, in ps; 0 if the operation is not
 * complete. The time begins at the call. For streams through the fabric it begins at the mark GO,
 * because a warm-up is sent before this mark. */
int64_t transfer_time(const struct operation *operation);

/* Returns true if a call made several operations, one for each queue, and this is not the last of
 * them. A finish makes such calls. A call counts once in a rate, when its last operation ends. */
bool is_earlier_part(const struct operations *operations, uint32_t index);

/* Some operations of a run, by index. */
struct chosen {
	uint32_t *at, count;
	uint32_t warm; /* index of the last warm-up operation before them; UINT32_MAX: none */
};

/* Chooses the measured operations of `subject`; in `arena`. */
struct chosen chosen_of(
	const struct operations *operations, const char *subject, struct arena *arena);

/* Finds the steady state of a series of completions: the part in which the rate is constant, and
 * this rate. A series has no steady state if it is too short, or if its rate has not settled by its
 * middle. */

/* STEADY_LEAST: smallest number of completions that must remain after the cut. STEADY_ROUNDS_LEAST:
 * smallest number of rounds for steady_of_rounds(). */
enum { STEADY_LEAST = 20, STEADY_ROUNDS_LEAST = 4 };

/* A completion at `time`. `weight` is the amount of work that was completed since the previous
 * entry, in operations or bytes; it is above 0. `called` is the time of the last call of this work;
 * 0: unknown. */
struct completion {
	int64_t time;
	uint64_t weight;
	int64_t called;
};

struct steady {
	bool known;	      /* true: there is a steady state, which the members below describe */
	uint32_t first, last; /* indices of the entries at its start and end */
	int64_t duration;     /* time from entry `first` to entry `last` */
	uint64_t weight;      /* sum of the weights of the entries after `first`, up to `last` */
	uint32_t needed;      /* 0 if the steady state is known; otherwise a number of entries that
			       * would probably be enough to find it */
};

/* Finds the steady part of `count` completions in order of time. The first completion only marks
 * the time at which the series begins; its weight does not count. The method is MSER (marginal
 * standard error rule), applied from both ends: it groups the entries into at most 64 batches, and
 * cuts batches from the front, and then from the end. Each time, it cuts the number of batches that
 * makes the squared standard error of the mean interval smallest. The steady part is known in two
 * cases. First, if at most half of all batches were cut from the front and a quarter from the end,
 * and STEADY_LEAST entries remain. Second, if more was cut, but the remaining entries have nearly
 * the same rate as the whole series, or as a part of the series that these limits would leave. Then
 * the whole series, or this part, is the steady part.
 *
 * If `measured` is set, the times come from a real machine, which may warm up for more than half of
 * its rounds. So more than half may be cut, if at least STEADY_LEAST entries remain, and if their
 * two halves have about the same rate.
 *
 * The steady part is never known if the time between its first and last call is more than twice the
 * time between its first and last completion. Then work had piled up before, and was completed in a
 * burst. The times of completion in a burst do not show the rate. */
struct steady steady_find(
	const struct completion *series, uint32_t count, bool measured, struct arena *arena);

/* Finds the steady part of a series whose entries are rounds: the host waited for each round before
 * it called the work of the next one. Nothing is in flight between rounds, so nothing is cut. The
 * steady part is the whole series, if it has at least STEADY_ROUNDS_LEAST rounds of equal weight,
 * and if its two halves have the same rate. Otherwise it is not known. The parameters are those of
 * steady_find(). */
struct steady steady_of_rounds(
	const struct completion *series, uint32_t count, bool measured, struct arena *arena);

/* Completions sorted by time. The first one is only the origin, and its weight is not counted. */
struct completions {
	struct completion *at;
	uint32_t count;
	struct steady steady;
};

/* Returns a series with an entry for each complete operation, at the time at which the operation
 * was complete, except for those of is_earlier_part(). The weight of an entry is 1, or the number
 * of bytes of the operation if `bytes` is set. The last warm-up operation is the origin. The
 * entries are in `arena`. */
struct completions completions_of_ends(const struct operations *operations,
	const struct chosen *chosen, bool bytes, struct arena *arena);

/* Returns a series with an entry for each time at which the host learned that operations were
 * complete. Operations of which it learned this at the same time share an entry. So operations for
 * which the host waits together count as one step of work, and not as noise. The origin is the time
 * at which the host learned of the last warm-up operation.
 *
 * Returns completions_of_ends() instead in two cases. First, the host never learned of the end of
 * some operation. Second, there are too few entries for a steady state, steady_of_rounds() finds
 * none either, and one of two conditions holds: completions_of_ends() has a steady state, or the
 * first entry stands for most of the operations. */
struct completions completions_of_waits(const struct operations *operations,
	const struct chosen *chosen, bool bytes, struct arena *arena);

/* Returns the sum of the weights in the steady part of the series, and sets *duration to the length
 * of this part in ps. If there is no steady part, uses all entries after the origin. */
uint64_t completions_weight(const struct completions *series, int64_t *duration);

#endif
