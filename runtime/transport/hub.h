/* What the hubs of all libraries share: who has come, who is accepted, who is lost, and the
 * operations of world/channel.h on them. What a library does is behind struct hub_library. Private
 * to the room. Knows no connection. */
#ifndef TRANSPORT_HUB_H
#define TRANSPORT_HUB_H

#include "end.h"
#include "transport/proof.h"

enum {
	NEWCOMERS_MAX = 64, /* have said nothing; and as many that have proved nothing */
	WAITING_MAX = CHANNEL_MEMBERS_MAX + 2 * NEWCOMERS_MAX,
	FROM_BYTES = 64,
	ADDRESS_BYTES = 192,
};

/* What somebody who came to a hub has become. */
enum standing {
	NEWCOMER,   /* has said nothing */
	CHALLENGED, /* has greeted, and proves now that it holds the key */
	JOINED,	    /* has proved it */
	ACCEPTED,
	LOST
};

/* Somebody who came to a hub. First in the library's own struct for one, which hub.c frees. */
struct party {
	struct flow flow;
	char name[CHANNEL_NAME_BYTES];
	enum standing standing;
	bool dropped;	 /* by hub_drop() */
	uint32_t number; /* ACCEPTED, or LOST after that */
	struct proof proof;
	uint64_t session;      /* of frames: 0, until it is CHALLENGED */
	char from[FROM_BYTES]; /* where it comes from, as far as the library knows: for people */
	int64_t come_ns;       /* proves itself within a second, or is refused */
	int64_t greeted_ns, proof_ns; /* when it said its name; how long it took to prove it */
	uint64_t next_in;	      /* sequence, for hub_hear() */
};

struct hub;

/* What a hub asks of its library. All but close() with the mutex held; none of them waits, but for
 * close(). */
struct hub_library {
	/* The name that a greeting gives, in the payload's span, into party->name, and whatever
	 * else the library wants of it. False: it is no greeting. */
	bool (*greeting)(struct party *party, struct span payload);

	/* True if nothing that is sent to a party from now on can miss it: it may be accepted. */
	bool (*is_ready)(const struct hub *hub, const struct party *party);

	/* Says FRAME_WELCOME: the party is accepted if it is not lost by that. */
	void (*welcome)(struct hub *hub, struct party *party);

	/* Lets a frame leave for a party that is not lost, behind all that was told before. It
	 * takes its own reference to the payload, whose bytes are there. Rings (end_ring()) if it
	 * is to be polled for something else now. Who cannot be told is lost: hub_lose(). */
	void (*tell)(struct hub *hub, struct party *party, enum frame_kind kind, uint32_t credit,
		struct span payload);

	/* As tell(), of FRAME_MESSAGE; but in one order with publish(). */
	void (*say)(struct hub *hub, struct party *party, struct span payload);

	/* One message to all that are accepted and not dropped, none of whom is lost. False: the
	 * library has no such thing, and each is to be told by say(). */
	bool (*publish)(struct hub *hub, struct span payload);

	/* Something was told: takes in what the library may have taken from the descriptors. */
	void (*told)(struct hub *hub);

	/* Something that was told is still at this end, and leaves only while it is polled. */
	bool (*is_leaving)(const struct hub *hub, const struct party *party);

	/* A party is lost, or dropped: it is told so if `bye` and if it would not see it by itself.
	 * Once for each. */
	void (*part)(struct hub *hub, struct party *party, bool bye);

	/* Ends the library's part of the hub, with nobody in a call: says goodbye to who is not
	 * lost, waits until what was sent has arrived, for a second at the most, and frees what is
	 * the library's but the parties. Also of a hub that could not be opened. */
	void (*close)(struct hub *hub);
};

/* First in the library's own struct. */
struct hub {
	struct end end;
	const struct hub_library *library;
	char address[ADDRESS_BYTES];
	struct party *accepted[CHANNEL_MEMBERS_MAX];
	uint32_t accepted_count;
	struct party *waiting[WAITING_MAX]; /* not accepted yet, in order of coming */
	uint32_t waiting_count;
};

/* ---- for libraries, with the mutex held ---- */

/* Begins a hub of `bytes` bytes, which begins with a struct hub, and whose end polls for up to
 * polls_max. IO: it cannot; nothing is to be closed then. */
enum status hub_new(const struct hub_library *library, const struct channel_settings *settings,
	size_t bytes, uint32_t polls_max, struct hub **hub);

/* A newcomer, of the heap, who has a second to prove who it is. It waits from now on. */
void hub_add(struct hub *hub, struct party *party);

/* What libraries have where they have nothing of their own: a greeting is a name, everybody may be
 * accepted, messages are frames as others, each is told by itself, and telling takes in nothing. */
bool hub_plain_greeting(struct party *party, struct span payload);
bool hub_plain_ready(const struct hub *hub, const struct party *party);
void hub_plain_say(struct hub *hub, struct party *party, struct span payload);
bool hub_plain_publish(struct hub *hub, struct span payload);
void hub_plain_told(struct hub *hub);

/* The library sends by itself what it was told. */
bool hub_plain_leaving(const struct hub *hub, const struct party *party);

/* Tells FRAME_BYE to all that are accepted, and waits until each has ended its connection, since it
 * has heard all, or until the deadline. */
void hub_say_goodbye(struct hub *hub, int64_t deadline_ns);

/* A frame of a party as it was read, with its fault: takes it into account, or refuses. Takes the
 * reference to the payload over. */
void hub_hear_frame(struct hub *hub, struct party *party, enum frame_fault fault, uint32_t version,
	const struct frame *frame, struct span payload);

/* The same of a message that came whole: its header (NULL: it has none) and its payload. */
void hub_hear(struct hub *hub, struct party *party, const uint8_t *header, struct span payload);

/* Says why, if that leaves at once, to who has proved itself, and nothing to strangers; then the
 * party is lost. */
void hub_refuse(struct hub *hub, struct party *party, enum refusal refusal, const char *format,
	const char *detail);

/* Counts somebody who was refused before it had become a party, and remembers what it did. */
void hub_refuse_stranger(struct hub *hub, const char *from, const char *what);

/* A party is lost: who receives is told, if it was accepted and not dropped. Again: nothing
 * happens. */
void hub_lose(struct hub *hub, struct party *party);

/* Forgets who is gone, and strangers that proved nothing for too long or are too many: the first
 * of those that said nothing, and of those that did. */
void hub_sweep(struct hub *hub);

/* ---- operations, as world/channel.h says of those of the same names ---- */

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
