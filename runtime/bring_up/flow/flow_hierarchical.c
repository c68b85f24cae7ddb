/* The hierarchical flow (initialization specification 4): files as in the manual flow, but control
 * planes map all meshes together, with the links between them. The constraint of 4.2 holds: logical
 * mesh i is placed on the chips of the ranks whose bindings name mesh i. */
#include "rows_private.h"

const struct flow_part flow_parts_hierarchical[] = {
	{FLOW_STEP_READ_FILES, ACTOR_LAUNCHER},
	{FLOW_STEP_LAUNCH, ACTOR_LAUNCHER},
	{FLOW_STEP_OPEN, ACTOR_RANK},
	{FLOW_STEP_CHECK, ACTOR_RANK},
	{FLOW_STEP_DISCOVER, ACTOR_RANK},
	{FLOW_STEP_HANDSHAKE, ACTOR_RANK},
	{FLOW_STEP_EXCHANGE, ACTOR_RANK},
	{FLOW_STEP_MAP_ALL, ACTOR_RANK},
	{FLOW_STEP_PROGRAM, ACTOR_RANK},
	{FLOW_STEP_START, ACTOR_RANK},
	{FLOW_STEP_DISPATCH, ACTOR_RANK},
	{FLOW_STEP_AWAIT, ACTOR_LAUNCHER},
	{FLOW_STEP_COUNT, ACTOR_COUNT},
};
