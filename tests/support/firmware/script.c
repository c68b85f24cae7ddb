/* Scripted stages (see script.h). */
#include "script.h"

#include <string.h>

#include "check.h"

#define SCRIPT_PATIENCE_NS INT64_C(60000000000)

static bool is_met(const struct script *script, const struct action *action)
{
	const struct stage *stage = &script->stage;
	uint32_t value = action->value + script->round;

	switch (action->on) {
	case STAGE_WAIT_WORD:
		return (int32_t)(device_row->word(stage, action->address) - value) >= 0;
	case STAGE_WAIT_READS:
		return (int32_t)(stage->reads_done - action->value) >= 0;
	case STAGE_WAIT_WRITES:
		return (int32_t)(stage->writes_done - action->value) >= 0;
	case STAGE_WAIT_FABRIC:
		return device_row->fabric_ready(stage, script->tree);
	case STAGE_WAIT_TILE:
		break;
	}
	return action->met == NULL || action->met(script);
}

static int64_t script_begin(struct stage *stage, struct stage_wait *wait)
{
	struct script *script = (struct script *)stage;
	const struct action *action = &script->actions[script->at];
	enum stage_wait_on on;

	script->asked++;
	if (script->at == script->action_count) {
		if (script->ends) {
			script->asked_after_end++;
			return STAGE_ENDED;
		}
		*wait = (struct stage_wait){
			.on = STAGE_WAIT_TILE, .idle = true, .what = "the end of the test"};
		return STAGE_BLOCKED;
	}
	on = action->on;
	if (is_met(script, action)) {
		if (!action->sends || device_row->fabric_ready(stage, script->tree))
			return script->cost;
		on = STAGE_WAIT_FABRIC;
	}
	*wait = (struct stage_wait){
		.on = on,
		.idle = script->idle,
		.address = action->address,
		.value = action->value + (on == STAGE_WAIT_WORD ? script->round : 0),
		.fabric = script->tree,
		.range = action->range,
		.range_bytes = action->range_bytes,
		.no_writes = action->no_writes,
		.what = "the condition of an action",
	};
	return STAGE_BLOCKED;
}

static void script_commit(struct stage *stage)
{
	struct script *script = (struct script *)stage;
	const struct action *action = &script->actions[script->at];

	if (action->run != NULL)
		action->run(script);
	script->round++;
	if (script->round >= action->repeat) {
		script->round = 0;
		script->at++;
	}
}

static const struct stage_ops script_ops = {
	.name = "script",
	.begin = script_begin,
	.commit = script_commit,
};

void script_init(struct script *script, struct device *device, uint16_t tile,
	const struct action *actions, uint32_t action_count)
{
	memset(script, 0, sizeof(*script));
	script->stage.ops = &script_ops;
	script->stage.device = device;
	script->stage.tile = tile;
	script->actions = actions;
	script->action_count = action_count;
	script->cost = 10;
}

void script_start(struct script *script)
{
	device_row->stage_start(script->stage.device, &script->stage);
}

const struct chip_geometry *script_geometry(const struct script *script)
{
	struct cluster *cluster = device_row->cluster_of(script->stage.device);

	return device_row->info(cluster)->chips[0].geometry;
}

uint16_t script_worker(struct cluster *cluster, uint32_t index)
{
	return device_row->info(cluster)->chips[0].geometry->worker_tiles[index];
}

void script_drain(struct cluster *cluster)
{
	check_status(device_row->drain(cluster, world->now_ns() + SCRIPT_PATIENCE_NS), STATUS_OK);
}
