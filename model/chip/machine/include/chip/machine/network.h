/* A network model: what happens where messages contend for a link, a port or a processor. Each
 * is one file or folder in network/ and one row in network/networks.def. A network does not look
 * into the bytes that it carries. */
#ifndef CHIP_NETWORK_H
#define CHIP_NETWORK_H

#include "chip/machine/cluster.h"

struct flight;
struct packet;

struct sim_network {
	const char *name; /* in scenarios */
	/* Messages of different flows wait for each other at NIUs, banks and atomic units. */
	bool contention;
	/* The row of device.h whose operations use it. */
	const struct device_ops *device;
	/* Make and free what it keeps for a cluster; NULL: nothing. */
	void (*open)(struct cluster *cluster);
	void (*close)(struct cluster *cluster);
	/* True if the local routers take one more packet along the tree. */
	bool (*ready)(struct cluster *cluster, struct fabric_tree *tree);
	/* The stage hands the packet over to the local routers, which own it from now on; calls
	 * sim_fabric_taken(). */
	void (*send)(struct stage *stage, struct packet *packet);
	/* The data of one request of a device's read come from host memory to the tile of its
	 * stage; calls sim_pcie_brought() with that read. What one stage has requested comes in the
	 * order of its requests; nothing is said about the order between stages. */
	void (*bring)(struct flight *read, uint64_t bytes);
};

/* The network of that name; NULL: none. */
const struct sim_network *sim_network_find(const char *name);

/* A message that takes `takes_ps` at a server that flows share: when it is through. */
static inline int64_t sim_serve(const struct cluster *cluster, struct pipe *pipe, int64_t ready_ps,
	uint64_t bytes, int64_t takes_ps)
{
	if (!cluster->network->contention)
		pipe->busy_until_ps = ready_ps;
	return pipe_pass(pipe, ready_ps, bytes, takes_ps);
}

#endif
