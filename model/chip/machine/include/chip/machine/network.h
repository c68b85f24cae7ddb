/* The interface of network models. A network model decides how messages contend for a link, a port
 * or a processor. Each model is a file or folder in network/ and is listed in network/networks.def.
 */
#ifndef CHIP_NETWORK_H
#define CHIP_NETWORK_H

#include "chip/machine/cluster.h"

struct flight;
struct packet;

struct sim_network {
	struct registry_entry entry;
	/* True if messages of different flows contend at NIUs, banks and atomic units. */
	bool contention;
	/* The device.h implementation for clusters with this network. */
	const struct device_ops *device;
	/* Create and free the network's state for a cluster; may be NULL. */
	void (*open)(struct cluster *cluster);
	void (*close)(struct cluster *cluster);
	/* True if the routers at the root of the tree can accept one more packet of this tree. */
	bool (*ready)(struct cluster *cluster, struct fabric_tree *tree);
	/* Passes a packet of the stage to the local routers, and gives up ownership of the packet.
	 * The implementation must call sim_fabric_taken(). */
	void (*send)(struct stage *stage, struct packet *packet);
	/* Transfers the data of one request of `read` to the tile of the reading stage, then calls
	 * sim_pcie_brought(). `read` is a read of host memory by the device, which is split into
	 * requests. The data of one stage must arrive in the order of the stage's requests; data of
	 * different stages may arrive in any order. */
	void (*bring)(struct flight *read, uint64_t bytes);
};

/* Sends a message through a server that several flows share. The server needs `takes_ps` for the
 * message. Returns the time at which the server has finished the message. In networks without
 * contention, the message does not wait for the server. */
static inline int64_t sim_serve(const struct cluster *cluster, struct pipe *pipe, int64_t ready_ps,
	uint64_t bytes, int64_t takes_ps)
{
	if (!cluster->network->contention)
		pipe->busy_until_ps = ready_ps;
	return pipe_pass(pipe, ready_ps, bytes, takes_ps);
}

#endif
