/* A network model: what happens where flows meet. One file behind this interface, one row in
 * network.c. It refuses to know what a packet carries. */
#ifndef CHIP_NETWORK_H
#define CHIP_NETWORK_H

#include "private.h"

struct packet;
struct tree_row;

struct sim_network {
	const char *name; /* in scenarios */
	/* Messages of different flows wait for each other at NIUs, banks and atomic units. */
	bool contention;
	/* True if the local routers take one more packet along the tree. */
	bool (*ready)(const struct tree_row *row);
	/* The worker hands the packet over to the local routers. It owns the packet from now on.
	 * Returns the time at which they have it. */
	int64_t (*send)(struct cluster *cluster, struct packet *packet);
};

extern const struct sim_network sim_network_packet, sim_network_ideal;

/* The row of that name; NULL: none. */
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
