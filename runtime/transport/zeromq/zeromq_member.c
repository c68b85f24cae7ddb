/* A member's end over ZeroMQ: a DEALER, and a SUB for what the hub publishes. Refuses to listen to
 * what is published before it is welcome, and to lose a message of it unseen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/world.h"
#include "zeromq.h"

enum { AGAIN_NS = 20000000 };

struct channel {
	struct end end;
	const struct zeromq_style *style;
	void *context;
	struct zeromq_socket talk, publish;
	char topic[ZEROMQ_GREETING_BYTES + 1]; /* "@name token" */
	struct flow flow;
	uint64_t next_out, next_in, next_own, next_all; /* sequence: told, heard, on the topics */
	bool talk_down, publish_down;			/* the connection is */
	bool welcome, lost;
	enum status refused; /* OK: it was not */
	struct text why;
};

static void tell(
	struct channel *channel, enum frame_kind kind, uint32_t credit, struct span payload)
{
	const struct frame frame = {
		kind, channel->end.settings.session, channel->next_out++, credit, payload.length};

	if (zeromq_send(&channel->talk, NULL, 0, &frame, payload) != STATUS_OK)
		channel->lost = true;
}

/* ---- what has come ---- */

static void be_welcome(struct channel *channel, struct span payload)
{
	if (payload.length != ZEROMQ_NUMBER_BYTES) {
		channel->lost = true;
		return;
	}
	channel->next_all = zeromq_number(payload.extent->bytes);
	channel->welcome = true;
}

/* The hub sent what it may not. */
static void take_fault(struct channel *channel, enum frame_fault fault, uint32_t version)
{
	char detail[FRAME_FAULT_BYTES];

	channel->end.counts.refused++;
	frame_fault_print(fault, version, detail);
	text_printf(&channel->why, "the hub sent %s", detail);
	if (!channel->welcome)
		channel->refused = STATUS_UNSUPPORTED;
	channel->lost = true;
}

/* Takes the reference to the payload over. */
static void hear_frame(struct channel *channel, const struct frame *frame, struct span payload)
{
	if (frame->kind == FRAME_REFUSED) {
		channel->refused = refusal_read(payload, &channel->why);
		channel->lost = true;
	} else if (frame->kind == FRAME_BYE) {
		channel->lost = true;
	} else if (channel->welcome) {
		if (!end_frame(&channel->end, &channel->flow, 0, frame, payload))
			take_fault(channel, FRAME_BROKEN, 0);
		return;
	} else if (frame->kind == FRAME_WELCOME) {
		be_welcome(channel, payload);
	} else {
		channel->lost = true;
	}
	span_release(payload);
}

/* Takes a message whose number has to be *next. */
static void hear_message(
	struct channel *channel, const struct zeromq_message *message, uint64_t *next)
{
	const struct frame_bounds bounds = {
		channel->end.settings.session, *next, channel->end.settings.message_bytes_max};
	enum frame_fault fault = FRAME_STRANGER;
	struct frame frame;
	uint32_t version = 0;

	if (message->whole)
		fault = frame_read(message->header, &bounds, &frame, &version);
	if (fault == FRAME_GOOD && frame.length != message->payload.length)
		fault = FRAME_BROKEN;
	++*next;
	if (fault == FRAME_GOOD) {
		hear_frame(channel, &frame, message->payload);
		return;
	}
	take_fault(channel, fault, version);
	span_release(message->payload);
}

/* To all, from before this member was accepted. */
static bool is_too_early(const struct channel *channel, const struct zeromq_message *message)
{
	const struct frame_bounds bounds = {channel->end.settings.session, channel->next_all,
		channel->end.settings.message_bytes_max};
	struct frame frame;
	uint32_t version;

	return message->whole &&
	       frame_read(message->header, &bounds, &frame, &version) == FRAME_OUT_OF_ORDER &&
	       frame.sequence < channel->next_all;
}

static bool hear_publish(struct channel *channel)
{
	struct zeromq_message message;
	bool some = false;

	while (!channel->lost && zeromq_receive(&channel->publish, true, &message)) {
		bool all = message.prefix_length == 1;

		some = true;
		if (all && is_too_early(channel, &message))
			span_release(message.payload);
		else
			hear_message(
				channel, &message, all ? &channel->next_all : &channel->next_own);
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
		*down |= event == ZMQ_EVENT_DISCONNECTED || event == ZMQ_EVENT_CLOSED;
	}
	return some;
}

static bool hear(struct channel *channel)
{
	struct zeromq_message message;
	bool some = hear_events(&channel->talk, &channel->talk_down);

	some |= hear_events(&channel->publish, &channel->publish_down);
	while (!channel->lost && zeromq_receive(&channel->talk, false, &message)) {
		some = true;
		hear_message(channel, &message, &channel->next_in);
	}
	if (channel->welcome && channel->style->publish)
		some |= hear_publish(channel);
	/* Before the welcome one will do: there is nothing to wait for. */
	if (channel->talk_down && (channel->publish_down || !channel->welcome))
		channel->lost = true;
	return some;
}

/* As the hub's: what descriptors said may have been heard already by who sent. */
static uint32_t list(struct end *end, struct pollfd *polls)
{
	struct channel *channel = (struct channel *)end;
	uint32_t count = zeromq_polls(&channel->talk, polls);

	if (hear(channel))
		end_ring(end);
	return count + zeromq_polls(&channel->publish, polls + count);
}

static void found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	(void)polls;
	(void)count;
	hear((struct channel *)end);
}

static void have_sent(struct channel *channel)
{
	hear(channel);
	end_ring(&channel->end);
}

/* ---- joining ---- */

static void hang_up(struct channel *channel, int linger_ms)
{
	zeromq_close(&channel->talk, linger_ms);
	zeromq_close(&channel->publish, 0);
	if (channel->context)
		zmq_ctx_term(channel->context);
	channel->context = NULL;
}

static enum status connect_to(
	struct channel *channel, int type, const char *endpoint, struct zeromq_socket *socket)
{
	enum status status = zeromq_open(channel->context, type, &channel->end.settings, socket);

	if (status == STATUS_OK && zmq_connect(socket->socket, endpoint) != 0)
		status = STATUS_INVALID;
	return status;
}

/* A greeting that nobody else has, so that its subscription is known from others of the name. */
static void make_topic(struct channel *channel)
{
	uint64_t token = (uint64_t)world->now_ns() ^ (uint64_t)getpid() << 40;

	snprintf(channel->topic, sizeof channel->topic, "@%s %016llx", channel->end.settings.name,
		(unsigned long long)token);
}

/* Connects and greets. */
static enum status greet(struct channel *channel, const char *talk, const char *publish)
{
	enum status status;
	struct span name;

	channel->talk_down = channel->publish_down = channel->lost = false;
	channel->next_out = channel->next_in = channel->next_own = 0;
	channel->publish_down = !channel->style->publish;
	make_topic(channel);
	channel->context = zmq_ctx_new();
	if (!channel->context)
		return STATUS_IO;
	status = connect_to(channel, ZMQ_DEALER, talk, &channel->talk);
	if (status == STATUS_OK && channel->style->publish)
		status = connect_to(channel, ZMQ_SUB, publish, &channel->publish);
	if (status != STATUS_OK)
		return status;
	if (channel->style->publish) {
		(void)zmq_setsockopt(channel->publish.socket, ZMQ_SUBSCRIBE, "*", 1);
		(void)zmq_setsockopt(channel->publish.socket, ZMQ_SUBSCRIBE, channel->topic,
			strlen(channel->topic));
	}
	name = span_copy(channel->topic + 1, (uint32_t)strlen(channel->topic + 1));
	tell(channel, FRAME_HELLO, 0, name);
	span_release(name);
	return STATUS_OK;
}

/* Until the hub has said something. */
static enum status hear_answer(struct channel *channel, int64_t deadline_ns)
{
	bool more = true;

	pthread_mutex_lock(&channel->end.mutex);
	while (!channel->welcome && !channel->lost && more)
		more = end_wait(&channel->end, deadline_ns);
	pthread_mutex_unlock(&channel->end.mutex);
	return channel->welcome		       ? STATUS_OK
	       : channel->refused != STATUS_OK ? channel->refused
	       : channel->lost		       ? STATUS_CLOSED
					       : STATUS_TIMEOUT;
}

/* Who is not there yet, or is going, is tried once more. */
static enum status join(
	struct channel *channel, const char *talk, const char *publish, int64_t deadline_ns)
{
	for (;;) {
		enum status status = greet(channel, talk, publish);

		if (status == STATUS_OK)
			status = hear_answer(channel, deadline_ns);
		if (status != STATUS_CLOSED)
			return status;
		hang_up(channel, 0);
		if (world->now_ns() + AGAIN_NS >= deadline_ns)
			return STATUS_TIMEOUT;
		world->sleep_until(world->now_ns() + AGAIN_NS);
	}
}

enum status zeromq_join(const struct zeromq_style *style, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **result, struct text *why)
{
	char talk[ZEROMQ_ADDRESS_BYTES], publish[ZEROMQ_ADDRESS_BYTES];
	struct channel *channel;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = zeromq_endpoints(settings, talk, publish, why);
	if (status == STATUS_OK)
		status = end_check_name(settings, why);
	if (status != STATUS_OK)
		return status;
	channel = allocate(1, sizeof *channel);
	channel->style = style;
	status = end_init(&channel->end, settings, 4);
	if (status != STATUS_OK) {
		free(channel);
		return status;
	}
	channel->end.list = list;
	channel->end.found = found;
	status = join(channel, talk, publish, deadline_ns);
	if (status == STATUS_OK) {
		*result = channel;
		return STATUS_OK;
	}
	if (why)
		text_append(why, channel->why.length > 0    ? text_string(&channel->why)
				 : status == STATUS_TIMEOUT ? "the hub does not answer"
							    : "");
	channel->lost = true;
	zeromq_channel_close(channel);
	return status;
}

/* ---- messages ---- */

enum status zeromq_channel_send(struct channel *channel, struct span message, int64_t deadline_ns)
{
	struct end *end = &channel->end;
	struct span payload;
	enum status status = end_payload(end, message, &payload);
	bool more = true;

	if (status != STATUS_OK)
		return status;
	pthread_mutex_lock(&end->mutex);
	end->counts.full += channel->flow.under_way >= end->settings.window;
	while (!channel->lost && channel->flow.under_way >= end->settings.window && more)
		more = end_wait(end, deadline_ns);
	if (channel->lost) {
		status = STATUS_CLOSED;
	} else if (channel->flow.under_way >= end->settings.window) {
		status = STATUS_TIMEOUT;
	} else {
		tell(channel, FRAME_MESSAGE, 0, payload);
		channel->flow.under_way++;
		end->counts.sent++;
		end->counts.sent_bytes += payload.length;
		have_sent(channel);
	}
	pthread_mutex_unlock(&end->mutex);
	span_release(payload);
	return status;
}

enum status zeromq_channel_receive(
	struct channel *channel, int64_t deadline_ns, struct span *message)
{
	struct end *end = &channel->end;
	enum status status = STATUS_TIMEOUT;
	struct arrived *arrived;
	bool more = true;

	pthread_mutex_lock(&end->mutex);
	while (!(arrived = end_take(end)) && !channel->lost && more)
		more = end_wait(end, deadline_ns);
	if (arrived) {
		uint32_t credit = end_received(end, &channel->flow, arrived->message);

		*message = arrived->message;
		status = STATUS_OK;
		if (credit > 0 && !channel->lost) {
			tell(channel, FRAME_CREDIT, credit, (struct span){0});
			have_sent(channel);
		}
	} else if (channel->lost) {
		status = STATUS_CLOSED;
	}
	pthread_mutex_unlock(&end->mutex);
	free(arrived);
	return status;
}

void zeromq_counts(struct channel *channel, struct channel_counts *counts)
{
	pthread_mutex_lock(&channel->end.mutex);
	*counts = channel->end.counts;
	pthread_mutex_unlock(&channel->end.mutex);
}

void zeromq_channel_close(struct channel *channel)
{
	if (!channel)
		return;
	if (!channel->lost)
		tell(channel, FRAME_BYE, 0, (struct span){0});
	hang_up(channel, channel->lost ? 0 : ZEROMQ_LINGER_MS);
	end_fini(&channel->end);
	text_fini(&channel->why);
	free(channel);
}
