/* Connections between the clusters of several processes. They are needed if links join the chips of
 * several hosts (cluster_info.machine), and each host is a process. Each process is connected to
 * every other one. Packets between chips of different processes go over these connections, and
 * arrive in the order of sending. The same limits apply to them as to packets within a process. If
 * all clusters are in one process, as in the simulation, there are no such connections.
 *
 * A host opens its end. The caller gets the addresses of all hosts in some other way, and passes
 * them to join(). The host then connects to the hosts with lower numbers, and accepts connections
 * of the hosts with higher numbers. */
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

	/* Called in a thread of the connections if the connection to a host ends before both hosts
	 * have closed their ends, or if the host sends an invalid record. Called once for a host.
	 * `why` is the rest of a sentence about the connection, such as "has ended". */
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
	 * hosts are connected. Returns OK, or an error with a sentence in `why` (may be NULL).
	 * Returns TIMEOUT if the deadline has passed, CLOSED if a host is lost, and INVALID if the
	 * hosts do not belong to one machine. Also returns errors of the transport. */
	enum status (*join)(struct links *links, const char *const *addresses, int64_t deadline_ns,
		struct text *why);

	/* Notifies the other hosts that this host leaves. Sends queued records, for at most a
	 * second, and closes the connections. Packets that chips send to other hosts later are
	 * dropped. The memory of `links` is freed with the cluster. NULL is allowed. */
	void (*close)(struct links *links);
};

#endif
