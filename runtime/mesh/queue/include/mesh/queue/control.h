/* Small operations without data: events, hand-overs between dispatchers, termination. */
#ifndef MESH_QUEUE_CONTROL_H
#define MESH_QUEUE_CONTROL_H

#include "mesh/queue/job.h"

enum { CONTROL_COMMANDS_MAX = 5 + SUB_DEVICES_MAX };

struct control {
	struct dispatch_command commands[CONTROL_COMMANDS_MAX];
	uint32_t count;
	struct prefetch_command prefetch; /* sent after the other commands; if its kind is 0,
					   * nothing is sent */
	bool unicast;			  /* sent by unicast, even if the forward path broadcasts */
	bool any_order; /* no other operation is pending, so unicasts and broadcasts need no
			 * order */
	bool for_order; /* the operation only keeps unicasts and broadcasts in order */
	bool to_host;	/* the host is notified of `event` */
	uint32_t event;
	uint32_t waits; /* sub-devices that the commands wait for or start, one bit each */
	/* How a trace counts the operation. If it is CAPTURED_NOTHING, the operation is sent even
	 * while its queue captures a trace. */
	enum captured captured;
};

/* Sends the commands to every device of the range. The commands take effect in order with all other
 * operations of the queue. */
void control_send(struct command_queue *queue, struct device_range range, uint32_t operation,
	const struct control *control);

/* Appends a command, and returns it. All its members are 0 except for kind and flags. */
struct dispatch_command *control_add(
	struct control *control, enum dispatch_kind kind, uint8_t flags);

/* Appends commands that wait for the workers of `sub_devices` (one bit each). The last of these
 * commands also has `flags`. If `sub_devices` is 0, appends one WAIT that has only `flags`. */
void control_add_workers(struct control *control, const struct mesh_device *mesh,
	uint32_t sub_devices, uint8_t flags);

/* Appends the commands with which the dispatchers of `queue` report `event` to the other queues'
 * dispatchers. */
void control_add_words(struct control *control, const struct command_queue *queue, uint32_t event);

/* Appends the command that waits for `event` of the queue `recorded`, which must be another
 * queue. */
void control_add_wait(
	struct control *control, const struct command_queue *recorded, uint32_t event);

#endif
