/* Configuration of a stage's path to the host: the completion queue in host memory, and the gate if
 * an aggregator gathers events. */
#ifndef FIRMWARE_COMPLETION_COMPLETION_H
#define FIRMWARE_COMPLETION_COMPLETION_H

#include <stdbool.h>
#include <stdint.h>

struct fabric_tree;

/* The device's side of a completion queue (command/completion.h). */
struct host_queue {
	uint64_t ring; /* host address */
	uint32_t ring_bytes;
	uint64_t write_word; /* host address */
	uint32_t read_word;  /* own tile: posted by the host */
};

/* The gate to an aggregator (firmware/completion/aggregator.h) of a dispatcher or dispatch_h. */
struct gate_config {
	bool used, naive;
	uint16_t tile; /* of the aggregator */
	uint32_t slot, arrival_word;
	struct fabric_tree *forward; /* to the aggregator's chip; NULL: same chip */
	uint32_t open_word;	     /* own tile */
};

#endif
