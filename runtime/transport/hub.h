/* The code that the hubs of all libraries have in common. A hub keeps a list of parties, the
 * programs that have connected to the hub. hub.c implements the hub's operations of
 * world/channel.h, and calls the library through struct hub_library. Only for files of this
 * folder. */
#ifndef TRANSPORT_HUB_H
#define TRANSPORT_HUB_H

#include "end.h"
#include "transport/proof.h"

enum {
	NEWCOMERS_MAX = 64, /* most parties that may be connected and have sent nothing, and most
			     * that have greeted but not proved the key */
	WAITING_MAX = CHANNEL_MEMBERS_MAX + 2 * NEWCOMERS_MAX,
	FROM_BYTES = 64,
	ADDRESS_BYTES = 192,
};

/* State of a party at the hub. */
enum standing {
	NEWCOMER,   /* has sent nothing */
	CHALLENGED, /* has greeted and was asked for its proof */
	JOINED,	    /* has proved that it holds the key */
	ACCEPTED,
	LOST
};

/* A program that is connected to the hub. Each library has a larger struct for this, whose first
 * member is a struct party. hub.c frees the larger struct. */
struct party {
	struct flow flow;
	char name[CHANNEL_NAME_BYTES];
	enum standing standing;
	bool dropped;	 /* hub_drop() was called for it */
	uint32_t number; /* valid in ACCEPTED, and in LOST after that */
	struct proof proof;
	uint64_t session;      /* of its frames; 0 until CHALLENGED */
	char from[FROM_BYTES]; /* its address as far as the library knows it, for messages */
	int64_t come_ns;       /* when it connected; it has a second from then to prove itself */
	int64_t greeted_ns, proof_ns; /* time of its greeting, and duration of the proof */
	uint64_t next_in;	      /* next sequence number, for hub_hear() */
};

struct hub;

/* Callbacks of a library. The mutex is held during all of them except close(). Only close() may
 * block. */
struct hub_library {
	/* Reads `payload`, the greeting of a party. Writes the name to party->name, and stores in
	 * the party whatever else the library needs. Returns false if the greeting is invalid. */
	bool (*greeting)(struct party *party, struct span payload);

	/* True if everything sent from now on will reach the party, so it may be accepted. */
	bool (*is_ready)(const struct hub *hub, const struct party *party);

	/* Sends FRAME_WELCOME. The party is accepted unless sending loses it. */
	void (*welcome)(struct hub *hub, struct party *party);

	/* Queues a frame for a party, behind earlier frames. The party is not lost, and the payload
	 * has its bytes in memory. Takes a reference of its own to the payload. If the set of
	 * descriptors to poll changes, calls end_ring(). If the party cannot be reached, calls
	 * hub_lose(). */
	void (*tell)(struct hub *hub, struct party *party, enum frame_kind kind, uint32_t credit,
		struct span payload);

	/* Sends a FRAME_MESSAGE like tell(), but in order with the messages of publish(), too. */
	void (*say)(struct hub *hub, struct party *party, struct span payload);

	/* Sends one message to all members that are accepted and not dropped. The caller makes sure
	 * that none of these members is lost. Returns false if the library has no multicast; hub.c
	 * then calls say() for each member. */
	bool (*publish)(struct hub *hub, struct span payload);

	/* Called after sends, which may consume a readiness event: receives what has arrived. */
	void (*told)(struct hub *hub);

	/* Returns true if some frames for the party have not left this end yet. They are sent only
	 * while a thread polls for this end. */
	bool (*is_leaving)(const struct hub *hub, const struct party *party);

	/* Called once for each party that is lost or dropped. If `bye` is set, tells the party that
	 * the connection ends, unless the party notices that by itself. */
	void (*part)(struct hub *hub, struct party *party, bool bye);

	/* Closes the library's part of the hub. No other call may be under way. Sends a goodbye to
	 * the parties that are not lost, and waits until everything sent has arrived, but at most a
	 * second. Frees everything of the library except the parties. Also called for a hub that
	 * could not be opened. */
	void (*close)(struct hub *hub);
};

/* First member of the library's own struct. */
struct hub {
	struct end end;
	const struct hub_library *library;
	char address[ADDRESS_BYTES];
	struct party *accepted[CHANNEL_MEMBERS_MAX];
	uint32_t accepted_count;
	struct party *waiting[WAITING_MAX]; /* not accepted yet, in order of arrival */
	uint32_t waiting_count;
};

/* ---- for libraries, with the mutex held ---- */

/* Allocates a hub of `bytes` bytes that starts with a struct hub, and sets *hub to it. The hub
 * polls up to polls_max descriptors. Returns OK, or IO if there was no descriptor for the eventfd
 * that wakes the polling thread; after IO there is nothing to close. */
enum status hub_new(const struct hub_library *library, const struct channel_settings *settings,
	size_t bytes, uint32_t polls_max, struct hub **hub);

/* Adds a newcomer, allocated on the heap, to those that wait. It has a second to prove itself. */
void hub_add(struct hub *hub, struct party *party);

/* Default callbacks for libraries without special handling. The greeting is a name, and every party
 * may be accepted. hub_plain_say() sends ordinary frames, hub_plain_publish() returns false, and
 * hub_plain_told() does nothing. */
bool hub_plain_greeting(struct party *party, struct span payload);
bool hub_plain_ready(const struct hub *hub, const struct party *party);
void hub_plain_say(struct hub *hub, struct party *party, struct span payload);
bool hub_plain_publish(struct hub *hub, struct span payload);
void hub_plain_told(struct hub *hub);

/* Default is_leaving(), for libraries that send by themselves. */
bool hub_plain_leaving(const struct hub *hub, const struct party *party);

/* Sends FRAME_BYE to all accepted members. Then waits until every member has closed its connection,
 * or until the deadline. A member closes the connection when it has received everything. */
void hub_say_goodbye(struct hub *hub, int64_t deadline_ns);

/* Handles a frame of a party. `fault` is the fault that was found when the frame was read. The
 * party is refused if the frame is bad or unexpected. Takes over the caller's reference to the
 * payload. */
void hub_hear_frame(struct hub *hub, struct party *party, enum frame_fault fault, uint32_t version,
	const struct frame *frame, struct span payload);

/* Handles a message of a party like hub_hear_frame(), for libraries that receive whole messages.
 * `header` is NULL if the message is too short to have one. */
void hub_hear(struct hub *hub, struct party *party, const uint8_t *header, struct span payload);

/* Refuses a party, and marks it as lost. If the party has proved the key, it is told the reason in
 * a FRAME_REFUSED, provided that the frame can be sent at once. A party that has not proved the key
 * gets no answer. `format` has one %s, for `detail`. */
void hub_refuse(struct hub *hub, struct party *party, enum refusal refusal, const char *format,
	const char *detail);

/* Counts a refused stranger. Remembers the stranger's address and the reason. */
void hub_refuse_stranger(struct hub *hub, const char *from, const char *what);

/* Marks a party as lost. If the party was accepted and not dropped, the caller that receives at the
 * hub gets a notice. Further calls for the same party have no effect. */
void hub_lose(struct hub *hub, struct party *party);

/* Frees lost parties, and refuses some strangers, which are parties that have not proved the key:
 * strangers that have taken more than a second, the oldest ones if more than NEWCOMERS_MAX have
 * sent nothing, and the oldest ones if more than NEWCOMERS_MAX have greeted but proved nothing. */
void hub_sweep(struct hub *hub);

/* ---- operations: see those of the same names in world/channel.h ---- */

const char *hub_address(const struct hub *hub);
enum status hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *member);
const char *hub_member(const struct hub *hub, uint32_t member);
enum status hub_send(
	struct hub *hub, uint32_t member, struct span message, int64_t deadline_ns, uint32_t *who);
enum status hub_receive(
	struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message);
void hub_drop(struct hub *hub, uint32_t member);
void hub_counts(struct hub *hub, struct channel_counts *counts);
void hub_close(struct hub *hub);

#endif
