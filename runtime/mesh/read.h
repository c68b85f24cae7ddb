/* A read under way: what the records of its lanes are, and where their bytes go on the host. */
#ifndef MESH_READ_H
#define MESH_READ_H

#include "memory/mesh_layout.h"
#include "memory/placement.h"
#include "state.h"

struct read {
	struct command_queue *queue;
	struct device_range range;
	uint32_t operation;
	struct placement placement;
	struct mesh_spread spread;
	bool local;	     /* `data` is one device's part, not the whole buffer */
	uint8_t *data;	     /* host memory of the user */
	uint32_t address;    /* of the buffer on every device */
	uint32_t before;     /* the first event that may be recorded after it */
	uint32_t remaining;  /* lanes whose data are not here; under mesh->completed */
	uint32_t references; /* atomic */
	enum status status;  /* worst so far; under mesh->completed */
};

/* Bytes of one device's record in a completion queue, header and padding included. */
uint64_t read_record_bytes(const struct placement *placement);

/* Takes the lane's next record, which must be this read's, and stores its data. Blocks until all of
 * it is there. On the last lane marks SEEN and wakes who waits for it; gives up one reference. */
void read_receive(struct read *read, struct lane *lane);

/* Gives up a reference. */
void read_release(struct read *read);

#endif
