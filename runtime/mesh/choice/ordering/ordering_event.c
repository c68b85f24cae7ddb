/* Ordering `event` (spec 3.8.4): where a feed turns from unicasts to broadcasts or back, the
 * prefetchers of one kind notify those of the other through the dispatcher, which wait for it. */
#include "mesh/queue/control.h"
#include "mesh/queue/host_threads.h"
#include "mesh/choice/rows.h"

/* The number of a notification of all prefetchers of one kind of a range, once their dispatcher has
 * come so far. */
static uint32_t notify(struct command_queue *queue, struct device_range range, bool unicast)
{
	struct control control = {.unicast = unicast, .for_order = true};

	control.prefetch.kind = PREFETCH_NOTIFY_COUNTERPART;
	control.prefetch.counterpart.value = ++queue->notified;
	control_send(queue, range, 0, &control);
	return queue->notified;
}

/* A broadcast reaches every chip of its feed, so all of them wait, and all have to be notified. */
static void before_broadcast(struct command_queue *queue, uint32_t feed)
{
	struct grid_order *order = &queue->feeds[feed].order;

	if (order->last == TURN_UNICASTS) {
		order->wait = notify(queue, queue->mesh->plan.feed[feed].range, true);
		host_threads_wait(queue->mesh);
	}
	order->last = TURN_BROADCASTS;
}

static void turn_to_unicasts(struct command_queue *queue, uint32_t feed)
{
	struct grid_order *order = &queue->feeds[feed].order;
	const struct device_range range = queue->mesh->plan.feed[feed].range;
	uint32_t count = device_range_count(range), number;

	if (order->last == TURN_BROADCASTS) {
		number = notify(queue, range, false);
		for (uint32_t i = 0; i < count; i++)
			queue->lanes[range_device(queue->mesh, range, i)].order.wait = number;
	}
	order->last = TURN_UNICASTS;
}

static void before_unicast(struct command_queue *queue, struct device_range range)
{
	for (uint32_t feed = 0; feed < queue->mesh->plan.feeds; feed++)
		if (device_range_overlap(range, queue->mesh->plan.feed[feed].range))
			turn_to_unicasts(queue, feed);
}

/* Nothing is left that could be overtaken. */
static void settled(struct command_queue *queue, struct device_range range)
{
	for (uint32_t feed = 0; feed < queue->mesh->plan.feeds; feed++)
		if (device_range_covers(range, queue->mesh->plan.feed[feed].range))
			queue->feeds[feed].order.last = TURN_NONE;
}

const struct ordering_ops ordering_event = {
	.entry = {.name = "event",
		.description = "prefetchers notify each other where broadcasts and unicasts turn",
		.section = "3.8.4",
		.resources = "a word per prefetcher; per turn a notification of every chip of the "
			     "grid"},
	.unicast = before_unicast,
	.broadcast = before_broadcast,
	.settled = settled,
};
