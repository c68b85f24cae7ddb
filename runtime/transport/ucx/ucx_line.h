/* Lines over UCX: endpoints of one worker, and the frames on their streams. Private to the room.
 * Knows neither hubs nor members. All with the end's mutex held, but for opening and closing. */
#ifndef TRANSPORT_UCX_LINE_H
#define TRANSPORT_UCX_LINE_H

#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "end.h"
#include "ucx_api.h"
#include "world/world.h"

/* Which transports of the library a row uses. */
struct ucx_style {
	const char *name;
	const char *transports; /* as UCX_TLS has them */
	const char *uses;	/* what a line must have been given, as the library calls it */
};

struct ucx_line;

/* The library's part of an end. */
struct ucx {
	const struct ucx_api *api;
	struct end *end;
	ucp_context_h context;
	ucp_worker_h worker;
	int fd;
	struct ucx_line *lines;
	/* Hears while nobody is in a call, so that goodbyes are answered. */
	pthread_t thread;
	bool has_thread;
	atomic_bool stop;
	int stop_fd;
	int64_t used_ns; /* somebody polled */
};

struct ucx_line {
	struct ucx_line *next;
	struct ucx *ucx;
	ucp_ep_h endpoint;
	void *closing;	    /* the request to end it */
	bool failed, ended; /* the connection is gone; its owner was told */
	bool over;	    /* nobody wants to hear of it any more: freed when it is closed */
	bool refused;	    /* the last that was told is why */
	int64_t over_ns;
	uint32_t sending; /* pieces that have not left */
	uint64_t next_in, next_out;
	uint32_t length_max; /* of payloads that come */
	uint8_t header[FRAME_HEADER_BYTES];
	uint32_t header_filled, payload_filled;
	struct extent *payload;
	const uint64_t *session; /* of its frames: the owner's */
	void *owner;

	/* A frame came: its header and payload, with a reference. */
	void (*heard)(struct ucx_line *line, const uint8_t *header, struct span payload);

	/* The connection is gone. */
	void (*lost)(struct ucx_line *line);
};

/* Its address, as world/channel.h says; UNSUPPORTED with a sentence: the library is not on this
 * machine, or other machines may connect. */
enum status ucx_resolve(const struct channel_settings *settings, struct sockaddr_storage *address,
	socklen_t *length, struct text *why);

/* Opens a worker, and hears. IO: it cannot; close it then, too. */
enum status ucx_open(struct ucx *ucx, const struct ucx_style *style, struct end *end);

/* Without the mutex: ends all lines, at once, and frees them. */
void ucx_close(struct ucx *ucx);

/* Takes in all that has come. True: something had. */
bool ucx_hear(struct ucx *ucx);

/* As struct end wants it. Returns 1. */
uint32_t ucx_list(struct ucx *ucx, struct pollfd *polls);

/* A line to an address, or of who knocks (the other is NULL). NULL: the library cannot. heard(),
 * lost() and owner are the caller's to set. */
struct ucx_line *ucx_line_new(struct ucx *ucx, const struct sockaddr_storage *address,
	socklen_t length, ucp_conn_request_h knock);

/* True if the line goes over `name`, of what the library calls its transports. */
bool ucx_line_uses(const struct ucx_line *line, const char *name);

/* Lets a frame leave. False: it cannot. */
bool ucx_line_tell(
	struct ucx_line *line, enum frame_kind kind, uint32_t credit, struct span payload);

/* Nobody hears it any more. Its connection ends; if the other end was told to end it, by
 * FRAME_REFUSED or, if `bye`, by FRAME_BYE, a second later at the most. */
void ucx_line_leave(struct ucx_line *line, bool bye);

#endif
