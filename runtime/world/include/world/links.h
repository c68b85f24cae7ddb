/* Connections between the clusters of several processes. If links join the chips of several hosts
 * (cluster_info.machine), and each host is a process, then each process connects to every other
 * one. Packets whose target is a chip of another process go over these connections. They arrive in
 * the order of sending, and count against the same limits as packets within a process. Where all
 * clusters are in one process, as in the simulation, there are no such connections.
 *
 * A host opens its end, learns the addresses of all hosts from outside of this interface, and joins
 * them: it connects to the hosts with lower numbers, and accepts those with higher numbers. */
#ifndef WORLD_LINKS_H
#define WORLD_LINKS_H

#include "base/text.h"
#include "world/channel.h"
#include "world/device.h"

enum { LINKS_HOSTS_MAX = 32 };

struct links; /* opaque: the connections of one cluster */

struct links_settings {
	const struct channel_ops *transport;
	/* `address`: where this host listens. Name, sizes and window are not used. */
	struct channel_settings channel;
	uint32_t host, host_count; /* this host, and the number of hosts */

	/* Called once, in a thread of the connections, if the connection to a host ends before both
	 * hosts have closed their ends, or if the host sends something invalid. `why` says what the
	 * connection did, such as "has ended". */
	void (*lost)(void *context, uint32_t host, const char *why);
	void *context;
};

struct links_ops {
	/* Opens this host's end. The cluster's info must have a machine, and no stage may have
	 * been started. Returns OK, or an error of the transport with a sentence in `why` (may be
	 * NULL). */
	enum status (*open)(struct cluster *cluster, const struct links_settings *settings,
		struct links **links, struct text *why);

	/* Returns the address at which other hosts reach this end. It belongs to `links`. */
	const char *(*address)(const struct links *links);

	/* Connects to all other hosts. `addresses` has one address for each host. Blocks until all
	 * hosts are connected. Returns OK; TIMEOUT at the deadline; CLOSED if a host is lost;
	 * INVALID if the hosts are not of one machine; or an error of the transport. Unless the
	 * status is OK, `why` (may be NULL) gets a sentence. */
	enum status (*join)(struct links *links, const char *const *addresses, int64_t deadline_ns,
		struct text *why);

	/* Tells the other hosts that this one leaves, sends what is still queued, for at most a
	 * second, and closes the connections. Packets that chips send to other hosts later are
	 * dropped. The memory belongs to the cluster, and is freed with it. NULL is allowed. */
	void (*close)(struct links *links);
};

#endif
