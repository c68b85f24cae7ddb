/* Finds the address at which other machines reach this one (serve.h). */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve.h"

enum { HOST_BYTES = 64 };

/* Writes the part HOST of "HOST:PORT" or "[HOST]:PORT" to `host`. Returns false if there is no such
 * part. */
static bool host_of(const char *address, char host[HOST_BYTES])
{
	const char *colon = strrchr(address, ':');
	size_t length = colon ? (size_t)(colon - address) : 0;

	if (length > 2 && address[0] == '[' && address[length - 1] == ']') {
		address++;
		length -= 2;
	}
	if (length == 0 || length >= HOST_BYTES)
		return false;
	memcpy(host, address, length);
	host[length] = '\0';
	return true;
}

/* Writes the address from which this machine would send to `to`. Connecting a datagram socket sends
 * nothing; it only chooses this address. */
static bool choose_address(const struct addrinfo *to, char host[HOST_BYTES])
{
	struct sockaddr_storage own = {0};
	socklen_t length = sizeof own;
	int fd = socket(to->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool good = fd >= 0 && connect(fd, to->ai_addr, to->ai_addrlen) == 0 &&
		    getsockname(fd, (struct sockaddr *)&own, &length) == 0 &&
		    getnameinfo((struct sockaddr *)&own, length, host, HOST_BYTES, NULL, 0,
			    NI_NUMERICHOST) == 0;

	if (fd >= 0)
		close(fd);
	return good;
}

bool local_address(const char *controller, char *address, size_t size)
{
	const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_DGRAM};
	struct addrinfo *to = NULL;
	char host[HOST_BYTES];
	bool good = host_of(controller, host) && getaddrinfo(host, "9", &hints, &to) == 0 &&
		    choose_address(to, host);

	if (to != NULL)
		freeaddrinfo(to);
	if (good)
		snprintf(address, size, strchr(host, ':') ? "[%s]:0" : "%s:0", host);
	return good;
}
