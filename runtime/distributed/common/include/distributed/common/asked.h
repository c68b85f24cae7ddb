/* Queries of the controller to its executors (QUERY), and the format of the answers (TOLD). */
#ifndef DISTRIBUTED_COMMON_ASKED_H
#define DISTRIBUTED_COMMON_ASKED_H

#include "command/launch.h"
#include "mesh/mesh.h"

/* These numbers are in messages and must not change. */
enum asked {
	ASKED_REST,	/* no data; answered when nothing is under way on the host's machine */
	ASKED_COUNTERS, /* struct mesh_counters */
	ASKED_RESULT,	/* LAUNCH_RESULT_BYTES of a core */
};

/* Words of the counters: two for each number, the lower one first. */
enum { COUNTERS_WORDS = sizeof(struct mesh_counters) / 4 };

_Static_assert(sizeof(struct mesh_counters) % 8 == 0, "counters are of 64 bits");

#endif
