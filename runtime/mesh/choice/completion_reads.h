/* Reads of event paths without reader threads (spec 3.8.7): data wait in each device's completion
 * queue until somebody synchronizes and takes them. Operations of such rows. */
#ifndef MESH_COMPLETION_READS_H
#define MESH_COMPLETION_READS_H

#include "mesh/queue/job.h"

void reads_start(struct mesh_device *mesh);
void reads_stop(struct mesh_device *mesh);
void reads_expect(struct lane *lane, struct read *read);
void reads_wait(struct read *read);
bool reads_must_wait(struct command_queue *queue, struct device_range range, uint64_t bytes);

/* Takes the data of all reads of a range that come before an event. */
void reads_drain(struct command_queue *queue, struct device_range range, uint32_t event);

#endif
