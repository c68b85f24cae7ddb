/* What the members of all libraries share: joining, what the hub says, and the operations of
 * world/channel.h on one. What a library does is behind struct member_library. Private to the room.
 * Knows no connection. */
#ifndef TRANSPORT_MEMBER_H
#define TRANSPORT_MEMBER_H

#include "end.h"
#include "transport/proof.h"

struct channel;

/* What a member asks of its library. All but greet() and part() with the mutex held; none of them
 * waits, but for these two. */
struct member_library {
	/* Connects to the hub and says FRAME_HELLO. CLOSED: nobody is there yet, or no longer; it
	 * is tried again. Others: joining ends so. */
	enum status (*greet)(struct channel *channel, int64_t deadline_ns);

	/* Both ends have proved that they hold the key, but for what leaves now: joins further
	 * connections, if the library has any. With the mutex held; does not wait. */
	void (*proved)(struct channel *channel);

	/* Takes what a welcome says. False: it is none. */
	bool (*welcome)(struct channel *channel, struct span payload);

	/* Lets a frame leave, behind all that was told before. It takes its own reference to the
	 * payload, whose bytes are there. Rings (end_ring()) if it is to be polled for something
	 * else now. Sets `lost` if the hub cannot be told. */
	void (*tell)(struct channel *channel, enum frame_kind kind, uint32_t credit,
		struct span payload);

	/* Something was told: takes in what the library may have taken from the descriptors. */
	void (*told)(struct channel *channel);

	/* Something that was told is still at this end, and leaves only while it is polled. */
	bool (*is_leaving)(const struct channel *channel);

	/* Ends what greet() began, as far as it came, with nobody in a call. If `bye`, the hub is
	 * told so, unless it sees that by itself, and what was sent arrives first, if it does
	 * within a second. Again: nothing happens. */
	void (*part)(struct channel *channel, bool bye);
};

/* First in the library's own struct. */
struct channel {
	struct end end;
	const struct member_library *library;
	struct flow flow;
	struct proof proof;
	uint64_t session; /* of frames: 0, until the hub has proved itself */
	bool proved, welcome, lost;
	enum status refused; /* OK: it was not */
	struct text why;
};

/* ---- for libraries ---- */

/* Begins a member of `bytes` bytes, which begins with a struct channel, and whose end polls for up
 * to polls_max. INVALID with a sentence: its name is out of bounds; IO. */
enum status member_new(const struct member_library *library,
	const struct channel_settings *settings, size_t bytes, uint32_t polls_max,
	struct channel **channel, struct text *why);

/* Joins by the deadline, or frees the channel with a status and a sentence of world/channel.h. */
enum status member_join(
	struct channel *channel, int64_t deadline_ns, struct channel **result, struct text *why);

/* FRAME_HELLO of its name alone; or of a greeting of the library's. */
void member_greet(struct channel *channel);
void member_greet_as(struct channel *channel, const char *greeting);

/* With the mutex held: a frame of the hub as it was read, with its fault. Takes the reference to
 * the payload over. */
void member_hear_frame(struct channel *channel, enum frame_fault fault, uint32_t version,
	const struct frame *frame, struct span payload);

/* The same of a message that came whole: its header (NULL: it has none), whose number has to be
 * *next, and its payload. */
void member_hear(
	struct channel *channel, uint64_t *next, const uint8_t *header, struct span payload);

/* The same of frames of another session than the connection's. */
void member_hear_as(struct channel *channel, uint64_t session, uint64_t *next,
	const uint8_t *header, struct span payload);

/* What libraries have where they have nothing of their own: a welcome says nothing, and telling
 * takes in nothing. */
void member_plain_proved(struct channel *channel);
bool member_plain_welcome(struct channel *channel, struct span payload);
void member_plain_told(struct channel *channel);

/* The library sends by itself what it was told. */
bool member_plain_leaving(const struct channel *channel);

/* ---- operations, as world/channel.h says of those of the same names ---- */

enum status member_send(struct channel *channel, struct span message, int64_t deadline_ns);
enum status member_receive(struct channel *channel, int64_t deadline_ns, struct span *message);
void member_counts(struct channel *channel, struct channel_counts *counts);
void member_close(struct channel *channel);

#endif
