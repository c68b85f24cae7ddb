/* Servers, which delay messages. A `pipe` is a FIFO of unlimited length, so senders never wait. A
 * `port` has a limited number of slots (credits) per virtual channel, and a list of requests that
 * wait for a slot. Both have statistics. */
#ifndef ENGINE_SERVER_H
#define ENGINE_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "cause/cause.h"
#include "watch/watch.h"

/* Transfer time of `bytes` in ps, rounded up. If the bandwidth is 0, the transfer takes no time. */
int64_t server_transfer_ps(uint64_t bytes, uint64_t bandwidth_bytes_per_s);

/* ---- pipe ---- */
struct pipe {
	int64_t busy_until_ps;
	uint64_t bandwidth_bytes_per_s; /* 0: a transfer takes no time */
	int64_t latency_ps;
	/* counted: */
	int64_t busy_ps;
	uint64_t bytes, messages;
	int64_t waited_ps; /* sum of the times that messages waited for the pipe */
	/* charge and operation of the last message (cause/cause.h) */
	uint32_t operation;
	uint32_t charge : 8; /* an enum charge; a bit-field, because each tile has two pipes */
	uint32_t track : 24; /* number of the track (watch/watch.h); 0: none */
};
_Static_assert(CHARGE_COUNT <= 256, "charges of pipes have 8 bits");

/* Shows the pipe's messages on `track` from now on. With `track` 0, shows no more messages. */
static inline void pipe_show(struct pipe *pipe, uint32_t track)
{
	pipe->track = track & 0xffffff;
}

/* Sends a message of `bytes` that is ready at `ready_ps`. The message occupies the pipe for its
 * transfer time plus `extra_ps`. Returns the time t at which the last byte has left and the pipe is
 * free again. The receiver gets the header at t - transfer time + latency, and the last byte at t +
 * latency. */
int64_t pipe_pass(struct pipe *pipe, int64_t ready_ps, uint64_t bytes, int64_t extra_ps);

/* A series of messages of the same size. The first message is ready at `ready_ps`; each further
 * message is ready `pace_ps` after the previous one. Each message occupies the pipe for `takes_ps`.
 */
struct pipe_series {
	int64_t ready_ps, pace_ps, takes_ps;
	uint64_t bytes; /* bytes of each message */
	uint32_t count;
};

/* Sends a series of messages. The effect is the same as that of one pipe_pass() for each message,
 * but the function takes constant time. Each message occupies the pipe for series->takes_ps,
 * regardless of the pipe's bandwidth. Returns the time at which the first message begins. From this
 * time, pipe_series_start_ps() computes when each message begins. */
int64_t pipe_pass_series(struct pipe *pipe, const struct pipe_series *series);

static inline int64_t pipe_series_start_ps(
	const struct pipe_series *series, int64_t first_ps, uint32_t i)
{
	int64_t ready_ps = series->ready_ps + i * series->pace_ps;
	int64_t start_ps = first_ps + i * series->takes_ps;

	return start_ps > ready_ps ? start_ps : ready_ps;
}

/* Returns the charge (cause.h) for the time that a message waits for the pipe. If the previous
 * message in the pipe belongs to the same operation, this is the charge of that message; otherwise
 * it is `wait`. The function stores `charge`, the charge for the time in which this message itself
 * uses the pipe, for the next call. Must be called once per message. */
static inline enum charge pipe_wait(struct pipe *pipe, enum charge charge, enum charge wait)
{
	uint32_t operation = causes.on ? causes.at[causes.current].operation : 0;
	bool own = operation > 0 && pipe->operation == operation;
	enum charge label = own ? (enum charge)pipe->charge : wait;

	pipe->operation = operation;
	pipe->charge = charge & 0xff;
	return label;
}

/* ---- port ---- */

/* A request for a slot of a port. The struct is a member of the object that waits for the slot.
 * Requests get slots in the order in which they arrive. */
struct port_waiter {
	struct port_waiter *next;
	void (*granted)(
		/* called as an event; the waiter has the slot already */
		void *subject, uint64_t argument);
	void *subject;
	uint64_t argument;
	int64_t since_ps;
};

struct port {
	const char *name;  /* name for stall reports and results; borrowed, may be NULL */
	uint32_t slots;	   /* number of slots of each virtual channel */
	uint32_t channels; /* number of virtual channels, 1 to 4 */
	uint32_t free[4];  /* number of free slots of each channel */
	struct port_waiter *first[4], *last[4];
	/* counted: */
	uint64_t taken;
	int64_t blocked_ps;	/* sum of the times that requests waited */
	uint64_t blocked;	/* number of requests that had to wait */
	uint32_t high_water[4]; /* largest number of slots in use at one time, by channel */
	/* requests on all channels that wait now; the most at any time */
	uint32_t waiting, waiting_high_water;
	uint32_t track; /* number of the track of slots in use (watch/watch.h); 0: none */
};

/* Initializes a port with all slots free. slots > 0, 1 <= channels <= 4. */
void port_init(struct port *port, const char *name, uint32_t slots, uint32_t channels);

/* If a slot of the channel is free and no request waits, takes the slot and returns true. If not,
 * changes nothing and returns false. */
bool port_try_take(struct port *port, uint32_t channel);

/* If a slot of the channel is free and no request waits, takes the slot and returns true. Otherwise
 * queues `waiter` and returns false; waiter->granted() is called later, when the waiter has got a
 * slot. */
bool port_take(struct port *port, uint32_t channel, struct port_waiter *waiter);

/* Frees a slot of the channel, which must be in use. If requests wait, the first request gets the
 * slot, and an event at engine_now() calls its granted(). */
void port_give(struct port *port, uint32_t channel);

#endif
