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
