/* Shared by the files of the network `fluid`. Every message is a SimGrid communication between
 * hosts of the platform in zones (platform.h): a tile with memory, the middle of a chip's NoC,
 * the far end of an Ethernet link, the server. There are no credits, and no queues but those before
 * Ethernet links. */
#ifndef CHIP_FLUID_H
#define CHIP_FLUID_H

#include "chip/fabric/fabric.h"
#include "chip/machine/cluster.h"
#include "world/device_entries.h"

struct fluid_message;

/* What a message brings to one tile. Parts of one source for one tile take effect in the order in
 * which they were posted: one that is there earlier waits. */
struct fluid_part {
	struct fluid_part *next; /* of the same source, for the same tile */
	struct fluid_message *message;
	struct tile *to;
	uint64_t bytes;	 /* on the way */
	int64_t bank_ps; /* that the bank it comes to is busy with it, at least; 0: any time */
	uint32_t index;	 /* among the parts of the message */
	bool arrived, counted;
};

/* What a part does where it arrives, when its turn has come. */
typedef void fluid_arrive(struct fluid_part *part);

struct fluid_message {
	struct fluid_message *next; /* posted by the same stage */
	struct tile *source;
	fluid_arrive *arrive; /* NULL: it has no parts */
	bool together;	      /* takes effect once, when the turns of all its parts have come */
	struct task *task;    /* whose writes it counts as, or whose read it is; may be NULL */
	struct span span;     /* with a reference */
	const struct sim_multicast *multicast;
	uint64_t host_address;
	uint32_t address, local_address, length, value;
	uint32_t writes;     /* that are done with it */
	uint32_t left;	     /* parts under way */
	uint32_t ready;	     /* `together`: parts whose turn has come */
	int64_t done_ps;     /* acknowledged */
	void *context;	     /* a host's read: who waits for it */
	struct flight *read; /* a device's read of host memory that the data belong to */
	bool acknowledged;   /* all parts have taken effect */
};

/* Parts on their way from one tile to another, the first posted first. */
struct fluid_flow {
	struct fluid_part *first, *last;
};

struct fluid {
	struct endpoint *server;
	struct endpoint **chips, **tiles, **ports; /* by chip, by tile of all chips, by link */
	struct fluid_flow **flows; /* by source among the tiles of all chips, by tile of its chip */
	struct sim_pool messages, parts;
	int64_t hop_extra_ps; /* what the topology adds to the latency of an Ethernet link */
};

extern const struct device_ops sim_device_fluid;

/* Of a cluster with that network. */
static inline struct fluid *sim_fluid_of(const struct cluster *cluster)
{
	return cluster->network_state;
}

/* ---- fluid.c ---- */
void sim_fluid_open(struct cluster *cluster);
void sim_fluid_close(struct cluster *cluster);

/* Where the tile's messages begin and end; the PCIe tile: the server. */
struct endpoint *sim_fluid_endpoint(const struct tile *tile);
struct endpoint *sim_fluid_chip(struct cluster *cluster, uint16_t chip);

/* A message from a tile, without parts yet. */
struct fluid_message *sim_fluid_message(struct tile *source, fluid_arrive *arrive);

/* It is `writes` writes of the stage, which are done in the order in which they were posted. */
void sim_fluid_counts_as(struct fluid_message *message, struct stage *stage, uint32_t writes);

/* Appends a part. It still has to be sent. */
struct fluid_part *sim_fluid_part(
	struct fluid_message *message, struct tile *to, uint32_t index, uint64_t bytes);

/* The part leaves `delay_ps` from now, from its source or from the middle of its chip. */
void sim_fluid_send(struct fluid_part *part, int64_t delay_ps);
void sim_fluid_send_on(struct fluid_part *part, int64_t delay_ps);

/* All writes of the message are done. */
void sim_fluid_acknowledge(struct fluid_message *message);

/* When the NIU of the tile, which issues one transaction after the other, begins with one of
 * `bytes`: time from now. */
int64_t sim_fluid_issue_ps(
	struct tile *tile, uint64_t bytes, uint64_t bytes_per_s, int64_t extra_ps);
/* The same of a request to read, over the NIU that the stage has for them. */
int64_t sim_fluid_request_ps(const struct stage *stage);

/* Payload and NoC headers. */
uint64_t sim_fluid_noc_bytes(const struct cluster *cluster, uint64_t bytes);

/* Latency from tile to tile beyond that of SimGrid's links. */
int64_t sim_fluid_hops_ps(const struct tile *from, const struct tile *to);

/* ---- fluid_noc.c ---- */

/* Bytes, or a word, are written where they arrive. */
fluid_arrive sim_fluid_noc_written, sim_fluid_noc_word_written;

DEVICE_NOC_ENTRIES(sim_fluid_);

/* ---- fluid_host.c ---- */
DEVICE_PCIE_WRITE_ENTRIES(sim_fluid_);
DEVICE_HOST_ENTRIES(sim_fluid_);

#endif
