/* A hub and its members, which exchange messages over one transport to measure the cost of
 * messages. The hub and each member are processes on this machine. Any error ends the process in
 * which it occurs, and if the hub ends, its members end, too. */
#ifndef BENCH_TOOLS_MEASURE_EXCHANGE_H
#define BENCH_TOOLS_MEASURE_EXCHANGE_H

#include "world/channel.h"

enum { EXCHANGE_BYTES_MAX = 1 << 20, EXCHANGE_WINDOW = 64, EXCHANGE_MEMBERS_MAX = 64 };

/* Requests to members, in the first byte of a message. The comment beside each request describes
 * how a member answers it. */
enum exchange_kind {
	EXCHANGE_SILENT = 1, /* no answer */
	EXCHANGE_ECHO,	     /* answers with as many bytes as it received */
	EXCHANGE_COUNT,	     /* answers with a struct exchange_counts */
	EXCHANGE_HOLD,	     /* no answer; the member receives nothing for a while */
};

/* CPU time of one member since its start. */
struct exchange_counts {
	int64_t thread_ns, process_ns; /* CPU time of the receiving thread; of the whole process */
	uint32_t member;
};

struct exchange {
	const struct channel_ops *ops;
	struct hub *hub;
	uint32_t members;
	int addresses[2]; /* pipe through which the members get the address of the hub */
	uint8_t *key;	  /* shared by hub and members, see transport/proof.h */
};

/* Starts the members. Call it before this process uses the transport library, because a fork does
 * not copy the library's threads. Member i runs on core i % core_count of `cores`. If core_count is
 * 0, the members can run on any core. */
struct exchange exchange_start(
	const struct channel_ops *ops, uint32_t members, const int16_t *cores, uint32_t core_count);

/* Opens the hub, and waits until all members have joined. */
void exchange_open(struct exchange *exchange);

/* Ends the hub and its members. */
void exchange_close(struct exchange *exchange);

/* Makes a message for exchange_send(), which the caller owns. `bytes` is between 16, the size of
 * the message's head, and EXCHANGE_BYTES_MAX. */
struct span exchange_message(enum exchange_kind kind, uint32_t bytes);

/* Sends a message to all members. A message of kind EXCHANGE_ECHO contains the time of sending. The
 * same message can be sent again when all members have answered. */
void exchange_send(const struct exchange *exchange, struct span message);

/* Makes all members pause for `held_ns` before they receive again. The caller can send messages
 * during the pause. After the pause, the members receive them without waiting. */
void exchange_hold(const struct exchange *exchange, int64_t held_ns);

/* Receives the answers of all members to an ECHO message. Returns the time, in ns, from
 * exchange_send() until the last member had received the ECHO message. */
int64_t exchange_hear(const struct exchange *exchange);

/* Requests the counts of all members. Stores the counts of member i in counts[i]. */
void exchange_count(const struct exchange *exchange, struct exchange_counts *counts);

#endif
