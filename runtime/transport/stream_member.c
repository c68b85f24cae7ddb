/* A member's end of a stream: one connection to the hub. Refuses to be told anything before it is
 * welcome. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "stream_hub.h"
#include "world/world.h"

enum { AGAIN_NS = 20000000 };

struct channel {
	struct end end;
	const struct stream_family *family;
	struct connection connection;
	struct flow flow;
	bool welcome, lost;
	enum status refused; /* OK: it was not */
	struct text why;
};

/* The hub is lost, or is to be. */
static void lose(struct channel *channel)
{
	connection_end(&channel->connection);
	channel->lost = true;
}

static void be_refused(struct channel *channel, struct span payload)
{
	channel->refused = refusal_read(payload, &channel->why);
	lose(channel);
}

static void hear_frame(struct channel *channel, const struct frame *frame, struct span payload)
{
	if (channel->welcome && frame->kind != FRAME_REFUSED) {
		if (!end_frame(&channel->end, &channel->flow, 0, frame, payload)) {
			channel->end.counts.refused++;
			lose(channel);
		}
		return;
	}
	if (frame->kind == FRAME_REFUSED)
		be_refused(channel, payload);
	else if (frame->kind == FRAME_WELCOME)
		channel->welcome = true;
	else
		lose(channel);
	span_release(payload);
}

static void hear(struct channel *channel)
{
	enum frame_fault fault;
	struct frame frame;
	struct span payload;
	uint32_t version;
	char detail[FRAME_FAULT_BYTES];
	enum status status = STATUS_OK;

	while (!channel->lost && status == STATUS_OK) {
		status = connection_read(&channel->connection, &frame, &payload, &fault, &version);
		if (status == STATUS_OK) {
			hear_frame(channel, &frame, payload);
		} else if (status == STATUS_INVALID) {
			channel->end.counts.refused++;
			frame_fault_print(fault, version, detail);
			text_printf(&channel->why, "the hub sent %s", detail);
			if (!channel->welcome)
				channel->refused = STATUS_UNSUPPORTED;
			lose(channel);
		} else if (status == STATUS_CLOSED) {
			lose(channel);
		}
	}
}

static uint32_t list(struct end *end, struct pollfd *polls)
{
	struct channel *channel = (struct channel *)end;

	polls[0] = (struct pollfd){channel->connection.fd,
		(short)(channel->connection.count > 0 ? POLLIN | POLLOUT : POLLIN), 0};
	return 1;
}

static void found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	struct channel *channel = (struct channel *)end;

	if (count == 0 || channel->lost)
		return;
	if (polls[0].revents & POLLOUT && connection_write(&channel->connection) == STATUS_CLOSED)
		lose(channel);
	if (polls[0].revents & (POLLIN | POLLHUP | POLLERR))
		hear(channel);
}

/* ---- joining ---- */

/* Connects and greets. False: nobody is there yet. */
static bool greet(struct channel *channel, const struct sockaddr_storage *address, socklen_t length,
	int64_t deadline_ns)
{
	int fd = stream_connect(address, length, deadline_ns);
	struct span name;

	if (fd < 0)
		return false;
	channel->family->prepare(fd);
	connection_init(&channel->connection, fd, channel->end.settings.session,
		channel->end.settings.message_bytes_max);
	name = span_copy(channel->end.settings.name, (uint32_t)strlen(channel->end.settings.name));
	connection_put(&channel->connection, FRAME_HELLO, 0, name);
	span_release(name);
	channel->lost = connection_write(&channel->connection) == STATUS_CLOSED;
	return true;
}

/* Until the hub has said something. */
static enum status be_welcome(struct channel *channel, int64_t deadline_ns)
{
	enum status status;
	bool more = true;

	pthread_mutex_lock(&channel->end.mutex);
	while (!channel->welcome && !channel->lost && more)
		more = end_wait(&channel->end, deadline_ns);
	status = channel->welcome		 ? STATUS_OK
		 : channel->refused != STATUS_OK ? channel->refused
		 : channel->lost		 ? STATUS_CLOSED
						 : STATUS_TIMEOUT;
	pthread_mutex_unlock(&channel->end.mutex);
	return status;
}

/* A hub that is going, or not there yet, ends connections that it has not accepted: once more. */
static enum status join(struct channel *channel, const struct sockaddr_storage *address,
	socklen_t length, int64_t deadline_ns)
{
	enum status status = STATUS_CLOSED;

	for (;;) {
		connection_end(&channel->connection);
		channel->lost = false;
		if (greet(channel, address, length, deadline_ns))
			status = be_welcome(channel, deadline_ns);
		if (status != STATUS_CLOSED)
			return status;
		if (world->now_ns() + AGAIN_NS >= deadline_ns)
			return STATUS_TIMEOUT;
		world->sleep_until(world->now_ns() + AGAIN_NS);
	}
}

enum status stream_join(const struct stream_family *family, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **result, struct text *why)
{
	struct sockaddr_storage address;
	struct channel *channel;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = family->resolve(
			settings->address, settings->remote, &address, &length, why);
	if (status == STATUS_OK)
		status = end_check_name(settings, why);
	if (status != STATUS_OK)
		return status;
	channel = allocate(1, sizeof *channel);
	channel->connection.fd = -1;
	channel->family = family;
	status = end_init(&channel->end, settings, 1);
	if (status != STATUS_OK) {
		free(channel);
		return status;
	}
	channel->end.list = list;
	channel->end.found = found;
	status = join(channel, &address, length, deadline_ns);
	if (status == STATUS_OK) {
		*result = channel;
		return STATUS_OK;
	}
	if (why)
		text_append(why, channel->why.length > 0    ? text_string(&channel->why)
				 : status == STATUS_TIMEOUT ? "the hub does not answer"
							    : "");
	stream_close(channel);
	return status;
}

/* ---- messages ---- */

enum status stream_send(struct channel *channel, struct span message, int64_t deadline_ns)
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
		connection_put(&channel->connection, FRAME_MESSAGE, 0, payload);
		channel->flow.under_way++;
		end->counts.sent++;
		end->counts.sent_bytes += payload.length;
		if (connection_write(&channel->connection) == STATUS_CLOSED)
			lose(channel);
		end_ring(end);
		while (channel->connection.count > 0 && end_wait(end, deadline_ns))
			continue;
	}
	pthread_mutex_unlock(&end->mutex);
	span_release(payload);
	return status;
}

enum status stream_receive(struct channel *channel, int64_t deadline_ns, struct span *message)
{
	struct end *end = &channel->end;
	enum status status = STATUS_TIMEOUT;
	struct arrived *arrived;
	bool more = true;

	pthread_mutex_lock(&end->mutex);
	while (!(arrived = end_take(end)) && !channel->lost && more)
		more = end_wait(end, deadline_ns);
	if (arrived) {
		*message = arrived->message;
		stream_received(end, &channel->flow, &channel->connection, *message);
		status = STATUS_OK;
	} else if (channel->lost) {
		status = STATUS_CLOSED;
	}
	pthread_mutex_unlock(&end->mutex);
	free(arrived);
	return status;
}

void stream_counts(struct channel *channel, struct channel_counts *counts)
{
	pthread_mutex_lock(&channel->end.mutex);
	*counts = channel->end.counts;
	pthread_mutex_unlock(&channel->end.mutex);
}

void stream_close(struct channel *channel)
{
	struct connection *connection;

	if (!channel)
		return;
	connection = &channel->connection;
	end_linger(&connection, 1);
	end_fini(&channel->end);
	text_fini(&channel->why);
	free(channel);
}
