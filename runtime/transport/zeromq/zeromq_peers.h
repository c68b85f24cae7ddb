/* A hub over ZeroMQ and who comes to it. Private to the room, for zeromq_hub.c. All with the mutex
 * held. */
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
	bool cut;	   /* the connection is gone, what it sent may not be read yet */
	uint64_t next_out; /* sequence */
	uint64_t next_own; /* on its topic */
	bool reads;	   /* was let in to what is published, which it is once */
};

struct zeromq_hub {
	struct hub hub;
	const struct zeromq_style *style;
	void *context;
	struct zeromq_socket talk, publish;
	struct zeromq_gate gate;		       /* of what is published */
	uint64_t next_all, session_all;		       /* of what all are told */
	char (*subscribed)[ZEROMQ_GREETING_BYTES + 1]; /* topics of single members */
	uint32_t subscribed_count;
};

/* Takes in all that has come. True: something had. */
bool peers_hear(struct zeromq_hub *self);

/* As hub.h says of the operations of the library. */
bool peers_greeting(struct party *party, struct span payload);
bool peers_is_ready(const struct hub *hub, const struct party *party);
void peers_tell(struct hub *hub, struct party *party, enum frame_kind kind, uint32_t credit,
	struct span payload);

#endif
