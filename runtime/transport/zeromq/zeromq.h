/* What hubs and members over ZeroMQ have in common: sockets, and frames as multipart messages. Only
 * for files of this folder. */
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
 * is missing, `publish` gets a free port. Returns OK, or INVALID, with a sentence in `why`, if the
 * address is invalid (see world/channel.h). */
enum status zeromq_endpoints(const struct channel_settings *settings, char talk[ADDRESS_BYTES],
	char publish[ADDRESS_BYTES], struct text *why);

/* These functions implement hub_open() and join() of world/channel.h for both styles. hub.h and
 * member.h declare the other operations. */
enum status zeromq_hub_open(const struct zeromq_style *style,
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status zeromq_join(const struct zeromq_style *style, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **channel, struct text *why);

/* Loads the library. Must be called before any function of the library; further calls have no
 * effect. Returns OK. Returns UNSUPPORTED, with a sentence in `why`, if the library is not
 * installed on this machine. */
enum status zeromq_library(struct text *why);

/* Functions of the hub over ZeroMQ and of its parties (connected processes), which zeromq_hub.c
 * uses. The caller of each function must hold the hub's mutex. */

/* The gate decides which clients receive the messages that a hub over ZeroMQ publishes. When a
 * client wants to subscribe, the library first asks the gate (ZAP, RFC 27). Only then it reads
 * anything else from the client. */

struct zeromq_gate {
	void *socket; /* NULL: the gate is not open */
	char id[256]; /* id of the request that is being answered */
	size_t id_length;
};

/* A client that wants to subscribe. `name` and `password` come from the client; `from` is its
 * address, as the library reports it. */
struct zeromq_caller {
	char name[256], password[ZEROMQ_PASSWORD_BYTES], from[FROM_BYTES];
};

/* Opens the gate. A context can have only one gate. Call this before the hub binds the socket on
 * which it publishes. */
enum status zeromq_gate_open(struct zeromq_gate *gate, void *context);
void zeromq_gate_close(struct zeromq_gate *gate);

/* Makes the library ask the gate about each connection of a socket. */
enum status zeromq_gate_guard(void *socket);

/* Fills in the descriptor to poll. Works like zeromq_polls(). */
uint32_t zeromq_gate_polls(const struct zeromq_gate *gate, struct pollfd *polls);

/* Reads the next request. The caller must answer it before it reads another one. Returns false if
 * there is no request. */
bool zeromq_gate_hear(struct zeromq_gate *gate, struct zeromq_caller *caller);
void zeromq_gate_answer(struct zeromq_gate *gate, bool good);

enum { SUBSCRIBED_MAX = 2 * CHANNEL_MEMBERS_MAX };

struct zeromq_peer {
	struct party party;
	char topic[ZEROMQ_GREETING_BYTES + 1]; /* the topic: "@name token" */
	uint8_t identity[ZEROMQ_PREFIX_MAX];
	size_t identity_length;
	int fd;		   /* descriptor of the party's connection */
	bool cut;	   /* the connection is closed, but its last messages may not be read yet */
	uint64_t next_out; /* next sequence number */
	uint64_t next_own; /* next sequence number on the party's topic */
	bool reads;	   /* the party was allowed to subscribe; this happens only once */
};

struct zeromq_hub {
	struct hub hub;
	const struct zeromq_style *style;
	void *context;
	struct zeromq_socket talk, publish;
	struct zeromq_gate gate; /* the gate for subscriptions */
	/* next sequence number and session number of the messages to all members */
	uint64_t next_all, session_all;
	char (*subscribed)[ZEROMQ_GREETING_BYTES + 1]; /* topics to which members have subscribed;
							* each topic is of a single member */
	uint32_t subscribed_count;
	bool *open; /* [descriptor] true if a connection is open, as the monitor has reported */
	int open_end;
};

/* Handles everything that has arrived. Returns true if anything has arrived. */
bool peers_hear(struct zeromq_hub *self);

/* See the callbacks of the same names in hub.h. */
bool peers_greeting(struct party *party, struct span payload);
bool peers_is_ready(const struct hub *hub, const struct party *party);
void peers_tell(struct hub *hub, struct party *party, enum frame_kind kind, uint32_t credit,
	struct span payload);

#endif
