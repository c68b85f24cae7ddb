/* Reads of event paths without reader threads (spec 3.8.7): data wait in each device's completion
 * queue until a synchronizing call takes them. */
#ifndef MESH_CHOICE_COMPLETION_READS_H
#define MESH_CHOICE_COMPLETION_READS_H

#include "mesh/device/device.h"

extern const struct read_ops reads_when_synchronized;

/* Takes the data of all reads of a range that come before an event. */
void reads_drain(struct command_queue *queue, struct device_range range, uint32_t event);

#endif
