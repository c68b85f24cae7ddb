/* The variant `broadcast` of struct forward_ops (spec 3.8). If several devices of a broadcast grid
 * get the same commands, the host writes the commands once for each initiator, or once for all
 * initiators. The initiators multicast the commands over the fabric. The host sends all other
 * commands by unicast. */
#include "mesh/device/bringup.h"
#include "mesh/queue/job.h"
#include "mesh/choice/rows.h"

static void turn(struct command_queue *queue, uint32_t number, enum grid_turn to)
{
	struct feed *feed = &queue->feeds[number];

	queue->mesh->counters.turns +=
		feed->issue != NULL && feed->turn != TURN_NONE && feed->turn != to;
	feed->turn = to;
}

/* Broadcasts the job to `range`, which lies inside feed `number`. */
static void send_to_feed(struct job *job, uint32_t number, struct device_range range)
{
	struct feed *feed = &job->queue->feeds[number];
	struct mesh_device *mesh = job->queue->mesh;
	const struct ordering_ops *ordering = mesh->config.forward.ordering;
	uint32_t count = device_range_count(range);

	if (job->shared == NULL && feed->issue != NULL)
		job->shared = job_stream(job, range_near(mesh, range));
	if (!job->any_order && ordering->broadcast != NULL)
		ordering->broadcast(job, number, range);
	for (uint32_t i = 0; i < count; i++)
		job_expect(job, &job->queue->lanes[range_device(mesh, range, i)]);
	turn(job->queue, number, TURN_BROADCASTS);
	if (feed->issue == NULL)
		submit_broadcast_elsewhere(job, feed, feed_part(job->queue, number, range));
	else
		submit_broadcast(job, feed, feed_part(job->queue, number, range), job->shared);
}

static void send_to_devices(struct job *job, struct device_range range)
{
	const struct mesh_device *mesh = job->queue->mesh;
	const struct ordering_ops *ordering = mesh->config.forward.ordering;

	if (!job->any_order && ordering->unicast != NULL)
		ordering->unicast(job, range);
	for (uint32_t f = 0; f < mesh->plan.feeds; f++)
		if (device_range_overlap(range, mesh->plan.feed[f].range))
			turn(job->queue, f, TURN_UNICASTS);
	job_send_unicast(job, range);
}

static void forward_broadcast_send(struct job *job)
{
	struct mesh_device *mesh = job->queue->mesh;

	if (!job->uniform) {
		send_to_devices(job, job->range);
		return;
	}
	/* This thread assigns transaction numbers and notifications now. They must be in the order
	 * of sending, so host threads must first have sent all earlier jobs. */
	host_threads_wait(mesh);
	for (uint32_t f = 0; f < mesh->plan.feeds; f++) {
		struct device_range fed = mesh->plan.feed[f].range, part = job->range;

		if (!device_range_overlap(part, fed))
			continue;
		part = device_range_shared(part, fed);
		/* A single device gets a unicast. A broadcast would not be faster, because it has
		 * segment headers for all devices of the grid. */
		if (device_range_count(part) == 1 && device_range_count(fed) > 1)
			send_to_devices(job, part);
		else
			send_to_feed(job, f, part);
	}
}

static const char *const keys[] = {"runtime.forward.initiators", "runtime.forward.initiator_place",
	"runtime.forward.initiator_chips", "runtime.forward.feed", "runtime.forward.packetizer",
	"runtime.forward.dispatcher", "runtime.forward.ordering", "runtime.forward.credits",
	"runtime.forward.route", "runtime.forward.channels", "runtime.forward.trace_hold",
	"runtime.forward.pieces", "runtime.forward.multicast_members", NULL};

const struct forward_ops forward_broadcast = {
	.entry = {.name = "broadcast",
		.description = "one copy per initiator, multicast over the fabric",
		.section = "3.8",
		.resources = "unicast's, and per queue: prefetch_h and packetizer on each "
			     "initiator, depacketizer, prefetch_d and spill buffer on each chip",
		.keys = keys},
	.broadcasts = true,
	.send = forward_broadcast_send,
};
