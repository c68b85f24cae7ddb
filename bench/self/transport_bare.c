/* Round trips between a REQ and a REP socket, see transport_bare.h. Refuses to be clever: it is the
 * exchange of the library's own test of latency. */
#include "transport_bare.h"

#if MESHSIM_ZEROMQ
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "base/allocate.h"
#include "base/ensure.h"

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Says back `count` messages. */
static void answer(const char *endpoint, uint32_t count)
{
	void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_REP);
	zmq_msg_t message;

	ensure(zmq_connect(socket, endpoint) == 0, "cannot connect to %s", endpoint);
	zmq_msg_init(&message);
	for (uint32_t i = 0; i < count; i++) {
		ensure(zmq_msg_recv(&message, socket, 0) >= 0, "nothing came");
		ensure(zmq_msg_send(&message, socket, 0) >= 0, "nothing left");
	}
	zmq_msg_close(&message);
	zmq_close(socket);
	zmq_ctx_term(context);
}

bool transport_bare_rounds(uint32_t bytes, uint32_t count, int64_t *times_ns)
{
	void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_REQ);
	uint8_t *payload = allocate(bytes, 1);
	char endpoint[128];
	size_t size = sizeof endpoint;
	uint32_t before = count / 10;
	pid_t child;

	ensure(zmq_bind(socket, "tcp://127.0.0.1:*") == 0 &&
			zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &size) == 0,
		"cannot listen");
	child = fork();
	ensure(child >= 0, "cannot fork");
	if (child == 0) {
		answer(endpoint, count + before);
		_exit(0);
	}
	for (uint32_t i = 0; i < count + before; i++) {
		int64_t begin_ns = now_ns();

		ensure(zmq_send(socket, payload, bytes, 0) >= 0 &&
				zmq_recv(socket, payload, bytes, 0) == (int)bytes,
			"no answer");
		if (i >= before)
			times_ns[i - before] = now_ns() - begin_ns;
	}
	waitpid(child, NULL, 0);
	zmq_close(socket);
	zmq_ctx_term(context);
	free(payload);
	return true;
}

#else

bool transport_bare_rounds(uint32_t bytes, uint32_t count, int64_t *times_ns)
{
	(void)bytes;
	(void)count;
	(void)times_ns;
	return false;
}

#endif
