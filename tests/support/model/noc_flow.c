/* NoC flows for tests (see noc_flow.h). */
#include "noc_flow.h"

#include "check.h"

enum { WORD = 0x40 };

static void send_all(struct script *script)
{
	struct flow *flow = script->data;
	struct span span = span_of(extent_new_elided(flow->bytes));

	for (uint32_t i = 0; i < FLOW_WRITES; i++)
		device_row->noc_write(&script->stage, flow->tile, FLOW_AT, span);
	device_row->noc_increment(&script->stage, flow->tile, WORD, 1);
	check_equal(script->stage.writes_posted, FLOW_WRITES + 1);
	span_release(span);
}

static void note_time(struct script *script)
{
	struct flow *flow = script->data;

	flow->took_ps = engine_now() - flow->began_ps;
}

void flow_start(struct cluster *cluster, struct flow *flow)
{
	static const struct action send[] = {{.run = send_all}};
	static const struct action wait[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD, .value = 1, .run = note_time}};
	struct device *chip = device_row->chip(cluster, 0);
	const uint16_t *workers = device_row->info(cluster)->chips[0].geometry->worker_tiles;

	flow->tile = workers[flow->to];
	flow->began_ps = engine_now();
	if (flow->bytes == 0)
		flow->bytes = FLOW_BYTES;
	SCRIPT_INIT(&flow->receiver, chip, flow->tile, wait);
	SCRIPT_INIT(&flow->sender, chip, workers[flow->from], send);
	flow->sender.stage.noc = flow->noc;
	flow->sender.cost = flow->receiver.cost = 0;
	flow->receiver.idle = true;
	flow->sender.data = flow->receiver.data = flow;
	script_start(&flow->receiver);
	script_start(&flow->sender);
}

int64_t flow_path_ps(struct cluster *cluster, const struct flow *flow)
{
	const uint16_t *workers = device_row->info(cluster)->chips[0].geometry->worker_tiles;

	return sim_chip_path_ps(cluster, workers[flow->from], workers[flow->to]);
}

void flows_run(struct cluster *cluster, struct flow *flows, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		flow_start(cluster, &flows[i]);
	sim_chip_drain(cluster);
}
