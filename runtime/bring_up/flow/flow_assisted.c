/* The assisted flow (initialization specification 5.4): a manager maps the meshes by the descriptor
 * of the machine that it was given, and writes the files. The launch is that of the hierarchical
 * flow. */
#include "rows_private.h"

const struct flow_part flow_parts_assisted[] = {
	{FLOW_STEP_REQUEST, ACTOR_LAUNCHER},
	{FLOW_STEP_SERVE, ACTOR_MANAGER},
	{FLOW_STEP_PLACE, ACTOR_MANAGER},
	{FLOW_STEP_GENERATE, ACTOR_MANAGER},
	{FLOW_STEP_GRANT, ACTOR_MANAGER},
	{FLOW_STEP_RETRIEVE, ACTOR_LAUNCHER},
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
