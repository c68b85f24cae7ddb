/* The parts that hubs and members over ZeroMQ have in common: sockets, and frames as multipart
 * messages. Only for files of this folder. */
#ifndef TRANSPORT_ZEROMQ_H
#define TRANSPORT_ZEROMQ_H

#include <poll.h>
#include <stddef.h>

#include "hub.h"
#include "member.h"

enum {
	/* number of digits that follow the name and a space in a greeting, and make it unique */
	ZEROMQ_TOKEN_DIGITS = 16,
	ZEROMQ_GREETING_BYTES = CHANNEL_NAME_BYTES + ZEROMQ_TOKEN_DIGITS + 1,
	ZEROMQ_PREFIX_MAX = 256, /* maximum bytes of an identity or a topic */
	ZEROMQ_LINGER_MS = 1000,
	ZEROMQ_NUMBER_BYTES = 8,
	ZEROMQ_PASSWORD_BYTES = 2 * PROOF_BYTES + 1,
};

/* How messages travel from the hub to its members. */
struct zeromq_style {
	const char *name;
	/* true: the hub publishes its messages, on one topic for all members and on one topic for
	 * each member; false: it sends messages to each member over its ROUTER socket */
	bool publish;
};

/* A socket, and the monitor that reports its connections. */
struct zeromq_socket {
	void *socket, *monitor;
};

/* Opens a socket of type `type`, as for zmq_socket(), without the library's queue limits. Returns
 * OK, or IO if this failed. */
enum status zeromq_open(void *context, int type, const struct channel_settings *settings,
	struct zeromq_socket *result);

/* Closes a socket. Later, when the socket's context is terminated, ZeroMQ still sends queued
 * messages for at most `linger_ms` ms. A second call has no effect. */
void zeromq_close(struct zeromq_socket *socket, int linger_ms);

/* Fills in the descriptors to poll. Returns their number: 2, or 0 if the socket is not open. */
uint32_t zeromq_polls(const struct zeromq_socket *socket, struct pollfd *polls);

/* Reads the next event of the monitor into *event (ZMQ_EVENT_*). Sets *fd to the descriptor that
 * the event concerns; if the event reports a failure, sets *fd to the error number instead. Returns
 * false if there is no event. */
bool zeromq_event(const struct zeromq_socket *socket, uint16_t *event, int *fd);

/* Sends a message that consists of `prefix` (unless it is NULL), header and payload. The bytes of
 * the payload must be in memory; the library holds a reference until they are sent. Returns OK.
 * Returns CLOSED if no connection has `prefix` as its identity. */
enum status zeromq_send(const struct zeromq_socket *socket, const void *prefix,
	size_t prefix_length, const struct frame *frame, struct span payload);

/* A received message. */
struct zeromq_message {
	uint8_t prefix[ZEROMQ_PREFIX_MAX];
	size_t prefix_length;
	bool whole; /* the message has exactly the parts of a frame */
	uint8_t header[FRAME_HEADER_BYTES];
	struct span payload; /* the caller releases it */
	int fd;		     /* descriptor of the connection; -1: unknown */
};

/* Receives the next message, with or without a prefix. Returns false if there is no message. */
bool zeromq_receive(
	const struct zeromq_socket *socket, bool prefixed, struct zeromq_message *message);

/* Writes the password, in hexadecimal digits, with which the member of this proof subscribes. */
void zeromq_password(const struct proof *proof, char text[ZEROMQ_PASSWORD_BYTES]);

/* Write and read a number in a welcome, in little endian. */
void zeromq_put_number(uint8_t bytes[ZEROMQ_NUMBER_BYTES], uint64_t number);
uint64_t zeromq_number(const uint8_t bytes[ZEROMQ_NUMBER_BYTES]);

/* Splits "HOST:PORT[,PORT]" into two endpoints of ZeroMQ, `talk` and `publish`. If the second port
 * is missing, a free port is used for `publish`. Returns OK, or INVALID, with a sentence in `why`,
 * if the address is invalid (see world/channel.h). */
enum status zeromq_endpoints(const struct channel_settings *settings, char talk[ADDRESS_BYTES],
	char publish[ADDRESS_BYTES], struct text *why);

/* These functions implement hub_open() and join() of world/channel.h for both styles. hub.h and
 * member.h declare the other operations. */
enum status zeromq_hub_open(const struct zeromq_style *style,
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status zeromq_join(const struct zeromq_style *style, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **channel, struct text *why);

/* Loads the library once, before its first call. Returns OK. Returns UNSUPPORTED, with a sentence
 * in `why`, if the library is not installed on this machine. */
enum status zeromq_library(struct text *why);

#endif
