/* Small operations without data: events, hand-overs between dispatchers, termination. */
#ifndef MESH_QUEUE_CONTROL_H
#define MESH_QUEUE_CONTROL_H

#include "mesh/queue/job.h"

enum { CONTROL_COMMANDS_MAX = 5 + SUB_DEVICES_MAX };

struct control {
	struct dispatch_command commands[CONTROL_COMMANDS_MAX];
	uint32_t count;
	/* a prefetch command that is sent after the dispatch commands; if its kind is 0, it is not
	 * sent */
	struct prefetch_command prefetch;
	bool unicast; /* sent by unicast, even if the forward path broadcasts */
	/* no other operation is pending, so it does not matter whether these commands are sent as
	 * unicasts or as broadcasts */
	bool any_order;
	bool for_order; /* the operation only keeps unicasts and broadcasts in order */
	bool to_host;	/* the host is notified of `event` */
	uint32_t event;
	uint32_t waits; /* sub-devices that the commands wait for or start, one bit each */
	/* The kind of call as which a trace captures the operation. An operation with
	 * CAPTURED_NOTHING is never captured: it is sent to the devices even while the queue
	 * captures a trace. */
	enum captured captured;
};

/* Sends the commands to every device of the range. The commands take effect in order with all other
 * operations of the queue. */
void control_send(struct command_queue *queue, struct device_range range, uint32_t operation,
	const struct control *control);

/* Appends a command, and returns it. All its members are 0 except for kind and flags. */
struct dispatch_command *control_add(
	struct control *control, enum dispatch_kind kind, uint8_t flags);

/* Appends WAITs for the workers of `sub_devices` (one bit each). The last WAIT also gets `flags`.
 * If `sub_devices` is 0, appends a WAIT with only `flags`, or nothing if `flags` is 0, too. */
void control_add_workers(struct control *control, const struct mesh_device *mesh,
	uint32_t sub_devices, uint8_t flags);

/* Appends the commands with which the dispatchers of `queue` report `event` to the dispatchers of
 * all other queues. */
void control_add_words(struct control *control, const struct command_queue *queue, uint32_t event);

/* Appends the command that waits for `event` of the queue `recorded`. The queue that waits must be
 * another one. */
void control_add_wait(
	struct control *control, const struct command_queue *recorded, uint32_t event);

#endif
