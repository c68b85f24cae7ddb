/* Structures of the network between hosts, for the files of this room. */
#ifndef HOSTNET_PRIVATE_H
#define HOSTNET_PRIVATE_H

#include "base/chain.h"
#include "engine/engine.h"
#include "host/thread.h"
#include "hostnet/hostnet.h"

enum parcel_kind {
	PARCEL_HELLO,  /* a member's first */
	PARCEL_ANSWER, /* it is accepted, or refused */
	PARCEL_MESSAGE,
	PARCEL_CREDIT, /* so many messages were received */
	PARCEL_DONE,   /* it has left, to the library's thread of the same end */
	PARCEL_BYE,    /* the last */
};

/* The two ends of a line. */
enum side { SIDE_HUB, SIDE_MEMBER, SIDE_COUNT };

/* One frame of an end, from when it is sent until it is received. */
struct parcel {
	struct parcel *next;
	struct line *line; /* held */
	enum parcel_kind kind;
	enum side from;
	bool further; /* of a send to several, and not its first */
	uint32_t credit;
	uint64_t wire_bytes, left_bytes; /* of the wire; that the NIC has not sent */
	struct span message;
	cause_id cause;	 /* that it leaves, until all of it has; that it has come; held */
	int64_t sent_ps; /* the NIC has spent on it */
};

/* Part of a parcel, as long as it is between two NICs. */
struct burst {
	struct burst *next;
	struct parcel *parcel;
	uint64_t bytes;
	bool last;
};

/* One direction of a line over the network: what is sent arrives in this order. */
struct way {
	struct way *next; /* of those that have something for this NIC */
	struct line *line;
	uint16_t from, to;
	struct parcel *first, *last;
	struct burst *held_first, *held_last; /* lost, and to be sent again */
};

/* What one end knows of a line. */
struct half {
	struct end *end;    /* NULL: closed */
	struct way way;	    /* out of here */
	uint32_t under_way; /* sent, and not yet received by the reader */
	uint32_t owed;	    /* received here, and not yet said */
	uint32_t in_library; /* sent, and the library's thread has not yet seen to it */
	bool lost;	    /* the other end is */
};

enum standing { STANDING_NEW, STANDING_JOINED, STANDING_ACCEPTED, STANDING_REFUSED };

/* A hub and a member. */
struct line {
	struct line *next, *previous; /* of all */
	uint32_t references;	      /* ends that are open, parcels, alarms */
	struct half halves[SIDE_COUNT];
	enum standing standing;
	enum status refusal;   /* REFUSED: why */
	bool answered;	       /* the member knows */
	bool dropped;	       /* by the hub */
	uint64_t session;      /* that the member says */
	int64_t lost_after_ps; /* of the library */
	struct line *waits;    /* of the same hub, behind this one, to be accepted */
	uint32_t number;       /* ACCEPTED: of the member */
	char name[CHANNEL_NAME_BYTES];
};

/* Where a thread of an end waits. */
struct place {
	struct host_waiter *waiter; /* NULL: nobody does */
	bool dozed; /* it has fallen asleep, but for the core, since it last had what it waits for
		     */
};

/* What a hub and a member have in common. */
struct end {
	struct end *next, *previous; /* of all */
	uint16_t host;
	enum side side;
	const struct hostnet_costs *costs;
	void (*meet)(struct end *hub, struct line *line); /* a newcomer says who it is */
	struct channel_settings settings;		  /* its texts are not kept */
	struct channel_counts counts;
	bool dead;		     /* its program has died */
	struct parcel *first, *last; /* that came, for whoever receives */
	uint32_t credits;	     /* came, and cost nobody anything yet */
	int64_t heard_ps;	     /* a message was received or sent last */
	struct place sender, receiver;

	/* the library's thread */
	struct thread *thread;
	struct parcel *work_first, *work_last; /* both ways, in order of coming */
	struct place idle;
	bool stop;
};

struct nic {
	uint64_t bandwidth_bytes_per_s;
	struct way *first, *last; /* that have something to send */
	struct way *sending;	  /* NULL: nobody */
	bool cut, dead;		  /* off the network; programs that start here are dead */
	int64_t down_free_ps, cut_since_ps;
	int64_t slow_ps; /* of its programs: before each message */
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
	uint32_t ports;			       /* given out so far */
	struct hostnet_fault fault;	       /* that is to happen */
	bool failed;			       /* it has */
	void (*arrive)(struct parcel *parcel); /* its last byte is at the other side's host */
};

/* ---- lines.c ---- */

extern struct hostnet hostnet;

/* A line of a member to a hub, held by both. */
struct line *net_line_new(struct end *hub, struct end *member);
void net_line_hold(struct line *line);
void net_line_release(struct line *line);

/* A parcel from one side, with a reference of its own to the message. */
struct parcel *net_parcel_new(
	struct line *line, enum side from, enum parcel_kind kind, struct span message);
void net_parcel_free(struct parcel *parcel);

/* ---- network.c: refuses to look into what it carries ---- */

/* Lets a parcel leave now; hostnet.arrive() is called when its last byte is there. */
void net_transmit(struct parcel *parcel);

/* ---- wait.c ---- */

/* Waits there for a change; the account has been settled. OK may be for nothing: falling asleep
 * takes time, in which what comes is found. TIMEOUT. */
enum status net_end_wait(
	struct end *end, struct place *place, int64_t deadline_ns, const char *what);
void net_end_wake(struct place *place);

/* ---- end.c ---- */

/* An end on the calling thread's host. */
void net_end_init(struct end *end, enum side side, const struct hostnet_costs *costs,
	const struct channel_settings *settings);

/* Starts the library's thread, if it has one; ends it when it has sent what it was given. */
void net_end_start(struct end *end, const char *name);
void net_end_stop(struct end *end);

/* Forgets what has come. Lines have been left. */
void net_end_fini(struct end *end);

/* What of the settings is out of bounds: INVALID with a sentence. */
enum status net_end_check(const struct channel_settings *settings, struct text *why);

/* A parcel has come to the other side's host. An event. */
void net_end_arrive(struct parcel *parcel);

/* Sends to lines, whose windows have room: pays, and lets it leave to one after the other. */
void net_end_send(struct end *end, struct line *const *lines, uint32_t count, struct span message);

/* The first parcel that came, or NULL: a message, or the word that a member is lost. */
struct parcel *net_end_take(struct end *end);

/* Pays for a message that was taken, hands it out, and says so to the sender in time. */
struct span net_end_receive(struct end *end, struct parcel *parcel);

/* Says goodbye on a line; and leaves it. */
void net_end_goodbye(struct end *end, struct line *line);
void net_end_leave(struct end *end, struct line *line);

/* The program of the end dies. */
void net_end_kill(struct end *end);

/* The side has lost the other one. Again: nothing happens. */
void net_line_lose(struct line *line, enum side side);

/* ---- faults.c ---- */

/* The ends of a new line lose each other if a host is cut off for too long. */
void net_line_watch(struct line *line);

/* ---- hub.c ---- */

/* The hub there that a member on `host` can reach, or NULL. */
struct end *net_hub_find(enum hostnet_transport transport, const char *address, uint16_t host);

/* ---- operations, as world/channel.h says of those of the same names ---- */

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
/* `places`: as the row's CHANNEL_PLACES. */
enum status net_join(enum hostnet_transport transport, bool places,
	const struct channel_settings *settings, int64_t deadline_ns, struct channel **channel,
	struct text *why);
enum status net_send(struct channel *channel, struct span message, int64_t deadline_ns);
enum status net_receive(struct channel *channel, int64_t deadline_ns, struct span *message);
void net_counts(struct channel *channel, struct channel_counts *counts);
void net_close(struct channel *channel);

#endif
