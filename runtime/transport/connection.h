/* One connection: a socket that does not block, with the frame that comes in and those that go out.
 * Private to the room. Knows neither hubs nor members. */
#ifndef TRANSPORT_CONNECTION_H
#define TRANSPORT_CONNECTION_H

#include <stdbool.h>

#include "transport/frame.h"
#include "world/channel.h"

struct outgoing {
	uint8_t header[FRAME_HEADER_BYTES];
	struct span payload; /* with a reference */
};

struct connection {
	int fd;			    /* -1: ended */
	const uint64_t *session;    /* its owner's: 0, until it is proved */
	uint64_t next_in, next_out; /* sequence */
	uint32_t length_max;
	/* coming in */
	uint8_t header[FRAME_HEADER_BYTES];
	struct frame frame;
	struct channel_memory memory; /* for what comes in */
	struct span payload;
	uint32_t header_filled, payload_filled;
	/* going out: a ring, of which the first has left up to `written` */
	struct outgoing *out;
	uint32_t first, count, capacity;
	size_t written;
};

/* Takes the socket over. `session` outlives the connection. */
void connection_init(
	struct connection *connection, int fd, const uint64_t *session, uint32_t length_max);

/* Ends it, whatever was on its way. Again: nothing happens. */
void connection_end(struct connection *connection);

/* The next frame that has come in whole; the caller releases *payload. EMPTY: none yet; CLOSED: the
 * other end is; INVALID: *fault, of a frame of *version. Then nothing more can be read. */
enum status connection_read(struct connection *connection, struct frame *frame,
	struct span *payload, enum frame_fault *fault, uint32_t *version);

/* Lets a frame leave behind those before it. Takes a reference to the payload, whose bytes are
 * there. */
void connection_put(
	struct connection *connection, enum frame_kind kind, uint32_t credit, struct span payload);

/* Writes as much as there is room for. OK: all has left; FULL: something is left; CLOSED. */
enum status connection_write(struct connection *connection);

#endif
