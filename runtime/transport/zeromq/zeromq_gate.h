/* The gate before what a hub over ZeroMQ publishes: the library asks it who may subscribe (ZAP, RFC
 * 27), before it takes anything from a connection. Private to the room. Knows no members. */
#ifndef TRANSPORT_ZEROMQ_GATE_H
#define TRANSPORT_ZEROMQ_GATE_H

#include <poll.h>

#include "zeromq.h"

struct zeromq_gate {
	void *socket; /* NULL: not open */
	char id[256]; /* of the question that is to be answered */
	size_t id_length;
};

/* Who wants to subscribe, as it says itself; but for where it comes from. */
struct zeromq_caller {
	char name[256], password[ZEROMQ_PASSWORD_BYTES], from[FROM_BYTES];
};

/* Opens the gate of a context, of which there is one, before the socket behind it is bound. */
enum status zeromq_gate_open(struct zeromq_gate *gate, void *context);
void zeromq_gate_close(struct zeromq_gate *gate);

/* Has a socket ask at the gate about each connection. */
enum status zeromq_gate_guard(void *socket);

/* What to poll for, as zeromq_polls(). */
uint32_t zeromq_gate_polls(const struct zeromq_gate *gate, struct pollfd *polls);

/* The next question, which is to be answered before the one behind it. False: there is none. */
bool zeromq_gate_hear(struct zeromq_gate *gate, struct zeromq_caller *caller);
void zeromq_gate_answer(struct zeromq_gate *gate, bool good);

#endif
