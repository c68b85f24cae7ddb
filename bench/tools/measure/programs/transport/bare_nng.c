/* nng alone (see bare.h): two PAIR sockets. */
#include "bare.h"

#if MESHSIM_NNG
#include <nng/nng.h>
#include <nng/protocol/pair0/pair.h>
#include <stdio.h>

#include "base/allocate.h"
#include "base/ensure.h"

static nng_socket *new_socket(void)
{
	nng_socket *socket = allocate(1, sizeof *socket);

	ensure(nng_pair0_open(socket) == 0, "no socket");
	ensure(nng_socket_set_size(*socket, NNG_OPT_RECVMAXSZ, 1 << 30) == 0, "no size");
	return socket;
}

static void *bare_nng_listen_at(char address[BARE_ADDRESS_BYTES])
{
	nng_socket *socket = new_socket();
	nng_listener listener;
	int port = 0;

	ensure(nng_listen(*socket, "tcp://127.0.0.1:0", &listener, 0) == 0 &&
			nng_listener_get_int(listener, NNG_OPT_TCP_BOUND_PORT, &port) == 0,
		"cannot listen");
	snprintf(address, BARE_ADDRESS_BYTES, "tcp://127.0.0.1:%d", port);
	return socket;
}

static void *bare_nng_connect_to(const char *address)
{
	nng_socket *socket = new_socket();

	ensure(nng_dial(*socket, address, NULL, 0) == 0, "cannot connect to %s", address);
	return socket;
}

static void say(void *self, const uint8_t *payload, uint32_t bytes)
{
	ensure(nng_send(*(nng_socket *)self, (void *)(uintptr_t)payload, bytes, 0) == 0,
		"nothing left");
}

static void bare_nng_hear(void *self, uint8_t *payload, uint32_t bytes)
{
	size_t length = bytes;

	ensure(nng_recv(*(nng_socket *)self, payload, &length, 0) == 0 && length == bytes,
		"nothing came");
}

const struct bare_library bare_nng = {.row = "nng",
	.listen = bare_nng_listen_at,
	.connect = bare_nng_connect_to,
	.say = say,
	.hear = bare_nng_hear};

#else

const struct bare_library bare_nng = {.row = "nng"};

#endif
