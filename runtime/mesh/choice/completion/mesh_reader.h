/* The reader thread of a mesh (spec 3.9.2), which polls the completion queues of all devices. It
 * takes the records itself, or hands those with data to the pool that also dispatches. */
#ifndef MESH_CHOICE_MESH_READER_H
#define MESH_CHOICE_MESH_READER_H

#include "completion_parts.h"

/* The thread_count, start, stop and expect operations of readers. A thread that `offloads` hands
 * the records of reads to the pool of runtime.host.threads. If there is none, it takes them itself.
 */
uint32_t mesh_reader_count(uint32_t devices, uint32_t queues);
void mesh_reader_start(struct mesh_device *mesh);
void mesh_reader_stop(struct mesh_device *mesh);
void mesh_reader_expect(struct lane *lane, struct read *read, uint32_t event);

#endif
