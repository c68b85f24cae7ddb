/* The frame of every enqueuing call: charges, marks and blocking. */
#ifndef MESH_QUEUE_CALL_H
#define MESH_QUEUE_CALL_H

#include "mesh/queue/job.h"

/* Marks CALLED, RETURNED or SEEN, unless the multi-cluster caller marks them itself. */
void queue_mark(uint32_t operation, enum mark_point point, const struct command_queue *queue);

/* Starts a call: charges it and marks CALLED. */
void queue_called(uint32_t operation, const struct command_queue *queue);

/* Ends a call: if `blocking`, waits until the queue has completed everything so far on the devices
 * of `range`, but of programs only those on these sub-devices (a bit each), and marks SEEN. Marks
 * RETURNED. Returns the status of the wait. */
enum status queue_returned(struct command_queue *queue, struct device_range range,
	uint32_t sub_devices, bool blocking, uint32_t operation);

#endif
