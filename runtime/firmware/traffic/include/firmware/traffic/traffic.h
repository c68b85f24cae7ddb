/* Kernels that measure the fabric, as stages on worker tiles: a sender of a stream of packets, the
 * two ends of a ping-pong, and a starter for kernels on chips that the host cannot reach directly.
 * They are part of workloads; the runtime does not use them. */
#ifndef FIRMWARE_TRAFFIC_TRAFFIC_H
#define FIRMWARE_TRAFFIC_TRAFFIC_H

#include <stdbool.h>

#include "firmware/core/firmware.h"

/* The operation of a packet at each receiver. */
enum traffic_op {
	TRAFFIC_WRITE,		  /* writes its payload */
	TRAFFIC_FUSED_ATOMIC_INC, /* writes its payload, then increments a word */
	TRAFFIC_SCATTER_WRITE,	  /* writes one half to each of two places */
	TRAFFIC_OP_COUNT
};

/* Returns a name such as "write", or NULL after the last operation. */
const char *traffic_op_name(size_t op);

/* Destination of packets on every chip that they reach. */
struct traffic_target {
	uint16_t tile;
	uint32_t address; /* of the payload */
	uint32_t word;	  /* the word that fused increments increment */
};

/* The start condition of a kernel: a word of its own L1 has reached a value. */
struct traffic_start {
	uint32_t word; /* address */
	uint32_t value;
};

/* True if the word has reached the value. For begin() of these kernels. */
bool traffic_started(const struct stage *stage, const struct traffic_start *start);

/* Blocks until the word has reached the value. Returns STAGE_BLOCKED. */
int64_t traffic_wait_for_start(struct stage_wait *wait, const struct traffic_start *start);

/* The route to a kernel on another chip. */
struct traffic_route {
	struct fabric_tree *tree;
	uint16_t tile; /* of the kernel */
};

/* Creates a stage that waits for `start`, and then starts the kernels at the ends of `routes`, one
 * by one. `count` is at least 1; the array is copied. */
struct stage *traffic_starter_new(const struct firmware *firmware, struct stage_place place,
	const struct traffic_start *start, const struct traffic_route *routes, uint32_t count);

struct traffic_config {
	struct stage_place place;
	struct fabric_tree *const *trees; /* used in turns; the array is copied */
	uint32_t tree_count;
	struct traffic_target target;
	enum traffic_op op;
	uint32_t packet_bytes;
	uint32_t packets; /* along each tree; then the stage ends */
	uint32_t warmup;  /* number of `packets` sent before the clock starts; 1 to packets - 1 */
	/* number of the operation that the stage marks: it records GO when the clock starts, and
	 * WORKERS_DONE when the last packet has been handed over */
	uint32_t operation;
	struct traffic_start start;
};

struct stage *traffic_sender_new(
	const struct firmware *firmware, const struct traffic_config *config);

/* Configuration of one end of a ping-pong. Each write carries its number in its last word, and the
 * other end waits for that number; so the target must lie in the words of its tile. If `op`
 * increments a word, the other end waits for that word instead. Sample i has operation
 * first_operation + i. The end that asks marks this operation as CALLED and SEEN. The end that
 * answers marks it as RECEIVED and SENT; the time between these two marks is spent in that end
 * itself. */
struct ping_config {
	struct stage_place place;
	struct fabric_tree *tree; /* to the other end */
	struct traffic_target target;
	enum traffic_op op;	/* no scatter */
	uint32_t payload_bytes; /* whole words, at least one */
	uint32_t samples;
	uint32_t first_operation;
	uint32_t increments;	    /* increments of the word so far; it began as 0 */
	bool asks;		    /* false: answers */
	struct traffic_start start; /* of the end that asks */
};

struct stage *traffic_ping_new(const struct firmware *firmware, const struct ping_config *config);

#endif
