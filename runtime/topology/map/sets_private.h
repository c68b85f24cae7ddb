/* Sets of chips while they are made from groupings. Private to the room. */
#ifndef TOPOLOGY_SETS_PRIVATE_H
#define TOPOLOGY_SETS_PRIVATE_H

#include "topology/groupings.h"

enum { SETS_SLOTS = 4 * GROUPING_SETS_MAX };

struct set {
	const uint32_t *chips; /* rising */
	uint32_t count;
};

/* No two sets have the same chips. */
struct sets {
	struct set *at;
	uint64_t *keys;
	uint32_t count;
	bool cut; /* some were left out */
};

/* Adds a set; false if it is known, or one too many. */
bool sets_add(struct sets *sets, struct arena *arena, const uint32_t *chips, uint32_t count);

/* sets_patterns.c: all sets that groupings of a type can form on a machine. */
const struct sets *sets_of_type(const struct groupings *groupings, const struct machine *machine,
	const char *type, struct arena *arena);

#endif
