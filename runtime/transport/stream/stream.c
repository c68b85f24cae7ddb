/* Stream sockets, see stream.h. These functions block only while connecting and while closing. */
#include "stream.h"

#include <errno.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "world/world.h"

enum { LINGER_NS = 1000000000, LOOK_NS = 200000 };

int stream_socket(int family)
{
	return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* Waits until the connection is made or has failed. */
static bool is_connected(int fd, int64_t deadline_ns)
{
	struct pollfd polls = {fd, POLLOUT, 0};
	int64_t wait_ns = end_left_ns(deadline_ns);
	int error = 0;
	socklen_t size = sizeof error;

	if (poll(&polls, 1,
		    wait_ns > INT64_C(60000000000) ? 60000 : (int)(wait_ns / 1000000) + 1) != 1)
		return false;
	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

int stream_connect(const struct sockaddr_storage *address, socklen_t length, int64_t deadline_ns)
{
	int fd = stream_socket(address->ss_family);

	if (fd < 0)
		return -1;
	if (connect(fd, (const struct sockaddr *)address, length) == 0 ||
		(errno == EINPROGRESS && is_connected(fd, deadline_ns)))
		return fd;
	close(fd);
	return -1;
}

/* ---- closing ---- */

/* Reads bytes and discards them. Returns false if no more bytes will come. */
static bool stream_drain(int fd)
{
	char bytes[4096];
	ssize_t got;

	do
		got = recv(fd, bytes, sizeof bytes, 0);
	while (got > 0 || (got < 0 && errno == EINTR));
	return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* Returns true if the kernel of the other end has acknowledged everything that was written. */
static bool has_arrived(int fd)
{
	int family = 0, left = 0;
	socklen_t size = sizeof family;

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family == AF_UNIX)
		return true;
	return ioctl(fd, SIOCOUTQ, &left) != 0 || left == 0;
}

/* Returns false if nothing is left to wait for. */
static bool linger(struct connection *connection)
{
	enum status status = connection_write(connection);

	if (status == STATUS_CLOSED || !stream_drain(connection->fd))
		return false;
	return status == STATUS_FULL || !has_arrived(connection->fd);
}

void end_linger(struct connection **connections, uint32_t count)
{
	int64_t deadline_ns = world->now_ns() + LINGER_NS;
	uint32_t left = count;

	while (left > 0 && end_left_ns(deadline_ns) > 0) {
		left = 0;
		for (uint32_t i = 0; i < count; i++) {
			if (connections[i]->fd >= 0 && !linger(connections[i]))
				connection_end(connections[i]);
			left += connections[i]->fd >= 0;
		}
		if (left > 0)
			world->sleep_until(world->now_ns() + LOOK_NS);
	}
	for (uint32_t i = 0; i < count; i++)
		connection_end(connections[i]);
}
