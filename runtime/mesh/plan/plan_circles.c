/* The last look at the routes of a plan, however they were made: on a machine with holes nothing
 * that they wait for may be a circle. Makes no route. */
#include "fabric/cycle.h"
#include "mesh/plan/plan.h"

enum status plan_check_circles(const struct plan *plan, struct arena *arena, struct text *why)
{
	struct fabric_waits waits;

	fabric_waits_init(&waits, &plan->graph, arena);
	for (uint32_t i = 0; i < plan->devices; i++) {
		fabric_waits_add(&waits, plan->routes[i].outward);
		fabric_waits_add(&waits, plan->routes[i].homeward);
		fabric_waits_add(&waits, plan->routes[i].to_initiator);
	}
	for (uint32_t i = 0; i < plan->grids; i++)
		fabric_waits_add(&waits, plan->grid[i].tree);
	for (uint32_t i = 0; i < plan->aggregators; i++)
		for (uint32_t chip = 0; chip < plan->graph.info->chip_count; chip++) {
			fabric_waits_add(&waits, plan->aggregator[i].forward[chip]);
			fabric_waits_add(&waits, plan->aggregator[i].backward[chip]);
		}
	return fabric_waits_check(&waits, why);
}
