/* The parts of each flow, from the files flow_NAME.c. */
#ifndef FLOW_ROWS_PRIVATE_H
#define FLOW_ROWS_PRIVATE_H

#include "bring_up/flow.h"

#define X(name, word, ...) extern const struct flow_part flow_parts_##word[];
#include "bring_up/flows.def"
#undef X

/* Returns true if an actor of this kind has a part in the flow. */
bool flow_has_actor(enum flow_kind kind, enum flow_actor actor);

#endif
