/* The implementation of channels over local sockets, named `unix`. It works like `tcp`, except that
 * its addresses are paths. An existing path is replaced only if it is a socket without a
 * listener. */
#define _GNU_SOURCE /* struct ucred */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "rows_private.h"
#include "stream.h"

static enum status unix_resolve(const char *text, bool remote, struct sockaddr_storage *address,
	socklen_t *length, struct text *why)
{
	struct sockaddr_un *local = (struct sockaddr_un *)(void *)address;

	(void)remote;
	memset(address, 0, sizeof *address);
	if (text[0] != '/' || strlen(text) >= sizeof local->sun_path) {
		if (why)
			text_printf(why,
				"an address of unix is an absolute path of less than %zu "
				"letters",
				sizeof local->sun_path);
		return STATUS_INVALID;
	}
	local->sun_family = AF_UNIX;
	memcpy(local->sun_path, text, strlen(text) + 1);
	*length = sizeof *local;
	return STATUS_OK;
}

static void prepare(int fd)
{
	(void)fd;
}

/* Asks the kernel which user the other process belongs to. Returns true if it is the user of this
 * process. So a process of root is rejected, too, unless this process also belongs to root. */
static bool unix_meet(int fd, char *from, size_t size)
{
	struct ucred peer = {.uid = (uid_t)-1};
	socklen_t length = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
		return false;
	snprintf(from, size, "process %d of user %u", (int)peer.pid, peer.uid);
	return peer.uid == geteuid();
}

static void unix_print(int fd, char *text, size_t size)
{
	struct sockaddr_un address = {0};
	socklen_t length = sizeof address;

	(void)getsockname(fd, (struct sockaddr *)&address, &length);
	snprintf(text, size, "%.*s", (int)sizeof address.sun_path, address.sun_path);
}

static void unix_clear(const struct sockaddr_storage *address)
{
	const struct sockaddr_un *local = (const struct sockaddr_un *)(const void *)address;
	struct stat status;
	int fd = stream_socket(AF_UNIX);
	bool dead = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *local) != 0 &&
		    errno == ECONNREFUSED;

	if (fd >= 0)
		close(fd);
	if (dead && lstat(local->sun_path, &status) == 0 && S_ISSOCK(status.st_mode))
		unlink(local->sun_path);
}

static const struct stream_family family = {.name = "unix",
	.resolve = unix_resolve,
	.prepare = prepare,
	.meet = unix_meet,
	.print = unix_print,
	.clear = unix_clear};

static enum status open_hub(
	const struct channel_settings *settings, struct hub **hub, struct text *why)
{
	return stream_hub_open(&family, settings, hub, why);
}

/* Closes the hub, and removes the socket's path. */
static void close_hub(struct hub *hub)
{
	if (hub)
		unlink(hub_address(hub));
	hub_close(hub);
}

static enum status join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why)
{
	return stream_join(&family, settings, deadline_ns, channel, why);
}

const struct channel_ops transport_unix = {
	.name = "unix",
	.capabilities = capabilities_of_unix,
	.hub_open = open_hub,
	.hub_close = close_hub,
	.join = join,
	SHARED_OPERATIONS,
};
