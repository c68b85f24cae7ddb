/* The Ethernet fabric: links between routers, the routes of trees over these links, and packets. A
 * link has one direction. The network model (network/) decides how packets contend for links. */
#ifndef CHIP_FABRIC_H
#define CHIP_FABRIC_H

#include "chip/tile/tile.h"
#include "world/device_entries.h"

/* The visit of a packet to node `node` of its tree. It has a slot there, or waits for one. */
struct visit {
	struct visit *next;
	struct packet *packet;
	struct visit *parent; /* the packet's visit at the previous node; its slot becomes free
			       * when the packet has left that node. NULL: there is no previous
			       * node, and the packet comes from the worker's channel */
	struct link *link;    /* the link over which the packet comes to the node */
	int64_t free_ps;      /* time by which all copies have left this node */
	int64_t since_ps;     /* start of the wait to enter a ring or for a slot */
	uint16_t node;
	uint16_t branches; /* outgoing copies that have not left yet; the delivery counts as one */
	bool arrived;	   /* fluid: at the end of the link, where it may wait for its turn */
	struct port_waiter waiter;
	cause_id cause;		       /* cause of the wait; owns a reference */
	struct fluid_message *message; /* fluid: the message of the stage that sent the packet */
};

struct visit_list {
	struct visit *first, *last;
};

/* The kinds of work that a router's processor does for a packet. */
enum router_work { ROUTER_SEND, ROUTER_RECEIVE, ROUTER_WORK_COUNT };

/* The router at one end of a link. It sends over one direction of the link and receives over the
 * other. If a single processor does both, it alternates between sending and receiving while packets
 * wait for both. The router's NIU (its interface to the NoC) passes received packets to the chip.
 */
struct link_end {
	struct router_processor {
		int64_t busy_until_ps;
		enum router_work turn;	 /* the kind of work that is done first if both wait */
		bool woken;		 /* an event is scheduled at busy_until_ps */
	} processors[ROUTER_WORK_COUNT]; /* [kind of work]; a single processor: only the first */
	int64_t busy_ps;
	struct visit *first[ROUTER_WORK_COUNT], *last[ROUTER_WORK_COUNT]; /* waiting visits */
	struct pipe niu;
	int64_t flushed_ps;  /* the router receives no further packet before this time */
	int64_t straight_ps; /* time at which the packets that leave along the column are gone */
	uint16_t tile;	     /* the router's tile on its chip's NoCs; TILE_AT_NONE: unknown */
};

/* One link in one direction. */
struct link {
	struct cluster *cluster; /* cluster of the sending chip */
	uint16_t from, to, index;
	struct link_end *sender, *receiver;
	struct pipe wire;
	struct port buffer; /* buffer of the receiving end: slots per virtual channel */
	/* number of free slots in each channel from the workers to the router. Negative if several
	 * stages have found the same free slot, and each of them has sent a packet */
	int32_t sender_free[4];
	struct visit *entering[4], *entering_last[4]; /* visits that wait to enter the ring */
	uint32_t entering_count;
	uint64_t packets, payload_bytes;
	int64_t delivered_ps; /* delivery of the last packet */
	int64_t waited_ps;    /* time that packets waited for processor and wire */
	int64_t blocked_ps;   /* time that packets waited for a slot while the wire was idle */
	uint64_t blocked;     /* number of packets that waited for a slot */
};

/* All links from a chip to one neighbour. */
struct neighbour {
	uint16_t chip;
	uint16_t count;
	uint32_t first; /* index of the first link to this neighbour in fabric->outgoing */
};

enum { FABRIC_NOCS = 2 };

struct fabric {
	const struct cluster_info *info; /* all chips; links and routes use their numbers */
	struct device **devices;	 /* [chip]; NULL until the cluster of the chip is made */
	struct cluster **clusters;	 /* the clusters that share the fabric */
	uint32_t cluster_count;
	struct link *links;    /* 2k and 2k + 1 are the two directions of one link */
	struct link_end *ends; /* [i]: the end at which links[i] sends */
	uint32_t link_count;
	struct neighbour *neighbours; /* pairs of joined chips, sorted by chip, then by neighbour */
	uint32_t *first;	      /* [chip]: index in neighbours; chip_count + 1 entries */
	uint32_t *outgoing;	      /* indices of links, sorted by neighbour */
	/* used only by the network `packet`: for each chip, the times at which the links along the
	 * rows of both NoCs become free */
	int64_t **rows;
	struct sim_pool packets, visits;
	struct route *routes;
	void (*fetch)(struct packet *request); /* sim_fabric_fetch() */
	/* list of the stages that answer reads: one for each chip that was read */
	struct fabric_answerer {
		struct fabric_answerer *next;
		struct stage stage;
	} * answerers;
};

/* The route of a tree: for each node of the tree, the link over which packets reach the node. All
 * packets of a tree use these links, so they stay in order. */
struct route {
	struct route *next, **place;
	struct cluster *cluster; /* cluster of the source */
	const struct fabric_tree *tree;
	struct fabric_tree *given; /* the same tree, without const */
	struct fabric_tree *back;  /* the tree of answers to reads; NULL: none yet */
	uint16_t first; /* number of a chip in the tree + first: its number in the fabric */
	uint32_t turn;	/* selects one of several parallel links */
	struct route_hop {
		struct link *link;		   /* link to the node; NULL for node 0 */
		bool enters;			   /* a packet that takes this link enters a ring */
		int64_t free_ps;		   /* ideal, fluid: the tree's wire is free */
		int64_t handover_ps;		   /* ideal: the worker is free */
		int64_t at_ps;			   /* ideal: the present packet arrives */
		int64_t delivered_ps;		   /* ideal, fluid: last delivery to the chip */
		struct visit_list flying, landing; /* used only by `fluid`: the visits on the way to
						    * the node, and the visits on the way to the
						    * tile */
	} hops[];
};

/* A packet on its way. The visits of the packet share this object. */
struct packet {
	struct packet *next;
	struct route *route;
	struct span span; /* data; owns a reference */
	uint64_t noc_bytes, wire_bytes;
	struct tile *from; /* tile of the worker that sent the packet */
	uint32_t increment_address, delta;
	uint32_t addresses[FABRIC_PARTS_MAX]; /* destinations of the equal parts of the span */
	uint8_t parts;
	uint32_t visits; /* number of visits that still use the packet */
	uint16_t tile;
	/* used only if the packet is a read: the stage that waits for the bytes (otherwise NULL),
	 * and where in the L1 of this stage the bytes go */
	struct task *reader;
	uint32_t read_to, read_bytes;
	bool answers; /* the packet brings the bytes of a read */
};

/* Makes the fabric of a cluster. If `joined` is not NULL, it is another cluster with the same
 * cluster_info.machine, and the new cluster shares its fabric. */
void sim_fabric_new(struct cluster *cluster, struct cluster *joined);
void sim_fabric_free(struct cluster *cluster);

/* Call sim_fabric_begin() when an operation of the fabric begins, and sim_fabric_end() when it
 * ends. Between the two calls, the operation counts as in flight in every cluster that shares the
 * fabric, because its packet may arrive in any of them. */
void sim_fabric_begin(struct cluster *cluster);
void sim_fabric_end(struct cluster *cluster);

/* The chip of a node, by its number in the fabric. */
static inline uint16_t sim_route_chip(const struct route *route, uint16_t node)
{
	return (uint16_t)(route->tree->nodes[node].chip + route->first);
}

/* Returns the route of a tree. Creates it at the first call. */
struct route *sim_route_of(struct cluster *cluster, struct fabric_tree *tree);

/* Frees a route that is in no list, and its tree of answers, but not the route of that tree. */
void sim_route_free(struct route *route);

/* Delivers the bytes of the packet, and then its increment, to the chip of the node at `at_ps`. */
void sim_packet_deliver(struct packet *packet, uint16_t node, int64_t at_ps);

/* Processor time that a packet needs at the router that receives it for the node. */
int64_t sim_packet_receive_ps(const struct packet *packet, uint16_t node);

/* Returns how long the router waits for a flush, without the time that a ring adds. A packet may
 * contain a write and an increment. The flush makes sure that the write is complete before the
 * increment. */
int64_t sim_packet_flush_ps(const struct packet *packet, uint16_t node);

/* Time for which the packet keeps its worker busy, from the start of the worker's copy. */
int64_t sim_packet_handover_ps(const struct packet *packet);

/* Sends the packet from `router` over the NoC to tile `to` of the same chip, and returns the time
 * at which the packet has arrived. On an idle NoC, the first byte arrives at `first_ps` and the
 * last byte at `last_ps`. Packets wait for each other only at the NoC's links along rows. */
int64_t sim_packet_cross(const struct packet *packet, struct link_end *router, uint16_t chip,
	uint16_t to, int64_t first_ps, int64_t last_ps);

/* Records that the local routers will have the whole packet of `stage` at `at_ps`. From this time
 * on, the stage's write counts as done. */
void sim_fabric_taken(struct stage *stage, int64_t at_ps);

/* True if the workers' channel to each router at the root of the tree has a free slot. */
bool sim_fabric_sender_free(struct cluster *cluster, struct fabric_tree *tree);

/* Drops a visit's reference to the packet. */
void sim_packet_leave(struct packet *packet);

/* Called when the request of a read has arrived at the chip that is read. Reads the bytes and sends
 * the answer; keeps a reference to the request until the answer is sent. All network models use
 * this function (network/reads.c). */
void sim_fabric_fetch(struct packet *request);

/* Answers a read: sends its bytes, `span`, back to the tile that reads. `request` is the packet
 * that asked for them. `stage` sends them. It belongs to the chip that is read, which is at the
 * end of the tree of `request`. */
void sim_fabric_answer(struct stage *stage, const struct packet *request, struct span span);

/* ---- entries of the table of device.h ---- */
DEVICE_FABRIC_ENTRIES(sim_);

#endif
