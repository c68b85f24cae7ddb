/* What hub and members over ZeroMQ share: sockets, and frames as messages of several parts. Private
 * to the room. Knows neither windows nor members. */
#ifndef TRANSPORT_ZEROMQ_H
#define TRANSPORT_ZEROMQ_H

#include <poll.h>
#include <stddef.h>

#include "hub.h"
#include "member.h"

enum {
	ZEROMQ_TOKEN_DIGITS = 16, /* makes a greeting unique, behind the name and a space */
	ZEROMQ_GREETING_BYTES = CHANNEL_NAME_BYTES + ZEROMQ_TOKEN_DIGITS + 1,
	ZEROMQ_PREFIX_MAX = 256, /* an identity or a topic */
	ZEROMQ_LINGER_MS = 1000,
	ZEROMQ_NUMBER_BYTES = 8,
	ZEROMQ_PASSWORD_BYTES = 2 * PROOF_BYTES + 1,
};

/* How messages go from the hub to its members. */
struct zeromq_style {
	const char *name;
	bool publish; /* by PUB and SUB, a topic for all and one for each; else by ROUTER, one by
			 one */
};

/* A socket, and what says who is connected with it. */
struct zeromq_socket {
	void *socket, *monitor;
};

/* Opens a socket of a type of zmq_socket(), without limits of its own. IO: it cannot. */
enum status zeromq_open(void *context, int type, const struct channel_settings *settings,
	struct zeromq_socket *result);

/* What was sent leaves within `linger_ms` of the end of its context. Again: nothing happens. */
void zeromq_close(struct zeromq_socket *socket, int linger_ms);

/* Fills in what to poll for. Returns how many: 2, or 0 if it is not open. */
uint32_t zeromq_polls(const struct zeromq_socket *socket, struct pollfd *polls);

/* The next event of enum ZMQ_EVENT_* and the descriptor that it concerns, or, if it is a failure,
 * the error number. False: there is none. */
bool zeromq_event(const struct zeromq_socket *socket, uint16_t *event, int *fd);

/* Sends prefix (NULL: none), header and payload, whose bytes are there; the library holds them
 * until they have left. CLOSED: nobody is connected as that prefix says. */
enum status zeromq_send(const struct zeromq_socket *socket, const void *prefix,
	size_t prefix_length, const struct frame *frame, struct span payload);

/* A message as it came. */
struct zeromq_message {
	uint8_t prefix[ZEROMQ_PREFIX_MAX];
	size_t prefix_length;
	bool whole; /* it has the parts of a frame, and the length that its header says */
	uint8_t header[FRAME_HEADER_BYTES];
	struct span payload; /* the caller releases it */
	int fd;		     /* of the connection; -1: unknown */
};

/* The next message, with a prefix or without. False: there is none. */
bool zeromq_receive(
	const struct zeromq_socket *socket, bool prefixed, struct zeromq_message *message);

/* What a member of this proof says to read what the hub publishes, in hexadecimal digits. */
void zeromq_password(const struct proof *proof, char text[ZEROMQ_PASSWORD_BYTES]);

/* A number of a message as a welcome has it. */
void zeromq_put_number(uint8_t bytes[ZEROMQ_NUMBER_BYTES], uint64_t number);
uint64_t zeromq_number(const uint8_t bytes[ZEROMQ_NUMBER_BYTES]);

/* Splits "HOST:PORT[,PORT]" into endpoints of ZeroMQ; the second is "" if none is given. INVALID as
 * world/channel.h says of addresses. */
enum status zeromq_endpoints(const struct channel_settings *settings, char talk[ADDRESS_BYTES],
	char publish[ADDRESS_BYTES], struct text *why);

/* As world/channel.h says of hub_open() and join(); the other operations are those of hub.h and
 * member.h. */
enum status zeromq_hub_open(const struct zeromq_style *style,
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status zeromq_join(const struct zeromq_style *style, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **channel, struct text *why);

#endif
