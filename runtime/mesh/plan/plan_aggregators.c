/* Plans aggregators and the routes to and from them (spec 3.8.7.2). An aggregator is a firmware
 * stage that gathers the events of devices for the host. Every multicast initiator has an
 * aggregator. If there are no broadcasts, there is only one aggregator, on the gateway of the first
 * device. */
#include "base/refuse.h"
#include "mesh/choice.h"
#include "mesh/plan/plan.h"

uint32_t aggregator_of_device(const struct plan *plan, uint32_t device)
{
	return plan->grids > 0 ? plan->routes[device].grid : 0;
}

uint32_t aggregator_slot(const struct plan *plan, uint32_t device, uint32_t queue)
{
	uint32_t index = plan->grids > 0 ? plan->routes[device].receiver : device;

	return index * plan->queues + queue;
}

uint16_t aggregator_gate_chip(const struct plan *plan, uint32_t device)
{
	return plan->routes[device].gateway;
}

/* Plans the routes between an aggregator and every chip that has gates of the aggregator's grid. */
static enum status plan_routes(
	struct plan *plan, uint32_t index, struct arena *arena, struct text *why)
{
	struct aggregator_plan *at = &plan->aggregator[index];
	uint16_t chips = plan->graph.info->chip_count;
	enum status status = STATUS_OK;

	at->forward = arena_array(arena, chips, sizeof(struct fabric_tree *));
	at->backward = arena_array(arena, chips, sizeof(struct fabric_tree *));
	for (uint32_t device = 0; device < plan->devices && status == STATUS_OK; device++) {
		uint16_t chip = aggregator_gate_chip(plan, device);

		if (aggregator_of_device(plan, device) != index || chip == at->spot.chip ||
			at->forward[chip] != NULL)
			continue;
		status = fabric_unicast(
			&plan->graph, chip, at->spot.chip, arena, &at->forward[chip]);
		if (status == STATUS_OK)
			status = fabric_unicast(
				&plan->graph, at->spot.chip, chip, arena, &at->backward[chip]);
		if (status != STATUS_OK)
			return refuse(why, status,
				"no links lead from chip %u to the aggregator on "
				"chip %u",
				chip, at->spot.chip);
	}
	return status;
}

enum status aggregators_plan(struct plan *plan, struct inventory *inventory,
	const struct mesh_config *config, struct arena *arena, struct text *why)
{
	enum status status = STATUS_OK;

	if (config->completion->notice != NOTICE_GATHER)
		return STATUS_OK;
	if (plan->mesh.shape.rows > UINT8_MAX + 1 || plan->mesh.shape.columns > UINT8_MAX + 1)
		return refuse(why, STATUS_UNSUPPORTED,
			"aggregators for a mesh of %u x %u chips: their notifications have 8 bits "
			"for a row or a column, so at most %d of each",
			plan->mesh.shape.rows, plan->mesh.shape.columns, UINT8_MAX + 1);
	plan->aggregators = plan->grids > 0 ? plan->grids : 1;
	plan->aggregator = arena_array(arena, plan->aggregators, sizeof(*plan->aggregator));
	for (uint32_t i = 0; i < plan->aggregators && status == STATUS_OK; i++) {
		struct aggregator_plan *at = &plan->aggregator[i];
		uint16_t chip = plan->grids > 0 ? plan->grid[i].initiator : plan->routes[0].gateway;
		struct stage_need need = {.role = ROLE_AGGREGATOR,
			.limits = config->limits,
			.aggregator = &at->layout};

		at->range =
			plan->grids > 0 ? plan->grid[i].range : device_range_all(plan->mesh.shape);
		need.receivers = (uint16_t)(device_range_count(at->range) * plan->queues);
		status = inventory_place(inventory, chip, &need, why, &at->spot);
		if (status == STATUS_OK)
			status = plan_routes(plan, i, arena, why);
	}
	return status;
}
