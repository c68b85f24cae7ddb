/* Plans aggregators and the routes to and from them (spec 3.8.7.2). An aggregator is a firmware
 * stage that gathers the events of devices for the host. With broadcasts, every multicast initiator
 * has an aggregator. Without broadcasts, there is one aggregator, on the gateway of the first
 * device. Rows of the mesh may have aggregators, too: each is on the chip that has the gate of the
 * row's middle device. */
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

/* Plans the routes between two chips, in both directions, unless they are planned already. If
 * `from` and `to` are the same chip, the routes stay NULL. */
static enum status plan_pair(struct plan *plan, uint16_t from, uint16_t to, struct arena *arena,
	struct fabric_tree **forward, struct fabric_tree **backward, struct text *why)
{
	enum status status;

	if (from == to || *forward != NULL)
		return STATUS_OK;
	status = fabric_unicast(&plan->graph, from, to, arena, forward);
	if (status == STATUS_OK)
		status = fabric_unicast(&plan->graph, to, from, arena, backward);
	if (status != STATUS_OK)
		return refuse(why, status,
			"no links lead from chip %u to the aggregator on chip %u", from, to);
	return STATUS_OK;
}

/* Plans the routes between an aggregator and every chip that has gates of the aggregator's devices.
 * (A gate announces the events of one device.) Plans no routes if rows have aggregators, because
 * gates then announce events to the aggregators of their rows. */
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

		if (aggregator_of_device(plan, device) == index && plan->row_aggregators == 0)
			status = plan_pair(plan, chip, at->spot.chip, arena, &at->forward[chip],
				&at->backward[chip], why);
	}
	return status;
}

/* ---- aggregators of rows ---- */

/* Counts the devices of a grid in a row of the mesh, from this device to the right. This device
 * counts, too. */
static uint16_t columns_from(const struct plan *plan, uint32_t device)
{
	uint32_t columns = plan->mesh.shape.columns, end = device + 1;

	while (end % columns != 0 &&
		aggregator_of_device(plan, end) == aggregator_of_device(plan, device))
		end++;
	return (uint16_t)(end - device);
}

static enum status plan_row(struct plan *plan, struct inventory *inventory,
	const struct mesh_config *config, struct row_aggregator_plan *row, struct arena *arena,
	struct text *why)
{
	uint16_t chips = plan->graph.info->chip_count;
	uint16_t chip = aggregator_gate_chip(plan, row->device + row->columns / 2u);
	const struct stage_need need = {.role = ROLE_AGGREGATOR,
		.limits = config->limits,
		.receivers = row->columns,
		.opens = row->columns,
		.aggregator = &row->layout};
	enum status status = inventory_place(inventory, chip, &need, why, &row->spot);

	row->forward = arena_array(arena, chips, sizeof(struct fabric_tree *));
	row->backward = arena_array(arena, chips, sizeof(struct fabric_tree *));
	for (uint32_t i = 0; i < row->columns && status == STATUS_OK; i++) {
		uint16_t gate = aggregator_gate_chip(plan, row->device + i);

		status = plan_pair(
			plan, gate, chip, arena, &row->forward[gate], &row->backward[gate], why);
	}
	if (status == STATUS_OK)
		status = plan_pair(plan, chip, plan->aggregator[row->aggregator].spot.chip, arena,
			&row->up, &row->down, why);
	return status;
}

/* Divides the devices of each queue among the aggregators of rows. */
static void rows_divide(struct plan *plan, struct arena *arena)
{
	uint32_t lanes = plan->queues * plan->devices;

	plan->row_aggregator = arena_array(arena, lanes, sizeof(*plan->row_aggregator));
	plan->row_aggregator_of = arena_array(arena, lanes, sizeof(*plan->row_aggregator_of));
	for (uint32_t lane = 0; lane < lanes;) {
		uint32_t number = plan->row_aggregators++, device = lane % plan->devices;
		struct row_aggregator_plan *row = &plan->row_aggregator[number];

		row->aggregator = aggregator_of_device(plan, device);
		row->queue = lane / plan->devices;
		row->device = device;
		row->columns = columns_from(plan, device);
		for (uint32_t i = 0; i < row->columns; i++)
			plan->row_aggregator_of[lane++] = number;
	}
}

/* Plans the aggregator of a grid. */
static enum status aggregator_plan_one(struct plan *plan, struct inventory *inventory,
	const struct mesh_config *config, uint32_t index, struct text *why)
{
	struct aggregator_plan *at = &plan->aggregator[index];
	uint16_t chip = plan->grids > 0 ? plan->grid[index].initiator : plan->routes[0].gateway;
	struct stage_need need = {
		.role = ROLE_AGGREGATOR, .limits = config->limits, .aggregator = &at->layout};
	uint32_t slots;

	at->range = plan->grids > 0 ? plan->grid[index].range : device_range_all(plan->mesh.shape);
	slots = device_range_count(at->range) * plan->queues * config->completion->generations;
	if (slots > UINT16_MAX)
		return refuse(why, STATUS_UNSUPPORTED, "an aggregator with %u slots: at most %d",
			slots, UINT16_MAX);
	need.receivers = (uint16_t)slots;
	return inventory_place(inventory, chip, &need, why, &at->spot);
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
	if (config->completion->by_rows)
		rows_divide(plan, arena);
	for (uint32_t i = 0; i < plan->aggregators && status == STATUS_OK; i++) {
		status = aggregator_plan_one(plan, inventory, config, i, why);
		if (status == STATUS_OK)
			status = plan_routes(plan, i, arena, why);
	}
	for (uint32_t i = 0; i < plan->row_aggregators && status == STATUS_OK; i++)
		status = plan_row(plan, inventory, config, &plan->row_aggregator[i], arena, why);
	return status;
}
