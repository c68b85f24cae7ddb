/* dispatch_h (spec 3.8.1, 3.8.7): on a gateway, writes the event words and the completion queue of
 * a chip without PCIe. Malformed records are a fault, and the stage halts. */
#ifndef FIRMWARE_COMPLETION_DISPATCH_H_H
#define FIRMWARE_COMPLETION_DISPATCH_H_H

#include "firmware/completion/completion.h"
#include "firmware/core/firmware.h"
#include "firmware/core/tile_plan.h"
#include "firmware/link/link.h"

struct dispatch_h_layout {
	uint32_t ring; /* limits.dispatch_h_ring_bytes */
	uint32_t arrival_word;
	uint32_t read_word;
	uint32_t open_word; /* of the gate */
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
