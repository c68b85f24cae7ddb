/* A hub over ZeroMQ and who comes to it. Private to the room, for zeromq_hub.c. All with the mutex
 * held. */
#ifndef TRANSPORT_ZEROMQ_PEERS_H
#define TRANSPORT_ZEROMQ_PEERS_H

#include "zeromq.h"

enum { SUBSCRIBED_MAX = 2 * CHANNEL_MEMBERS_MAX, WAITING_MAX = 64 };

struct peer {
	struct party party;
	char topic[ZEROMQ_GREETING_BYTES + 1]; /* "@name token" */
	uint8_t identity[ZEROMQ_PREFIX_MAX];
	size_t identity_length;
	int fd;			    /* of its connection */
	bool cut;		    /* the connection is gone, what it sent may not be read yet */
	uint64_t next_in, next_out; /* sequence */
	uint64_t next_own;	    /* on its topic */
};

struct hub {
	struct end end;
	const struct zeromq_style *style;
	void *context;
	struct zeromq_socket talk, publish;
	char address[ZEROMQ_ADDRESS_BYTES];
	uint64_t next_all;
	struct peer *accepted[CHANNEL_MEMBERS_MAX], *waiting[WAITING_MAX];
	uint32_t accepted_count, waiting_count;
	char (*subscribed)[ZEROMQ_GREETING_BYTES + 1]; /* topics of single members */
	uint32_t subscribed_count;
};

/* Takes in all that has come. True: something had. */
bool peers_hear(struct hub *hub);

/* A peer is lost; `tell`: whoever receives is told, if it was accepted. Again: nothing happens. */
void peers_lose(struct hub *hub, struct peer *peer, bool tell);

/* Says something to one, not in the order of what is published. */
void peers_tell(struct hub *hub, struct peer *peer, enum frame_kind kind, uint32_t credit,
	struct span payload);

/* Says the next to one member, in order with what all are told. */
void peers_say(struct hub *hub, struct peer *peer, enum frame_kind kind, struct span payload);

/* Accepts the first that may be, and tells it so; NULL: nobody. */
struct peer *peers_accept(struct hub *hub);

#endif
