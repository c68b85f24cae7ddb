/* The part that the hubs of all libraries have in common. It keeps a list of the parties: programs
 * that have connected, and may be accepted or lost. It implements the operations of
 * world/channel.h, and calls the library through struct hub_library. Only for files of this
 * folder. */
#ifndef TRANSPORT_HUB_H
#define TRANSPORT_HUB_H

#include "end.h"
#include "transport/proof.h"

enum {
	NEWCOMERS_MAX = 64, /* limit for parties that have sent nothing, and the same limit for
			     * parties that have greeted but proved nothing */
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

/* A program that connected to the hub. It is the first member of the library's own struct, which
 * hub.c frees. */
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

/* Callbacks of a library. All except close() are called with the mutex held. Only close() may
 * block. */
struct hub_library {
	/* Reads the name from a greeting (the span is its payload) into party->name. Also reads
	 * everything else in it that the library needs. Returns false if the greeting is
	 * invalid. */
	bool (*greeting)(struct party *party, struct span payload);

	/* True if everything sent from now on will reach the party, so it may be accepted. */
	bool (*is_ready)(const struct hub *hub, const struct party *party);

	/* Sends FRAME_WELCOME. The party is accepted unless sending loses it. */
	void (*welcome)(struct hub *hub, struct party *party);

	/* Queues a frame behind earlier frames, for a party that is not lost. Takes its own
	 * reference to the payload, whose bytes are in memory. Calls end_ring() if other
	 * descriptors must be polled from now on, and hub_lose() if the party cannot be reached. */
	void (*tell)(struct hub *hub, struct party *party, enum frame_kind kind, uint32_t credit,
		struct span payload);

	/* Sends a FRAME_MESSAGE like tell(), in one order with the messages of publish(). */
	void (*say)(struct hub *hub, struct party *party, struct span payload);

	/* Sends one message to all members that are accepted and not dropped. The caller makes sure
	 * that none of them is lost. Returns false if the library has no multicast. Then hub.c
	 * calls say() for each member. */
	bool (*publish)(struct hub *hub, struct span payload);

	/* Called after sends, which may consume a readiness event: receives what has arrived. */
	void (*told)(struct hub *hub);

	/* Returns true if frames for the party are still at this end. They leave only while this
	 * end is polled. */
	bool (*is_leaving)(const struct hub *hub, const struct party *party);

	/* Called once for each party that is lost or dropped. If `bye` is set, tells the party,
	 * unless it notices by itself. */
	void (*part)(struct hub *hub, struct party *party, bool bye);

	/* Closes the library's part of the hub, while no other call is under way. Says goodbye to
	 * the parties that are not lost, and waits at most a second until everything sent has
	 * arrived. Frees everything of the library except the parties. Also called for a hub that
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

/* Makes a hub of `bytes` bytes, which starts with a struct hub. The hub's end polls up to polls_max
 * descriptors. Returns IO if no descriptor was available for the bell; then there is nothing to
 * close. */
enum status hub_new(const struct hub_library *library, const struct channel_settings *settings,
	size_t bytes, uint32_t polls_max, struct hub **hub);

/* Adds a newcomer, allocated on the heap, to those that wait. It has a second to prove itself. */
void hub_add(struct hub *hub, struct party *party);

/* Defaults for libraries without special handling. A greeting is a name, and every party may be
 * accepted. Messages are ordinary frames, and each is sent to one member. Nothing is received after
 * sends. */
bool hub_plain_greeting(struct party *party, struct span payload);
bool hub_plain_ready(const struct hub *hub, const struct party *party);
void hub_plain_say(struct hub *hub, struct party *party, struct span payload);
bool hub_plain_publish(struct hub *hub, struct span payload);
void hub_plain_told(struct hub *hub);

/* Default is_leaving(), for libraries that send by themselves. */
bool hub_plain_leaving(const struct hub *hub, const struct party *party);

/* Sends FRAME_BYE to all accepted members. Then waits until each member has closed its connection,
 * or until the deadline. A member closes its connection when it has received everything. */
void hub_say_goodbye(struct hub *hub, int64_t deadline_ns);

/* Handles a frame of a party. `fault` is the fault that was found when the frame was read. Either
 * the frame takes effect, or the party is refused. Takes over the caller's reference to the
 * payload. */
void hub_hear_frame(struct hub *hub, struct party *party, enum frame_fault fault, uint32_t version,
	const struct frame *frame, struct span payload);

/* Like hub_hear_frame(), for a message that arrived as a whole. The header is NULL if the message
 * has none. */
void hub_hear(struct hub *hub, struct party *party, const uint8_t *header, struct span payload);

/* Refuses a party, which is then lost. If the party has proved the key, it is told the reason,
 * provided that the frame can be sent at once. A stranger is not told. `format` has one %s, for
 * `detail`. */
void hub_refuse(struct hub *hub, struct party *party, enum refusal refusal, const char *format,
	const char *detail);

/* Counts a refused stranger. Remembers the stranger's address and the reason. */
void hub_refuse_stranger(struct hub *hub, const char *from, const char *what);

/* Marks a party as lost. The receiver gets a notice if the party was accepted and not dropped.
 * Further calls for the same party have no effect. */
void hub_lose(struct hub *hub, struct party *party);

/* Frees lost parties. Refuses strangers that have taken more than a second. If more than
 * NEWCOMERS_MAX strangers have sent nothing, or if more than NEWCOMERS_MAX have greeted but proved
 * nothing, refuses the oldest of them. */
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
