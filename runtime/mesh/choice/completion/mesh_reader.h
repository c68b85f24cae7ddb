/* The reader thread of a mesh (spec 3.9.2), which polls the completion queues of all devices. The
 * thread takes records itself, or lets the pool of host threads, which also sends commands, take
 * the records of reads. */
#ifndef MESH_CHOICE_MESH_READER_H
#define MESH_CHOICE_MESH_READER_H

#include "completion_parts.h"

/* The operations thread_count, start, stop and expect of a readers variant. If the variant has
 * `offloads` set, the reader thread passes the records of reads to the pool of
 * runtime.host.threads. Otherwise the reader thread takes all records itself. */
uint32_t mesh_reader_count(uint32_t devices, uint32_t queues);
void mesh_reader_start(struct mesh_device *mesh);
void mesh_reader_stop(struct mesh_device *mesh);
void mesh_reader_expect(struct lane *lane, struct read *read, uint32_t event);

#endif
