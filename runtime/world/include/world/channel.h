/* The third interface to the world: messages between hosts. The controller's end of all connections
 * is a hub. The end of a member, which is an executor, is a channel. There is one implementation of
 * channels for each library in runtime/transport, and a simulated implementation that uses the
 * fitted costs of these libraries.
 *
 * A member receives each message from the hub once. It receives messages to all members and
 * messages to itself alone in the order in which the hub sent them. The same holds for a member's
 * messages to the hub. Messages are never split or joined. At each end, one thread may send while
 * another thread receives. Two threads must not send at the same time, and two threads must not
 * receive at the same time. If the other end has no room for a message yet, the message is
 * transmitted later, while a thread sends or receives at this end.
 *
 * The interface follows section 4.8 of spec/tt-metalium-distributed: one sender, many receivers,
 * and messages back from each receiver. Deadlines are absolute, in ns of world->now_ns(). A call
 * whose deadline has already passed does not wait. */
#ifndef WORLD_CHANNEL_H
#define WORLD_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/extent.h"
#include "base/status.h"
#include "base/text.h"

struct hub;	/* opaque */
struct channel; /* opaque */

enum {
	CHANNEL_NAME_BYTES = 64, /* maximum bytes of a member's name, including the NUL */
	CHANNEL_MEMBERS_MAX = 1024,
	CHANNEL_MESSAGE_BYTES_MAX = 1 << 30,
	CHANNEL_WINDOW_MAX = 1 << 16,
	CHANNEL_KEY_BYTES = 32,
	CHANNEL_STRANGER_BYTES = 160,
};

/* The member number that addresses every member. */
#define CHANNEL_ALL UINT32_MAX

enum channel_capability {
	CHANNEL_ZERO_COPY = 1 << 0, /* the receiver may use a message in place, without a copy */
	CHANNEL_MULTICAST = 1 << 1, /* one send reaches several members */
	/* a member receives messages into memory from channel_memory */
	CHANNEL_PLACES = 1 << 2,
};

/* Memory that a member's caller provides for incoming messages. */
struct channel_memory {
	/* NULL if the caller provides no memory. Otherwise returns a span with room for a message
	 * of `length` bytes, and gives a reference to the channel. If the span has no extent, the
	 * channel uses its own memory for this message. Called only by threads that are inside a
	 * call on this end, and never by two threads at the same time. */
	struct span (*take)(void *context, uint32_t length);
	void *context; /* passed to take(); must outlive the hub or channel, like the memory that
			* take() returns */
};

struct channel_settings {
	const char *address; /* address at which the hub listens; each transport has its own
			      * format */
	const char *name;    /* the member's name, unique among members, not empty */
	uint64_t session;    /* number of the session; two ends connect only if they have the same
			      * number */
	/* the key of the run: CHANNEL_KEY_BYTES bytes that must outlive the hub or channel. Over
	 * real sockets, peers that cannot prove that they have the key are rejected. NULL is
	 * allowed only in the simulation, to which strangers cannot connect */
	const uint8_t *key;
	uint32_t message_bytes_max; /* maximum bytes of a message, in either direction */
	uint32_t window; /* maximum number of messages, in each direction between hub and member,
			  * that were sent and not received yet */
	bool remote;	 /* true: other machines may connect; false: only this machine */
	struct channel_memory memory; /* memory of a member for incoming messages; used by
				       * transports with CHANNEL_PLACES */
};

struct channel_counts {
	/* messages that were sent, and their bytes; a message to n members counts n times */
	uint64_t sent, sent_bytes;
	/* messages that were handed to callers, and their bytes */
	uint64_t received, received_bytes;
	uint64_t full; /* number of sends that had to wait for room in a window */
	/* number of connections that were closed because the received data were invalid. The data
	 * came from strangers, other versions or other sessions, or the frames were too large,
	 * replayed or broken */
	uint64_t refused;
	/* Set only for a hub over real sockets. opening_ns is the time from connection to
	 * acceptance, summed over all accepted members. proof_ns is the part of this time in which
	 * both ends proved that they have the key. opening_most_ns and proof_most_ns are the
	 * largest values of a single member. */
	int64_t opening_ns, proof_ns, opening_most_ns, proof_most_ns;
	/* Address of the last peer that was rejected before it had proved that it has the key, and
	 * the reason for the rejection. "" if there was no such peer. */
	char stranger[CHANNEL_STRANGER_BYTES];
};

struct channel_ops {
	const char *name;
	uint32_t capabilities; /* bits of enum channel_capability */

	/* Opens a hub that listens at the address, and sets *hub. Returns OK, or an error with a
	 * sentence in `why` (may be NULL). Returns INVALID in three cases: the address does not
	 * exist; the window or the message size is 0 or above its bound; other machines can reach
	 * the address, but `remote` is not set. Returns EXISTS if the address is in use, and IO
	 * after any other error. */
	enum status (*hub_open)(
		const struct channel_settings *settings, struct hub **hub, struct text *why);

	/* Returns the address at which members reach the hub. If the port in the settings was 0,
	 * the address contains the port that was chosen. The string belongs to the hub. */
	const char *(*hub_address)(const struct hub *hub);

	/* Waits until one more member has joined, and sets *member to its number. Members are
	 * numbered from 0 in the order of acceptance. May be called at any time. Returns OK.
	 * Returns TIMEOUT if the deadline has passed, and NO_SPACE if there are already
	 * CHANNEL_MEMBERS_MAX members. */
	enum status (*hub_accept)(struct hub *hub, int64_t deadline_ns, uint32_t *member);

	/* Returns the name of an accepted member. The string belongs to the hub. */
	const char *(*hub_member)(const struct hub *hub, uint32_t member);

	/* Sends a message to one member or, if `member` is CHANNEL_ALL, to all members that were
	 * accepted and not dropped. Blocks until the windows have room and the message has left
	 * this end, but at most until the deadline. Returns OK; the hub then has its own reference
	 * to the message. On an error, no member gets the message. Returns TIMEOUT if the window of
	 * member *who stayed full, CLOSED if member *who is lost, OUT_OF_RANGE if the message is
	 * too large, and ELIDED if the message has no bytes. */
	enum status (*hub_send)(struct hub *hub, uint32_t member, struct span message,
		int64_t deadline_ns, uint32_t *who);

	/* Receives a message from any member, and sets *member to the number of this member. The
	 * caller releases *message. Returns OK. Returns TIMEOUT if the deadline has passed, and
	 * CLOSED if the member *member is lost. A loss is reported once, after all messages of the
	 * member have been received. */
	enum status (*hub_receive)(
		struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message);

	/* Closes the connection to a member. The member's calls then return CLOSED, and CHANNEL_ALL
	 * no longer includes the member. Messages that the member had sent may still be
	 * received. */
	void (*hub_drop)(struct hub *hub, uint32_t member);

	void (*hub_counts)(struct hub *hub, struct channel_counts *counts);

	/* Closes all connections and frees the hub. Messages that were already sent still arrive,
	 * but messages to a member that does not read for a second may be lost. No other call may
	 * be in progress. `hub` may be NULL. */
	void (*hub_close)(struct hub *hub);

	/* Joins the hub at the address, and sets *channel. Tries repeatedly until a hub listens
	 * there. Returns OK, or an error with a sentence in `why` (may be NULL). Returns TIMEOUT if
	 * the hub does not answer or has not accepted this member, and EXISTS if another member has
	 * this name. Returns INVALID in the same cases as hub_open(), and if the name is empty or
	 * too long. Returns UNSUPPORTED if the hub has another version, session or key, and IO
	 * after any other error. */
	enum status (*join)(const struct channel_settings *settings, int64_t deadline_ns,
		struct channel **channel, struct text *why);

	/* Like hub_send() and hub_receive(), for messages to and from the hub. Return CLOSED if the
	 * hub is lost. */
	enum status (*send)(struct channel *channel, struct span message, int64_t deadline_ns);
	enum status (*receive)(struct channel *channel, int64_t deadline_ns, struct span *message);

	void (*counts)(struct channel *channel, struct channel_counts *counts);

	/* Closes and frees the channel. Messages that were already sent still arrive; but if the
	 * hub does not read for a second, they may be lost. `channel` may be NULL. */
	void (*close)(struct channel *channel);
};

#endif
