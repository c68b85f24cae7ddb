/* The plan of a mesh device that spans several hosts (struct whole_config). Rejects configurations
 * that work on one host only. Marks the fabric trees, because their chip numbers then count the
 * chips of all hosts, not those of one host. The plan is made for the machine of all hosts, and is
 * the same on every host. */
#include "base/refuse.h"
#include "mesh/choice.h"
#include "mesh/plan/plan.h"

static void mark(struct fabric_tree *tree)
{
	if (tree != NULL)
		tree->of_machine = true;
}

/* Checks that all initiators that read an issue queue belong to one host, because the queue is in
 * the memory of one host. */
static enum status check_feed_hosts(const struct plan *plan, struct text *why)
{
	const struct chip_info *chips = plan->graph.info->chips;

	for (uint32_t f = 0; f < plan->feeds; f++)
		for (uint32_t i = 0; i < plan->feed[f].count; i++) {
			uint16_t first = plan->grid[plan->feed[f].first].initiator;
			uint16_t other = plan->grid[plan->feed[f].first + i].initiator;

			if (chips[first].host != chips[other].host)
				return refuse(why, STATUS_UNSUPPORTED,
					"one issue queue for initiators of several hosts, which "
					"lies in the memory of one");
		}
	return STATUS_OK;
}

enum status span_plan(struct plan *plan, const struct mesh_config *config, struct text *why)
{
	if (!config->whole.spans)
		return STATUS_OK;
	if (config->completion->notice == NOTICE_GATHER)
		return refuse(why, STATUS_UNSUPPORTED,
			"completion '%s' over several hosts: an aggregator notifies one host",
			config->completion->entry.name);
	if (config->timed_bring_up)
		return refuse(why, STATUS_UNSUPPORTED,
			"a timed bring-up of a mesh that spans several hosts");
	for (uint32_t i = 0; i < plan->devices; i++) {
		mark(plan->routes[i].outward);
		mark(plan->routes[i].homeward);
		mark(plan->routes[i].to_initiator);
	}
	for (uint32_t g = 0; g < plan->grids; g++)
		mark(plan->grid[g].tree);
	return check_feed_hosts(plan, why);
}
