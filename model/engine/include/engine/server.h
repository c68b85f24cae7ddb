/* Servers: what takes time on the way of a message. `pipe` is unbounded, first in, first out, and
 * can not back up. `port` has slots and credits per virtual channel, and a list of those who wait
 * for them. Both count what they did. */
#ifndef ENGINE_SERVER_H
#define ENGINE_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "cause/cause.h"
#include "watch/watch.h"

/* Exact time of `bytes` at a rate: integer ps, rounded up. Rates are in bytes per second; 0 is a
 * server that takes no time. */
int64_t server_transfer_ps(uint64_t bytes, uint64_t bandwidth_bytes_per_s);

/* ---- pipe ---- */
struct pipe {
	int64_t busy_until_ps;
	uint64_t bandwidth_bytes_per_s; /* 0: takes no time */
	int64_t latency_ps;
	/* counted: */
	int64_t busy_ps;
	uint64_t bytes, messages;
	int64_t waited_ps; /* sum of the times that messages waited for the pipe */
	/* what it was occupied with last, and on whose behalf (cause/cause.h) */
	uint32_t operation;
	uint32_t charge : 8; /* enum charge; packed, since each tile has two pipes */
	uint32_t track : 24; /* watch/watch.h; 0: none */
};
_Static_assert(CHARGE_COUNT <= 256, "charges of pipes have 8 bits");

/* From now on shows what it sends; 0: to nobody. */
static inline void pipe_show(struct pipe *pipe, uint32_t track)
{
	pipe->track = track & 0xffffff;
}

/* Sends `bytes` that are there at `ready_ps`: occupies the pipe for `extra_ps` plus the transfer.
 * Returns the time at which the pipe is free again (last byte left). Header arrives at
 * return - transfer + latency, last byte at return + latency. */
int64_t pipe_pass(struct pipe *pipe, int64_t ready_ps, uint64_t bytes, int64_t extra_ps);

/* What a wait for the pipe is charged for, asked once per message, which occupies it for `charge`:
 * for what it was occupied with, if that was of the same operation; else it is `wait`. */
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

/* One waiting for a slot. Embedded in whoever waits; granted in order of arrival. */
struct port_waiter {
	struct port_waiter *next;
	void (*granted)(
		void *subject, uint64_t argument); /* runs as an event, slot already taken */
	void *subject;
	uint64_t argument;
	int64_t since_ps;
};

struct port {
	const char *name;  /* for stall reports and results; borrowed, may be NULL */
	uint32_t slots;	   /* per virtual channel */
	uint32_t channels; /* virtual channels, 1..4 */
	uint32_t free[4];  /* slots free per channel */
	struct port_waiter *first[4], *last[4];
	/* counted: */
	uint64_t taken;
	int64_t blocked_ps;		      /* sum over waiters of the time they waited */
	uint64_t blocked;		      /* number of times somebody had to wait */
	uint32_t high_water[4];		      /* most slots in use */
	uint32_t waiting, waiting_high_water; /* those who wait now, on any channel; the most */
	uint32_t track; /* of its slots in use (watch/watch.h); 0: none */
};

/* A port with all slots free. slots > 0, 1 <= channels <= 4. */
void port_init(struct port *port, const char *name, uint32_t slots, uint32_t channels);

/* Takes a slot now if one is free and nobody waits before: true. Otherwise false; nothing changes.
 */
bool port_try_take(struct port *port, uint32_t channel);

/* Takes a slot now (true) or enqueues `waiter` (false), which is granted a slot later. */
bool port_take(struct port *port, uint32_t channel, struct port_waiter *waiter);

/* Gives a slot back; grants it to the first waiter, as an event at engine_now(). */
void port_give(struct port *port, uint32_t channel);

#endif
