/* The meeting address of a native run's processes (processes.h). */
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/refuse.h"
#include "bench/scenario/hosts.h"
#include "world/native/native.h"

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return good;
}

/* Enters a new network namespace. For root this is possible directly. Other users also need a new
 * user namespace, in which only their own user is mapped. */
static bool processes_place_leave(void)
{
	char map[64];
	uid_t user = geteuid();
	gid_t group = getegid();

	if (unshare(CLONE_NEWNET) == 0)
		return true;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
		return false;
	(void)write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof map, "%u %u 1", group, group);
	if (!write_file("/proc/self/gid_map", map))
		return false;
	snprintf(map, sizeof map, "%u %u 1", user, user);
	return write_file("/proc/self/uid_map", map);
}

static bool bring_up_loopback(void)
{
	struct ifreq request = {.ifr_name = "lo"};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool good = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0;

	request.ifr_flags |= IFF_UP;
	good = good && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
	if (fd >= 0)
		close(fd);
	return good;
}

enum status processes_apart(const struct transport_row *row, struct text *why)
{
	const char *shared = getenv("MESHSIM_SHARED_NETWORK");

	if (!row->is_open || (shared && strcmp(shared, "1") == 0))
		return STATUS_OK;
	if (processes_place_leave() && bring_up_loopback())
		return STATUS_OK;
	return refuse(why, STATUS_UNSUPPORTED,
		"%s runs in a network of its own, since its library takes in what any process of "
		"this machine sends, and the kernel gives none: %s. Take another transport, or "
		"set MESHSIM_SHARED_NETWORK=1 on a machine with no other users",
		row->entry.name, strerror(errno));
}

/* Executors connect to each other over Unix sockets if their connection to the controller uses a
 * path in the file system, and over TCP otherwise. */
void processes_links(const struct run_plan *plan, struct client_ground *ground)
{
	const struct distributed_keys *keys = &plan->scenario->runtime.distributed;

	if (machine_links(plan->platform) == 0)
		return;
	ground->links = &native_links;
	ground->link_transport =
		transport_find(transport_row(keys->transport)->takes_path ? "unix" : "tcp")->ops;
}

enum status processes_address(const struct transport_row *row, char address[PLACE_ADDRESS_BYTES],
	struct scratch **scratch, struct text *why)
{
	if (!row->takes_path) {
		snprintf(address, PLACE_ADDRESS_BYTES, "127.0.0.1:0");
		return STATUS_OK;
	}
	*scratch = scratch_open_for_socket("hosts", "hub-31"); /* "hub", and one of each executor */
	if (*scratch == NULL)
		return refuse(why, STATUS_IO, "no folder for a socket");
	snprintf(address, PLACE_ADDRESS_BYTES, "%s/hub", scratch_path(*scratch));
	return STATUS_OK;
}

void processes_redirect(int output)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	dup2(nothing, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	close(nothing);
	close(output);
}
