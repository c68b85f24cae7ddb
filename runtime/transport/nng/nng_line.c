/* Lines over nng. Each line transports frames to one other end (nng_line.h). A line does not
 * reconnect. Everything that arrived before the connection ended is delivered. */
#include "nng_line.h"

#include <nng/protocol/pair0/pair.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "stream.h"
#include "world/world.h"

enum { AGAIN_MS = 24 * 3600 * 1000 }; /* longer than any run, so connections are not reopened */

enum status nng_line_url(
	const struct channel_settings *settings, char url[NNG_URL_BYTES], struct text *why)
{
	struct sockaddr_storage address;
	socklen_t length;
	enum status status =
		stream_resolve(settings->address, settings->remote, &address, &length, why);

	if (status != STATUS_OK)
		return status;
	if (settings->window > NNG_QUEUE_MAX) {
		if (why)
			text_printf(
				why, "a window over nng has at most %d messages", NNG_QUEUE_MAX);
		return STATUS_INVALID;
	}
	snprintf(url, NNG_URL_BYTES, "tcp://%s", settings->address);
	return STATUS_OK;
}

int nng_line_prepare(nng_socket socket, const struct channel_settings *settings)
{
	const size_t least = FRAME_HEADER_BYTES + CHANNEL_NAME_BYTES,
		     most = FRAME_HEADER_BYTES + (size_t)settings->message_bytes_max;
	int error = nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ, most > least ? most : least);

	if (error == 0)
		error = nng_socket_set_ms(socket, NNG_OPT_RECONNMINT, AGAIN_MS);
	if (error == 0)
		error = nng_socket_set_ms(socket, NNG_OPT_RECONNMAXT, AGAIN_MS);
	return error;
}

/* ---- connections ---- */

/* nng calls this for a new connection. Keeps only the first connection of a line. After the first
 * connection has ended, nng would accept another one, so this function closes later connections. */
static void come(nng_pipe pipe, nng_pipe_ev event, void *argument)
{
	struct nng_line *line = argument;
	uint32_t none = 0;

	(void)event;
	if (!atomic_compare_exchange_strong(&line->pipe, &none, (uint32_t)nng_pipe_id(pipe)))
		nng_pipe_close(pipe);
}

/* nng calls this when a connection has ended. The calling thread may already hold the mutex. So
 * this function only cancels the receive. After that, nng calls nng_line_hear(), which reports the
 * end. */
static void go(nng_pipe pipe, nng_pipe_ev event, void *argument)
{
	struct nng_line *line = argument;

	(void)event;
	if ((uint32_t)nng_pipe_id(pipe) != atomic_load(&line->pipe))
		return;
	atomic_store(&line->gone, true);
	nng_aio_cancel(line->aio);
}

/* ---- receiving ---- */

static void nng_line_take(struct nng_line *line, nng_msg *message)
{
	const uint8_t *bytes = nng_msg_body(message);
	size_t length = nng_msg_len(message);
	struct span payload = {0};

	if (!line->over && length < FRAME_HEADER_BYTES)
		line->heard(line, NULL, payload);
	else if (!line->over) {
		if (length > FRAME_HEADER_BYTES)
			payload = span_copy(bytes + FRAME_HEADER_BYTES,
				(uint32_t)(length - FRAME_HEADER_BYTES));
		line->heard(line, bytes, payload);
	}
	nng_msg_free(message);
}

/* nng calls this in one of its threads when a receive ends. If a message was received, delivers the
 * message and receives again. If go() has cancelled the receive, delivers the messages that are
 * still in the socket, and then reports the end of the connection. */
static void nng_line_hear(void *argument)
{
	struct nng_line *line = argument;
	int result = nng_aio_result(line->aio);
	nng_msg *message;

	if (result == NNG_ECLOSED)
		return;
	pthread_mutex_lock(&line->end->mutex);
	if (result == 0) {
		nng_line_take(line, nng_aio_get_msg(line->aio));
		nng_recv_aio(line->socket, line->aio);
	} else {
		while (nng_recvmsg(line->socket, &message, NNG_FLAG_NONBLOCK) == 0)
			nng_line_take(line, message);
		if (!line->over)
			line->ended(line);
	}
	end_ring(line->end);
	pthread_mutex_unlock(&line->end->mutex);
	if (result == 0 && atomic_load(&line->gone))
		nng_aio_cancel(line->aio);
}

/* ---- lines ---- */

/* nng calls this in one of its threads when a frame of a struct nng_spare was sent, or when the
 * line has ended. */
static void sent_spare(void *argument)
{
	struct nng_spare *spare = argument;

	if (nng_aio_result(spare->aio) != 0)
		nng_msg_free(nng_aio_get_msg(spare->aio));
	atomic_store(&spare->busy, false);
}

/* Sends in the background a frame that does not fit into the library's queue. The library keeps the
 * frames in order. Returns false if all NNG_SPARE background sends are in use, which does not
 * happen as long as the caller respects the window. */
static bool send_spare(struct nng_line *line, nng_msg *message)
{
	for (uint32_t i = 0; i < NNG_SPARE; i++) {
		struct nng_spare *spare = &line->spares[i];

		if (atomic_exchange(&spare->busy, true))
			continue;
		nng_aio_set_msg(spare->aio, message);
		nng_send_aio(line->socket, spare->aio);
		return true;
	}
	return false;
}

static int set_up_spares(struct nng_line *line)
{
	int error = 0;

	for (uint32_t i = 0; i < NNG_SPARE && error == 0; i++)
		error = nng_aio_alloc(&line->spares[i].aio, sent_spare, &line->spares[i]);
	return error;
}

static int set_up(struct nng_line *line)
{
	const struct channel_settings *settings = &line->end->settings;
	const uint32_t wanted = settings->window + NNG_SPARE;
	const int queue = wanted < NNG_QUEUE_MAX ? (int)wanted : NNG_QUEUE_MAX;
	int error = nng_line_prepare(line->socket, settings);

	if (error == 0)
		error = nng_socket_set_int(line->socket, NNG_OPT_SENDBUF, queue);
	if (error == 0)
		error = nng_socket_set_int(line->socket, NNG_OPT_RECVBUF, queue);
	if (error == 0)
		error = nng_pipe_notify(line->socket, NNG_PIPE_EV_ADD_PRE, come, line);
	if (error == 0)
		error = nng_pipe_notify(line->socket, NNG_PIPE_EV_REM_POST, go, line);
	if (error == 0)
		error = nng_aio_alloc(&line->aio, nng_line_hear, line);
	return error == 0 ? set_up_spares(line) : error;
}

struct nng_line *nng_line_new(struct end *end)
{
	struct nng_line *line = allocate(1, sizeof *line);

	line->end = end;
	if (nng_pair0_open(&line->socket) != 0) {
		free(line);
		return NULL;
	}
	if (set_up(line) == 0)
		return line;
	nng_line_free(line);
	return NULL;
}

void nng_line_start(struct nng_line *line)
{
	nng_recv_aio(line->socket, line->aio);
}

bool nng_line_tell(
	struct nng_line *line, enum frame_kind kind, uint32_t credit, struct span payload)
{
	const struct frame frame = {kind, *line->session, line->next_out++, credit, payload.length};
	nng_msg *message;
	int error;

	if (nng_msg_alloc(&message, FRAME_HEADER_BYTES + (size_t)payload.length) != 0)
		return false;
	frame_write(&frame, nng_msg_body(message));
	if (payload.length > 0)
		memcpy((uint8_t *)nng_msg_body(message) + FRAME_HEADER_BYTES,
			payload.extent->bytes + payload.offset, payload.length);
	line->refused = kind == FRAME_REFUSED;
	error = nng_sendmsg(line->socket, message, NNG_FLAG_NONBLOCK);
	if (error == 0 || (error == NNG_EAGAIN && send_spare(line, message)))
		return true;
	nng_msg_free(message);
	return false;
}

void nng_line_leave(struct nng_line *line, bool bye)
{
	const nng_pipe pipe = {atomic_load(&line->pipe)};

	if (line->over)
		return;
	line->over = true;
	line->over_ns = world->now_ns();
	if (pipe.id != 0 && !bye && !line->refused)
		nng_pipe_close(pipe);
}

void nng_line_free(struct nng_line *line)
{
	if (!line)
		return;
	nng_close(line->socket);
	if (line->aio)
		nng_aio_free(line->aio);
	for (uint32_t i = 0; i < NNG_SPARE; i++)
		if (line->spares[i].aio)
			nng_aio_free(line->spares[i].aio);
	free(line);
}
