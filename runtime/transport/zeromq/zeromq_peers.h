/* The hub over ZeroMQ and its parties, for zeromq_hub.c. The caller of each function must hold the
 * mutex. */
#ifndef TRANSPORT_ZEROMQ_PEERS_H
#define TRANSPORT_ZEROMQ_PEERS_H

#include <poll.h>

#include "zeromq.h"

/* The gate controls which clients receive the messages that a hub over ZeroMQ publishes. The
 * library asks the gate about each client that wants to subscribe (ZAP, RFC 27), before it reads
 * anything else from the client's connection. */

struct zeromq_gate {
	void *socket; /* NULL: the gate is not open */
	char id[256]; /* id of the request that is being answered */
	size_t id_length;
};

/* A client that wants to subscribe. `name` and `password` come from the client; `from` is its
 * address, as the library reports it. */
struct zeromq_caller {
	char name[256], password[ZEROMQ_PASSWORD_BYTES], from[FROM_BYTES];
};

/* Opens the gate. A context can have only one gate. It must be opened before the hub binds the
 * socket whose subscriptions the gate controls. */
enum status zeromq_gate_open(struct zeromq_gate *gate, void *context);
void zeromq_gate_close(struct zeromq_gate *gate);

/* Makes the library ask the gate about each connection of a socket. */
enum status zeromq_gate_guard(void *socket);

/* Fills in the descriptor to poll. Works like zeromq_polls(). */
uint32_t zeromq_gate_polls(const struct zeromq_gate *gate, struct pollfd *polls);

/* Reads the next request. The caller must answer it before it reads another one. Returns false if
 * there is no request. */
bool zeromq_gate_hear(struct zeromq_gate *gate, struct zeromq_caller *caller);
void zeromq_gate_answer(struct zeromq_gate *gate, bool good);

enum { SUBSCRIBED_MAX = 2 * CHANNEL_MEMBERS_MAX };

struct zeromq_peer {
	struct party party;
	char topic[ZEROMQ_GREETING_BYTES + 1]; /* the topic: "@name token" */
	uint8_t identity[ZEROMQ_PREFIX_MAX];
	size_t identity_length;
	int fd;		   /* descriptor of the party's connection */
	bool cut;	   /* the connection is closed, but its last messages may not be read yet */
	uint64_t next_out; /* next sequence number */
	uint64_t next_own; /* next sequence number on the party's topic */
	bool reads;	   /* the party was allowed to subscribe; this happens only once */
};

struct zeromq_hub {
	struct hub hub;
	const struct zeromq_style *style;
	void *context;
	struct zeromq_socket talk, publish;
	struct zeromq_gate gate; /* the gate for subscriptions */
	/* next sequence number and session number of the messages to all members */
	uint64_t next_all, session_all;
	char (*subscribed)[ZEROMQ_GREETING_BYTES + 1]; /* topics, each of a single member, to which
							* members have subscribed */
	uint32_t subscribed_count;
	bool *open; /* [descriptor] true if a connection is open, as the monitor has reported */
	int open_end;
};

/* Handles everything that has arrived. Returns true if anything has arrived. */
bool peers_hear(struct zeromq_hub *self);

/* See the callbacks of the same names in hub.h. */
bool peers_greeting(struct party *party, struct span payload);
bool peers_is_ready(const struct hub *hub, const struct party *party);
void peers_tell(struct hub *hub, struct party *party, enum frame_kind kind, uint32_t credit,
	struct span payload);

#endif
