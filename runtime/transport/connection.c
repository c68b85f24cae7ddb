/* Reads and sends the frames of one connection on a non-blocking socket (stream.h). No function
 * blocks; callers that need to wait poll the socket. */
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"

void connection_init(
	struct connection *connection, int fd, const uint64_t *session, uint32_t length_max)
{
	memset(connection, 0, sizeof *connection);
	connection->fd = fd;
	connection->session = session;
	connection->length_max = length_max;
}

static struct outgoing *out_at(const struct connection *connection, uint32_t i)
{
	return &connection->out[(connection->first + i) & (connection->capacity - 1)];
}

void connection_end(struct connection *connection)
{
	if (connection->fd >= 0)
		close(connection->fd);
	connection->fd = -1;
	for (uint32_t i = 0; i < connection->count; i++)
		span_release(out_at(connection, i)->payload);
	free(connection->out);
	connection->out = NULL;
	connection->first = connection->count = connection->capacity = 0;
	span_release(connection->payload);
	connection->payload = (struct span){0};
}

/* ---- in ---- */

/* Reads bytes. Returns OK if bytes were read, EMPTY if no bytes are available yet, and CLOSED if
 * the connection has ended. */
static enum status connection_receive(
	struct connection *connection, void *to, size_t bytes, uint32_t *filled)
{
	ssize_t got;

	do
		got = recv(connection->fd, to, bytes, 0);
	while (got < 0 && errno == EINTR);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return STATUS_EMPTY;
	if (got <= 0)
		return STATUS_CLOSED;
	*filled += (uint32_t)got;
	return STATUS_OK;
}

static struct span room_for(const struct connection *connection, uint32_t length)
{
	const struct channel_memory *memory = &connection->memory;
	struct span room = {0};

	if (memory->take && connection->frame.kind == FRAME_MESSAGE)
		room = memory->take(memory->context, length);
	return room.extent ? room : span_of(extent_new(length));
}

static enum status read_header(
	struct connection *connection, enum frame_fault *fault, uint32_t *version)
{
	const struct frame_bounds bounds = {
		*connection->session, connection->next_in, connection->length_max};

	while (connection->header_filled < FRAME_HEADER_BYTES) {
		enum status status = connection_receive(connection,
			connection->header + connection->header_filled,
			FRAME_HEADER_BYTES - connection->header_filled, &connection->header_filled);

		if (status != STATUS_OK)
			return status;
	}
	if (connection->payload.extent)
		return STATUS_OK; /* the header was checked in an earlier call */
	*fault = frame_read(connection->header, &bounds, &connection->frame, version);
	if (*fault != FRAME_GOOD)
		return STATUS_INVALID;
	connection->payload = room_for(connection, connection->frame.length);
	connection->payload_filled = 0;
	return STATUS_OK;
}

enum status connection_read(struct connection *connection, struct frame *frame,
	struct span *payload, enum frame_fault *fault, uint32_t *version)
{
	enum status status;

	if (connection->fd < 0)
		return STATUS_CLOSED;
	status = read_header(connection, fault, version);
	if (status != STATUS_OK)
		return status;
	while (connection->payload_filled < connection->frame.length) {
		status = connection_receive(connection,
			connection->payload.extent->bytes + connection->payload.offset +
				connection->payload_filled,
			connection->frame.length - connection->payload_filled,
			&connection->payload_filled);
		if (status != STATUS_OK)
			return status;
	}
	*frame = connection->frame;
	*payload = connection->payload;
	connection->payload = (struct span){0};
	connection->header_filled = 0;
	connection->next_in++;
	return STATUS_OK;
}

/* ---- out ---- */

static void connection_grow(struct connection *connection)
{
	uint32_t capacity = connection->capacity > 0 ? 2 * connection->capacity : 8;
	struct outgoing *out = allocate(capacity, sizeof *out);

	for (uint32_t i = 0; i < connection->count; i++)
		out[i] = *out_at(connection, i);
	free(connection->out);
	connection->out = out;
	connection->first = 0;
	connection->capacity = capacity;
}

void connection_put(
	struct connection *connection, enum frame_kind kind, uint32_t credit, struct span payload)
{
	struct outgoing *out;

	ensure(payload.length == 0 || (payload.extent && !payload.extent->elided),
		"a payload of %u B that are not there", payload.length);
	if (connection->fd < 0)
		return;
	if (connection->count == connection->capacity)
		connection_grow(connection);
	out = out_at(connection, connection->count++);
	frame_write(&(struct frame){kind, *connection->session, connection->next_out++, credit,
			    payload.length},
		out->header);
	out->payload = payload;
	span_hold(payload);
}

/* Fills in `pieces` with the part of the first frame that was not sent yet: its header, its
 * payload, or a part of either. Returns the number of pieces. */
static int pieces_left(const struct connection *connection, struct iovec *pieces)
{
	struct outgoing *out = out_at(connection, 0);
	size_t written = connection->written;
	int count = 0;

	if (written < FRAME_HEADER_BYTES)
		pieces[count++] =
			(struct iovec){out->header + written, FRAME_HEADER_BYTES - written};
	written = written > FRAME_HEADER_BYTES ? written - FRAME_HEADER_BYTES : 0;
	if (written < out->payload.length)
		pieces[count++] =
			(struct iovec){out->payload.extent->bytes + out->payload.offset + written,
				out->payload.length - written};
	return count;
}

enum status connection_write(struct connection *connection)
{
	while (connection->fd >= 0 && connection->count > 0) {
		struct outgoing *out = out_at(connection, 0);
		struct iovec pieces[2];
		struct msghdr message = {.msg_iov = pieces};
		ssize_t sent;

		message.msg_iovlen = (size_t)pieces_left(connection, pieces);
		sent = sendmsg(connection->fd, &message, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return errno == EAGAIN || errno == EWOULDBLOCK ? STATUS_FULL
								       : STATUS_CLOSED;
		connection->written += (size_t)sent;
		if (connection->written < FRAME_HEADER_BYTES + out->payload.length)
			continue;
		span_release(out->payload);
		connection->written = 0;
		connection->first = (connection->first + 1) & (connection->capacity - 1);
		connection->count--;
	}
	return connection->fd >= 0 ? STATUS_OK : STATUS_CLOSED;
}
