/* The frame of every enqueuing call: charges, marks, and blocking. */
#ifndef MESH_QUEUE_CALL_H
#define MESH_QUEUE_CALL_H

#include "mesh/queue/job.h"

/* Marks CALLED, RETURNED or SEEN, unless who calls for all clusters does. */
void queue_mark(uint32_t operation, enum mark_point point, const struct command_queue *queue);

/* On entry of a call: charges it and marks CALLED. */
void queue_called(uint32_t operation, const struct command_queue *queue);

/* On return: if `blocking`, waits until the queue has done everything so far on the devices of
 * `range`, programs on these sub-devices (a bit each) among it and no others, and marks SEEN. Marks
 * RETURNED. OK. */
enum status queue_returned(struct command_queue *queue, struct device_range range,
	uint32_t sub_devices, bool blocking, uint32_t operation);

#endif
