/* The aggregator (spec 3.8.7.2, 3.11.2) runs on an initiator. It sends the host one notification
 * for an event when all devices of the event's grid have reached the event.
 *
 * The events of each device pass a gate. If the chip has PCIe, the gate is part of the device's
 * dispatcher, otherwise of its dispatch_h. To announce an event, the gate writes the event and the
 * set of recording devices to its slot at the aggregator. It then increments an arrival word there,
 * over NoC or fabric. After this, the gate is closed until the aggregator increments the gate's
 * open word. So a device is at most one event ahead of the event that the aggregator gathers.
 *
 * The aggregator gathers one event at a time: the lowest announced event. When all devices that
 * record this event have announced it, the aggregator writes a notification to its queue in host
 * memory and opens the gates of these devices. Event ids increase on every device and queue. So
 * every device that records the lowest outstanding event will announce it, even if device ranges of
 * events overlap.
 *
 * With n generations, a gate is a counting semaphore. It has n slots at the aggregator, and it
 * closes when it has announced n events for which it has not been opened again. The aggregator
 * still gathers the lowest event first. It notifies the host before it opens gates, and one
 * increment opens a gate for half of its generations. So devices can continue while an event is
 * gathered.
 *
 * A row of the mesh may have its own aggregator. It gathers the events of one queue on neighbouring
 * devices of the row. When all recording devices of the row have announced an event, the aggregator
 * of the row announces it to the grid's aggregator. For this it uses the slot of the first device.
 * When the grid's aggregator has gathered the event, it opens this slot; then the aggregator of the
 * row opens the gates of its devices. So a device is at most one event ahead, as without rows. If a
 * row has not announced an event, this does not delay later events of other rows.
 *
 * In the naive variant, gates never close. Announcements are counted in one word, which is never
 * reset, and the host sees only this count. If one device runs ahead, the host mistakes its extra
 * events for events that the other devices have reached. */
#ifndef FIRMWARE_COMPLETION_AGGREGATOR_H
#define FIRMWARE_COMPLETION_AGGREGATOR_H

#include "command/completion.h"
#include "firmware/completion/upstream.h"
#include "firmware/core/firmware.h"
#include "firmware/core/stage.h"

struct aggregator_layout {
	uint32_t arrival_word;
	uint32_t read_word;  /* read word of the notification queue */
	uint32_t open_words; /* aggregator of a row: one open word for each path */
	uint32_t slots;	     /* AGGREGATOR_SLOT_BYTES bytes for each path and generation */
};

enum { AGGREGATOR_SLOT_BYTES = 16, AGGREGATOR_GENERATIONS = 4 };

/* Allocates words and bytes for an aggregator in `plan`. `slots` must be the number of its paths
 * times the number of its generations. `opens` must be the number of paths for the aggregator of a
 * row, and 0 for the grid's aggregator. Returns OK or NO_SPACE. */
enum status aggregator_place(
	struct tile_plan *plan, uint32_t slots, uint32_t opens, struct aggregator_layout *layout);

/* The path by which the events of one queue of a device reach an aggregator. The path begins at the
 * gate of the queue, or at the aggregator of the device's row. The aggregator at its end has one
 * slot for each generation of the path (aggregator_config). */
struct aggregator_path {
	/* position of the device in the mesh, and number of the queue */
	uint8_t row, column, queue;
	bool by_row;   /* the aggregator of a row announces the events of this path */
	uint8_t first; /* column of the first device of the row */
	uint16_t tile; /* tile of the gate, or of the row's aggregator */
	uint32_t open_word;
	struct fabric_tree *backward; /* tree to the gate's chip; NULL: the same chip */
};

/* The slots that the paths of a row's aggregator have at the grid's aggregator. */
struct aggregator_up {
	bool used;
	uint16_t tile;
	uint32_t arrival_word;
	const uint32_t *slots;	     /* [path] slot of the path at the grid's aggregator; copied */
	struct fabric_tree *forward; /* tree to the grid's aggregator; NULL: the same chip */
};

struct aggregator_config {
	struct stage_place place;
	struct aggregator_layout layout;
	bool naive;
	uint8_t generations;	 /* number of generations of its gates */
	struct aggregator_up up; /* used only by the aggregator of a row */
	uint32_t path_count;
	const struct aggregator_path *paths; /* copied */
	struct host_queue host;		     /* the notification queue of the host */
	uint64_t count_word;		     /* naive variant: host address of the count */
};

struct stage *aggregator_new(
	const struct firmware *firmware, const struct aggregator_config *config);

#endif
