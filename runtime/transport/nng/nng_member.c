/* A member over nng, for member.c. It requests a port from the hub, and connects a line to this
 * port. */
#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <stdio.h>
#include <string.h>

#include "nng_line.h"
#include "world/world.h"

enum { LINGER_NS = 1000000000, AGAIN_MS = 10, WAIT_MAX_MS = 1 << 30 };

struct nng_member {
	struct channel channel;
	char url[NNG_URL_BYTES];
	struct nng_line *line;
	uint64_t next_in; /* next sequence number */
};

static struct nng_member *at(struct channel *channel)
{
	return (struct nng_member *)channel;
}

/* ---- receiving ---- */

static void nng_member_heard(struct nng_line *line, const uint8_t *header, struct span payload)
{
	struct channel *channel = line->owner;

	member_hear(channel, &at(channel)->next_in, header, payload);
	if (channel->lost)
		nng_line_leave(line, false);
}

static void ended(struct nng_line *line)
{
	((struct channel *)line->owner)->lost = true;
}

/* ---- callbacks for member.c ---- */

static void nng_member_tell(
	struct channel *channel, enum frame_kind kind, uint32_t credit, struct span payload)
{
	if (!nng_line_tell(at(channel)->line, kind, credit, payload))
		channel->lost = true;
}

static nng_duration wait_ms(int64_t deadline_ns)
{
	int64_t left_ns = end_left_ns(deadline_ns);

	return left_ns / 1000000 < WAIT_MAX_MS ? (nng_duration)(left_ns / 1000000) + 1
					       : WAIT_MAX_MS;
}

/* Sends the member's name to the hub and waits for the answer. Returns NULL if no answer comes in
 * time. */
static nng_msg *nng_member_ask(struct channel *channel, int64_t deadline_ns)
{
	const char *name = channel->end.settings.name;
	const struct frame frame = {FRAME_HELLO, 0, 0, 0, (uint32_t)strlen(name)};
	uint8_t header[FRAME_HEADER_BYTES];
	nng_msg *message = NULL;
	nng_socket socket;

	if (nng_req0_open(&socket) != 0)
		return NULL;
	frame_write(&frame, header);
	if (nng_line_prepare(socket, &channel->end.settings) == 0 &&
		nng_socket_set_ms(socket, NNG_OPT_RECONNMINT, AGAIN_MS) == 0 &&
		nng_socket_set_ms(socket, NNG_OPT_RECONNMAXT, AGAIN_MS) == 0 &&
		nng_socket_set_ms(socket, NNG_OPT_RECVTIMEO, wait_ms(deadline_ns)) == 0 &&
		nng_socket_set_ms(socket, NNG_OPT_SENDTIMEO, wait_ms(deadline_ns)) == 0 &&
		nng_dial(socket, at(channel)->url, NULL, NNG_FLAG_NONBLOCK) == 0 &&
		nng_msg_alloc(&message, 0) == 0 &&
		nng_msg_append(message, header, sizeof header) == 0 &&
		nng_msg_append(message, name, strlen(name)) == 0 &&
		nng_sendmsg(socket, message, 0) == 0) {
		message = NULL;
		(void)nng_recvmsg(socket, &message, 0);
	} else if (message) {
		nng_msg_free(message);
		message = NULL;
	}
	nng_close(socket);
	return message;
}

/* Reads the URL in the hub's answer into `url`, and returns true. If the hub rejects the member, or
 * if the answer comes from another program, returns false; member_hear() has then recorded the
 * reason. */
static bool read_answer(struct channel *channel, nng_msg *message, char url[NNG_URL_BYTES])
{
	const struct frame_bounds bounds = {0, 0, channel->end.settings.message_bytes_max};
	const uint8_t *bytes = nng_msg_body(message);
	size_t length = nng_msg_len(message);
	struct span payload = {0};
	struct frame frame;
	uint32_t version;
	uint64_t next = 0;

	if (length > FRAME_HEADER_BYTES)
		payload = span_copy(
			bytes + FRAME_HEADER_BYTES, (uint32_t)(length - FRAME_HEADER_BYTES));
	if (payload.length > 0 && payload.length < NNG_URL_BYTES &&
		frame_read(bytes, &bounds, &frame, &version) == FRAME_GOOD &&
		frame.kind == FRAME_HELLO && frame.length == payload.length) {
		snprintf(url, NNG_URL_BYTES, "%.*s", (int)payload.length,
			(const char *)payload.extent->bytes);
		span_release(payload);
		return true;
	}
	member_hear(channel, &next, length >= FRAME_HEADER_BYTES ? bytes : NULL, payload);
	return false;
}

static enum status nng_member_greet(struct channel *channel, int64_t deadline_ns)
{
	struct nng_member *self = at(channel);
	nng_msg *message = nng_member_ask(channel, deadline_ns);
	char url[NNG_URL_BYTES];
	bool good;

	if (!message)
		return STATUS_TIMEOUT;
	good = read_answer(channel, message, url);
	nng_msg_free(message);
	if (!good)
		return STATUS_OK; /* read_answer() has recorded the rejection */
	self->next_in = 0;
	self->line = nng_line_new(&channel->end);
	if (!self->line)
		return STATUS_IO;
	self->line->owner = channel;
	self->line->session = &channel->session;
	self->line->heard = nng_member_heard;
	self->line->ended = ended;
	nng_line_start(self->line);
	if (nng_dial(self->line->socket, url, NULL, 0) != 0)
		return STATUS_CLOSED;
	pthread_mutex_lock(&channel->end.mutex);
	member_greet(channel);
	pthread_mutex_unlock(&channel->end.mutex);
	return STATUS_OK;
}

/* Waits until the hub closes the connection, which it does when it has received all frames. */
static void nng_member_part(struct channel *channel, bool bye)
{
	struct nng_member *self = at(channel);
	int64_t deadline_ns = world->now_ns() + LINGER_NS;

	pthread_mutex_lock(&channel->end.mutex);
	if (bye && !channel->lost) {
		nng_member_tell(channel, FRAME_BYE, 0, (struct span){0});
		while (!channel->lost && end_wait(&channel->end, deadline_ns))
			continue;
	}
	if (self->line)
		self->line->over = true;
	pthread_mutex_unlock(&channel->end.mutex);
	nng_line_free(self->line);
	self->line = NULL;
}

static const struct member_library library = {
	.greet = nng_member_greet,
	.proved = member_plain_proved,
	.welcome = member_plain_welcome,
	.tell = nng_member_tell,
	.told = member_plain_told,
	.is_leaving = member_plain_leaving,
	.part = nng_member_part,
};

enum status nng_join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **result, struct text *why)
{
	char url[NNG_URL_BYTES];
	struct channel *channel = NULL;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = nng_library(why);
	if (status == STATUS_OK)
		status = nng_line_url(settings, url, why);
	if (status == STATUS_OK)
		status =
			member_new(&library, settings, sizeof(struct nng_member), 1, &channel, why);
	if (status != STATUS_OK)
		return status;
	channel->end.list = end_plain_list;
	channel->end.found = end_plain_found;
	memcpy(at(channel)->url, url, sizeof url);
	return member_join(channel, deadline_ns, result, why);
}
