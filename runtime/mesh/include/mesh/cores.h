/* A set of cores of a device: of a kernel, a circular buffer, a semaphore (mesh/program.h) or a
 * sub-device (mesh/sub_device.h). The functions that receive a set check that its cores exist. */
#ifndef MESH_CORES_H
#define MESH_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "world/device.h"

/* Which workers belong to the set. */
enum cores_kind {
	CORES_ALL,	 /* the whole worker grid */
	CORES_RECTANGLE, /* rect */
	CORES_COUNT	 /* the first `count` in row-major order */
};

/* With `parts` above 1 the set's columns are divided into that many runs of equal width (or as
 * nearly equal as possible), and only run number `part` is meant. */
struct cores {
	enum cores_kind kind;
	struct worker_rect rect;
	uint32_t count;
	bool ethernet; /* Ethernet cores of the device, in place of its workers; no rectangles */
	uint16_t part, parts;
};

#endif
