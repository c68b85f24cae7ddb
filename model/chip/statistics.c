/* Copies the counters of the model into the structs of sim_device.h. */
#include <string.h>

#include "chip/fabric/fabric.h"
#include "chip/machine/cluster.h"
#include "chip/noc/links.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

uint32_t sim_link_count(const struct cluster *cluster)
{
	return cluster->first == 0 ? cluster->fabric->link_count : 0;
}

/* Returns how long the router's processors will still be busy. Work is counted with its whole time
 * when it begins, so the caller subtracts the time that has not passed yet. */
static int64_t still_busy_ps(const struct link_end *end)
{
	int64_t sum_ps = 0;

	for (size_t i = 0; i < ROUTER_WORK_COUNT; i++)
		if (end->processors[i].busy_until_ps > engine_now())
			sum_ps += end->processors[i].busy_until_ps - engine_now();
	return sum_ps;
}

void sim_link_statistics(
	const struct cluster *cluster, uint32_t index, struct sim_link_statistics *statistics)
{
	const struct link *link;

	ensure(index < cluster->fabric->link_count, "link %u of %u", index,
		cluster->fabric->link_count);
	link = &cluster->fabric->links[index];
	*statistics = (struct sim_link_statistics){
		.from = link->from,
		.to = link->to,
		.index = link->index,
		.packets = link->packets,
		.payload_bytes = link->payload_bytes,
		.wire_bytes = link->wire.bytes,
		.busy_ps = link->wire.busy_ps,
		/* mean over its processors */
		.processor_ps = (link->sender->busy_ps - still_busy_ps(link->sender)) /
				cluster->timing.processors,
		.waited_ps = link->waited_ps,
		.blocked_ps = link->blocked_ps,
		.blocked = link->blocked,
		.waiting_high_water = link->buffer.waiting_high_water,
	};
	for (uint32_t c = 0; c < link->buffer.channels; c++)
		if (link->buffer.high_water[c] > statistics->slots_high_water)
			statistics->slots_high_water = link->buffer.high_water[c];
}

void sim_tile_statistics(const struct cluster *cluster, uint16_t chip, uint16_t number,
	struct sim_tile_statistics *statistics)
{
	struct tile *tile;

	ensure(chip < cluster->info->chip_count, "chip %u of %u", chip, cluster->info->chip_count);
	tile = sim_tile(&cluster->chips[chip], number);
	sim_tile_alone(tile);
	*statistics = (struct sim_tile_statistics){
		.out_bytes = tile->out.bytes,
		.out_messages = tile->out.messages,
		.in_bytes = tile->in.bytes,
		.in_messages = tile->in.messages,
		.out_busy_ps = tile->out.busy_ps,
		.out_waited_ps = tile->out.waited_ps,
		.in_busy_ps = tile->in.busy_ps,
		.in_waited_ps = tile->in.waited_ps,
	};
	if (tile->atomic != NULL) {
		if (tile->atomic->single > 0)
			sim_tile_turns(tile);
		statistics->increments = tile->atomic->increments;
		statistics->increments_waited_ps = tile->atomic->waited_ps;
	}
}

/* Returns the part of the link's reservations that lies in the future. */
static int64_t to_come_ps(const struct noc_link *link)
{
	int64_t sum_ps = 0;

	for (uint32_t i = 0; i < link->count; i++) {
		const struct noc_hold *hold = &link->holds[i];
		int64_t from_ps = hold->from_ps > engine_now() ? hold->from_ps : engine_now();

		if (hold->until_ps > from_ps)
			sum_ps += hold->until_ps - from_ps;
	}
	return sum_ps;
}

bool sim_noc_link_statistics(const struct cluster *cluster, uint16_t chip, uint32_t index,
	struct sim_noc_link_statistics *statistics)
{
	const struct sim_grid *grid;
	const struct noc_links *links;
	uint32_t router = index / (NOC_COUNT * 2), noc = index / 2 % NOC_COUNT, to[2], size[2];

	ensure(chip < cluster->info->chip_count, "chip %u of %u", chip, cluster->info->chip_count);
	memset(statistics, 0, sizeof *statistics);
	grid = cluster->chips[chip].grid;
	if (cluster->links == NULL || index >= sim_noc_link_count(grid))
		return false;
	links = &cluster->links->chips[chip];
	if (links->links == NULL || links->links[index].messages == 0)
		return true;
	to[0] = router % grid->columns;
	to[1] = router / grid->columns;
	size[0] = grid->columns;
	size[1] = grid->rows;
	to[index % 2] = (to[index % 2] + (noc == 0 ? 1 : size[index % 2] - 1)) % size[index % 2];
	*statistics = (struct sim_noc_link_statistics){
		.noc = (uint8_t)noc,
		.x = (uint8_t)(router % grid->columns),
		.y = (uint8_t)(router / grid->columns),
		.to_x = (uint8_t)to[0],
		.to_y = (uint8_t)to[1],
		.bytes = links->links[index].bytes,
		.messages = links->links[index].messages,
		.busy_ps = links->links[index].busy_ps - to_come_ps(&links->links[index]),
		.waited_ps = links->links[index].waited_ps,
	};
	return true;
}

void sim_pcie_statistics(
	const struct cluster *cluster, uint16_t chip, struct sim_pcie_statistics *statistics)
{
	const struct pcie *pcie;

	ensure(chip < cluster->info->chip_count, "chip %u of %u", chip, cluster->info->chip_count);
	memset(statistics, 0, sizeof *statistics);
	pcie = cluster->chips[chip].pcie;
	if (pcie == NULL)
		return;
	*statistics = (struct sim_pcie_statistics){
		.posts = pcie->posts,
		.posted_bytes = pcie->posted_bytes,
		.peeks = pcie->peeks,
		.peeked_bytes = pcie->peeked_bytes,
		.reads = pcie->requests,
		.read_bytes = pcie->read_bytes,
		.writes = pcie->writes,
		.written_bytes = pcie->written_bytes,
		.down_busy_ps = pcie->down.busy_ps,
		.down_waited_ps = pcie->down.waited_ps,
		.up_busy_ps = pcie->up.busy_ps,
		.up_waited_ps = pcie->up.waited_ps,
		.outstanding_high_water = pcie->high_water,
	};
}

uint32_t sim_stage_count(const struct cluster *cluster)
{
	return cluster->stage_count;
}

void sim_stage_statistics(
	const struct cluster *cluster, uint32_t index, struct sim_stage_statistics *statistics)
{
	const struct task *task;

	ensure(index < cluster->stage_count, "stage %u of %u", index, cluster->stage_count);
	task = cluster->stages[index];
	sim_tile_alone(task->tile);
	statistics->stage = task->stage;
	statistics->chip = task->stage->device->number;
	statistics->blocked = task->stage->state == TASK_BLOCKED;
	sim_task_times(task, &statistics->busy_ps, &statistics->blocked_ps);
}

void sim_conservation(const struct cluster *cluster, struct sim_conservation *conservation)
{
	*conservation = cluster->conservation;
}
