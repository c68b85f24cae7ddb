/* What the files of the registrar share: the table of registered executors. */
#ifndef BENCH_RUN_REGISTRAR_PRIVATE_H
#define BENCH_RUN_REGISTRAR_PRIVATE_H

#include <sys/types.h>

#include "bench/run/enlist.h"
#include "bench/run/executors.h"
#include "registrar.h"
#include "world/channel.h"

enum {
	REGISTRAR_SESSION = 1, /* of the channel on which executors register */
	REGISTRAR_WINDOW = 64,
	REGISTRAR_TURN_MS = 10,	 /* between two looks at the ends of hosts */
	REGISTRAR_PING_MS = 200, /* between two pings */
	REGISTRAR_PINGS = 4,	 /* before the run, one after the other, to learn of the clock */
};

/* The executor of a host. */
struct enlisted {
	bool taken, ended, lost;
	uint32_t member; /* of the hub */
	char name[CHANNEL_NAME_BYTES];
	struct registrar_ends ends;
	bool owes_pulse;
	bool asked;		     /* a ping is not answered */
	int64_t asked_ns;	     /* when it was sent */
	uint32_t asked_for, settled; /* see registrar.wanted */
	uint32_t pongs;
	int64_t offset_ns, offset_at_ns; /* of its clock, at least; and when that was so */
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
	int32_t host_of[CHANNEL_MEMBERS_MAX]; /* -1: has not registered */
	pid_t *commands;		      /* NULL: none were started */
	struct client *client;		      /* NULL: not started */
	uint32_t wanted;		      /* atomic: number of the last executors_settle() */
	uint32_t settled;		      /* atomic: the last one that is done */
	bool stop;			      /* atomic */
};

extern struct registrar registrar;

/* Accepts who has proved the token, and handles what executors have sent: one message, for which it
 * waits until REGISTRAR_TURN_MS have passed. */
void registrar_turn(void);

/* Sends a message to an executor. Nothing happens if it takes none. */
void registrar_send(uint32_t member, const struct enlist *message);

/* Handles a message of a registered executor. Returns false if it cannot be one of its. */
bool registrar_hear(struct enlisted *enlisted, struct enlist *message);

/* Marks that the executor has ended, or is lost. */
void registrar_part(struct enlisted *enlisted, bool ended);

/* Starts a command for each host. Returns OK, or IO with a sentence. */
enum status registrar_start_commands(const char *address, struct text *why);

/* True if no command has failed. Otherwise `why` gets a sentence about one. */
bool registrar_commands_live(struct text *why);

/* Waits a little until the commands have ended, then ends them. */
void registrar_end_commands(void);

#endif
