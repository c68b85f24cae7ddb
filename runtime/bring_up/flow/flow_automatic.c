/* The automatic flow (initialization specification 6.4): agents discover the machine, the manager
 * maps the meshes and has the agents start the fabric before the job, and the launcher asks it for
 * the ranks. There are no files of bindings. */
#include "rows_private.h"

const struct flow_part flow_parts_automatic[] = {
	{FLOW_STEP_DISCOVER, ACTOR_AGENT},
	{FLOW_STEP_HANDSHAKE, ACTOR_AGENT},
	{FLOW_STEP_REPORT, ACTOR_AGENT},
	{FLOW_STEP_COLLECT, ACTOR_MANAGER},
	{FLOW_STEP_REQUEST, ACTOR_LAUNCHER},
	{FLOW_STEP_SERVE, ACTOR_MANAGER},
	{FLOW_STEP_PLACE, ACTOR_MANAGER},
	{FLOW_STEP_PROGRAM_AGENTS, ACTOR_MANAGER},
	{FLOW_STEP_PROGRAM, ACTOR_AGENT},
	{FLOW_STEP_GRANT, ACTOR_MANAGER},
	{FLOW_STEP_SESSION, ACTOR_LAUNCHER},
	{FLOW_STEP_HOLD, ACTOR_MANAGER},
	{FLOW_STEP_LAUNCH, ACTOR_LAUNCHER},
	{FLOW_STEP_OPEN, ACTOR_RANK},
	{FLOW_STEP_DISPATCH, ACTOR_RANK},
	{FLOW_STEP_AWAIT, ACTOR_LAUNCHER},
	{FLOW_STEP_COUNT, ACTOR_COUNT},
};
