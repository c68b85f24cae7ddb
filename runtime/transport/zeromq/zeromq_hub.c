/* The hub over ZeroMQ, for hub.c. All members communicate with the hub's ROUTER socket. If
 * style->publish is set, the hub sends its messages on an XPUB socket. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "base/allocate.h"
#include "zeromq.h"

static struct zeromq_hub *at(struct hub *hub)
{
	return (struct zeromq_hub *)hub;
}

/* Lists the descriptors to poll. Before that, receives messages, because another thread may have
 * consumed the readiness events of these descriptors when it sent. */
static uint32_t zeromq_hub_list(struct end *end, struct pollfd *polls)
{
	struct zeromq_hub *self = (struct zeromq_hub *)end;
	uint32_t count = zeromq_polls(&self->talk, polls);

	if (peers_hear(self))
		end_ring(end);
	count += zeromq_polls(&self->publish, polls + count);
	return count + zeromq_gate_polls(&self->gate, polls + count);
}

static void zeromq_hub_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	(void)polls;
	(void)count;
	peers_hear((struct zeromq_hub *)end);
}

/* ---- callbacks for hub.c ---- */

static void zeromq_hub_welcome(struct hub *hub, struct party *party)
{
	uint8_t bytes[2 * ZEROMQ_NUMBER_BYTES];
	struct span first;

	zeromq_put_number(bytes, at(hub)->next_all);
	zeromq_put_number(bytes + ZEROMQ_NUMBER_BYTES, at(hub)->session_all);
	first = span_copy(bytes, sizeof bytes);
	peers_tell(hub, party, FRAME_WELCOME, 0, first);
	span_release(first);
}

/* Sends a frame to one member. The frame stays in order with the messages to all members. */
static void say_kind(
	struct hub *hub, struct party *party, enum frame_kind kind, struct span payload)
{
	struct zeromq_peer *peer = (struct zeromq_peer *)party;
	const struct frame frame = {kind, party->session, peer->next_own, 0, payload.length};

	if (!at(hub)->style->publish) {
		peers_tell(hub, party, kind, 0, payload);
		return;
	}
	peer->next_own++;
	(void)zeromq_send(&at(hub)->publish, peer->topic, strlen(peer->topic), &frame, payload);
}

static void say(struct hub *hub, struct party *party, struct span payload)
{
	say_kind(hub, party, FRAME_MESSAGE, payload);
}

static bool publish(struct hub *hub, struct span payload)
{
	const struct frame frame = {
		FRAME_MESSAGE, at(hub)->session_all, at(hub)->next_all, 0, payload.length};

	if (!at(hub)->style->publish)
		return false;
	at(hub)->next_all++;
	(void)zeromq_send(&at(hub)->publish, "*", 1, &frame, payload);
	return true;
}

/* Called after messages were sent. Receives the messages that have arrived: a send may reset the
 * socket's descriptor, which then no longer reports them. Then makes the polling thread list its
 * descriptors again. */
static void told(struct hub *hub)
{
	peers_hear(at(hub));
	end_ring(&hub->end);
}

/* Returns false, because the library's thread sends. */
static bool zeromq_hub_is_leaving(const struct hub *hub, const struct party *party)
{
	(void)hub;
	(void)party;
	return false;
}

static void part(struct hub *hub, struct party *party, bool bye)
{
	if (bye)
		say_kind(hub, party, FRAME_BYE, (struct span){0});
}

static void zeromq_hub_close_library(struct hub *hub)
{
	struct zeromq_hub *self = at(hub);

	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (hub->accepted[i]->standing != LOST)
			say_kind(hub, hub->accepted[i], FRAME_BYE, (struct span){0});
	zeromq_close(&self->talk, ZEROMQ_LINGER_MS);
	zeromq_close(&self->publish, ZEROMQ_LINGER_MS);
	zeromq_gate_close(&self->gate);
	if (self->context)
		zmq_ctx_term(self->context);
	free(self->subscribed);
	free(self->open);
}

static const struct hub_library library = {
	.greeting = peers_greeting,
	.is_ready = peers_is_ready,
	.welcome = zeromq_hub_welcome,
	.tell = peers_tell,
	.say = say,
	.publish = publish,
	.told = told,
	.is_leaving = zeromq_hub_is_leaving,
	.part = part,
	.close = zeromq_hub_close_library,
};

/* ---- opening ---- */

/* Returns the error number of a failed bind, as the socket's monitor reports it. zmq_errno() alone
 * is not reliable: if binding takes more than a millisecond, the library also processes its own
 * commands, which overwrite the error number. */
static int bind_error(const struct zeromq_socket *socket)
{
	int error = zmq_errno(), value;
	uint16_t event;

	while (zeromq_event(socket, &event, &value))
		if (event == ZMQ_EVENT_BIND_FAILED)
			error = value;
	return error;
}

static enum status bind_to(
	const struct zeromq_socket *socket, const char *endpoint, struct text *why)
{
	int error;

	if (zmq_bind(socket->socket, endpoint) == 0)
		return STATUS_OK;
	error = bind_error(socket);
	if (why)
		text_printf(why, "cannot listen there: %s", zmq_strerror(error));
	return error == EADDRINUSE ? STATUS_EXISTS : STATUS_IO;
}

/* Writes the address to which the socket is bound, without "tcp://", and returns it. */
static const char *zeromq_hub_place(void *socket, char text[ADDRESS_BYTES])
{
	size_t size = ADDRESS_BYTES;

	if (zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, text, &size) != 0)
		text[0] = '\0';
	return strstr(text, "://") ? strstr(text, "://") + 3 : text;
}

static enum status zeromq_hub_listen_at(
	struct zeromq_hub *self, const char *talk, const char *publish, struct text *why)
{
	const struct channel_settings *settings = &self->hub.end.settings;
	char text[ADDRESS_BYTES], *address = self->hub.address;
	enum status status = zeromq_open(self->context, ZMQ_ROUTER, settings, &self->talk);

	if (status == STATUS_OK)
		status = bind_to(&self->talk, talk, why);
	if (status == STATUS_OK && self->style->publish)
		status = zeromq_gate_open(&self->gate, self->context);
	if (status == STATUS_OK && self->style->publish)
		status = zeromq_open(self->context, ZMQ_XPUB, settings, &self->publish);
	if (status == STATUS_OK && self->style->publish)
		status = zeromq_gate_guard(self->publish.socket);
	if (status == STATUS_OK && self->style->publish)
		status = bind_to(&self->publish, publish, why);
	if (status != STATUS_OK)
		return status;
	snprintf(address, ADDRESS_BYTES, "%s", zeromq_hub_place(self->talk.socket, text));
	if (self->style->publish) {
		size_t length = strlen(address);

		snprintf(address + length, ADDRESS_BYTES - length, ",%s",
			strrchr(zeromq_hub_place(self->publish.socket, text), ':') + 1);
	}
	return STATUS_OK;
}

enum status zeromq_hub_open(const struct zeromq_style *style,
	const struct channel_settings *settings, struct hub **result, struct text *why)
{
	char talk[ADDRESS_BYTES], publish[ADDRESS_BYTES];
	struct hub *hub = NULL;
	struct zeromq_hub *self;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = zeromq_library(why);
	if (status == STATUS_OK)
		status = zeromq_endpoints(settings, talk, publish, why);
	if (status == STATUS_OK)
		status = hub_new(&library, settings, sizeof *self, 5, &hub);
	if (status != STATUS_OK)
		return status;
	self = at(hub);
	self->style = style;
	proof_random(&self->session_all, sizeof self->session_all);
	hub->end.list = zeromq_hub_list;
	hub->end.found = zeromq_hub_found;
	self->subscribed = allocate(SUBSCRIBED_MAX, sizeof *self->subscribed);
	self->context = zmq_ctx_new();
	status = self->context ? zeromq_hub_listen_at(self, talk, publish, why) : STATUS_IO;
	if (status == STATUS_OK)
		*result = hub;
	else
		hub_close(hub);
	return status;
}
