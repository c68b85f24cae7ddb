/* A pipe: an unbounded FIFO server in exact picoseconds. Use a port where back-pressure matters. */
#include "engine/server.h"

#include "base/ensure.h"

#define PS_PER_S UINT64_C(1000000000000)

int64_t server_transfer_ps(uint64_t bytes, uint64_t bandwidth_bytes_per_s)
{
	if (bandwidth_bytes_per_s == 0)
		return 0;
	/* Below 18 MB the product fits into 64 bits; the 128-bit division is four times slower. */
	if (bytes <= (UINT64_MAX - UINT32_MAX) / PS_PER_S)
		return (int64_t)((bytes * PS_PER_S + bandwidth_bytes_per_s - 1) /
				 bandwidth_bytes_per_s);
	unsigned __int128 product = (unsigned __int128)bytes * PS_PER_S;
	product = (product + bandwidth_bytes_per_s - 1) / bandwidth_bytes_per_s;
	ensure(product <= INT64_MAX, "%llu bytes at %llu bytes/s take too long",
		(unsigned long long)bytes, (unsigned long long)bandwidth_bytes_per_s);
	return (int64_t)product;
}

int64_t pipe_pass(struct pipe *pipe, int64_t ready_ps, uint64_t bytes, int64_t extra_ps)
{
	int64_t start_ps = ready_ps > pipe->busy_until_ps ? ready_ps : pipe->busy_until_ps;
	int64_t takes_ps = extra_ps + server_transfer_ps(bytes, pipe->bandwidth_bytes_per_s);
	pipe->busy_until_ps = start_ps + takes_ps;
	pipe->busy_ps += takes_ps;
	pipe->waited_ps += start_ps - ready_ps;
	pipe->bytes += bytes;
	pipe->messages++;
	watch_slice(pipe->track, start_ps, pipe->busy_until_ps, "message");
	return pipe->busy_until_ps;
}

/* Returns how many messages of the series have to wait for the pipe. The first message waits for
 * `wait_ps`, and each further message waits `less_ps` less than the previous one. If `less_ps` is 0
 * or negative, all messages wait. */
static int64_t waiting(const struct pipe_series *series, int64_t wait_ps, int64_t less_ps)
{
	int64_t count;

	if (less_ps <= 0)
		return series->count;
	count = (wait_ps + less_ps - 1) / less_ps;
	return count < series->count ? count : series->count;
}

int64_t pipe_pass_series(struct pipe *pipe, const struct pipe_series *series)
{
	int64_t ready_ps = series->ready_ps, less_ps = series->pace_ps - series->takes_ps;
	int64_t first_ps = ready_ps > pipe->busy_until_ps ? ready_ps : pipe->busy_until_ps;
	int64_t wait_ps = first_ps - ready_ps, count = waiting(series, wait_ps, less_ps);

	if (series->count == 0)
		return first_ps;
	for (uint32_t i = 0; i < series->count && pipe->track > 0; i++) {
		int64_t start_ps = pipe_series_start_ps(series, first_ps, i);

		watch_slice(pipe->track, start_ps, start_ps + series->takes_ps, "message");
	}
	pipe->busy_until_ps =
		pipe_series_start_ps(series, first_ps, series->count - 1) + series->takes_ps;
	pipe->busy_ps += series->count * series->takes_ps;
	pipe->waited_ps += count * wait_ps - count * (count - 1) / 2 * less_ps;
	pipe->bytes += series->count * series->bytes;
	pipe->messages += series->count;
	return first_ps;
}
