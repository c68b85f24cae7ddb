/* TCP and unix sockets alone (see bare.h): blocking reads and writes. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bare.h"

struct bare_socket {
	int listener, fd;
};

static void *bare_socket_listen_at(const struct sockaddr *address, socklen_t length)
{
	struct bare_socket *self = allocate(1, sizeof *self);

	self->fd = -1;
	self->listener = socket(address->sa_family, SOCK_STREAM, 0);
	ensure(bind(self->listener, address, length) == 0 && listen(self->listener, 1) == 0,
		"cannot listen");
	return self;
}

static void *bare_socket_connect_to(const struct sockaddr *address, socklen_t length)
{
	struct bare_socket *self = allocate(1, sizeof *self);

	self->fd = socket(address->sa_family, SOCK_STREAM, 0);
	ensure(connect(self->fd, address, length) == 0, "cannot connect");
	return self;
}

static void at_once(int fd)
{
	const int on = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void bare_socket_say(void *bare, const uint8_t *payload, uint32_t bytes)
{
	struct bare_socket *self = bare;

	for (uint32_t at = 0; at < bytes;) {
		ssize_t sent = send(self->fd, payload + at, bytes - at, MSG_NOSIGNAL);

		ensure(sent > 0, "cannot send");
		at += (uint32_t)sent;
	}
}

static void bare_socket_hear(void *bare, uint8_t *payload, uint32_t bytes)
{
	struct bare_socket *self = bare;

	if (self->fd < 0) {
		self->fd = accept(self->listener, NULL, NULL);
		at_once(self->fd);
	}
	for (uint32_t at = 0; at < bytes;) {
		ssize_t got = recv(self->fd, payload + at, bytes - at, 0);

		ensure(got > 0, "nothing came");
		at += (uint32_t)got;
	}
}

static void *bare_socket_listen_tcp(char address[BARE_ADDRESS_BYTES])
{
	struct sockaddr_in where = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof where;
	struct bare_socket *self = bare_socket_listen_at((struct sockaddr *)&where, length);

	ensure(getsockname(self->listener, (struct sockaddr *)&where, &length) == 0, "no port");
	memcpy(address, &where, sizeof where);
	return self;
}

static void *bare_socket_connect_tcp(const char *address)
{
	struct sockaddr_in where;
	struct bare_socket *self;

	memcpy(&where, address, sizeof where);
	self = bare_socket_connect_to((struct sockaddr *)&where, sizeof where);
	at_once(self->fd);
	return self;
}

static struct sockaddr_un local(const char *path)
{
	struct sockaddr_un where = {.sun_family = AF_UNIX};

	snprintf(where.sun_path, sizeof where.sun_path, "%s", path);
	return where;
}

static void *listen_unix(char address[BARE_ADDRESS_BYTES])
{
	struct sockaddr_un where;

	snprintf(address, BARE_ADDRESS_BYTES, "/tmp/meshsim-bare-%d", (int)getpid());
	where = local(address);
	return bare_socket_listen_at((struct sockaddr *)&where, sizeof where);
}

static void *connect_unix(const char *address)
{
	struct sockaddr_un where = local(address);
	void *self = bare_socket_connect_to((struct sockaddr *)&where, sizeof where);

	unlink(address);
	return self;
}

const struct bare_library bare_tcp = {.row = "tcp",
	.listen = bare_socket_listen_tcp,
	.connect = bare_socket_connect_tcp,
	.say = bare_socket_say,
	.hear = bare_socket_hear};

const struct bare_library bare_unix = {.row = "unix",
	.listen = listen_unix,
	.connect = connect_unix,
	.say = bare_socket_say,
	.hear = bare_socket_hear};
