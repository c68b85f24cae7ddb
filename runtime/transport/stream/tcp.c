/* The implementation of channels over TCP, named `tcp`: one connection for each member, with the
 * frames of frame.h. An address has the form "127.0.0.1:7000" or "[::1]:7000"; port 0 means a free
 * port. Host names are rejected, because a resolver could give any answer. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows_private.h"
#include "stream.h"

/* Splits "HOST:PORT" or "[HOST]:PORT". Returns false if the text has neither form. */
static bool tcp_split(const char *text, char *host, size_t size, uint16_t *port)
{
	const char *colon = strrchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : 0;
	unsigned long number;
	char *end;

	if (!colon || colon[1] < '0' || colon[1] > '9')
		return false;
	number = strtoul(colon + 1, &end, 10);
	if (*end || number > UINT16_MAX)
		return false;
	*port = (uint16_t)number;
	if (length > 2 && text[0] == '[' && text[length - 1] == ']') {
		text++;
		length -= 2;
	}
	if (length == 0 || length >= size)
		return false;
	memcpy(host, text, length);
	host[length] = '\0';
	return true;
}

static bool is_here(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;

	if (address->ss_family == AF_INET)
		return ntohl(four->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

enum status stream_resolve(const char *text, bool remote, struct sockaddr_storage *address,
	socklen_t *length, struct text *why)
{
	struct sockaddr_in *four = (struct sockaddr_in *)(void *)address;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)(void *)address;
	char host[64];
	uint16_t port;
	bool good;

	memset(address, 0, sizeof *address);
	good = tcp_split(text, host, sizeof host, &port);
	if (good && inet_pton(AF_INET, host, &four->sin_addr) == 1) {
		four->sin_family = AF_INET;
		four->sin_port = htons(port);
		*length = sizeof *four;
	} else if (good && inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(port);
		*length = sizeof *six;
	} else {
		good = false;
	}
	if (!good && why)
		text_append(why, "an address of tcp is like 127.0.0.1:7000 or [::1]:7000");
	else if (good && !remote && !is_here(address)) {
		if (why)
			text_append(why, "other machines may not connect, and the address is one "
					 "that they reach");
		good = false;
	}
	return good ? STATUS_OK : STATUS_INVALID;
}

void stream_prepare(int fd)
{
	const int on = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
}

void stream_print(const struct sockaddr_storage *address, char *text, size_t size)
{
	const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
	char host[64] = "";

	if (address->ss_family == AF_INET) {
		(void)inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
		snprintf(text, size, "%s:%u", host, ntohs(four->sin_port));
	} else {
		(void)inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
		snprintf(text, size, "[%s]:%u", host, ntohs(six->sin6_port));
	}
}

bool stream_meet(int fd, char *from, size_t size)
{
	struct sockaddr_storage address = {.ss_family = AF_INET};
	socklen_t length = sizeof address;

	if (getpeername(fd, (struct sockaddr *)&address, &length) == 0)
		stream_print(&address, from, size);
	return true;
}

static void tcp_print(int fd, char *text, size_t size)
{
	struct sockaddr_storage address = {0};
	socklen_t length = sizeof address;

	(void)getsockname(fd, (struct sockaddr *)&address, &length);
	stream_print(&address, text, size);
}

static const struct stream_family family = {.name = "tcp",
	.resolve = stream_resolve,
	.prepare = stream_prepare,
	.meet = stream_meet,
	.print = tcp_print};

static enum status open_hub(
	const struct channel_settings *settings, struct hub **hub, struct text *why)
{
	return stream_hub_open(&family, settings, hub, why);
}

static enum status join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why)
{
	return stream_join(&family, settings, deadline_ns, channel, why);
}

const struct channel_ops transport_tcp = {
	.name = "tcp",
	.capabilities = capabilities_of_tcp,
	.hub_open = open_hub,
	.hub_close = hub_close,
	.join = join,
	SHARED_OPERATIONS,
};
