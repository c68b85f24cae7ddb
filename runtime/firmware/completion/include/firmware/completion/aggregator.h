/* The aggregator (spec 3.8.7.2, 3.11.2) runs on an initiator. It sends the host one notification
 * for an event when all devices of the event's grid have reached the event.
 *
 * The events of each device pass a gate: the device's dispatcher if the chip has PCIe, otherwise
 * its dispatch_h. To announce an event, the gate writes (event, set of recording devices) to its
 * slot at the aggregator, and increments an arrival word there, over NoC or fabric. Then the gate
 * is closed until the aggregator increments the gate's open word. So a device is never two events
 * ahead of the event that the aggregator gathers.
 *
 * The aggregator gathers one event at a time: the lowest announced event. Once all devices that
 * record this event have announced it, the aggregator writes a notification to its queue in host
 * memory and opens their gates. Event ids increase on every device and queue. So every device that
 * records the lowest outstanding event will announce it, even if device ranges of events overlap.
 *
 * In the naive variant, gates never close. Announcements are counted in one free-running word, and
 * the host sees only that count. If one device runs ahead, the host takes its extra events for
 * events that the other devices have reached. */
#ifndef FIRMWARE_COMPLETION_AGGREGATOR_H
#define FIRMWARE_COMPLETION_AGGREGATOR_H

#include "command/completion.h"
#include "firmware/completion/upstream.h"
#include "firmware/core/firmware.h"
#include "firmware/core/tile_plan.h"

struct aggregator_layout {
	uint32_t arrival_word, read_word;
	uint32_t slots; /* AGGREGATOR_SLOT_BYTES for each path */
};

enum { AGGREGATOR_SLOT_BYTES = 16 };

/* Allocates words and bytes for an aggregator with `paths` in `plan`. Returns OK or NO_SPACE. */
enum status aggregator_place(
	struct tile_plan *plan, uint32_t paths, struct aggregator_layout *layout);

/* The gate of one queue of a device. It has one slot at the aggregator. */
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
