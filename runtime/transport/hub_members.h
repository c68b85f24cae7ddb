/* The hub of a stream and who comes to it. Private to the room, for stream_hub.c. All with the
 * mutex held. */
#ifndef TRANSPORT_HUB_MEMBERS_H
#define TRANSPORT_HUB_MEMBERS_H

#include "stream_hub.h"

enum {
	NEWCOMERS_MAX = 64, /* have not said who they are */
	ADDRESS_BYTES = 192,
	CONNECTIONS_MAX = CHANNEL_MEMBERS_MAX + NEWCOMERS_MAX,
};

struct member {
	struct connection connection;
	struct party party;
	int64_t until_ns; /* NEWCOMER: says who it is, or is refused */
};

struct hub {
	struct end end;
	const struct stream_family *family;
	int listener;
	char address[ADDRESS_BYTES];
	struct member *accepted[CHANNEL_MEMBERS_MAX];
	uint32_t accepted_count;
	struct member *waiting[CONNECTIONS_MAX]; /* not accepted yet, in order of coming */
	uint32_t waiting_count;
};

/* Takes in all that knock. */
void hub_admit(struct hub *hub);

/* Takes what has come in from one. */
void hub_hear(struct hub *hub, struct member *member);

/* A member is lost; `tell`: whoever receives is told, if it was accepted. Again: nothing happens.
 */
void hub_lose(struct hub *hub, struct member *member, bool tell);

/* Forgets who is gone, and newcomers that said nothing for too long or are too many. */
void hub_sweep(struct hub *hub);

/* The first that has joined, which no longer waits; NULL: nobody has. */
struct member *hub_take_joined(struct hub *hub);

#endif
