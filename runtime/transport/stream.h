/* The parts that hubs and members over stream sockets have in common: struct stream_family, which
 * describes TCP or local sockets, and the closing of connections. Only for files of this folder. */
#ifndef TRANSPORT_STREAM_H
#define TRANSPORT_STREAM_H

#include <sys/socket.h>

#include "connection.h"
#include "end.h"

/* A socket family. It contains the differences between TCP and local sockets. */
struct stream_family {
	const char *name;

	/* Parses the address `text` into *address and *length. Returns OK, or INVALID with a
	 * sentence in `why`. An address is invalid if it has the wrong form, or if other machines
	 * can reach it and `remote` is not set. */
	enum status (*resolve)(const char *text, bool remote, struct sockaddr_storage *address,
		socklen_t *length, struct text *why);

	/* Sets the options of a new connection. */
	void (*prepare)(int fd);

	/* Writes the other end's address to `from`, for messages. Returns false if the other end
	 * belongs to another user. */
	bool (*meet)(int fd, char *from, size_t size);

	/* Writes the address of a listening socket into `text`, which has `size` bytes. */
	void (*print)(int fd, char *text, size_t size);

	/* Removes what a dead listener has left at the address. NULL: listeners leave nothing. */
	void (*clear)(const struct sockaddr_storage *address);
};

/* Sends the frames that are still queued on the connections. Waits, for at most a second, until the
 * frames have arrived at the other ends. Then closes the connections. */
void end_linger(struct connection **connections, uint32_t count);

/* The resolve() of TCP. Parses, for example, "127.0.0.1:7000" or "[::1]:7000". */
enum status stream_resolve(const char *text, bool remote, struct sockaddr_storage *address,
	socklen_t *length, struct text *why);

/* prepare() of TCP. Sets TCP_NODELAY, so that small messages are sent at once. Sets SO_REUSEADDR,
 * so that a new hub can bind the address of an earlier hub. */
void stream_prepare(int fd);

/* The meet() of TCP. Writes the peer's address; always returns true. */
bool stream_meet(int fd, char *from, size_t size);

/* Writes a TCP address. */
void stream_print(const struct sockaddr_storage *address, char *text, size_t size);

/* Returns a non-blocking socket of the family; -1 on failure. */
int stream_socket(int family);

/* Makes a socket and connects it by the deadline. Returns -1 if no process listens at the
 * address. */
int stream_connect(const struct sockaddr_storage *address, socklen_t length, int64_t deadline_ns);

/* Hubs and members over stream sockets, for the transports `tcp` and `unix`. */

/* These functions implement hub_open() and join() of world/channel.h for a socket family. hub.h and
 * member.h declare the other operations. */
enum status stream_hub_open(const struct stream_family *family,
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status stream_join(const struct stream_family *family, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **channel, struct text *why);

#endif
