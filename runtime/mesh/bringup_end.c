/* Shutdown of a mesh device's firmware. After all queues are finished, sends TERMINATE to every
 * prefetcher and dispatcher, waits until all activity has ended, and frees the routing trees of the
 * fabric. */
#include "base/ensure.h"
#include "mesh/device/bringup.h"
#include "mesh/event.h"
#include "mesh/program/program.h"
#include "mesh/queue/control.h"
#include "mesh/queue/job.h"

static void bringup_end_finish(struct mesh_device *mesh)
{
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++) {
		enum status status = queue_finish(&mesh->queues[queue], 0, DEADLINE_NEVER);

		ensure(status == STATUS_OK || status == STATUS_ELIDED, "finish: %s",
			status_message(status));
	}
}

/* Ends the unicast prefetchers. Also ends the dispatchers of unicasts, unless they execute
 * broadcasts, too: then end_broadcast() ends them later. If transactions have numbers, a dispatcher
 * that is not ended here must still receive the number of this transaction. So the transaction then
 * contains a WAIT for the dispatcher. */
static void end_unicast(struct command_queue *queue)
{
	struct control control = {
		.prefetch = {.kind = PREFETCH_TERMINATE}, .unicast = true, .any_order = true};

	if (queue->mesh->plan.grids == 0 || plan_splits_dispatchers(&queue->mesh->plan))
		control_add(&control, DISPATCH_TERMINATE, 0);
	else if (queue->mesh->config.forward.ordering->numbers)
		control_add(&control, DISPATCH_WAIT, 0);
	control_send(queue, device_range_all(queue->mesh->plan.mesh.shape), 0, &control);
}

/* Ends the broadcast prefetchers and the dispatchers of broadcasts, and then the prefetchers and
 * packetizers of the initiators. */
static void end_broadcast(struct command_queue *queue)
{
	struct control control = {.prefetch = {.kind = PREFETCH_TERMINATE}, .any_order = true};

	control_add(&control, DISPATCH_TERMINATE, 0);
	control_send(queue, device_range_all(queue->mesh->plan.mesh.shape), 0, &control);
	for (uint32_t f = 0; f < queue->mesh->plan.feeds; f++)
		submit_terminate(queue->feeds[f].issue);
}

static void forget(struct fabric_tree *tree)
{
	if (tree != NULL)
		device_row->fabric_tree_forget(tree);
}

static void forget_row(const struct row_aggregator_plan *row, uint16_t chips)
{
	forget(row->up);
	forget(row->down);
	for (uint16_t chip = 0; chip < chips; chip++) {
		forget(row->forward[chip]);
		forget(row->backward[chip]);
	}
}

void bringup_end(struct mesh_device *mesh)
{
	enum status status;

	bringup_end_finish(mesh);
	/* If the mesh device spans several hosts, sends no commands that end the stages, because
	 * broadcasts of other hosts could still arrive. Instead, bringup_stop() stops the stages
	 * while they wait. */
	for (uint32_t queue = 0; !mesh->config.whole.spans && queue < mesh->queue_count; queue++) {
		end_unicast(&mesh->queues[queue]);
		if (mesh->plan.grids > 0)
			end_broadcast(&mesh->queues[queue]);
	}
	host_threads_wait(mesh);
	status = device_row->drain(mesh->cluster, DEADLINE_NEVER);
	ensure(status == STATUS_OK, "drain: %s", status_message(status));
	bringup_stop(mesh);
	kernel_routes_forget(mesh);
	for (uint32_t i = 0; i < mesh->devices; i++) {
		forget(mesh->plan.routes[i].outward);
		forget(mesh->plan.routes[i].homeward);
		forget(mesh->plan.routes[i].to_initiator);
	}
	for (uint32_t g = 0; g < mesh->plan.grids; g++)
		forget(mesh->plan.grid[g].tree);
	for (uint32_t i = 0; i < mesh->plan.grids * mesh->queue_count; i++) {
		forget(mesh->plan.initiator[i].tree);
		multicasts_forget(mesh->plan.initiator[i].multicasts);
	}
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++)
		for (uint32_t f = 0; f < mesh->plan.feeds; f++)
			feed_parts_forget(&mesh->queues[queue].feeds[f]);
	for (uint32_t a = 0; a < mesh->plan.aggregators; a++)
		for (uint16_t chip = 0; chip < mesh->info->chip_count; chip++) {
			forget(mesh->plan.aggregator[a].forward[chip]);
			forget(mesh->plan.aggregator[a].backward[chip]);
		}
	for (uint32_t i = 0; i < mesh->plan.row_aggregators; i++)
		forget_row(&mesh->plan.row_aggregator[i], mesh->info->chip_count);
}
