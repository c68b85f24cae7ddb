/* Forward path `broadcast` (spec 3.8): what is the same for all devices of a broadcast grid is
 * copied once, for its initiator, and multicast over the fabric. Everything else goes by unicast.
 */
#include "mesh/queue/host_threads.h"
#include "mesh/queue/job.h"
#include "mesh/queue/submit.h"
#include "mesh/choice/rows.h"

static uint16_t larger(uint16_t a, uint16_t b)
{
	return a > b ? a : b;
}

static uint16_t smaller(uint16_t a, uint16_t b)
{
	return a < b ? a : b;
}

static void turn(struct command_queue *queue, uint32_t grid, enum grid_turn to)
{
	struct initiator *initiator = &queue->initiators[grid];

	queue->mesh->counters.turns += initiator->turn != TURN_NONE && initiator->turn != to;
	initiator->turn = to;
}

static void send_to_grid(struct job *job, uint32_t grid)
{
	struct initiator *initiator = &job->queue->initiators[grid];
	const struct device_range range = initiator->grid->range;
	struct mesh_device *mesh = job->queue->mesh;
	const struct ordering_ops *ordering = mesh->config.forward.ordering;
	uint32_t count = device_range_count(range);

	if (job->shared == NULL)
		job->shared = job_stream(job, range_device(mesh, range, 0));
	if (!job->any_order && ordering->broadcast != NULL)
		ordering->broadcast(job->queue, grid);
	for (uint32_t i = 0; i < count; i++)
		job_expect(job, &job->queue->lanes[range_device(mesh, range, i)]);
	turn(job->queue, grid, TURN_BROADCASTS);
	submit_broadcast(job, initiator, job->shared);
}

static void send_to_devices(struct job *job, struct device_range range)
{
	const struct mesh_device *mesh = job->queue->mesh;
	const struct ordering_ops *ordering = mesh->config.forward.ordering;

	if (!job->any_order && ordering->unicast != NULL)
		ordering->unicast(job->queue, range);
	for (uint32_t g = 0; g < mesh->plan.grids; g++)
		if (device_range_overlap(range, mesh->plan.grid[g].range))
			turn(job->queue, g, TURN_UNICASTS);
	job_send_unicast(job, range);
}

static void send(struct job *job)
{
	struct mesh_device *mesh = job->queue->mesh;

	if (!job->uniform) {
		send_to_devices(job, job->range);
		return;
	}
	/* numbers and notifications are given in the order of sending */
	host_threads_wait(mesh);
	for (uint32_t g = 0; g < mesh->plan.grids; g++) {
		struct device_range grid = mesh->plan.grid[g].range, part = job->range;

		if (device_range_covers(part, grid)) {
			send_to_grid(job, g);
		} else if (device_range_overlap(part, grid)) {
			part = (struct device_range){larger(part.row0, grid.row0),
				larger(part.column0, grid.column0), smaller(part.row1, grid.row1),
				smaller(part.column1, grid.column1)};
			send_to_devices(job, part);
		}
	}
}

static const char *const keys[] = {"runtime.forward.initiators", "runtime.forward.packetizer",
	"runtime.forward.ordering", "runtime.forward.credits", NULL};

const struct forward_ops forward_broadcast = {
	.entry = {.name = "broadcast",
		.description = "one copy per initiator, multicast over the fabric",
		.section = "3.8",
		.resources = "unicast's, and per queue: prefetch_h and packetizer on each "
			     "initiator, depacketizer, prefetch_d and spill buffer on each chip",
		.keys = keys},
	.broadcasts = true,
	.send = send,
};
