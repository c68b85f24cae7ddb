/* The aggregator (spec 3.8.7.2, 3.11.2), on an initiator: sends the host one notification for an
 * event that all devices of its grid have reached.
 *
 * A gate is where a device's events reach the host's side: in its dispatch_h, or in its dispatcher
 * if the chip has PCIe. It announces an event by writing (event, set of recording devices) to its
 * slot at the aggregator and incrementing one arrival word there, over NoC or fabric. Then it is
 * closed until the aggregator increments its open word, so a device is never two events ahead of
 * the gathered one. The aggregator gathers one generation at a time, the lowest announced event.
 * Once all devices that record it have announced it, the aggregator writes a notification to its
 * queue in host memory and opens their gates. Ids are in order on every device and queue, so every
 * device that records the lowest outstanding event will announce it, even if ranges overlap.
 *
 * Naive: gates never close, announcements are counted in one free-running word, and the host sees
 * only that count. A device that runs ahead makes the host believe in events that others have not
 * reached. */
#ifndef FIRMWARE_COMPLETION_AGGREGATOR_H
#define FIRMWARE_COMPLETION_AGGREGATOR_H

#include "command/completion.h"
#include "firmware/completion/completion.h"
#include "firmware/core/firmware.h"
#include "firmware/core/tile_plan.h"

struct aggregator_layout {
	uint32_t arrival_word, read_word;
	uint32_t slots; /* AGGREGATOR_SLOT_BYTES for each path */
};

enum { AGGREGATOR_SLOT_BYTES = 16 };

/* Allocates words and bytes for an aggregator with `paths` in `plan`. OK or NO_SPACE. */
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
