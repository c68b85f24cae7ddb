/* Kernels that measure the fabric, as stages on worker tiles. A sender sends a stream of packets. A
 * ping-pong consists of two kernels: one asks, the other answers. A starter starts kernels on chips
 * that the host cannot reach directly. Workloads use these stages; the runtime does not. */
#ifndef FIRMWARE_TRAFFIC_TRAFFIC_H
#define FIRMWARE_TRAFFIC_TRAFFIC_H

#include <stdbool.h>

#include "firmware/core/firmware.h"

/* The effect of a packet at each receiver. */
enum traffic_op {
	TRAFFIC_WRITE,		  /* writes the payload */
	TRAFFIC_FUSED_ATOMIC_INC, /* writes the payload, then increments a word */
	TRAFFIC_SCATTER_WRITE,	  /* writes each half of the payload to a separate place */
	TRAFFIC_OP_COUNT
};

/* Returns a name such as "write", or NULL after the last operation. */
const char *traffic_op_name(size_t op);

/* The destination of packets on every chip that they reach. */
struct traffic_target {
	uint16_t tile;
	uint32_t address; /* address for the payload */
	uint32_t word;	  /* address of the word that a fused increment increments */
};

/* The condition on which a kernel starts: a word of its own L1 has reached a value. */
struct traffic_start {
	uint32_t word; /* address of the word */
	uint32_t value;
};

/* Returns true if the word has reached the value. For begin() of these kernels. */
bool traffic_started(const struct stage *stage, const struct traffic_start *start);

/* Blocks until the word has reached the value. Returns STAGE_BLOCKED. */
int64_t traffic_wait_for_start(struct stage_wait *wait, const struct traffic_start *start);

/* The route to a kernel on another chip. */
struct traffic_route {
	struct fabric_tree *tree;
	uint16_t tile; /* tile of the kernel */
};

/* Creates a stage that waits for `start`, and then starts the kernels at the ends of `routes` one
 * by one. `count` is at least 1; the array is copied. */
struct stage *traffic_starter_new(const struct firmware *firmware, struct stage_place place,
	const struct traffic_start *start, const struct traffic_route *routes, uint32_t count);

struct traffic_config {
	struct stage_place place;
	struct fabric_tree *const *trees; /* the trees take turns; the array is copied */
	uint32_t tree_count;
	struct traffic_target target;
	enum traffic_op op;
	uint32_t packet_bytes;
	uint32_t packets; /* number of packets along each tree; after them the stage ends */
	uint32_t warmup;  /* number of packets that are sent before the clock starts, 1 to packets -
			   * 1; they are included in `packets` */
	/* number of the operation that the stage marks. It is marked GO when the clock starts, and
	 * WORKERS_DONE when the last packet was handed to the router */
	uint32_t operation;
	struct traffic_start start;
};

struct stage *traffic_sender_new(
	const struct firmware *firmware, const struct traffic_config *config);

/* Configuration of one end of a ping-pong. If `op` increments a word, the other end waits for this
 * word. Otherwise, it waits for the number of the write, which is the last word of the write, so
 * the target must lie in the words of its tile. Sample i has the operation number first_operation +
 * i. The end that asks marks this operation as CALLED and SEEN. The end that answers marks it as
 * RECEIVED and SENT, so the marks show how long its answer took. */
struct ping_config {
	struct stage_place place;
	struct fabric_tree *tree; /* tree to the other end */
	struct traffic_target target;
	enum traffic_op op;	/* any operation except TRAFFIC_SCATTER_WRITE */
	uint32_t payload_bytes; /* a whole number of words, at least one */
	uint32_t samples;
	uint32_t first_operation;
	uint32_t increments;	    /* how often earlier ping-pongs have incremented the word,
				     * which began at 0 */
	bool asks;		    /* true: this end asks; false: it answers */
	struct traffic_start start; /* start condition of the end that asks */
};

struct stage *traffic_ping_new(const struct firmware *firmware, const struct ping_config *config);

#endif
