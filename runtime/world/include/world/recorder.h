/* Receives marks: a sink that the harness provides to both worlds. */
#ifndef WORLD_RECORDER_H
#define WORLD_RECORDER_H

#include <stdint.h>

#include "world/world.h"

struct recorder {
	void *context;
	/* Records one mark. `time_ps` is since the start of the world. In the native world several
	 * threads call it at once, so it must be thread-safe; it must not block on the world. */
	void (*mark)(void *context, int64_t time_ps, uint32_t operation, enum mark_point point,
		uint32_t chip);
};

#endif
