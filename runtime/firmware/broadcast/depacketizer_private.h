/* Internal structures of the depacketizer. Private to the room. */
#ifndef FIRMWARE_BROADCAST_DEPACKETIZER_PRIVATE_H
#define FIRMWARE_BROADCAST_DEPACKETIZER_PRIVATE_H

#include "broadcast_private.h"

/* A byte ring in DRAM, and the scratch in L1 through which its bytes are read back. */
struct spill {
	uint32_t bytes; /* of the buffer */
	uint32_t head, tail, used;
	uint32_t read;	 /* bytes in scratch, or being read into it */
	uint32_t passed; /* of these, forwarded */
	uint32_t reads;	 /* stage.reads_posted after the read */
	uint32_t chunk;	 /* of the next commit */
};

struct depacketizer {
	struct stage_base base;
	struct depacketizer_config config;
	struct ring landing;
	struct link_sender output;
	struct spill spill;
	struct depacketizer_counters counters;
	uint32_t taken[PREFETCH_TREES_MAX]; /* units along each tree since the start */
	uint32_t trees_seen;
	uint32_t position; /* units of segments passed since the start */
	uint32_t owed;	   /* units to return as credit */
	uint32_t told;	   /* last returned position */
	/* the current segment */
	bool active, member;
	struct segment segment;
	uint32_t left; /* bytes of its data */
	/* of the next commit */
	struct segment next;
	uint32_t chunk;
};

static inline struct depacketizer *depacketizer_of(struct stage_base *base)
{
	return (struct depacketizer *)base;
}

/* ---- spill.c ---- */

void spill_init(struct depacketizer *depacketizer);

/* True if the buffer and its scratch are empty. */
bool spill_empty(const struct depacketizer *depacketizer);

/* True if reading back only waits for writes to be acknowledged. Until then nothing more is
 * written; otherwise reading could be delayed for ever. */
bool spill_settles(const struct depacketizer *depacketizer);

/* Bytes that can be written in one piece now. */
uint32_t spill_room(const struct depacketizer *depacketizer);

/* Appends to the buffer. In commit. */
void spill_write(struct depacketizer *depacketizer, struct span span);

/* Reads bytes back and forwards them: returns a cost, or STAGE_BLOCKED without filling *wait. */
int64_t spill_begin(struct depacketizer *depacketizer);

#endif
