/* Answers ZeroMQ's requests to authenticate a client that wants to subscribe (zeromq.h). The
 * only mechanism is PLAIN, in which a client sends a name and a password. */
#include "zeromq.h"

#include <string.h>
#include <zmq.h>

/* the parts are version, id, domain, address, identity, mechanism, name and password */
enum { PARTS = 8 };

enum status zeromq_gate_open(struct zeromq_gate *gate, void *context)
{
	gate->socket = zmq_socket(context, ZMQ_REP);
	if (!gate->socket)
		return STATUS_IO;
	return zmq_bind(gate->socket, "inproc://zeromq.zap.01") == 0 ? STATUS_OK : STATUS_IO;
}

void zeromq_gate_close(struct zeromq_gate *gate)
{
	const int none = 0;

	if (!gate->socket)
		return;
	(void)zmq_setsockopt(gate->socket, ZMQ_LINGER, &none, sizeof none);
	zmq_close(gate->socket);
	gate->socket = NULL;
}

enum status zeromq_gate_guard(void *socket)
{
	const int yes = 1;

	return zmq_setsockopt(socket, ZMQ_PLAIN_SERVER, &yes, sizeof yes) == 0 ? STATUS_OK
									       : STATUS_IO;
}

uint32_t zeromq_gate_polls(const struct zeromq_gate *gate, struct pollfd *polls)
{
	size_t size = sizeof(int);
	int fd = -1;

	if (!gate->socket || zmq_getsockopt(gate->socket, ZMQ_FD, &fd, &size) != 0)
		return 0;
	polls[0] = (struct pollfd){fd, POLLIN, 0};
	return 1;
}

/* Copies a part as a string. A part that is too long is cut off; it then matches no name. */
static void copy(char *text, size_t size, zmq_msg_t *part)
{
	size_t length = zmq_msg_size(part);

	if (length >= size)
		length = size - 1;
	memcpy(text, zmq_msg_data(part), length);
	text[length] = '\0';
}

static void zeromq_gate_take_part(
	struct zeromq_gate *gate, struct zeromq_caller *caller, int index, zmq_msg_t *part)
{
	size_t length = zmq_msg_size(part);

	if (index == 1 && length <= sizeof gate->id) {
		memcpy(gate->id, zmq_msg_data(part), length);
		gate->id_length = length;
	} else if (index == 3) {
		copy(caller->from, sizeof caller->from, part);
	} else if (index == PARTS - 2) {
		copy(caller->name, sizeof caller->name, part);
	} else if (index == PARTS - 1 && length == ZEROMQ_PASSWORD_BYTES - 1) {
		copy(caller->password, sizeof caller->password, part);
	}
}

bool zeromq_gate_hear(struct zeromq_gate *gate, struct zeromq_caller *caller)
{
	zmq_msg_t part;
	int more = 1;

	memset(caller, 0, sizeof *caller);
	gate->id_length = 0;
	for (int i = 0; gate->socket && more; i++) {
		zmq_msg_init(&part);
		if (zmq_msg_recv(&part, gate->socket, ZMQ_DONTWAIT) < 0) {
			zmq_msg_close(&part);
			return false;
		}
		zeromq_gate_take_part(gate, caller, i, &part);
		more = zmq_msg_more(&part);
		zmq_msg_close(&part);
	}
	return gate->socket;
}

void zeromq_gate_answer(struct zeromq_gate *gate, bool good)
{
	void *socket = gate->socket;

	(void)zmq_send(socket, "1.0", 3, ZMQ_SNDMORE | ZMQ_DONTWAIT);
	(void)zmq_send(socket, gate->id, gate->id_length, ZMQ_SNDMORE | ZMQ_DONTWAIT);
	(void)zmq_send(socket, good ? "200" : "400", 3, ZMQ_SNDMORE | ZMQ_DONTWAIT);
	(void)zmq_send(socket, "", 0, ZMQ_SNDMORE | ZMQ_DONTWAIT);
	(void)zmq_send(socket, "", 0, ZMQ_SNDMORE | ZMQ_DONTWAIT);
	(void)zmq_send(socket, "", 0, ZMQ_DONTWAIT);
}
