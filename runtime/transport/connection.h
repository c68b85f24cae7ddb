/* One connection: a non-blocking socket, the frame that is being read from the socket, and the
 * frames that wait to be sent. Only for files of this folder. */
#ifndef TRANSPORT_CONNECTION_H
#define TRANSPORT_CONNECTION_H

#include <stdbool.h>

#include "transport/frame.h"
#include "world/channel.h"

struct outgoing {
	uint8_t header[FRAME_HEADER_BYTES];
	struct span payload; /* the payload, with a reference */
};

struct connection {
	int fd;			    /* -1: the connection is closed */
	const uint64_t *session;    /* number that the owner's frames contain; 0 until both ends
				     * have proved that they have the key */
	uint64_t next_in, next_out; /* next sequence number in each direction */
	uint32_t length_max;
	/* incoming frames */
	uint8_t header[FRAME_HEADER_BYTES];
	struct frame frame;
	struct channel_memory memory; /* provides memory for incoming messages */
	struct span payload;
	uint32_t header_filled, payload_filled;
	/* outgoing frames: a ring; `written` bytes of its first frame have been sent */
	struct outgoing *out;
	uint32_t first, count, capacity;
	size_t written;
};

/* Takes ownership of the socket. `session` must outlive the connection. */
void connection_init(
	struct connection *connection, int fd, const uint64_t *session, uint32_t length_max);

/* Closes the connection and drops all unsent frames. Idempotent. */
void connection_end(struct connection *connection);

/* Reads the next frame from the socket. If the frame is complete, sets *frame and *payload and
 * returns OK; the caller releases *payload. Returns EMPTY if no complete frame has arrived yet.
 * Returns CLOSED if the connection is closed. If the frame is invalid, returns INVALID and sets
 * *fault and *version; after this, nothing more can be read from the connection. */
enum status connection_read(struct connection *connection, struct frame *frame,
	struct span *payload, enum frame_fault *fault, uint32_t *version);

/* Queues a frame after the frames that are already queued. Takes its own reference to the payload.
 * The bytes of the payload must be in memory, that is, it must not be elided. */
void connection_put(
	struct connection *connection, enum frame_kind kind, uint32_t credit, struct span payload);

/* Sends as much as the socket accepts. Returns OK if the queue is empty; FULL if some bytes remain;
 * CLOSED if the connection is closed. */
enum status connection_write(struct connection *connection);

#endif
