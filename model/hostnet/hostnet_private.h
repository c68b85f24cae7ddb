/* Only for files of this folder: structures of the network between hosts. */
#ifndef HOSTNET_PRIVATE_H
#define HOSTNET_PRIVATE_H

#include "base/chain.h"
#include "engine/engine.h"
#include "host/thread.h"
#include "hostnet/hostnet.h"

enum parcel_kind {
	PARCEL_HELLO,  /* a member's first parcel */
	PARCEL_ANSWER, /* the hub accepted or rejected the member */
	PARCEL_MESSAGE,
	PARCEL_CREDIT, /* returns credits: the number of messages that were received */
	PARCEL_DONE,   /* notifies the library's thread of the same end that a message has left */
	PARCEL_BYE,    /* the last parcel */
};

enum side { SIDE_HUB, SIDE_MEMBER, SIDE_COUNT };

/* A parcel is a message or a control message, from its sending until the other end receives it. */
struct parcel {
	struct parcel *next;
	struct line *line; /* the connection; owns a reference */
	enum parcel_kind kind;
	enum side from;
	bool further; /* a parcel of a send to several members, but not the first one */
	uint32_t credit;
	uint64_t wire_bytes, left_bytes; /* all bytes on the wire; bytes not sent yet */
	struct span message;
	/* cause (cause.h) of the parcel's departure; after the whole parcel has left, the cause of
	 * its arrival. This struct owns the reference */
	cause_id cause;
	int64_t sent_ps; /* time that the NIC has spent on this parcel */
};

/* A part of a parcel while it is between two NICs. */
struct burst {
	struct burst *next;
	struct parcel *parcel;
	uint64_t bytes;
	bool last;
};

/* One direction of a line over the network. It delivers parcels in order. */
struct way {
	struct way *next; /* next way in the NIC's list of ways that have parcels to send */
	struct line *line;
	uint16_t from, to;
	struct parcel *first, *last;
	struct burst *held_first, *held_last; /* bursts that were lost and will be retransmitted */
};

/* The state of a line at one end. Counts are numbers of messages. */
struct half {
	struct end *end;     /* the program at this side; NULL: the program has closed the line */
	struct way way;	     /* the outgoing direction */
	uint32_t under_way;  /* sent messages for which no credit has come back yet */
	uint32_t owed;	     /* received messages for which no credit was sent yet */
	uint32_t in_library; /* sent messages that the library's thread has not handled yet */
	bool lost;	     /* the other end is lost */
};

enum standing { STANDING_NEW, STANDING_JOINED, STANDING_ACCEPTED, STANDING_REFUSED };

/* The connection of a hub and a member. */
struct line {
	struct line *next, *previous; /* neighbours in the list of all lines */
	uint32_t references;	      /* open ends, parcels and alarms of the line */
	struct half halves[SIDE_COUNT];
	enum standing standing;
	enum status refusal;   /* if the standing is STANDING_REFUSED: the reason */
	bool answered;	       /* the member has received the hub's answer */
	bool dropped;	       /* the hub has dropped the member */
	uint64_t session;      /* number of the session, which the member gave */
	int64_t lost_after_ps; /* the constant lost_after of the library */
	struct line *waits;    /* next line of the same hub that waits to be accepted */
	uint32_t number;       /* if the standing is STANDING_ACCEPTED: the member's number */
	char name[CHANNEL_NAME_BYTES];
};

/* A place where a thread of an end waits. */
struct place {
	struct host_waiter *waiter; /* NULL: no thread waits */
	bool dozed; /* the end has paid for falling asleep since its last successful wait */
};

/* The state that hubs and members have in common. */
struct end {
	struct end *next, *previous; /* neighbours in the list of all ends */
	uint16_t host;
	enum side side;
	const struct hostnet_costs *costs;
	void (*meet)(struct end *hub, struct line *line); /* called when a member's hello arrives */
	struct channel_settings settings;		  /* copied without its texts */
	struct channel_counts counts;
	bool dead;		     /* the program of this end has died */
	struct parcel *first, *last; /* parcels that have arrived, and wait for a receive call */
	uint32_t credits;	     /* credit parcels that arrived and are not charged yet */
	int64_t heard_ps;	     /* time at which the end last received or sent a message */
	struct place sender, receiver;

	/* the library's thread */
	struct thread *thread;
	struct parcel *work_first, *work_last; /* received parcels and parcels to send that the
						* library's thread must handle, the oldest first */
	struct place idle;
	bool stop;
};

struct nic {
	uint64_t bandwidth_bytes_per_s;
	struct way *first, *last; /* ways that have parcels to send, and that take turns */
	struct way *sending;	  /* the way whose burst the NIC is sending; NULL: none */
	bool cut, dead; /* cut: off the network; dead: all ends here are dead, also new ones */
	int64_t down_free_ps, cut_since_ps;
	int64_t slow_ps; /* its programs sleep this long before they receive a message */
	struct hostnet_statistics counted;
};

struct hostnet {
	struct hostnet_constants constants;
	struct nic *nics;
	uint16_t count;
	struct line *lines;
	struct end *ends;
	struct hub *hubs;
	struct burst *free_bursts;
	struct parcel *free_parcels;
	uint32_t ports;			       /* number of ports that were assigned so far */
	struct hostnet_fault fault;	       /* the expected fault */
	bool failed;			       /* the fault has happened */
	void (*arrive)(struct parcel *parcel); /* called when all of a parcel has arrived */
};

/* ---- lines.c ---- */

extern struct hostnet hostnet;

/* Creates a line between a member and a hub, with a reference for each. */
struct line *net_line_new(struct end *hub, struct end *member);
void net_line_hold(struct line *line);
void net_line_release(struct line *line);

/* Creates a parcel of one side. It holds references to the message and the line. */
struct parcel *net_parcel_new(
	struct line *line, enum side from, enum parcel_kind kind, struct span message);
void net_parcel_free(struct parcel *parcel);

/* ---- network.c ---- */

/* Sends a parcel now. hostnet.arrive() is called when its last byte has arrived. */
void net_transmit(struct parcel *parcel);

/* ---- wait.c ---- */

/* Blocks the calling thread at `place` until net_end_wake() is called, or until the deadline. The
 * time that was charged to the thread must have passed (host_thread_settle()). Returns TIMEOUT at
 * the deadline, and OK otherwise. After OK, the caller must check its condition again: the
 * function also returns OK if a message arrives while the thread is still falling asleep. */
enum status net_end_wait(
	struct end *end, struct place *place, int64_t deadline_ns, const char *what);
void net_end_wake(struct place *place);

/* ---- end.c ---- */

/* Initializes an end on the calling thread's host. */
void net_end_init(struct end *end, enum side side, const struct hostnet_costs *costs,
	const struct channel_settings *settings);

/* net_end_start() starts the library's thread, if the library has one. net_end_stop() stops this
 * thread after it has finished all its work. */
void net_end_start(struct end *end, const char *name);
void net_end_stop(struct end *end);

/* Drops the arrived parcels and removes the end. Leave its lines first (net_end_leave()). */
void net_end_fini(struct end *end);

/* Checks the bounds of the settings. Returns OK, or INVALID with a sentence in `why`. */
enum status net_end_check(const struct channel_settings *settings, struct text *why);

/* Handles a parcel that has arrived at the host of the other side. Runs as an event. */
void net_end_arrive(struct parcel *parcel);

/* Sends a message over all `lines`. Each line must have a free credit in its window. For each line
 * in turn, charges the calling thread, then sends the message. */
void net_end_send(struct end *end, struct line *const *lines, uint32_t count, struct span message);

/* Removes the parcel that arrived first, and returns it. The parcel is a message, or the notice
 * that a member is lost. Returns NULL if no parcel has arrived. */
struct parcel *net_end_take(struct end *end);

/* Called for a message that net_end_take() has removed: charges the calling thread for it, and
 * returns it. If half a window of credits has become free, sends these credits back to the sender.
 */
struct span net_end_receive(struct end *end, struct parcel *parcel);

/* net_end_goodbye() sends a goodbye over a line. net_end_leave() does the same, and closes this end
 * of the line. */
void net_end_goodbye(struct end *end, struct line *line);
void net_end_leave(struct end *end, struct line *line);

/* Simulates the death of the end's program. */
void net_end_kill(struct end *end);

/* Marks the other side as lost to `side`. Repeated calls have no effect. */
void net_line_lose(struct line *line, enum side side);

/* ---- faults.c ---- */

/* Called for a new line. If one of its hosts is cut off now, and stays cut off for longer than the
 * transport tolerates, each end counts the other as lost. */
void net_line_watch(struct line *line);

/* ---- hub.c ---- */

/* The hub at `address` that a member on `host` can reach, or NULL. */
struct end *net_hub_find(enum hostnet_transport transport, const char *address, uint16_t host);

/* ---- operations of world/channel.h; see there ---- */

enum status net_hub_open(enum hostnet_transport transport, const struct channel_settings *settings,
	struct hub **hub, struct text *why);
const char *net_hub_address(const struct hub *hub);
enum status net_hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *member);
const char *net_hub_member(const struct hub *hub, uint32_t member);
enum status net_hub_send(
	struct hub *hub, uint32_t member, struct span message, int64_t deadline_ns, uint32_t *who);
enum status net_hub_receive(
	struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message);
void net_hub_drop(struct hub *hub, uint32_t member);
void net_hub_counts(struct hub *hub, struct channel_counts *counts);
void net_hub_close(struct hub *hub);
/* `places` is set if the library has the capability CHANNEL_PLACES. */
enum status net_join(enum hostnet_transport transport, bool places,
	const struct channel_settings *settings, int64_t deadline_ns, struct channel **channel,
	struct text *why);
enum status net_send(struct channel *channel, struct span message, int64_t deadline_ns);
enum status net_receive(struct channel *channel, int64_t deadline_ns, struct span *message);
void net_counts(struct channel *channel, struct channel_counts *counts);
void net_close(struct channel *channel);

#endif
