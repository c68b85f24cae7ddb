/* The code that the hubs of all libraries have in common. A hub keeps a list of parties, which are
 * the programs that have connected to the hub. hub.c implements the hub's operations of
 * world/channel.h, and calls the library through struct hub_library. Only for files of this folder
 * and its subfolders. */
#ifndef TRANSPORT_HUB_H
#define TRANSPORT_HUB_H

#include "end.h"
#include "transport/proof.h"

enum {
	/* maximum number of connected parties that have sent nothing; also the maximum number of
	 * parties that have sent a greeting and have not proved that they have the key */
	NEWCOMERS_MAX = 64,
	WAITING_MAX = CHANNEL_MEMBERS_MAX + 2 * NEWCOMERS_MAX,
	FROM_BYTES = 64,
	ADDRESS_BYTES = 192,
};

/* State of a party at the hub. */
enum standing {
	NEWCOMER,   /* has sent nothing */
	CHALLENGED, /* has sent its greeting, and was asked for its proof */
	JOINED,	    /* has proved that it has the key */
	ACCEPTED,
	LOST
};

/* A program that is connected to the hub. Each library has a larger struct for a party, whose first
 * member is a struct party. hub.c frees the larger struct. */
struct party {
	struct flow flow;
	char name[CHANNEL_NAME_BYTES];
	enum standing standing;
	bool dropped;	 /* hub_drop() was called for the party */
	uint32_t number; /* valid while ACCEPTED, and while LOST after ACCEPTED */
	struct proof proof;
	uint64_t session;      /* session number of its frames; 0 until CHALLENGED */
	char from[FROM_BYTES]; /* address of the party, if the library knows it; for messages */
	int64_t come_ns;       /* time at which the party connected; within a second, the party must
				* prove that it has the key */
	int64_t greeted_ns, proof_ns; /* time at which the greeting arrived, and duration of the
				       * proof */
	uint64_t next_in;	      /* next sequence number; for hub_hear() */
};

struct hub;

/* Callbacks of a library. All of them except close() are called with the mutex held, and only
 * close() may block. */
struct hub_library {
	/* Reads `payload`, the greeting of a party. Writes the name to party->name, and stores in
	 * the party everything else that the library needs. Returns false if the greeting is
	 * invalid. */
	bool (*greeting)(struct party *party, struct span payload);

	/* Returns true if all messages that are sent from now on will reach the party, so that it
	 * may be accepted. */
	bool (*is_ready)(const struct hub *hub, const struct party *party);

	/* Sends FRAME_WELCOME. The party is accepted unless it is lost during sending. */
	void (*welcome)(struct hub *hub, struct party *party);

	/* Queues a frame for a party, after earlier frames. The party must not be lost, and the
	 * bytes of the payload must be in memory. Takes its own reference to the payload. If the
	 * set of descriptors to poll changes, calls end_ring(). If the party cannot be reached,
	 * calls hub_lose(). */
	void (*tell)(struct hub *hub, struct party *party, enum frame_kind kind, uint32_t credit,
		struct span payload);

	/* Sends a FRAME_MESSAGE like tell(). The party receives this message and the messages of
	 * publish() in the order in which they were sent. */
	void (*say)(struct hub *hub, struct party *party, struct span payload);

	/* Sends one message to all members that are accepted and not dropped; the caller makes sure
	 * that none of them is lost. Returns false if the library has no multicast; hub.c then
	 * calls say() for each member. */
	bool (*publish)(struct hub *hub, struct span payload);

	/* Called after messages were sent. Receives the messages that have arrived. This is needed
	 * because the descriptor may no longer report them: sending may have consumed its event. */
	void (*told)(struct hub *hub);

	/* Returns true if frames for the party are still in the memory of this process, and can
	 * only leave it while a thread of this process polls. */
	bool (*is_leaving)(const struct hub *hub, const struct party *party);

	/* Called once for each party that is lost or dropped. If `bye` is set, notifies the party
	 * that the connection ends, unless the library does this itself. */
	void (*part)(struct hub *hub, struct party *party, bool bye);

	/* Closes the library's part of the hub. No other call may be in progress. Sends a goodbye
	 * to the parties that are not lost. Waits, for at most a second, until all frames that were
	 * sent have arrived. Frees everything that belongs to the library except the parties. Also
	 * called for a hub that could not be opened. */
	void (*close)(struct hub *hub);
};

/* First member of the library's own struct for a hub. */
struct hub {
	struct end end;
	const struct hub_library *library;
	char address[ADDRESS_BYTES];
	struct party *accepted[CHANNEL_MEMBERS_MAX];
	uint32_t accepted_count;
	struct party *waiting[WAITING_MAX]; /* parties that are not accepted yet, in the order
					     * of arrival */
	uint32_t waiting_count;
};

/* ---- functions for libraries; the caller must hold the mutex ---- */

/* Allocates a hub of `bytes` bytes that starts with a struct hub, and sets *hub to it. The hub
 * polls up to polls_max descriptors. Returns OK. Returns IO if no eventfd, which wakes the polling
 * thread, could be created; the caller must then not close the hub. */
enum status hub_new(const struct hub_library *library, const struct channel_settings *settings,
	size_t bytes, uint32_t polls_max, struct hub **hub);

/* Adds a new party to the parties that wait. The party must be allocated on the heap. It must prove
 * within a second that it has the key. */
void hub_add(struct hub *hub, struct party *party);

/* Default callbacks for libraries without special handling. hub_plain_greeting() uses the greeting
 * as the party's name, and hub_plain_ready() accepts every party. hub_plain_say() sends ordinary
 * frames, hub_plain_publish() returns false, and hub_plain_told() does nothing. */
bool hub_plain_greeting(struct party *party, struct span payload);
bool hub_plain_ready(const struct hub *hub, const struct party *party);
void hub_plain_say(struct hub *hub, struct party *party, struct span payload);
bool hub_plain_publish(struct hub *hub, struct span payload);
void hub_plain_told(struct hub *hub);

/* Default is_leaving(), for libraries whose own threads send. */
bool hub_plain_leaving(const struct hub *hub, const struct party *party);

/* Sends FRAME_BYE to all accepted members. Then waits until every member has closed its connection,
 * or until the deadline. A member closes the connection when it has received everything. */
void hub_say_goodbye(struct hub *hub, int64_t deadline_ns);

/* Handles a frame of a party. `fault` is the result of checking the frame's header. If the frame is
 * faulty or unexpected, rejects the party. Takes ownership of the caller's reference to the
 * payload. */
void hub_hear_frame(struct hub *hub, struct party *party, enum frame_fault fault, uint32_t version,
	const struct frame *frame, struct span payload);

/* Handles a message of a party like hub_hear_frame(), for libraries that receive whole messages.
 * `header` is NULL if the message is shorter than a header. */
void hub_hear(struct hub *hub, struct party *party, const uint8_t *header, struct span payload);

/* Rejects a party, and marks it as lost. If the party has proved that it has the key, sends it the
 * reason in a FRAME_REFUSED, provided that the frame can be sent at once. A party that has not
 * proved this gets no answer. `format` has one %s, for `detail`. */
void hub_refuse(struct hub *hub, struct party *party, enum refusal refusal, const char *format,
	const char *detail);

/* Counts a stranger that was rejected. Stores the stranger's address and the reason. */
void hub_refuse_stranger(struct hub *hub, const char *from, const char *what);

/* Marks a party as lost. If the party was an accepted member that the caller has not dropped, the
 * caller gets a notice when it receives from the hub. Further calls for the same party have no
 * effect. */
void hub_lose(struct hub *hub, struct party *party);

/* Frees lost parties, and rejects some strangers, which are parties that have not proved that they
 * have the key. Rejects a stranger that has been connected for more than a second. If more than
 * NEWCOMERS_MAX strangers have sent nothing, rejects the oldest of them. If more than NEWCOMERS_MAX
 * have sent only a greeting, rejects the oldest of these. */
void hub_sweep(struct hub *hub);

/* ---- operations; world/channel.h documents them under the same names ---- */

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
