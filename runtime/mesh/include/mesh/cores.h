/* Which cores of a device are meant: of a kernel, a circular buffer, a semaphore (mesh/program.h)
 * or a sub-device (mesh/sub_device.h). Names them only; the mesh says whether they are there. */
#ifndef MESH_CORES_H
#define MESH_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "world/device.h"

/* Which workers of a device. */
enum cores_kind {
	CORES_ALL,	 /* the whole worker grid */
	CORES_RECTANGLE, /* rect */
	CORES_COUNT	 /* the first `count` in row-major order */
};

/* With `parts` above 1 only one of them: the set's columns are divided into that many runs of equal
 * width (as nearly as they divide), of which this is number `part`. */
struct cores {
	enum cores_kind kind;
	struct worker_rect rect;
	uint32_t count;
	bool ethernet; /* of the device's Ethernet cores, in place of its workers; no rectangles */
	uint16_t part, parts;
};

#endif
