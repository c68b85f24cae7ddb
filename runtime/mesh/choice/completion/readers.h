/* Expected records of completion queues, and how reader threads take them. A row of
 * runtime.host.readers assigns them to threads. */
#ifndef MESH_CHOICE_COMPLETION_READERS_H
#define MESH_CHOICE_COMPLETION_READERS_H

#include "mesh/device/device.h"

/* The next records of a lane. */
struct expectation {
	struct lane *lane;
	struct read *read; /* NULL: an event */
	uint32_t event;
};

/* Takes the records, blocking until they have arrived, and wakes waiting threads. */
void expectation_take(const struct expectation *expectation);

#endif
