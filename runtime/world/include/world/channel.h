/* The third seam: messages between hosts. A hub is the controller's end of all its channels, a
 * channel the end of one of its members, an executor. Rows: one per library of runtime/transport,
 * and one simulated file from their fitted costs.
 *
 * Messages from the hub reach a member each once, in the order in which they were sent, whether to
 * all or to it alone; so do a member's messages to the hub. Messages are never cut or joined. A
 * thread may send while another one receives, but no two send and no two receive on one end. What
 * the other end has no room for yet leaves while somebody sends or receives on this one.
 *
 * Follows the section 4.8 of spec/tt-metalium-distributed: one sender to many receivers, and a way
 * back. Deadlines are absolute, in ns of world->now_ns(); one in the past only looks. */
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
	CHANNEL_NAME_BYTES = 64, /* of a member's name, with its NUL */
	CHANNEL_MEMBERS_MAX = 1024,
	CHANNEL_MESSAGE_BYTES_MAX = 1 << 30,
	CHANNEL_WINDOW_MAX = 1 << 16,
	CHANNEL_KEY_BYTES = 32,
	CHANNEL_STRANGER_BYTES = 160,
};

/* To every member. */
#define CHANNEL_ALL UINT32_MAX

enum channel_capability {
	CHANNEL_ZERO_COPY = 1 << 0, /* a received message may be used where it lies */
	CHANNEL_MULTICAST = 1 << 1, /* one send reaches several members */
	CHANNEL_PLACES = 1 << 2,    /* a member receives into memory of channel_memory */
};

/* Memory of a member's caller's, for what comes. */
struct channel_memory {
	/* Room for a message of `length` bytes with a reference; no extent: the row's own memory.
	 * By whichever thread is in a call, one at a time. NULL: there is none. */
	struct span (*take)(void *context, uint32_t length);
	void *context; /* outlives the end, and so do the bytes */
};

struct channel_settings {
	const char *address; /* where the hub listens, as the row writes addresses */
	const char *name;    /* a member's, unique among them; not empty */
	uint64_t session;    /* ends of different sessions refuse each other */
	const uint8_t *key;  /* of the run, CHANNEL_KEY_BYTES that outlive the end: an end over real
			      * sockets refuses who does not prove that it holds it. NULL: simulated
			      * rows alone, which strangers do not reach */
	uint32_t message_bytes_max; /* the largest message, either way */
	uint32_t window; /* messages to one member, or from it, that its reader has not received */
	bool remote;	 /* other machines may connect: else only this one */
	struct channel_memory memory; /* of a member; looked at by rows with CHANNEL_PLACES */
};

struct channel_counts {
	uint64_t sent, sent_bytes;	   /* messages; to n members: n */
	uint64_t received, received_bytes; /* handed out */
	uint64_t full;			   /* sends that found a window full and waited */
	uint64_t refused; /* connections ended for what they sent: strangers, other versions or
			     sessions, frames that are too large, replayed or broken */
	/* Of a hub over real sockets: from the coming of all that were accepted to their
	 * acceptance, and the part of it in which both ends proved that they hold the key; sums,
	 * and the most of any. */
	int64_t opening_ns, proof_ns, opening_most_ns, proof_most_ns;
	/* The last who was refused before it had proved anything: from where, and why. "": nobody
	 */
	char stranger[CHANNEL_STRANGER_BYTES];
};

struct channel_ops {
	const char *name;
	uint32_t capabilities; /* of enum channel_capability */

	/* Listens at the address. INVALID: no such address, a window or size of 0 or above the
	 * bounds, or another machine's interface without `remote`; EXISTS: somebody listens there;
	 * IO. `why` (NULL is allowed) gets a sentence then. */
	enum status (*hub_open)(
		const struct channel_settings *settings, struct hub **hub, struct text *why);

	/* Where it listens, as members write it: a port of 0 has become a real one. The hub's. */
	const char *(*hub_address)(const struct hub *hub);

	/* Waits until one more member has joined, at any time. On OK *member is its number, counted
	 * from 0 in the order of accept. TIMEOUT; NO_SPACE: there are CHANNEL_MEMBERS_MAX. */
	enum status (*hub_accept)(struct hub *hub, int64_t deadline_ns, uint32_t *member);

	/* Name of a member that was accepted. The hub's. */
	const char *(*hub_member)(const struct hub *hub, uint32_t member);

	/* Sends to one member, or to CHANNEL_ALL that were accepted and not dropped. Blocks while a
	 * window is full, then until the message has left this end, or until the deadline. On OK
	 * the row has taken its own reference. Otherwise nobody gets the message, and *who is the
	 * member in question: TIMEOUT: its window stayed full; CLOSED: it is lost. OUT_OF_RANGE: it
	 * is too large; ELIDED: its bytes are not there. */
	enum status (*hub_send)(struct hub *hub, uint32_t member, struct span message,
		int64_t deadline_ns, uint32_t *who);

	/* Receives from any member; the caller releases *message. CLOSED: *member is lost, said
	 * once for each, when all that it had sent has been received. TIMEOUT. */
	enum status (*hub_receive)(
		struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message);

	/* Ends the connection to a member, which sees CLOSED; CHANNEL_ALL is without it from now
	 * on. Messages that it had sent may still be received. */
	void (*hub_drop)(struct hub *hub, uint32_t member);

	void (*hub_counts)(struct hub *hub, struct channel_counts *counts);

	/* Ends all connections and frees. What was sent before arrives, unless a member does not
	 * read for a second. NULL is allowed. Nobody may be in a call. */
	void (*hub_close)(struct hub *hub);

	/* Joins the hub at the address; tries again until it is there. TIMEOUT: it does not answer,
	 * or has not accepted; EXISTS: another member has this name; INVALID: as hub_open();
	 * UNSUPPORTED: it is of another version or session. `why` gets a sentence. */
	enum status (*join)(const struct channel_settings *settings, int64_t deadline_ns,
		struct channel **channel, struct text *why);

	/* As hub_send() and hub_receive(), to and from the hub. CLOSED: the hub is lost. */
	enum status (*send)(struct channel *channel, struct span message, int64_t deadline_ns);
	enum status (*receive)(struct channel *channel, int64_t deadline_ns, struct span *message);

	void (*counts)(struct channel *channel, struct channel_counts *counts);

	/* What was sent before arrives, unless the hub does not read for a second. NULL is allowed.
	 */
	void (*close)(struct channel *channel);
};

#endif
