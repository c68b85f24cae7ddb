/* A member over ZeroMQ, for member.c: a DEALER socket, and a SUB socket for the messages that the
 * hub publishes. The hub's welcome contains the sequence number of the next published message, so
 * published messages are read only after the welcome. If a sequence number is missing, the
 * connection ends. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

#include "world/world.h"
#include "zeromq.h"

struct zeromq_member {
	struct channel channel;
	const struct zeromq_style *style;
	char talk_at[ADDRESS_BYTES], publish_at[ADDRESS_BYTES];
	void *context;
	struct zeromq_socket talk, publish;
	char topic[ZEROMQ_GREETING_BYTES + 1]; /* the topic: "@name token" */
	/* the next sequence number of each kind: frames to the hub, replies of the hub, messages on
	 * this member's topic, messages on the topic of all members */
	uint64_t next_out, next_in, next_own, next_all;
	uint64_t session_all;	      /* session number that the messages to all members contain */
	bool talk_down, publish_down; /* true if the connection is closed */
};

static struct zeromq_member *at(struct channel *channel)
{
	return (struct zeromq_member *)channel;
}

static void zeromq_member_tell(
	struct channel *channel, enum frame_kind kind, uint32_t credit, struct span payload)
{
	const struct frame frame = {
		kind, channel->session, at(channel)->next_out++, credit, payload.length};

	if (zeromq_send(&at(channel)->talk, NULL, 0, &frame, payload) != STATUS_OK)
		channel->lost = true;
}

/* ---- receiving ---- */

/* Reads the payload of the hub's welcome: the sequence number of the next message to all members,
 * and the session number that these messages contain. */
static bool zeromq_member_welcome(struct channel *channel, struct span payload)
{
	if (payload.length != 2 * ZEROMQ_NUMBER_BYTES)
		return false;
	at(channel)->next_all = zeromq_number(payload.extent->bytes);
	at(channel)->session_all = zeromq_number(payload.extent->bytes + ZEROMQ_NUMBER_BYTES);
	return true;
}

static void hear_message(struct channel *channel, const struct zeromq_message *message,
	uint64_t session, uint64_t *next)
{
	member_hear_as(
		channel, session, next, message->whole ? message->header : NULL, message->payload);
}

/* Returns true for a message to all members that was sent before this member was accepted. */
static bool is_too_early(struct channel *channel, const struct zeromq_message *message)
{
	const struct frame_bounds bounds = {at(channel)->session_all, at(channel)->next_all,
		channel->end.settings.message_bytes_max};
	struct frame frame;
	uint32_t version;

	return message->whole &&
	       frame_read(message->header, &bounds, &frame, &version) == FRAME_OUT_OF_ORDER &&
	       frame.sequence < at(channel)->next_all;
}

static bool zeromq_member_hear_publish(struct channel *channel)
{
	struct zeromq_member *self = at(channel);
	struct zeromq_message message;
	bool some = false;

	while (!channel->lost && zeromq_receive(&self->publish, true, &message)) {
		bool all = message.prefix_length == 1;

		some = true;
		if (all && is_too_early(channel, &message))
			span_release(message.payload);
		else
			hear_message(channel, &message, all ? self->session_all : channel->session,
				all ? &self->next_all : &self->next_own);
	}
	return some;
}

static bool hear_events(const struct zeromq_socket *socket, bool *down)
{
	uint16_t event;
	bool some = false;
	int fd;

	while (socket->socket && zeromq_event(socket, &event, &fd)) {
		some = true;
		*down |= event == ZMQ_EVENT_DISCONNECTED || event == ZMQ_EVENT_CLOSED ||
			 event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
	}
	return some;
}

static bool zeromq_member_hear(struct channel *channel)
{
	struct zeromq_member *self = at(channel);
	struct zeromq_message message;
	bool some = hear_events(&self->talk, &self->talk_down);

	some |= hear_events(&self->publish, &self->publish_down);
	while (!channel->lost && zeromq_receive(&self->talk, false, &message)) {
		some = true;
		hear_message(channel, &message, channel->session, &self->next_in);
	}
	if (channel->welcome && self->style->publish)
		some |= zeromq_member_hear_publish(channel);
	/* Before the welcome, joining fails if one of the two connections is lost. After the
	 * welcome, messages may still arrive on one connection when the other one is lost, so the
	 * channel ends only when both are lost. */
	if (channel->welcome || !self->style->publish ? self->talk_down && self->publish_down
						      : self->talk_down || self->publish_down)
		channel->lost = true;
	return some;
}

/* Lists the descriptors to poll. Before that, receives messages, because another thread may have
 * consumed the readiness events of these descriptors when it sent. */
static uint32_t zeromq_member_list(struct end *end, struct pollfd *polls)
{
	struct zeromq_member *self = (struct zeromq_member *)end;
	uint32_t count = zeromq_polls(&self->talk, polls);

	if (zeromq_member_hear(&self->channel))
		end_ring(end);
	return count + zeromq_polls(&self->publish, polls + count);
}

static void zeromq_member_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	(void)polls;
	(void)count;
	zeromq_member_hear((struct channel *)end);
}

static void told(struct channel *channel)
{
	zeromq_member_hear(channel);
	end_ring(&channel->end);
}

/* ---- joining ---- */

static void zeromq_member_part(struct channel *channel, bool bye)
{
	struct zeromq_member *self = at(channel);

	if (bye)
		zeromq_member_tell(channel, FRAME_BYE, 0, (struct span){0});
	zeromq_close(&self->talk, bye ? ZEROMQ_LINGER_MS : 0);
	zeromq_close(&self->publish, 0);
	if (self->context)
		zmq_ctx_term(self->context);
	self->context = NULL;
}

static enum status connect_to(struct zeromq_socket *socket, const char *endpoint)
{
	return zmq_connect(socket->socket, endpoint) == 0 ? STATUS_OK : STATUS_INVALID;
}

/* Makes the member's topic. It is unique, so that it differs from the topics of other members with
 * the same name. */
static void make_topic(struct zeromq_member *self)
{
	uint64_t token = (uint64_t)world->now_ns() ^ (uint64_t)getpid() << 40;

	snprintf(self->topic, sizeof self->topic, "@%s %016llx", self->channel.end.settings.name,
		(unsigned long long)token);
}

/* Connects without waiting. If there is no hub, hear_events() reports this later. */
static enum status zeromq_member_greet(struct channel *channel, int64_t deadline_ns)
{
	struct zeromq_member *self = at(channel);
	enum status status;

	(void)deadline_ns;
	self->talk_down = false;
	self->publish_down = !self->style->publish;
	self->next_out = self->next_in = self->next_own = 0;
	make_topic(self);
	self->context = zmq_ctx_new();
	if (!self->context)
		return STATUS_IO;
	status = zeromq_open(self->context, ZMQ_DEALER, &channel->end.settings, &self->talk);
	if (status == STATUS_OK)
		status = connect_to(&self->talk, self->talk_at);
	if (status == STATUS_OK && self->style->publish)
		status =
			zeromq_open(self->context, ZMQ_SUB, &channel->end.settings, &self->publish);
	if (status == STATUS_OK)
		member_greet_as(channel, self->topic + 1);
	return status;
}

/* Subscribes at the same hub, with the name of the greeting and with a proof as the password. */
static void proved(struct channel *channel)
{
	struct zeromq_member *self = at(channel);
	const char *name = self->topic + 1;
	char password[ZEROMQ_PASSWORD_BYTES];
	void *socket = self->publish.socket;

	if (!self->style->publish)
		return;
	zeromq_password(&channel->proof, password);
	if (zmq_setsockopt(socket, ZMQ_PLAIN_USERNAME, name, strlen(name)) != 0 ||
		zmq_setsockopt(socket, ZMQ_PLAIN_PASSWORD, password, strlen(password)) != 0 ||
		zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "*", 1) != 0 ||
		zmq_setsockopt(socket, ZMQ_SUBSCRIBE, self->topic, strlen(self->topic)) != 0 ||
		connect_to(&self->publish, self->publish_at) != STATUS_OK)
		channel->lost = true;
}

/* Returns false, because the library's thread sends. */
static bool is_leaving(const struct channel *channel)
{
	(void)channel;
	return false;
}

static const struct member_library library = {
	.greet = zeromq_member_greet,
	.proved = proved,
	.welcome = zeromq_member_welcome,
	.tell = zeromq_member_tell,
	.told = told,
	.is_leaving = is_leaving,
	.part = zeromq_member_part,
};

enum status zeromq_join(const struct zeromq_style *style, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **result, struct text *why)
{
	char talk[ADDRESS_BYTES], publish[ADDRESS_BYTES];
	struct channel *channel = NULL;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = zeromq_library(why);
	if (status == STATUS_OK)
		status = zeromq_endpoints(settings, talk, publish, why);
	if (status == STATUS_OK)
		status = member_new(
			&library, settings, sizeof(struct zeromq_member), 4, &channel, why);
	if (status != STATUS_OK)
		return status;
	channel->end.list = zeromq_member_list;
	channel->end.found = zeromq_member_found;
	at(channel)->style = style;
	memcpy(at(channel)->talk_at, talk, sizeof talk);
	memcpy(at(channel)->publish_at, publish, sizeof publish);
	return member_join(channel, deadline_ns, result, why);
}
