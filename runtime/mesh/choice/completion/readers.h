/* What reader threads take out of completion queues, and how; which thread takes it is for a row of
 * runtime.host.readers. */
#ifndef MESH_CHOICE_COMPLETION_READERS_H
#define MESH_CHOICE_COMPLETION_READERS_H

#include "mesh/device/device.h"

/* The next records of a lane. */
struct expectation {
	struct lane *lane;
	struct read *read; /* NULL: an event */
	uint32_t event;
};

/* Takes them; blocks until they are there. Wakes who waits for them. */
void expectation_take(const struct expectation *expectation);

#endif
