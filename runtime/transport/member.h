/* The code that the members of all libraries have in common: joining, handling frames of the hub,
 * and the member's operations of world/channel.h. member.c calls the library through struct
 * member_library. Only for files of this folder and its subfolders. */
#ifndef TRANSPORT_MEMBER_H
#define TRANSPORT_MEMBER_H

#include "end.h"
#include "transport/proof.h"

struct channel;

/* Callbacks of a library. All of them except greet() and part() are called with the mutex held.
 * Only greet() and part() may block. */
struct member_library {
	/* Connects to the hub and sends FRAME_HELLO. Returns OK on success. Returns CLOSED if no
	 * hub listens at the address yet; member.c then calls greet() again until the deadline.
	 * After any other status, joining fails at once with this status. */
	enum status (*greet)(struct channel *channel, int64_t deadline_ns);

	/* Called when the hub has proved that it has the key, and after this member has queued its
	 * own proof. Opens further connections, if the library needs any. Must not block. */
	void (*proved)(struct channel *channel);

	/* Reads the payload of a welcome. Returns false if the payload is invalid. */
	bool (*welcome)(struct channel *channel, struct span payload);

	/* Queues a frame after all earlier frames. The bytes of the payload must be in memory.
	 * Takes its own reference to the payload. If the set of descriptors to poll changes, calls
	 * end_ring(). If the hub cannot be reached, sets `lost`. */
	void (*tell)(struct channel *channel, enum frame_kind kind, uint32_t credit,
		struct span payload);

	/* Called after messages were sent. Receives the messages that have arrived: a send may
	 * reset the library's descriptor, which then no longer reports them. */
	void (*told)(struct channel *channel);

	/* Returns true if this end still has frames that it sends only while a thread polls. */
	bool (*is_leaving)(const struct channel *channel);

	/* Undoes greet(), even if greet() has failed halfway. No other call may be in progress. If
	 * `bye` is set, notifies the hub that the connection ends, unless the library does this
	 * itself. Then waits, for at most a second, until queued frames have arrived. A second call
	 * has no effect. */
	void (*part)(struct channel *channel, bool bye);
};

/* First member of the library's own struct for a member. */
struct channel {
	struct end end;
	const struct member_library *library;
	struct flow flow;
	struct proof proof;
	uint64_t session; /* session number that frames contain; 0 until the hub has proved that it
			   * has the key */
	bool proved, welcome, lost;
	enum status refused; /* OK: the hub has not rejected this member */
	struct text why;
};

/* ---- for libraries ---- */

/* Allocates a member of `bytes` bytes that starts with a struct channel, and sets *channel to it.
 * The member polls up to polls_max descriptors. Returns OK. Returns INVALID, with a sentence in
 * `why`, if the name in the settings is not valid. Returns IO if no eventfd, which wakes the
 * polling thread, could be created. */
enum status member_new(const struct member_library *library,
	const struct channel_settings *settings, size_t bytes, uint32_t polls_max,
	struct channel **channel, struct text *why);

/* Joins the hub by the deadline. On success, sets *result to the channel and returns OK. On
 * failure, frees the channel, and returns the status and the sentence that world/channel.h
 * describes for join(). */
enum status member_join(
	struct channel *channel, int64_t deadline_ns, struct channel **result, struct text *why);

/* Send FRAME_HELLO: with the member's name as the greeting, or with a greeting of the library. */
void member_greet(struct channel *channel);
void member_greet_as(struct channel *channel, const char *greeting);

/* Handles a frame of the hub. `fault` is the result of checking the frame's header. Takes ownership
 * of the caller's reference to the payload. The caller must hold the mutex. */
void member_hear_frame(struct channel *channel, enum frame_fault fault, uint32_t version,
	const struct frame *frame, struct span payload);

/* Handles a message of the hub like member_hear_frame(), for libraries that receive whole messages.
 * `header` is NULL if the message is shorter than a header. The sequence number in the header must
 * be *next. */
void member_hear(
	struct channel *channel, uint64_t *next, const uint8_t *header, struct span payload);

/* Works like member_hear(), for frames whose session number is not the one of the connection. */
void member_hear_as(struct channel *channel, uint64_t session, uint64_t *next,
	const uint8_t *header, struct span payload);

/* Default callbacks for libraries without special handling. They do nothing, and accept any payload
 * of a welcome. */
void member_plain_proved(struct channel *channel);
bool member_plain_welcome(struct channel *channel, struct span payload);
void member_plain_told(struct channel *channel);

/* Default is_leaving(), for libraries whose own threads send. */
bool member_plain_leaving(const struct channel *channel);

/* ---- operations; world/channel.h documents them under the same names ---- */

enum status member_send(struct channel *channel, struct span message, int64_t deadline_ns);
enum status member_receive(struct channel *channel, int64_t deadline_ns, struct span *message);
void member_counts(struct channel *channel, struct channel_counts *counts);
void member_close(struct channel *channel);

#endif
