/* The manual flow (initialization specification 3.3): the user's files say which rank has which
 * chips, and no step compares the links between meshes with the mesh graph descriptor. */
#include "rows_private.h"

const struct flow_part flow_parts_manual[] = {
	{FLOW_STEP_READ_FILES, ACTOR_LAUNCHER},
	{FLOW_STEP_LAUNCH, ACTOR_LAUNCHER},
	{FLOW_STEP_OPEN, ACTOR_RANK},
	{FLOW_STEP_DISCOVER, ACTOR_RANK},
	{FLOW_STEP_HANDSHAKE, ACTOR_RANK},
	{FLOW_STEP_EXCHANGE, ACTOR_RANK},
	{FLOW_STEP_MAP_MESH, ACTOR_RANK},
	{FLOW_STEP_PROGRAM, ACTOR_RANK},
	{FLOW_STEP_START, ACTOR_RANK},
	{FLOW_STEP_DISPATCH, ACTOR_RANK},
	{FLOW_STEP_AWAIT, ACTOR_LAUNCHER},
	{FLOW_STEP_COUNT, ACTOR_COUNT},
};
