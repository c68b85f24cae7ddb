/* Declarations that the files of the registrar share: the table of registered executors. */
#ifndef BENCH_RUN_REGISTRAR_PRIVATE_H
#define BENCH_RUN_REGISTRAR_PRIVATE_H

#include <sys/types.h>

#include "bench/run/enlist.h"
#include "bench/run/executors.h"
#include "registrar.h"
#include "world/channel.h"

enum {
	REGISTRAR_SESSION = 1, /* session of the channel on which executors register */
	REGISTRAR_WINDOW = 64,
	REGISTRAR_TURN_MS = 10,	       /* time between two checks of the hosts' sockets */
	REGISTRAR_PING_MS = 200,       /* time between two pings */
	REGISTRAR_WAIT_PING_MS = 1000, /* time between two pings while the registrar waits for other
					* executors */
	REGISTRAR_PINGS = 4,	       /* pings before the run, to find the offset of the clock */
};

/* The executor of a host. */
struct enlisted {
	bool taken, ended, lost;
	uint32_t member; /* number of the member at the hub */
	char name[CHANNEL_NAME_BYTES];
	struct registrar_ends ends;
	bool owes_pulse;
	bool asked;		     /* a ping was sent and not answered yet */
	int64_t asked_ns;	     /* time at which the ping was sent */
	uint32_t asked_for, settled; /* see registrar.wanted */
	uint32_t pongs;
	int64_t offset_ns, offset_at_ns; /* smallest clock offset, and the time of its ping */
	int64_t cpu_ns;			 /* atomic */
};

/* The state of this process, which has one run. */
struct registrar {
	const struct executors_request *request; /* NULL: executors are forked */
	uint64_t scenario, identity, session;
	uint32_t run;
	uint8_t nonce[ENLIST_NONCE_BYTES];
	const struct channel_ops *ops;
	struct hub *hub;
	uint8_t *key;
	uint32_t hosts;
	struct enlisted *at;
	int32_t host_of[CHANNEL_MEMBERS_MAX]; /* -1: the member has not registered */
	pid_t *commands;		      /* NULL: no commands were started */
	struct client *client;		      /* NULL: the thread was not started */
	uint32_t wanted;		      /* atomic: number of the last call of
					       * executors_settle() */
	uint32_t settled;		      /* atomic: number of the last call of
					       * executors_settle() that is complete */
	bool stop;			      /* atomic */
};

extern struct registrar registrar;

/* Accepts new members that have proved that they hold the token, and handles one message of an
 * executor. Waits for a message for at most REGISTRAR_TURN_MS. */
void registrar_turn(void);

/* Sends a message to an executor. Has no effect if the executor does not receive it. */
void registrar_send(uint32_t member, const struct enlist *message);

/* Handles a message of a registered executor. Returns false if an executor cannot have sent it. */
bool registrar_hear(struct enlisted *enlisted, struct enlist *message);

/* Records that the executor has ended, or is lost. */
void registrar_part(struct enlisted *enlisted, bool ended);

/* Starts a command for each host. Returns OK, or CLOSED with a sentence. */
enum status registrar_start_commands(const char *address, struct text *why);

/* Returns true unless one of the commands that start executors has failed. If one has failed,
 * appends a sentence about it to `why`. */
bool registrar_commands_live(struct text *why);

/* Gives the commands a little time to end, then kills them. */
void registrar_end_commands(void);

#endif
