/* The path of completion records and event words from a chip to the host. A chip with PCIe writes
 * them over PCIe. Any other chip sends them over a link to the stage dispatch_h on a gateway. The
 * file also declares the gate that holds back events before they go to an aggregator
 * (firmware/completion/aggregator.h). All lengths are multiples of 32 B, so the header of a record
 * never wraps around the end of a ring. Only for the code of stages. */
#ifndef FIRMWARE_COMPLETION_UPSTREAM_H
#define FIRMWARE_COMPLETION_UPSTREAM_H

#include "command/completion.h"
#include "firmware/link/ring.h"
#include "firmware/core/stage.h"
#include "firmware/core/firmware.h"
#include "firmware/link/link.h"

struct fabric_tree;

/* The device's side of a completion queue (command/completion.h). */
struct host_queue {
	uint64_t ring; /* host address of the ring */
	uint32_t ring_bytes;
	uint64_t write_word; /* host address of the write word */
	uint32_t read_word;  /* address of the read word on the stage's own tile; the host
			      * writes it */
};

/* The gate that the events of a dispatcher or dispatch_h pass on their way to an aggregator
 * (firmware/completion/aggregator.h). */
struct gate_config {
	bool used, naive;
	uint8_t generations; /* number of events that may be announced until the aggregator opens
			      * the gate again, 1 to AGGREGATOR_GENERATIONS */
	uint16_t tile;	     /* tile of the aggregator */
	/* address of the first of `generations` slots, and address of the arrival word */
	uint32_t slot, arrival_word;
	struct fabric_tree *forward; /* tree to the aggregator's chip; NULL: the same chip */
	uint32_t open_word;	     /* address of the open word on the stage's own tile */
};

/* The device's end of a completion queue. */
struct host_port {
	struct host_queue queue;
	uint64_t position; /* bytes written since the start, including padding */
};

void host_port_init(struct host_port *port, const struct host_queue *queue);

/* Returns the number of bytes that can be written in one piece now. */
uint32_t host_port_room(const struct host_port *port, const struct stage *stage);

/* Writes `span`, which occupies `padded` bytes of the queue, and advances the write word by
 * `padded` bytes. `padded` is at most host_port_room(). Call this in commit(). */
void host_port_write(
	struct host_port *port, struct stage *stage, struct span span, uint32_t padded);

/* ---- both paths ---- */
struct upstream {
	bool remote;
	struct host_port port;	 /* used if `remote` is not set */
	struct link_sender link; /* used if `remote` is set */
	uint32_t piece_max;
};

void upstream_init(struct upstream *upstream, const struct stage_base *base, bool remote,
	const struct host_queue *host, const struct link_layout *link);

/* Returns the number of bytes that can be sent in one piece now, in whole units of 32 B. */
uint32_t upstream_room(const struct upstream *upstream, const struct stage *stage);

/* Returns the price of a piece, which is added to the stage's own price. */
uint64_t upstream_price(const struct upstream *upstream, const struct firmware *firmware);

/* upstream_send() sends a piece of a record; the piece occupies `padded` bytes at the destination.
 * upstream_record() sends the header of a record. Call both in commit(). */
void upstream_send(
	struct upstream *upstream, struct stage *stage, struct span span, uint32_t padded);
void upstream_record(
	struct upstream *upstream, struct stage *stage, const struct completion_record *record);

/* Blocks the stage until there may be room again. Returns STAGE_BLOCKED. */
int64_t upstream_block(
	const struct upstream *upstream, const struct stage *stage, struct stage_wait *wait);

/* Returns the number of data bytes that can be moved in one piece now; 0 if nothing can be moved.
 * `left` is the number of bytes that the record still has. `available` is the number of bytes at
 * the source. `room` is the space at the destination. A piece consists of whole units of 32 B,
 * except that the last piece of a record may end with a partial unit. Sets *padded to the space
 * that the piece occupies. */
uint32_t upstream_piece(uint32_t left, uint32_t available, uint32_t room, uint32_t *padded);

/* The gate of a device's events, in front of an aggregator; see aggregator.h. Only for stages. */
struct gate {
	struct gate_config config;
	uint32_t announced;
};

void gate_init(struct gate *gate, const struct gate_config *config);

/* Returns 0 if an event may be announced now. Otherwise fills in *wait and returns
 * STAGE_BLOCKED. */
int64_t gate_check(const struct gate *gate, const struct stage *stage, struct stage_wait *wait);

/* Returns the price of an announcement. */
uint64_t gate_price(const struct gate *gate, const struct firmware *firmware);

/* Announces an event and marks it. Call this in commit(). */
void gate_announce(
	struct gate *gate, struct stage_base *base, const struct completion_record *record);

/* dispatch_h (spec 3.8.1, 3.8.7) is a stage on a gateway. It serves one chip without PCIe, and
 * writes the event words and the completion queue of this chip in host memory. A malformed record
 * is a fault and halts the stage. */
struct dispatch_h_layout {
	uint32_t ring; /* address of the ring, of limits.dispatch_h_ring_bytes */
	uint32_t arrival_word;
	uint32_t read_word;
	uint32_t open_word; /* open word of the gate */
};

enum status dispatch_h_place(struct tile_plan *plan, const struct firmware_limits *limits,
	struct dispatch_h_layout *layout);

struct dispatch_h_config {
	struct stage_place place;
	struct link_layout input;
	struct host_queue host;
	struct gate_config gate;
};

struct stage *dispatch_h_new(
	const struct firmware *firmware, const struct dispatch_h_config *config);

#endif
