/* What a controller asks of its executors (QUERY), and how the answer (TOLD) is written. */
#ifndef DISTRIBUTED_COMMON_ASKED_H
#define DISTRIBUTED_COMMON_ASKED_H

#include "command/launch.h"
#include "mesh/mesh.h"

/* Numbers stand in messages: they never change. */
enum asked {
	ASKED_REST,	/* nothing; answered when nothing is under way on the host's machine */
	ASKED_COUNTERS, /* struct mesh_counters */
	ASKED_RESULT,	/* LAUNCH_RESULT_BYTES of a core */
};

/* Words of the counters: two for each of its numbers, the lower first. */
enum { COUNTERS_WORDS = sizeof(struct mesh_counters) / 4 };

_Static_assert(sizeof(struct mesh_counters) % 8 == 0, "counters are of 64 bits");

#endif
