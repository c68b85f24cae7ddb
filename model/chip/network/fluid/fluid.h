/* Shared declarations of the network `fluid`. Every message is a SimGrid communication between two
 * hosts of the platform in zones (platform.h). A SimGrid host stands for one of these: a tile with
 * memory, the middle of a chip's NoC, the far end of an Ethernet link, or the server. There are no
 * credits. Messages queue only before Ethernet links. */
#ifndef CHIP_FLUID_H
#define CHIP_FLUID_H

#include "chip/fabric/fabric.h"
#include "chip/machine/cluster.h"
#include "world/device_entries.h"

struct fluid_message;

/* The part of a message that goes to one tile. Parts from one source to one tile take effect in the
 * order in which they were posted: a part that arrives too early waits for the earlier parts. */
struct fluid_part {
	struct fluid_part *next; /* next part from the same source to the same tile */
	struct fluid_message *message;
	struct tile *to;
	uint64_t bytes;	 /* bytes on the wire */
	int64_t bank_ps; /* shortest time on the receiving DRAM bank; 0: no bank */
	uint32_t index;	 /* number of the part within the message */
	bool arrived, counted;
};

/* Called when the turn of a part has come. Applies the part at its tile. */
typedef void fluid_arrive(struct fluid_part *part);

struct fluid_message {
	struct fluid_message *next; /* next message that the same stage posted */
	struct tile *source;
	fluid_arrive *arrive; /* NULL: the message has no parts */
	bool together;	      /* the message takes effect when the turns of all parts have come */
	struct task *task;    /* the stage that posted the message's write or read; may be NULL */
	struct span span;     /* data; owns a reference */
	const struct sim_multicast *multicast;
	uint64_t host_address;
	uint32_t address, local_address, length, value;
	uint32_t writes;     /* number of the stage's writes that the message completes */
	uint32_t left;	     /* number of parts in flight */
	uint32_t ready;	     /* if `together` is set: number of parts whose turn has come */
	int64_t done_ps;     /* time at which the message is acknowledged */
	void *context;	     /* struct peek of a host's read */
	struct flight *read; /* the device's read of host memory to which the data belong */
	bool acknowledged;   /* all parts have taken effect */
};

/* Parts in flight from one tile to another, in the order in which they were posted. */
struct fluid_flow {
	struct fluid_part *first, *last;
};

struct fluid {
	struct endpoint *server;
	/* indexed by chip, by tile (numbered over all chips), and by link */
	struct endpoint **chips, **tiles, **ports;
	/* The first index is the source tile, numbered over all chips. The second index is the
	 * destination tile, numbered within its chip. */
	struct fluid_flow **flows;
	struct sim_pool messages, parts;
	int64_t hop_extra_ps; /* time that the topology adds to the latency of each Ethernet link */
};

extern const struct device_ops sim_device_fluid;

static inline struct fluid *sim_fluid_of(const struct cluster *cluster)
{
	return cluster->network_state;
}

/* ---- fluid.c ---- */
void sim_fluid_open(struct cluster *cluster);
void sim_fluid_close(struct cluster *cluster);

/* Returns the SimGrid host from which a tile sends. For the PCIe tile, this is the server. */
struct endpoint *sim_fluid_endpoint(const struct tile *tile);
struct endpoint *sim_fluid_chip(struct cluster *cluster, uint16_t chip);

/* Creates a message from a tile, without parts. */
struct fluid_message *sim_fluid_message(struct tile *source, fluid_arrive *arrive);

/* Makes `writes` writes of the stage count as complete when the acknowledgement of the message
 * arrives. The writes of a stage complete in the order in which they were posted. */
void sim_fluid_counts_as(struct fluid_message *message, struct stage *stage, uint32_t writes);

/* Adds a part for tile `to` to the message. The caller must send the part. */
struct fluid_part *sim_fluid_part(
	struct fluid_message *message, struct tile *to, uint32_t index, uint64_t bytes);

/* Both functions start to send a part after `delay_ps`. sim_fluid_send() sends it from the source
 * tile of its message. sim_fluid_send_on() is for messages that have already reached the middle of
 * the target chip: it sends the part from there. */
void sim_fluid_send(struct fluid_part *part, int64_t delay_ps);
void sim_fluid_send_on(struct fluid_part *part, int64_t delay_ps);

/* Completes all writes of the message. */
void sim_fluid_acknowledge(struct fluid_message *message);

/* Occupies the tile's NIU for a transaction of `bytes`. The NIU issues one transaction at a time.
 * Returns the time in ps from now until this transaction starts. */
int64_t sim_fluid_issue_ps(
	struct tile *tile, uint64_t bytes, uint64_t bytes_per_s, int64_t extra_ps);
/* Like sim_fluid_issue_ps(), for a read request at the NIU that the stage uses for requests. */
int64_t sim_fluid_request_ps(const struct stage *stage);

/* Number of bytes on the wire: the payload and NoC headers. */
uint64_t sim_fluid_noc_bytes(const struct cluster *cluster, uint64_t bytes);

/* Returns the part of the latency between two tiles that SimGrid's links do not contain. */
int64_t sim_fluid_hops_ps(const struct tile *from, const struct tile *to);

/* ---- fluid_noc.c ---- */

/* Writes the part's bytes or word to the part's tile. */
fluid_arrive sim_fluid_noc_written, sim_fluid_noc_word_written;

DEVICE_NOC_ENTRIES(sim_fluid_);

/* ---- fluid_host.c ---- */
DEVICE_PCIE_WRITE_ENTRIES(sim_fluid_);
DEVICE_HOST_ENTRIES(sim_fluid_);

#endif
