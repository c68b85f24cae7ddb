/* The third interface to the world: messages between hosts. A hub is the controller's end of all
 * its channels. A channel is the end of one member, which is an executor. There is one
 * implementation of channels for each library in runtime/transport, and a simulated implementation
 * that uses the fitted costs of these libraries.
 *
 * Each message from the hub reaches a member once, in the order of sending, whether it was sent to
 * all members or to that member alone. The same holds for a member's messages to the hub. Messages
 * are never split or joined. At one end, one thread may send while another thread receives, but two
 * threads must not both send, or both receive, at the same time. If the other end has no room for a
 * message yet, the message leaves later, during a call that sends or receives at this end.
 *
 * The interface follows section 4.8 of spec/tt-metalium-distributed: one sender, many receivers,
 * and messages back from each receiver. Deadlines are absolute, in ns of world->now_ns(). A call
 * with a deadline in the past does not wait. */
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
	CHANNEL_NAME_BYTES = 64, /* size of a member's name, with its NUL */
	CHANNEL_MEMBERS_MAX = 1024,
	CHANNEL_MESSAGE_BYTES_MAX = 1 << 30,
	CHANNEL_WINDOW_MAX = 1 << 16,
	CHANNEL_KEY_BYTES = 32,
	CHANNEL_STRANGER_BYTES = 160,
};

/* Addresses every member. */
#define CHANNEL_ALL UINT32_MAX

enum channel_capability {
	CHANNEL_ZERO_COPY = 1 << 0, /* a received message may be used in place, without a copy */
	CHANNEL_MULTICAST = 1 << 1, /* one send reaches several members */
	CHANNEL_PLACES = 1 << 2,    /* a member receives into memory from channel_memory */
};

/* Memory that a member's caller provides for incoming messages. */
struct channel_memory {
	/* Returns a span with room for a message of `length` bytes, with a reference. If the span
	 * has no extent, the channel uses its own memory for the message. Called only by a thread
	 * that is inside a call on this end, and never by two threads at once. NULL if the caller
	 * provides no memory. */
	struct span (*take)(void *context, uint32_t length);
	void *context; /* outlives the end, and so do the bytes */
};

struct channel_settings {
	const char *address; /* where the hub listens; each transport has its own format */
	const char *name;    /* the member's name, unique among members, not empty */
	uint64_t session;    /* ends of different sessions refuse each other */
	const uint8_t *key;  /* the run's key: CHANNEL_KEY_BYTES bytes that outlive the end. An end
			      * over real sockets rejects peers that cannot prove that they hold the
			      * key. May be NULL only in the simulation, which strangers cannot
			      * reach */
	uint32_t message_bytes_max; /* the largest message, in either direction */
	uint32_t window; /* limit for the number of messages, to or from one member, that were sent
			  * and not received yet */
	bool remote;	 /* true: other machines may connect; false: only this one */
	struct channel_memory memory; /* of a member; used by transports with CHANNEL_PLACES */
};

struct channel_counts {
	uint64_t sent, sent_bytes;	   /* messages; a message to n members counts n times */
	uint64_t received, received_bytes; /* handed to callers */
	uint64_t full;			   /* sends that found a window full and waited */
	uint64_t refused; /* number of connections that were closed because of received data: from
			   * strangers, other versions or other sessions, or frames that were too
			   * large, replayed or broken */
	/* Set only for a hub over real sockets. opening_ns is the time from connection to
	 * acceptance, summed over all accepted members; proof_ns is the part of that time in which
	 * both ends proved the key. The other two are the maximum of each over all members. */
	int64_t opening_ns, proof_ns, opening_most_ns, proof_most_ns;
	/* The address of the last peer that was rejected before it had proved the key, and the
	 * reason. "" if there was no such peer. */
	char stranger[CHANNEL_STRANGER_BYTES];
};

struct channel_ops {
	const char *name;
	uint32_t capabilities; /* bits of enum channel_capability */

	/* Opens a hub that listens at the address, and sets *hub. Returns OK, or an error with a
	 * sentence in `why` (may be NULL): INVALID if there is no such address, if the window or
	 * the message size is 0 or above its bound, or if other machines can reach the address and
	 * `remote` is not set; EXISTS if the address is in use; IO on other errors. */
	enum status (*hub_open)(
		const struct channel_settings *settings, struct hub **hub, struct text *why);

	/* Returns the address at which members reach the hub; if the port in the settings was 0,
	 * the address has the port that was chosen. The string belongs to the hub. */
	const char *(*hub_address)(const struct hub *hub);

	/* Waits until one more member has joined, and sets *member to the number of that member.
	 * Members are numbered from 0 in the order of acceptance. May be called at any time.
	 * Returns OK; TIMEOUT at the deadline; NO_SPACE if there are CHANNEL_MEMBERS_MAX members
	 * already. */
	enum status (*hub_accept)(struct hub *hub, int64_t deadline_ns, uint32_t *member);

	/* Name of an accepted member. The string belongs to the hub. */
	const char *(*hub_member)(const struct hub *hub, uint32_t member);

	/* Sends a message to one member or, if `member` is CHANNEL_ALL, to all members that were
	 * accepted and not dropped. Blocks until the windows have room and the message has left
	 * this end, but not beyond the deadline. Returns OK; the hub then has a reference of its
	 * own to the message. On an error, no member gets the message: TIMEOUT if the window of
	 * member *who stayed full; CLOSED if member *who is lost; OUT_OF_RANGE if the message is
	 * too large; ELIDED if the message has no bytes. */
	enum status (*hub_send)(struct hub *hub, uint32_t member, struct span message,
		int64_t deadline_ns, uint32_t *who);

	/* Receives a message from any member, and sets *member to that member's number. The caller
	 * releases *message. Returns OK; TIMEOUT at the deadline; CLOSED if member *member is lost.
	 * A loss is reported once, after all messages of that member have been received. */
	enum status (*hub_receive)(
		struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message);

	/* Closes the connection to a member, which then gets CLOSED. From then on, CHANNEL_ALL does
	 * not include this member. Messages that the member had sent may still be received. */
	void (*hub_drop)(struct hub *hub, uint32_t member);

	void (*hub_counts)(struct hub *hub, struct channel_counts *counts);

	/* Closes all connections and frees the hub. Messages that were already sent still arrive,
	 * unless a member does not read for a second. No other call may be under way. `hub` may be
	 * NULL. */
	void (*hub_close)(struct hub *hub);

	/* Joins the hub at the address, and sets *channel. Tries again until a hub listens there.
	 * Returns OK, or an error with a sentence in `why` (may be NULL): TIMEOUT if the hub does
	 * not answer or has not accepted this member; EXISTS if another member has this name;
	 * INVALID for the same reasons as hub_open(); UNSUPPORTED if the hub has another version or
	 * session. */
	enum status (*join)(const struct channel_settings *settings, int64_t deadline_ns,
		struct channel **channel, struct text *why);

	/* As hub_send() and hub_receive(), to and from the hub. CLOSED if the hub is lost. */
	enum status (*send)(struct channel *channel, struct span message, int64_t deadline_ns);
	enum status (*receive)(struct channel *channel, int64_t deadline_ns, struct span *message);

	void (*counts)(struct channel *channel, struct channel_counts *counts);

	/* Closes and frees the channel. Messages that were already sent still arrive, unless the
	 * hub does not read for a second. `channel` may be NULL. */
	void (*close)(struct channel *channel);
};

#endif
