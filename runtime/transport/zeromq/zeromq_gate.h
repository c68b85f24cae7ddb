/* Access control for what a hub over ZeroMQ publishes. The library asks here who may subscribe
 * (ZAP, RFC 27) before it reads anything else from a connection. Private to the room. */
#ifndef TRANSPORT_ZEROMQ_GATE_H
#define TRANSPORT_ZEROMQ_GATE_H

#include <poll.h>

#include "zeromq.h"

struct zeromq_gate {
	void *socket; /* NULL: not open */
	char id[256]; /* of the request being answered */
	size_t id_length;
};

/* A client that wants to subscribe. It states name and password itself; the library states
 * `from`. */
struct zeromq_caller {
	char name[256], password[ZEROMQ_PASSWORD_BYTES], from[FROM_BYTES];
};

/* Opens the gate, of which a context has one, before the guarded socket is bound. */
enum status zeromq_gate_open(struct zeromq_gate *gate, void *context);
void zeromq_gate_close(struct zeromq_gate *gate);

/* Makes a socket ask the gate about each connection. */
enum status zeromq_gate_guard(void *socket);

/* Fills in the descriptor to poll, as zeromq_polls(). */
uint32_t zeromq_gate_polls(const struct zeromq_gate *gate, struct pollfd *polls);

/* Reads the next request; answer it before reading another one. False: there is none. */
bool zeromq_gate_hear(struct zeromq_gate *gate, struct zeromq_caller *caller);
void zeromq_gate_answer(struct zeromq_gate *gate, bool good);

#endif
