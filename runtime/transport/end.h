/* An end is a hub or a member. This file declares what hubs and members of all libraries share:
 * settings, waiting threads, messages that have arrived, and credit windows. If several threads
 * wait at an end, only one of them calls poll(), and wakes the others. Only for files of this
 * folder and its subfolders. */
#ifndef TRANSPORT_END_H
#define TRANSPORT_END_H

#include <poll.h>
#include <pthread.h>

#include "transport/frame.h"
#include "world/channel.h"

/* A received message, or the notice that a member is lost. */
struct arrived {
	struct arrived *next;
	uint32_t member;
	bool lost;
	struct span message;
};

/* Counts of messages between this end and one other end. */
struct flow {
	uint32_t under_way; /* number of messages that this end has sent and for which the receiver
			     * has not returned a credit */
	uint32_t unread;    /* number of messages that have arrived and that no caller has taken
			     * yet */
	uint32_t owed;	    /* number of messages that a caller has taken and for which this end has
			     * not sent a credit */
};

struct end {
	struct channel_settings settings; /* copy of the caller's settings; their strings belong to
					   * the caller, who may have freed them */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool polling; /* true while a thread is polling */
	int bell;     /* an eventfd that wakes the polling thread when the list of descriptors has
		       * changed */
	struct arrived *first, *last;
	struct channel_counts counts;

	/* Callbacks of the library, called with the mutex held. list() fills in the descriptors to
	 * poll and returns their number. After the poll, found() is called with these descriptors
	 * and their events. */
	uint32_t (*list)(struct end *end, struct pollfd *polls);
	void (*found)(struct end *end, const struct pollfd *polls, uint32_t count);
	uint32_t polls_max;
	struct pollfd *polls;

	/* Only for libraries without a descriptor to poll. The waiting thread calls list() and
	 * found() again and again until one of them sets `news`. list() sets look_ns, the longest
	 * time for which the thread may sleep before its next call of list(). */
	int64_t look_ns; /* INT64_MAX: the library has descriptors to poll */
	bool news;
};

enum status end_init(struct end *end, const struct channel_settings *settings, uint32_t polls_max);
void end_fini(struct end *end);

/* list() and found() for libraries without a descriptor to poll; both functions do nothing. Such a
 * library receives in its own thread, which calls end_ring() to wake the waiting thread. */
uint32_t end_plain_list(struct end *end, struct pollfd *polls);
void end_plain_found(struct end *end, const struct pollfd *polls, uint32_t count);

/* Returns OK, or INVALID with a sentence in *why if the settings are out of bounds. */
enum status end_check(const struct channel_settings *settings, struct text *why);

/* Checks the length of the member's name. Returns the same values as end_check(). */
enum status end_check_name(const struct channel_settings *settings, struct text *why);

/* Returns true if `name` can be printed safely: it has 1 to CHANNEL_NAME_BYTES - 1 characters,
 * which are all printable ASCII and not blanks. */
bool end_name_is_plain(const char *name, uint32_t length);

/* Returns the nanoseconds from now to the deadline; 0 if it has passed, INT64_MAX for
 * DEADLINE_NEVER. */
int64_t end_left_ns(int64_t deadline_ns);

/* Waits until something at the end may have changed, for example until a message arrives. Returns
 * false if the deadline has passed. The caller must hold the mutex. */
bool end_wait(struct end *end, int64_t deadline_ns);

/* Wakes the polling thread, so that it makes a new list of the descriptors to poll. The caller must
 * hold the mutex. */
void end_ring(struct end *end);

void end_arrive(struct end *end, uint32_t member, bool lost, struct span message);

/* Removes the oldest message or notice that has arrived, and returns it; the caller frees it.
 * Returns NULL if there is none. */
struct arrived *end_take(struct end *end);

/* The reason why a hub rejects a member. The payload of FRAME_REFUSED consists of one byte with
 * this number, and a sentence. */
enum refusal { REFUSAL_FAULT = 1, REFUSAL_NAME };

/* Returns the payload of FRAME_REFUSED, with a sentence made of `format` and `detail`; `format` has
 * one %s. The caller releases the payload. */
struct span refusal_text(enum refusal refusal, const char *format, const char *detail);

/* Reads the payload of FRAME_REFUSED. Appends the sentence in the payload to *why, with '?' in
 * place of characters that are not printable. Returns EXISTS if the reason is that the name is
 * already used; otherwise UNSUPPORTED. */
enum status refusal_read(struct span payload, struct text *why);

/* Handles a frame from the other end of an open connection. A credit reduces flow->under_way. A
 * message is queued until a caller takes it. Takes ownership of the caller's reference to the
 * payload. Returns true on success. Returns false if the frame is neither a credit nor a message,
 * if the credit exceeds flow->under_way, or if the message exceeds the window. */
bool end_frame(struct end *end, struct flow *flow, uint32_t member, const struct frame *frame,
	struct span payload);

/* Counts a message that is handed to a caller. Returns the number of messages for which a credit
 * must now be sent to the other end. It is 0 as long as the messages without a credit are less than
 * half a window. */
uint32_t end_received(struct end *end, struct flow *flow, struct span message);

/* Copies the counters. */
void end_counts(struct end *end, struct channel_counts *counts);

#endif
