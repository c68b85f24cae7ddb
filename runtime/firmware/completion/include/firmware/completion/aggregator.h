/* The aggregator (spec 3.8.7.2, 3.11.2), on an initiator: one notification to the host for what all
 * devices of its grid have reached.
 *
 * A gate stands where a device's events reach the host's side: in its dispatch_h, or in its
 * dispatcher where the chip has PCIe. It announces an event by writing (event, who records it) to
 * its slot at the aggregator and incrementing one arrival word there, over NoC or fabric, and is
 * closed until the aggregator increments its open word. So a device is never two events ahead of
 * what was gathered. The aggregator gathers one generation at a time, the lowest event announced;
 * once all devices that record it have announced it, it writes a notification to its queue in host
 * memory and opens their gates. Ids are in order on every device and queue, so whoever records the
 * lowest outstanding event comes to announce it, whatever ranges overlap.
 *
 * Naive: gates never close, announcements are counted in one free-running word, and that count is
 * what the host sees. A device that runs ahead makes it believe in events that others have not
 * reached. */
#ifndef FIRMWARE_COMPLETION_AGGREGATOR_H
#define FIRMWARE_COMPLETION_AGGREGATOR_H

#include "command/gather.h"
#include "firmware/completion/completion.h"
#include "firmware/core/firmware.h"
#include "firmware/core/tile_plan.h"

struct aggregator_layout {
	uint32_t arrival_word, read_word;
	uint32_t slots; /* AGGREGATOR_SLOT_BYTES for each path */
};

enum { AGGREGATOR_SLOT_BYTES = 16 };

/* Takes words and bytes for an aggregator with `paths` from `plan`. OK or NO_SPACE. */
enum status aggregator_place(
	struct tile_plan *plan, uint32_t paths, struct aggregator_layout *layout);

/* A device's queue: the gate of one slot. */
struct aggregator_path {
	uint8_t row, column, queue; /* of the device in the mesh */
	uint16_t tile;		    /* of the gate */
	uint32_t open_word;
	struct fabric_tree *backward; /* to the gate's chip; NULL: the same chip */
};

struct aggregator_config {
	struct stage_place place;
	struct aggregator_layout layout;
	bool naive;
	uint32_t path_count;
	const struct aggregator_path *paths; /* copied */
	struct host_queue host;		     /* notification queue */
	uint64_t count_word;		     /* naive: host address of the count */
};

struct stage *aggregator_new(
	const struct firmware *firmware, const struct aggregator_config *config);

#endif
