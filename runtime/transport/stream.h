/* What hubs and members over stream sockets have in common: struct stream_family, which describes
 * TCP or local sockets, and the closing of connections. Only for files of this folder. */
#ifndef TRANSPORT_STREAM_H
#define TRANSPORT_STREAM_H

#include <stdbool.h>
#include <sys/socket.h>

#include "end.h"
#include "transport/frame.h"
#include "world/channel.h"

/* One connection: a non-blocking socket, the frame that is being read from the socket, and the
 * frames that wait to be sent. Only for files of this folder. */

struct outgoing {
	uint8_t header[FRAME_HEADER_BYTES];
	struct span payload; /* the payload, with a reference */
};

struct connection {
	int fd;			    /* -1: the connection is closed */
	const uint64_t *session;    /* session number in the owner's frames; 0 until both ends have
				     * proved that they have the key */
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

/* Sends as much as the socket accepts. Returns OK if the queue is empty, FULL if some bytes remain,
 * and CLOSED if the connection is closed. */
enum status connection_write(struct connection *connection);

/* A socket family. It contains the differences between TCP and local sockets. */
struct stream_family {
	const char *name;

	/* Parses the address `text` into *address and *length. Returns OK, or INVALID with a
	 * sentence in `why`. An address is invalid if it has the wrong form, or if other machines
	 * can reach it and `remote` is not set. */
	enum status (*resolve)(const char *text, bool remote, struct sockaddr_storage *address,
		socklen_t *length, struct text *why);

	/* Sets the options of a new connection. */
	void (*prepare)(int fd);

	/* Writes the other end's address to `from`, for messages. Returns false if the other end
	 * belongs to another user. */
	bool (*meet)(int fd, char *from, size_t size);

	/* Writes the address of a listening socket into `text`, which has `size` bytes. */
	void (*print)(int fd, char *text, size_t size);

	/* Removes the remains of a dead listener at the address. NULL: listeners leave no
	 * remains. */
	void (*clear)(const struct sockaddr_storage *address);
};

/* Sends the frames that are still queued on the connections. Waits, for at most a second, until the
 * frames have arrived at the other ends. Then closes the connections. */
void end_linger(struct connection **connections, uint32_t count);

/* The resolve() of TCP. Parses, for example, "127.0.0.1:7000" or "[::1]:7000". */
enum status stream_resolve(const char *text, bool remote, struct sockaddr_storage *address,
	socklen_t *length, struct text *why);

/* prepare() of TCP. Sets TCP_NODELAY, so that small messages are sent at once. Sets SO_REUSEADDR,
 * so that a new hub can bind the address of an earlier hub. */
void stream_prepare(int fd);

/* The meet() of TCP. Writes the peer's address; always returns true. */
bool stream_meet(int fd, char *from, size_t size);

/* Writes a TCP address. */
void stream_print(const struct sockaddr_storage *address, char *text, size_t size);

/* Returns a non-blocking socket of the family; -1 on failure. */
int stream_socket(int family);

/* Makes a socket and connects it by the deadline. Returns -1 if no process listens at the address,
 * or if the deadline has passed. */
int stream_connect(const struct sockaddr_storage *address, socklen_t length, int64_t deadline_ns);

/* Hubs and members over stream sockets, for the transports `tcp` and `unix`. */

/* These functions implement hub_open() and join() of world/channel.h for a socket family. hub.h and
 * member.h declare the other operations. */
enum status stream_hub_open(const struct stream_family *family,
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status stream_join(const struct stream_family *family, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **channel, struct text *why);

#endif
