/* Where marks go: a sink that the harness provides to both worlds. */
#ifndef WORLD_RECORDER_H
#define WORLD_RECORDER_H

#include <stdint.h>

#include "world/world.h"

struct recorder {
	void *context;
	/* One mark. `time_ps` since the start of the world. Natively it is called from several
	 * threads at once and has to be safe; it must not block on the world. */
	void (*mark)(void *context, int64_t time_ps, uint32_t operation, enum mark_point point,
		uint32_t chip);
};

#endif
