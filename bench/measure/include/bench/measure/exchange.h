/* A hub and its members, each a process of this machine, over one transport: for measuring what
 * messages take. Whatever goes wrong ends the process, and members end with their hub: no library
 * is asked twice. Refuses other machines. */
#ifndef BENCH_MEASURE_EXCHANGE_H
#define BENCH_MEASURE_EXCHANGE_H

#include "world/channel.h"

enum { EXCHANGE_BYTES_MAX = 1 << 20, EXCHANGE_WINDOW = 64, EXCHANGE_MEMBERS_MAX = 64 };

/* What the first byte of a message asks of members. */
enum exchange_kind {
	EXCHANGE_SILENT = 1, /* nothing */
	EXCHANGE_ECHO,	     /* an answer of as many bytes */
	EXCHANGE_COUNT,	     /* a struct exchange_counts */
	EXCHANGE_HOLD,	     /* to receive nothing for a while */
};

/* Of one member, since it began. */
struct exchange_counts {
	int64_t thread_ns, process_ns; /* CPU time: of the thread that receives, of all */
	uint32_t member;
};

struct exchange {
	const struct channel_ops *ops;
	struct hub *hub;
	uint32_t members;
	int addresses[2]; /* from the hub to its members */
	uint8_t *key;	  /* of all of them, see transport/proof.h */
};

/* Starts the members, before this process has used the library: a fork leaves its threads behind.
 * They run on `cores`, a core each, in turn; on any if there are none. */
struct exchange exchange_start(
	const struct channel_ops *ops, uint32_t members, const int16_t *cores, uint32_t core_count);

/* Opens the hub, and waits until all members have joined. */
void exchange_open(struct exchange *exchange);

/* Ends hub and members. */
void exchange_close(struct exchange *exchange);

/* A message of so many bytes for exchange_send(): the caller's. At least as large as a struct
 * exchange_counts. */
struct span exchange_message(enum exchange_kind kind, uint32_t bytes);

/* Sends to all members. An ECHO says when, and may be sent again when all have answered. */
void exchange_send(const struct exchange *exchange, struct span message);

/* Members receive nothing for `held_ns` behind it, and wait for nothing then: what has come
 * meanwhile is there. */
void exchange_hold(const struct exchange *exchange, int64_t held_ns);

/* Receives the answer of each member to an ECHO. Returns how long the message was under way to the
 * last of them, from exchange_send() on, ns. */
int64_t exchange_hear(const struct exchange *exchange);

/* Asks all members; counts[i] is that of the i-th. */
void exchange_count(const struct exchange *exchange, struct exchange_counts *counts);

#endif
