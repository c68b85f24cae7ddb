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
 * With several generations, a gate is a counting semaphore: it has a slot for each of so many
 * events, and closes when it is so many ahead of its openings. The aggregator still gathers the
 * lowest event first. It notifies the host before it opens gates, and opens a gate for half of its
 * generations with one increment. So devices go on while an event is gathered.
 *
 * The aggregator of a row gathers the events of one queue on neighbouring devices of a row of the
 * mesh. When all of them that record an event have announced it, it announces the event in the slot
 * that its first device has at the grid's aggregator. The grid's aggregator opens this slot when
 * the event is gathered, and then the row's opens the gates of its devices. So no device is ever
 * two events ahead, as without rows, and an event that one row lacks holds no later event of
 * another.
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
	uint32_t arrival_word;
	uint32_t read_word;  /* of the notification queue */
	uint32_t open_words; /* of a row: one for each path */
	uint32_t slots;	     /* AGGREGATOR_SLOT_BYTES for each path and generation */
};

enum { AGGREGATOR_SLOT_BYTES = 16, AGGREGATOR_GENERATIONS = 4 };

/* Allocates words and bytes for an aggregator with `slots` slots, which are its paths times its
 * generations, in `plan`. If it is that of a row, `opens` is the number of its paths, else 0.
 * Returns OK or NO_SPACE. */
enum status aggregator_place(
	struct tile_plan *plan, uint32_t slots, uint32_t opens, struct aggregator_layout *layout);

/* The gate of one queue of a device. It has one slot at the aggregator for each generation. */
struct aggregator_path {
	uint8_t row, column, queue; /* of the device in the mesh */
	bool by_row;		    /* announced by the aggregator of a row */
	uint8_t first;		    /* column of the first device of this row */
	uint16_t tile;		    /* of the gate, or of the row's aggregator */
	uint32_t open_word;
	struct fabric_tree *backward; /* to the gate's chip; NULL: the same chip */
};

/* The slots that the paths of a row's aggregator have at the grid's aggregator. */
struct aggregator_up {
	bool used;
	uint16_t tile;
	uint32_t arrival_word;
	const uint32_t *slots;	     /* by path; copied */
	struct fabric_tree *forward; /* NULL: same chip */
};

struct aggregator_config {
	struct stage_place place;
	struct aggregator_layout layout;
	bool naive;
	uint8_t generations;	 /* of its gates */
	struct aggregator_up up; /* if it is that of a row */
	uint32_t path_count;
	const struct aggregator_path *paths; /* copied */
	struct host_queue host;		     /* notification queue */
	uint64_t count_word;		     /* naive: host address of the count */
};

struct stage *aggregator_new(
	const struct firmware *firmware, const struct aggregator_config *config);

#endif
