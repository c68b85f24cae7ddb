/* What the ends of all libraries share: settings, who waits, what has come, windows. One thread at
 * a time polls for all that wait. Private to the room. Knows no connection. */
#ifndef TRANSPORT_END_H
#define TRANSPORT_END_H

#include <poll.h>
#include <pthread.h>

#include "transport/frame.h"
#include "world/channel.h"

/* A message, or the word that somebody is lost. */
struct arrived {
	struct arrived *next;
	uint32_t member;
	bool lost;
	struct span message;
};

/* Flow of messages with one other end. */
struct flow {
	uint32_t under_way; /* sent, and not yet received by the reader */
	uint32_t unread;    /* arrived, and not yet received here */
	uint32_t owed;	    /* received here, and not yet said */
};

struct end {
	struct channel_settings settings; /* its texts are not kept */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool polling; /* somebody does */
	int bell;     /* rung for whoever polls: something else is to be polled for */
	struct arrived *first, *last;
	struct channel_counts counts;

	/* Asked with the mutex held: what to poll for, behind the bell; and what was found. */
	uint32_t (*list)(struct end *end, struct pollfd *polls);
	void (*found)(struct end *end, const struct pollfd *polls, uint32_t count);
	uint32_t polls_max;
	struct pollfd *polls;

	/* Of a library that nobody can wait for, set by list(): it is looked at again after so
	 * long, until one of both has said that there is news. */
	int64_t look_ns; /* INT64_MAX: of another one */
	bool news;
};

enum status end_init(struct end *end, const struct channel_settings *settings, uint32_t polls_max);
void end_fini(struct end *end);

/* What ends have whose library hears in a thread of its own, and rings: nothing to poll for. */
uint32_t end_plain_list(struct end *end, struct pollfd *polls);
void end_plain_found(struct end *end, const struct pollfd *polls, uint32_t count);

/* INVALID with a sentence if the settings are out of bounds. */
enum status end_check(const struct channel_settings *settings, struct text *why);

/* The same of the name of who joins. */
enum status end_check_name(const struct channel_settings *settings, struct text *why);

/* Names are for people: printable, and without what could be taken for something else. */
bool end_name_is_plain(const char *name, uint32_t length);

/* From now; 0 if it is past. */
int64_t end_left_ns(int64_t deadline_ns);

/* With the mutex held: waits until something has changed. False if the deadline has passed. */
bool end_wait(struct end *end, int64_t deadline_ns);

/* With the mutex held: whoever polls is to look again. */
void end_ring(struct end *end);

void end_arrive(struct end *end, uint32_t member, bool lost, struct span message);

/* The first that has arrived, or NULL; the caller frees it. */
struct arrived *end_take(struct end *end);

/* Why a hub refuses: the first byte of the payload of FRAME_REFUSED; a sentence follows. */
enum refusal { REFUSAL_FAULT = 1, REFUSAL_NAME };

/* That payload; the caller releases it. `format` has one %s. */
struct span refusal_text(enum refusal refusal, const char *format, const char *detail);

/* What a member makes of one: EXISTS or UNSUPPORTED, and the sentence, printable. */
enum status refusal_read(struct span payload, struct text *why);

/* Takes a frame of a joined end into account. False: it breaks the rules. */
bool end_frame(struct end *end, struct flow *flow, uint32_t member, const struct frame *frame,
	struct span payload);

/* One message was handed out. Returns how many to say so of now: enough, or 0. */
uint32_t end_received(struct end *end, struct flow *flow, struct span message);

/* What was counted so far. */
void end_counts(struct end *end, struct channel_counts *counts);

#endif
