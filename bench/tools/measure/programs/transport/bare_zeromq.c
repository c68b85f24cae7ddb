/* ZeroMQ alone (see bare.h). Uses a REQ and a REP socket, as ZeroMQ's own latency test does. */
#include "bare.h"

#if MESHSIM_ZEROMQ
#include <zmq.h>

#include "base/ensure.h"

static void *bare_zeromq_listen_at(char address[BARE_ADDRESS_BYTES])
{
	void *socket = zmq_socket(zmq_ctx_new(), ZMQ_REP);
	size_t size = BARE_ADDRESS_BYTES;

	ensure(zmq_bind(socket, "tcp://127.0.0.1:*") == 0 &&
			zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, address, &size) == 0,
		"cannot listen");
	return socket;
}

static void *bare_zeromq_connect_to(const char *address)
{
	void *socket = zmq_socket(zmq_ctx_new(), ZMQ_REQ);

	ensure(zmq_connect(socket, address) == 0, "cannot connect to %s", address);
	return socket;
}

static void say(void *self, const uint8_t *payload, uint32_t bytes)
{
	ensure(zmq_send(self, payload, bytes, 0) == (int)bytes, "nothing left");
}

static void hear(void *self, uint8_t *payload, uint32_t bytes)
{
	ensure(zmq_recv(self, payload, bytes, 0) == (int)bytes, "nothing came");
}

const struct bare_library bare_zeromq = {.row = "zeromq",
	.listen = bare_zeromq_listen_at,
	.connect = bare_zeromq_connect_to,
	.say = say,
	.hear = hear};

#else

const struct bare_library bare_zeromq = {.row = "zeromq"};

#endif
