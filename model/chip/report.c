/* Stall reports of the chips: who waits for whom, one line each. Only reads. */
#include "chip/machine/cluster.h"

#include <inttypes.h>

#include "chip/fabric/fabric.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

static void report_chip(FILE *out, const struct cluster *cluster, uint16_t chip)
{
	const struct chip_info *info = &cluster->info->chips[chip];

	fprintf(out, "chip %u", chip);
	if (info->mesh_row >= 0)
		fprintf(out, " (mesh %d,%d)", info->mesh_row, info->mesh_column);
}

static void report_stage(FILE *out, struct cluster *cluster, const struct task *task)
{
	const struct stage *stage = task->stage;
	const struct stage_wait *wait = &stage->wait;
	const struct fabric_tree *tree = wait->fabric;

	fprintf(out, "%s on ", stage->ops->name);
	report_chip(out, cluster, stage->device->number);
	fprintf(out, " tile %u waits for ", stage->tile);
	switch (wait->on) {
	case STAGE_WAIT_TILE:
		fprintf(out, "any word");
		break;
	case STAGE_WAIT_WORD:
		fprintf(out, "word 0x%" PRIx32 " >= %" PRIu32 ", now %" PRIu32, wait->address,
			wait->value, sim_tile_word(task->tile, wait->address));
		break;
	case STAGE_WAIT_READS:
		fprintf(out, "reads >= %" PRIu32 ", now %" PRIu32, wait->value, stage->reads_done);
		break;
	case STAGE_WAIT_WRITES:
		fprintf(out, "writes >= %" PRIu32 ", now %" PRIu32, wait->value,
			stage->writes_done);
		break;
	case STAGE_WAIT_FABRIC:
		fprintf(out, "a slot of the fabric towards ");
		if (tree->node_count > 1)
			report_chip(out, cluster, tree->nodes[1].chip);
		break;
	}
	fprintf(out, ": %s\n", wait->what != NULL ? wait->what : "it does not say what");
}

static void report_link(FILE *out, struct cluster *cluster, const struct link *link)
{
	const struct port *buffer = &link->buffer;

	if (buffer->waiting + link->entering_count == 0)
		return;
	fprintf(out, "fabric link %u from ", link->index);
	report_chip(out, cluster, link->from);
	fprintf(out, " to ");
	report_chip(out, cluster, link->to);
	fprintf(out, ": %" PRIu32 " packets wait for a slot,", buffer->waiting);
	if (link->entering_count > 0)
		fprintf(out, " %" PRIu32 " wait to enter the ring,", link->entering_count);
	for (uint32_t c = 0; c < buffer->channels; c++)
		fprintf(out, " %" PRIu32 "/%" PRIu32 " free", buffer->free[c], buffer->slots);
	fprintf(out, "\n");
}

static void report_pcie(FILE *out, struct cluster *cluster, const struct device *device)
{
	const struct pcie *pcie = device->pcie;

	if (pcie == NULL || pcie->outstanding + pcie->waiting == 0)
		return;
	fprintf(out, "PCIe of ");
	report_chip(out, cluster, device->number);
	fprintf(out, ": %" PRIu32 " read requests outstanding, %" PRIu32 " reads wait\n",
		pcie->outstanding, pcie->waiting);
}

void sim_report(void *context, FILE *out)
{
	struct cluster *cluster = context;

	for (uint32_t i = 0; i < cluster->stage_count; i++) {
		const struct task *task = cluster->stages[i];

		if (task->stage->state == TASK_BLOCKED && !task->stage->wait.idle)
			report_stage(out, cluster, task);
	}
	for (uint32_t i = 0; i < cluster->fabric->link_count; i++)
		report_link(out, cluster, &cluster->fabric->links[i]);
	for (uint32_t i = 0; i < cluster->info->chip_count; i++)
		report_pcie(out, cluster, &cluster->chips[i]);
}
