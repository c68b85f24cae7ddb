/* A hub over ZeroMQ and its parties. Private to the room, for zeromq_hub.c. All functions are
 * called with the mutex held. */
#ifndef TRANSPORT_ZEROMQ_PEERS_H
#define TRANSPORT_ZEROMQ_PEERS_H

#include "zeromq.h"
#include "zeromq_gate.h"

enum { SUBSCRIBED_MAX = 2 * CHANNEL_MEMBERS_MAX };

struct zeromq_peer {
	struct party party;
	char topic[ZEROMQ_GREETING_BYTES + 1]; /* "@name token" */
	uint8_t identity[ZEROMQ_PREFIX_MAX];
	size_t identity_length;
	int fd;		   /* of its connection */
	bool cut;	   /* the connection is closed; its last messages may not be read yet */
	uint64_t next_out; /* sequence */
	uint64_t next_own; /* next sequence number on its topic */
	bool reads;	   /* it was allowed to subscribe, which happens once */
};

struct zeromq_hub {
	struct hub hub;
	const struct zeromq_style *style;
	void *context;
	struct zeromq_socket talk, publish;
	struct zeromq_gate gate;		       /* for subscriptions */
	uint64_t next_all, session_all;		       /* of the messages to all */
	char (*subscribed)[ZEROMQ_GREETING_BYTES + 1]; /* topics of single members */
	uint32_t subscribed_count;
};

/* Handles everything that has arrived. True if there was anything. */
bool peers_hear(struct zeromq_hub *self);

/* See the callbacks of the same names in hub.h. */
bool peers_greeting(struct party *party, struct span payload);
bool peers_is_ready(const struct hub *hub, const struct party *party);
void peers_tell(struct hub *hub, struct party *party, enum frame_kind kind, uint32_t credit,
	struct span payload);

#endif
