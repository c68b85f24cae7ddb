/* Plans the broadcast grids of a mesh device: their rectangles, their initiators and the routes of
 * their devices (spec 3.8.8.2). */
#include "base/ensure.h"
#include "base/refuse.h"
#include "fabric/grids.h"
#include "fabric/tree.h"
#include "mesh/choice.h"
#include "mesh/plan/plan.h"

/* Number of stages on a gateway for each queue of a device behind the gateway: prefetch_h and
 * dispatch_h. */
enum { STAGES_OF_QUEUE = 2 };

/* Returns an array with the number of stages on each chip. Counts the stages of mesh devices that
 * were opened before. Also counts the stages that this mesh device will place on a gateway for the
 * devices that the host reaches through this gateway. */
static const uint32_t *stages_on(
	const struct plan *plan, const struct inventory *inventory, struct arena *arena)
{
	uint32_t chips = plan->graph.info->chip_count;
	uint32_t *load = arena_array(arena, chips, sizeof(*load));

	for (uint16_t chip = 0; chip < chips; chip++)
		load[chip] = inventory_use(inventory, chip).processors;
	for (uint32_t i = 0; i < plan->devices; i++)
		load[plan->routes[i].gateway] += STAGES_OF_QUEUE * plan->queues;
	return load;
}

/* Returns an array with an entry for each chip: true if the chip's host has no device of the mesh.
 * Such a host does not open the mesh, so its chips cannot initiate broadcasts. */
static const bool *barred_chips(const struct plan *plan, struct arena *arena)
{
	const struct cluster_info *info = plan->graph.info;
	bool *barred = arena_array(arena, info->chip_count, sizeof(*barred));

	for (uint32_t chip = 0; chip < info->chip_count; chip++) {
		barred[chip] = true;
		for (uint32_t i = 0; barred[chip] && i < plan->devices; i++)
			barred[chip] =
				info->chips[plan->mesh.chips[i]].host != info->chips[chip].host;
	}
	return barred;
}

/* Sets *named to the chips that the configuration names, one for each grid. */
static enum status find_named(const struct plan *plan, const struct forward_config *forward,
	struct arena *arena, struct text *why, const uint16_t **named)
{
	uint32_t count = forward->initiator_chip_count, which;
	uint16_t *chips;
	enum status status;

	if (count == 0)
		return refuse(why, STATUS_INVALID,
			"initiator_place: named needs initiator_chips, [row, column] of a chip for "
			"each of %u initiators",
			plan->grids);
	if (count != plan->grids)
		return refuse(why, STATUS_INVALID,
			"initiator_chips names %u chips, but there are %u initiators: one chip for "
			"each",
			count, plan->grids);
	status = fabric_initiators_check(
		plan->graph.info, forward->initiator_chips, count, &which, why);
	if (status != STATUS_OK)
		return status;
	chips = arena_array(arena, count, sizeof(*chips));
	for (uint32_t i = 0; i < count; i++)
		chips[i] = fabric_initiator_at(plan->graph.info, forward->initiator_chips[i]);
	*named = chips;
	return STATUS_OK;
}

static void plan_receivers(struct plan *plan, uint32_t g, struct arena *arena)
{
	struct device_range range = plan->grid[g].range;
	uint16_t initiator = plan->grid[g].initiator;
	uint32_t receiver = 0;

	for (uint32_t row = range.row0; row <= range.row1; row++)
		for (uint32_t column = range.column0; column <= range.column1; column++) {
			struct device_routes *route =
				&plan->routes[row * plan->mesh.shape.columns + column];
			enum status status;

			route->grid = g;
			route->receiver = receiver++;
			if (route->chip == initiator)
				continue;
			status = fabric_unicast(
				&plan->graph, route->chip, initiator, arena, &route->to_initiator);
			ensure(status == STATUS_OK, "no route back to the initiator");
		}
}

static enum status check_trace_hold(const struct mesh_config *config, struct text *why)
{
	const struct trace_hold_ops *hold = config->forward.trace_hold;

	if (hold->kind == TRACE_HOLD_SENDER && !config->forward.credits->counted)
		return refuse(why, STATUS_UNSUPPORTED,
			"holding behind traces by '%s' needs credits, which '%s' does not count",
			hold->entry.name, config->forward.credits->entry.name);
	if (hold->kind != TRACE_HOLD_NONE &&
		config->limits->receive_ring_bytes < TRACE_HOLD_RING_MIN)
		return refuse(why, STATUS_UNSUPPORTED,
			"holding behind traces by '%s' reads traces into the broadcast "
			"prefetcher's ring, which has %u B, and needs %d",
			hold->entry.name, config->limits->receive_ring_bytes, TRACE_HOLD_RING_MIN);
	return STATUS_OK;
}

enum status grids_plan(struct plan *plan, const struct inventory *inventory,
	const struct mesh_config *config, struct arena *arena, struct text *why)
{
	const struct forward_config *forward = &config->forward;
	enum status status = STATUS_OK;
	struct grid_plan how = {.count = forward->initiators ? forward->initiators : 1,
		.tree = forward->route->tree,
		.rank = forward->initiator_place->rank};

	if (!forward->path->broadcasts)
		return STATUS_OK;
	status = check_trace_hold(config, why);
	if (status != STATUS_OK)
		return status;
	if (forward->initiators_per)
		how.split = forward->initiators_per->split;
	plan->grids = fabric_grid_count(&plan->graph, &plan->mesh, how.split, how.count);
	plan->grid = arena_array(arena, plan->grids, sizeof(*plan->grid));
	how.load = stages_on(plan, inventory, arena);
	if (config->whole.spans)
		how.barred = barred_chips(plan, arena);
	if (forward->initiator_place->named && how.split != GRIDS_GATEWAYS)
		status = find_named(plan, forward, arena, why, &how.named);
	if (status == STATUS_OK)
		status = fabric_grids_split(&plan->graph, &plan->mesh, how, arena, why, plan->grid);
	for (uint32_t g = 0; status == STATUS_OK && how.named && g < plan->grids; g++)
		if (plan->grid[g].initiator != how.named[g])
			status = refuse(why, STATUS_NOT_FOUND,
				"no links lead from chip %u, which initiator_chips names, to the "
				"mesh",
				how.named[g]);
	for (uint32_t g = 0; status == STATUS_OK && g < plan->grids; g++)
		plan_receivers(plan, g, arena);
	return status;
}
