/* Streams of random numbers. The name of a stream says what its numbers are used for (its role).
 * The numbers of a stream depend only on the run's seed and on the stream's name, so code that adds
 * a new stream does not change any other stream. */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include <stdint.h>

struct stream {
	uint64_t state[2];
};

/* Starts the stream of `role` (such as "host/worker-3/work") under `seed`. */
void stream_init(struct stream *stream, uint64_t seed, const char *role);

/* Returns the next 64 random bits. */
uint64_t stream_next(struct stream *stream);

/* Returns an integer that is uniformly distributed from 0 to bound - 1, without bias. `bound` must
 * be above 0. */
uint64_t stream_below(struct stream *stream, uint64_t bound);

/* Returns a real number that is uniformly distributed from 0 (included) to 1 (excluded). */
double stream_unit(struct stream *stream);

/* Returns a value of the standard normal distribution. The formula is fixed, so the bits are the
 * same on every machine with IEEE doubles. */
double stream_normal(struct stream *stream);

/* Like stream_normal(), but the value lies in the interval number `part`, counted from 0. The real
 * numbers are divided into `parts` intervals of equal probability, the lowest first. */
double stream_normal_between(struct stream *stream, uint32_t part, uint32_t parts);

#endif
