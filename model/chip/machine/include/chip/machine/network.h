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
	/* About how many times as long as with network `packet` runs take; 0: about as long. */
	uint32_t slowness;
	/* the implementation of device.h for clusters with this network */
	const struct device_ops *device;
	/* Create and free the network's state for a cluster; may be NULL. */
	void (*open)(struct cluster *cluster);
	void (*close)(struct cluster *cluster);
	/* True if the routers at the root of the tree can accept one more packet of this tree. */
	bool (*ready)(struct cluster *cluster, struct fabric_tree *tree);
	/* Passes a packet of the stage to the local routers. The caller gives up its ownership of
	 * the packet. The implementation must call sim_fabric_taken(). */
	void (*send)(struct stage *stage, struct packet *packet);
	/* `read` is a stage's read of host memory, which consists of requests. Transfers the data
	 * of one request to the tile of the stage, then calls sim_pcie_brought(). The data of a
	 * stage must arrive in the order of its requests. Data of different stages may arrive in
	 * any order. */
	void (*bring)(struct flight *read, uint64_t bytes);
};

/* Sends a message through a server (a link, bank or port) that several flows share, and that needs
 * `takes_ps` for the message. Returns the time at which the server has finished the message. In
 * networks without contention, the message does not wait until the server is free. */
static inline int64_t sim_serve(const struct cluster *cluster, struct pipe *pipe, int64_t ready_ps,
	uint64_t bytes, int64_t takes_ps)
{
	if (!cluster->network->contention)
		pipe->busy_until_ps = ready_ps;
	return pipe_pass(pipe, ready_ps, bytes, takes_ps);
}

/* Operations that are in flight on the NoC and over PCIe. They come from a pool. */

struct flight {
	struct flight *next;
	struct device *device;
	struct task *task; /* the stage that issued the transaction; NULL: the host or the fabric */
	struct span span;  /* data; owns a reference */
	const struct sim_multicast *multicast;
	struct packed_target *targets; /* allocation that stays with the flight in the pool */
	int64_t head_ps, last_ps;      /* arrival of the first and last byte without contention */
	uint64_t host_address;
	uint32_t address, local_address, length, stride;
	/* targets of a group; in a multicast, `count` is the number of tiles that are done */
	uint32_t count, capacity;
	uint32_t issued, completed; /* bytes of a PCIe read: requested, arrived */
	uint16_t turn;		    /* number of a PCIe read among the reads of its stage */
	uint16_t source, tile;
	bool counted;	/* true: bulk data that arrive together with an increment */
	cause_id cause; /* cause of a PCIe read; owns a reference */
};

struct flight *sim_flight_new(struct device *device);

/* Returns the flight to the pool and releases its span. */
void sim_flight_free(struct flight *flight);

/* Frees the memory that belongs to the object of an operation in flight. At the end of a run, this
 * function must be called for all these objects by sim_pool_each(), because operations may still be
 * in flight then. */
void sim_flight_fini(void *object);

#endif
