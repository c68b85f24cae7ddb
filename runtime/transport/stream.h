/* What hubs and members over streams share: families of sockets, and the end of connections.
 * Private to the room. */
#ifndef TRANSPORT_STREAM_H
#define TRANSPORT_STREAM_H

#include <sys/socket.h>

#include "connection.h"
#include "end.h"

/* A family of streams: what differs between TCP and local sockets. */
struct stream_family {
	const char *name;

	/* Reads an address. INVALID: `why` says what it should look like, or that it is another
	 * machine's. */
	enum status (*resolve)(const char *text, bool remote, struct sockaddr_storage *address,
		socklen_t *length, struct text *why);

	/* Sets what a new connection wants. */
	void (*prepare)(int fd);

	/* Says for people where a connection comes from. False: its end is another user's. */
	bool (*meet)(int fd, char *from, size_t size);

	/* Writes where a listening socket stands, into `text` of `size` bytes. */
	void (*print)(int fd, char *text, size_t size);

	/* Makes way for a new listener where a dead one left something; NULL: nothing is left. */
	void (*clear)(const struct sockaddr_storage *address);
};

/* Ends connections: writes what is left first, and waits until it is with the other ends, a second
 * at the most. */
void end_linger(struct connection **connections, uint32_t count);

/* Reads "127.0.0.1:7000" or "[::1]:7000", as `resolve` of a family does. */
enum status stream_resolve(const char *text, bool remote, struct sockaddr_storage *address,
	socklen_t *length, struct text *why);

/* What a socket of TCP wants: small messages leave at once; a hub may come back to where one was.
 */
void stream_prepare(int fd);

/* Where a connection of TCP comes from, as `meet` of a family does: anybody's. */
bool stream_meet(int fd, char *from, size_t size);

/* Writes such an address. */
void stream_print(const struct sockaddr_storage *address, char *text, size_t size);

/* A socket of the family that does not block; -1. */
int stream_socket(int family);

/* The same, connected by the deadline; -1: nobody answers there. */
int stream_connect(const struct sockaddr_storage *address, socklen_t length, int64_t deadline_ns);

#endif
