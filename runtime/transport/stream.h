/* What the ends of streams share, hubs and members: their connections, who waits for them, what has
 * come. One thread at a time polls for all that wait. Private to the room. */
#ifndef TRANSPORT_STREAM_H
#define TRANSPORT_STREAM_H

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

#include "connection.h"

/* A family of streams: what differs between TCP and local sockets. */
struct stream_family {
	const char *name;

	/* Reads an address. INVALID: `why` says what it should look like, or that it is another
	 * machine's. */
	enum status (*resolve)(const char *text, bool remote, struct sockaddr_storage *address,
		socklen_t *length, struct text *why);

	/* Sets what a new connection wants. */
	void (*prepare)(int fd);

	/* Writes where a listening socket stands, into `text` of `size` bytes. */
	void (*print)(int fd, char *text, size_t size);

	/* Makes way for a new listener where a dead one left something; NULL: nothing is left. */
	void (*clear)(const struct sockaddr_storage *address);
};

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
	const struct stream_family *family;
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
};

enum status end_init(struct end *end, const struct channel_settings *settings,
	const struct stream_family *family, uint32_t polls_max);
void end_fini(struct end *end);

/* INVALID with a sentence if the settings are out of bounds. */
enum status end_check(const struct channel_settings *settings, struct text *why);

/* With the mutex held: waits until something has changed. False if the deadline has passed. */
bool end_wait(struct end *end, int64_t deadline_ns);

/* With the mutex held: whoever polls is to look again. */
void end_ring(struct end *end);

void end_arrive(struct end *end, uint32_t member, bool lost, struct span message);

/* The first that has arrived, or NULL; the caller frees it. */
struct arrived *end_take(struct end *end);

/* A payload whose bytes are there, with a reference of its own. ELIDED, OUT_OF_RANGE. */
enum status end_payload(const struct end *end, struct span message, struct span *payload);

/* Takes a frame of a joined end into account. False: it breaks the rules. */
bool end_frame(struct end *end, struct flow *flow, uint32_t member, const struct frame *frame,
	struct span payload);

/* One message was handed out: says so to the other end, if enough are. */
void end_received(
	struct end *end, struct flow *flow, struct connection *connection, struct span message);

/* Ends connections: writes what is left first, and waits until it is with the other ends, a second
 * at the most. */
void end_linger(struct connection **connections, uint32_t count);

/* A socket of the family that does not block; -1. */
int stream_socket(int family);

/* The same, connected by the deadline; -1: nobody answers there. */
int stream_connect(const struct sockaddr_storage *address, socklen_t length, int64_t deadline_ns);

#endif
