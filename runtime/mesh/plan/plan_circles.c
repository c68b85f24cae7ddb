/* The final check of a plan's routes. All routes must use only links of the fabric's topology.
 * Packets on the routes must never be able to wait for each other in a cycle. */
#include "fabric/tree.h"
#include "mesh/plan/plan.h"

/* The routes of a plan on one virtual channel. Each virtual channel has its own slots, so packets
 * of different virtual channels never wait for each other. So each virtual channel is checked
 * separately. */
struct look {
	struct fabric_waits waits;
	uint8_t channel;
	struct text *why;
	enum status status; /* first error so far, or OK */
};

static void look_at(struct look *look, const struct fabric_tree *tree)
{
	if (tree == NULL || tree->channel != look->channel)
		return;
	if (look->status == STATUS_OK)
		look->status = fabric_topology_routes(look->waits.graph, tree, look->why);
	fabric_waits_add(&look->waits, tree);
}

static void look_at_row(struct look *look, const struct row_aggregator_plan *row)
{
	look_at(look, row->up);
	look_at(look, row->down);
	for (uint32_t chip = 0; chip < look->waits.graph->info->chip_count; chip++) {
		look_at(look, row->forward[chip]);
		look_at(look, row->backward[chip]);
	}
}

static enum status look_at_channel(
	const struct plan *plan, uint8_t channel, struct arena *arena, struct text *why)
{
	struct look look = {.channel = channel, .why = why, .status = STATUS_OK};

	fabric_waits_init(&look.waits, &plan->graph, arena);
	for (uint32_t i = 0; i < plan->devices; i++) {
		look_at(&look, plan->routes[i].outward);
		look_at(&look, plan->routes[i].homeward);
		look_at(&look, plan->routes[i].to_initiator);
	}
	for (uint32_t i = 0; i < plan->grids * plan->queues; i++)
		look_at(&look, plan->initiator[i].tree);
	for (uint32_t i = 0; i < plan->aggregators; i++)
		for (uint32_t chip = 0; chip < plan->graph.info->chip_count; chip++) {
			look_at(&look, plan->aggregator[i].forward[chip]);
			look_at(&look, plan->aggregator[i].backward[chip]);
		}
	for (uint32_t i = 0; i < plan->row_aggregators; i++)
		look_at_row(&look, &plan->row_aggregator[i]);
	return look.status == STATUS_OK ? fabric_waits_check(&look.waits, why) : look.status;
}

enum status plan_check_circles(const struct plan *plan, struct arena *arena, struct text *why)
{
	enum status status = look_at_channel(plan, 0, arena, why);
	uint8_t last = 0;

	for (uint32_t i = 0; i < plan->grids * plan->queues && status == STATUS_OK; i++)
		if (plan->initiator[i].tree->channel > last)
			status = look_at_channel(
				plan, last = plan->initiator[i].tree->channel, arena, why);
	return status;
}
