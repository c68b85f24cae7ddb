/* Kernels that measure the fabric, on worker tiles, as stages: a sender of a stream of packets, the
 * two ends of a ping-pong, and who starts those on chips that the host cannot reach itself. They
 * are workload: no protocol of the runtime goes through them. */
#ifndef FIRMWARE_TRAFFIC_TRAFFIC_H
#define FIRMWARE_TRAFFIC_TRAFFIC_H

#include <stdbool.h>

#include "firmware/core/firmware.h"

/* What each packet does at every receiver. */
enum traffic_op {
	TRAFFIC_WRITE,		  /* writes its payload */
	TRAFFIC_FUSED_ATOMIC_INC, /* and then increments a word */
	TRAFFIC_SCATTER_WRITE,	  /* writes one half to each of two places */
	TRAFFIC_OP_COUNT
};

/* "write" and the like; NULL behind the last. */
const char *traffic_op_name(size_t op);

/* Where packets go to on every chip that they reach. */
struct traffic_target {
	uint16_t tile;
	uint32_t address; /* of the payload */
	uint32_t word;	  /* that fused increments go to */
};

/* A kernel waits until this word of its own L1 has reached the value. */
struct traffic_start {
	uint32_t word; /* address */
	uint32_t value;
};

/* True if the stage's word says so. For begin() of the kernels here. */
bool traffic_started(const struct stage *stage, const struct traffic_start *start);

/* Blocks until then: what begin() returns. */
int64_t traffic_wait_for_start(struct stage_wait *wait, const struct traffic_start *start);

/* To a kernel on another chip. */
struct traffic_route {
	struct fabric_tree *tree;
	uint16_t tile; /* its own */
};

/* A stage that waits for `start` itself and then starts the kernels at the end of `routes` (copied;
 * one or more), one behind the other. */
struct stage *traffic_starter_new(const struct firmware *firmware, struct stage_place place,
	const struct traffic_start *start, const struct traffic_route *routes, uint32_t count);

struct traffic_config {
	struct stage_place place;
	struct fabric_tree *const *trees; /* in turns, but past full routers; copied */
	uint32_t tree_count;
	struct traffic_target target;
	enum traffic_op op;
	uint32_t packet_bytes;
	uint32_t packets; /* along each tree; then the stage ends */
	uint32_t warmup;  /* of these, how many before the clock starts; 1 to packets - 1 */
	/* Marks of this operation: GO when the clock starts, WORKERS_DONE when the last packet has
	 * been handed over. */
	uint32_t operation;
	struct traffic_start start;
};

struct stage *traffic_sender_new(
	const struct firmware *firmware, const struct traffic_config *config);

/* One end of a ping-pong. A write's last word is its number, which the other end waits for: so
 * `address` lies in the words of the tile; a fused increment is waited for itself. Marks, of
 * operation first_operation + sample: the asking end CALLED and SEEN, the other one RECEIVED and
 * SENT, between which is the responder's own time. */
struct ping_config {
	struct stage_place place;
	struct fabric_tree *tree; /* to the other end */
	struct traffic_target target;
	enum traffic_op op;	/* no scatter */
	uint32_t payload_bytes; /* whole words, at least one */
	uint32_t samples;
	uint32_t first_operation;
	uint32_t increments;	    /* that the word has had so far; it began as 0 */
	bool asks;		    /* false: answers */
	struct traffic_start start; /* of the end that asks */
};

struct stage *traffic_ping_new(const struct firmware *firmware, const struct ping_config *config);

#endif
