/* The sockets of ZeroMQ, for hubs and members (zeromq.h). The library does not reconnect, because
 * an end that is lost is never used again. The library's queue limits are off, because the credit
 * windows limit the queues. */
#include "zeromq.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <zmq.h>

#include "base/ensure.h"
#include "stream.h"

/* ZeroMQ reconnects a closed connection only after AGAIN_MS, which is a day, so in practice never.
 * Reconnection could be turned off (-1), but then ZeroMQ would discard messages that have already
 * arrived. */
enum {
	HEARTBEAT_MS = 1000,
	HEARTBEAT_TIMEOUT_MS = 5000,
	AGAIN_MS = 24 * 3600 * 1000,
	STRANGERS_HWM = 64
};

/* ---- sockets ---- */

static void set(void *socket, int option, int value)
{
	ensure(zmq_setsockopt(socket, option, &value, sizeof value) == 0, "option %d: %s", option,
		zmq_strerror(zmq_errno()));
}

static enum status open_monitor(void *context, struct zeromq_socket *result)
{
	char name[64];

	snprintf(name, sizeof name, "inproc://monitor-%p", result->socket);
	if (zmq_socket_monitor(result->socket, name, ZMQ_EVENT_ALL) != 0)
		return STATUS_IO;
	result->monitor = zmq_socket(context, ZMQ_PAIR);
	if (!result->monitor)
		return STATUS_IO;
	return zmq_connect(result->monitor, name) == 0 ? STATUS_OK : STATUS_IO;
}

enum status zeromq_open(void *context, int type, const struct channel_settings *settings,
	struct zeromq_socket *result)
{
	const uint32_t least = ZEROMQ_PREFIX_MAX;
	const int64_t most =
		settings->message_bytes_max > least ? settings->message_bytes_max : least;
	enum status status;

	result->socket = zmq_socket(context, type);
	if (!result->socket)
		return STATUS_IO;
	set(result->socket, ZMQ_SNDHWM, 0);
	set(result->socket, ZMQ_RCVHWM, 0);
	set(result->socket, ZMQ_IPV6, settings->address[0] == '[');
	set(result->socket, ZMQ_RECONNECT_IVL, AGAIN_MS);
	set(result->socket, ZMQ_HEARTBEAT_IVL, HEARTBEAT_MS);
	set(result->socket, ZMQ_HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT_MS);
	set(result->socket, ZMQ_LINGER, ZEROMQ_LINGER_MS);
	if (type == ZMQ_ROUTER) {
		set(result->socket, ZMQ_ROUTER_MANDATORY, 1);
		/* ZMQ_RCVHWM limits how many received messages the library queues for one
		 * connection. The credit window of a member is smaller than the limit, so only
		 * strangers can reach it. */
		set(result->socket, ZMQ_RCVHWM, (int)(2 * settings->window + STRANGERS_HWM));
	}
	if (zmq_setsockopt(result->socket, ZMQ_MAXMSGSIZE, &most, sizeof most) != 0)
		status = STATUS_IO;
	else
		status = open_monitor(context, result);
	if (status != STATUS_OK)
		zeromq_close(result, 0);
	return status;
}

void zeromq_close(struct zeromq_socket *socket, int linger_ms)
{
	if (socket->monitor) {
		zmq_socket_monitor(socket->socket, NULL, 0);
		set(socket->monitor, ZMQ_LINGER, 0);
		zmq_close(socket->monitor);
	}
	if (socket->socket) {
		set(socket->socket, ZMQ_LINGER, linger_ms);
		zmq_close(socket->socket);
	}
	*socket = (struct zeromq_socket){NULL, NULL};
}

static int descriptor(void *socket)
{
	size_t size = sizeof(int);
	int fd = -1;

	(void)zmq_getsockopt(socket, ZMQ_FD, &fd, &size);
	return fd;
}

uint32_t zeromq_polls(const struct zeromq_socket *socket, struct pollfd *polls)
{
	if (!socket->socket)
		return 0;
	polls[0] = (struct pollfd){descriptor(socket->socket), POLLIN, 0};
	polls[1] = (struct pollfd){descriptor(socket->monitor), POLLIN, 0};
	return 2;
}

bool zeromq_event(const struct zeromq_socket *socket, uint16_t *event, int *fd)
{
	zmq_msg_t part;
	bool there = false;
	int32_t value;
	int more = 1;

	for (int i = 0; more; i++) {
		zmq_msg_init(&part);
		if (zmq_msg_recv(&part, socket->monitor, ZMQ_DONTWAIT) < 0)
			more = 0;
		else
			more = zmq_msg_more(&part);
		if (i == 0 && zmq_msg_size(&part) == sizeof *event + sizeof value) {
			memcpy(event, zmq_msg_data(&part), sizeof *event);
			memcpy(&value, (uint8_t *)zmq_msg_data(&part) + sizeof *event,
				sizeof value);
			*fd = value;
			there = true;
		}
		zmq_msg_close(&part);
	}
	return there;
}

/* ---- frames ---- */

static void let_go(void *bytes, void *extent)
{
	(void)bytes;
	extent_release(extent);
}

static bool send_part(void *socket, const void *bytes, size_t length, int flags)
{
	return zmq_send(socket, bytes, length, flags | ZMQ_DONTWAIT) >= 0;
}

static void send_payload(void *socket, struct span payload)
{
	zmq_msg_t part;

	if (payload.length == 0) {
		zmq_msg_init(&part);
	} else {
		span_hold(payload);
		zmq_msg_init_data(&part, payload.extent->bytes + payload.offset, payload.length,
			let_go, payload.extent);
	}
	ensure(zmq_msg_send(&part, socket, ZMQ_DONTWAIT) >= 0, "the last part of a message: %s",
		zmq_strerror(zmq_errno()));
}

enum status zeromq_send(const struct zeromq_socket *socket, const void *prefix,
	size_t prefix_length, const struct frame *frame, struct span payload)
{
	struct frame whole = *frame;
	uint8_t header[FRAME_HEADER_BYTES];

	whole.length = payload.length;
	frame_write(&whole, header);
	if (prefix && !send_part(socket->socket, prefix, prefix_length, ZMQ_SNDMORE))
		return STATUS_CLOSED;
	if (!send_part(socket->socket, header, sizeof header, ZMQ_SNDMORE))
		return STATUS_CLOSED;
	send_payload(socket->socket, payload);
	return STATUS_OK;
}

/* Stores one part of the message. Part 0 is the prefix, part 1 the header, and part 2 the payload;
 * a further part is an error. */
static void zeromq_socket_take_part(struct zeromq_message *message, int index, zmq_msg_t *part)
{
	size_t length = zmq_msg_size(part);

	if (index == 0) {
		message->prefix_length = length < ZEROMQ_PREFIX_MAX ? length : ZEROMQ_PREFIX_MAX;
		memcpy(message->prefix, zmq_msg_data(part), message->prefix_length);
	} else if (index == 1 && length == sizeof message->header) {
		memcpy(message->header, zmq_msg_data(part), length);
		message->whole = true;
	} else if (index == 2 && message->whole) {
		message->payload = span_copy(zmq_msg_data(part), (uint32_t)length);
	} else {
		message->whole = false;
	}
}

bool zeromq_receive(
	const struct zeromq_socket *socket, bool prefixed, struct zeromq_message *message)
{
	int index = prefixed ? 0 : 1, more = 1;
	zmq_msg_t part;

	message->prefix_length = 0;
	message->whole = false;
	message->payload = (struct span){0};
	message->fd = -1;
	for (; more; index++) {
		zmq_msg_init(&part);
		if (zmq_msg_recv(&part, socket->socket, ZMQ_DONTWAIT) < 0) {
			zmq_msg_close(&part);
			return false; /* all parts of a message arrive together */
		}
		zeromq_socket_take_part(message, index, &part);
		more = zmq_msg_more(&part);
		message->fd = zmq_msg_get(&part, ZMQ_SRCFD);
		zmq_msg_close(&part);
	}
	message->whole = message->whole && index == 3;
	return true;
}

void zeromq_password(const struct proof *proof, char text[ZEROMQ_PASSWORD_BYTES])
{
	uint8_t bytes[PROOF_BYTES];

	proof_make(proof, PROOF_SUBSCRIBER, bytes);
	for (int i = 0; i < PROOF_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

void zeromq_put_number(uint8_t bytes[ZEROMQ_NUMBER_BYTES], uint64_t number)
{
	for (int i = 0; i < ZEROMQ_NUMBER_BYTES; i++)
		bytes[i] = (uint8_t)(number >> 8 * i);
}

uint64_t zeromq_number(const uint8_t bytes[ZEROMQ_NUMBER_BYTES])
{
	uint64_t number = 0;

	for (int i = ZEROMQ_NUMBER_BYTES; i-- > 0;)
		number = number << 8 | bytes[i];
	return number;
}

/* ---- addresses ---- */

static void endpoint(
	const struct sockaddr_storage *address, uint16_t port, char text[ADDRESS_BYTES])
{
	const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
	bool is_four = address->ss_family == AF_INET;
	char host[64] = "", number[8] = "*";

	if (port > 0)
		snprintf(number, sizeof number, "%u", port);
	if (is_four)
		(void)inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
	else
		(void)inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
	snprintf(text, ADDRESS_BYTES, is_four ? "tcp://%s:%s" : "tcp://[%s]:%s", host, number);
}

enum status zeromq_endpoints(const struct channel_settings *settings, char talk[ADDRESS_BYTES],
	char publish[ADDRESS_BYTES], struct text *why)
{
	const char *comma = strchr(settings->address, ',');
	size_t length = comma ? (size_t)(comma - settings->address) : strlen(settings->address);
	struct sockaddr_storage address;
	const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)&address;
	char first[ADDRESS_BYTES];
	socklen_t size;
	unsigned second = 0;
	enum status status;
	char rest;

	snprintf(first, sizeof first, "%.*s", (int)(length < sizeof first ? length : 0),
		settings->address);
	if (comma && (sscanf(comma + 1, "%5u%c", &second, &rest) != 1 || second > UINT16_MAX))
		first[0] = '\0';
	status = stream_resolve(first, settings->remote, &address, &size, why);
	if (status != STATUS_OK)
		return status;
	/* Both address families have the port at the same offset. */
	endpoint(&address, ntohs(four->sin_port), talk);
	endpoint(&address, (uint16_t)second, publish);
	return STATUS_OK;
}
