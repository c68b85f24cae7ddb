/* The variant `event` of struct ordering_ops (spec 3.8.4). When a queue changes from unicasts to
 * broadcasts, the prefetchers of unicasts send a notification through the dispatcher, and the
 * prefetchers of broadcasts wait for this notification. A change from broadcasts to unicasts works
 * in the same way. */
#include "mesh/queue/control.h"
#include "mesh/queue/job.h"
#include "mesh/choice/rows.h"

static struct lane_order *order_of(
	struct command_queue *queue, struct device_range range, uint32_t i)
{
	return &queue->lanes[range_device(queue->mesh, range, i)].order;
}

/* Returns true if broadcasts and unicasts have different dispatchers. If a broadcast then follows a
 * unicast, or a unicast follows a broadcast, the dispatcher of the later transaction must wait
 * until the dispatcher of the earlier one is done. It must also receive the numbers of the last
 * runs that the other dispatcher has started. */
static bool has_own_dispatcher(const struct command_queue *queue)
{
	return queue->mesh->config.forward.dispatcher->dedicated;
}

static enum grid_turn other_than(enum grid_turn turn)
{
	return turn == TURN_UNICASTS ? TURN_BROADCASTS : TURN_UNICASTS;
}

/* Returns the sub-devices whose workers a job waits for or starts. If the other dispatcher has
 * started their last programs, the dispatcher that executes the job must take over these
 * sub-devices. Returns 0 if broadcasts and unicasts share a dispatcher: it never has to take over a
 * sub-device. */
static uint32_t scope_of(const struct job *job)
{
	return has_own_dispatcher(job->queue)
		       ? (job->waits | job->launches) & mesh_sub_devices(job->queue->mesh)
		       : 0;
}

/* Adds the sub-devices `due`, with the numbers of their last runs, to *resume. A dispatcher takes
 * over these sub-devices from the other dispatcher of its device. */
static void resume_at(const struct mesh_device *mesh, uint32_t due, struct run_resume *resume)
{
	resume->due |= due;
	for (uint32_t i = 0; due >> i != 0; i++)
		if (due >> i & 1)
			resume->run[i] = mesh->sub_devices[i].launches.started;
}

/* Returns true if a transaction of kind `turn` must wait for a notification. There are two cases.
 * First, the last transaction to the device was of the other kind. Second, the dispatcher of this
 * kind must take over a sub-device on which programs of the other dispatcher may still run. */
static bool is_behind(const struct lane_order *order, enum grid_turn turn, uint32_t scope)
{
	return order->last == other_than(turn) || (scope & order->unknown[turn] & order->running);
}

/* Returns those sub-devices in `scope` that the dispatcher of kind `turn` must take over on at
 * least one device of the range. */
static uint32_t unknown_of(
	struct command_queue *queue, struct device_range range, enum grid_turn turn, uint32_t scope)
{
	uint32_t count = device_range_count(range), unknown = 0;

	for (uint32_t i = 0; i < count; i++)
		unknown |= order_of(queue, range, i)->unknown[turn];
	return unknown & scope;
}

static void set_last(
	struct command_queue *queue, struct device_range range, enum grid_turn turn, uint32_t scope)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = order_of(queue, range, i);

		order->last = turn;
		order->unknown[turn] &= ~scope;
		order->unknown[other_than(turn)] |= scope;
		order->running |= scope;
	}
}

/* Makes one kind of prefetchers notify the other kind, on all devices of a range. If `unicast` is
 * set, prefetchers of unicasts notify those of broadcasts; otherwise, prefetchers of broadcasts
 * notify those of unicasts. A dispatcher passes the notification on after it has executed all
 * earlier commands and after the programs of `sub_devices` are done. Returns the number of the
 * notification. */
static uint32_t notify(
	struct command_queue *queue, struct device_range range, bool unicast, uint32_t sub_devices)
{
	struct control control = {.unicast = unicast, .for_order = true, .any_order = true};

	if (has_own_dispatcher(queue))
		control_add_workers(&control, queue->mesh, sub_devices, DISPATCH_BARRIER);
	control.prefetch.kind = PREFETCH_NOTIFY_COUNTERPART;
	control.prefetch.counterpart.value = ++queue->notified;
	control_send(queue, range, 0, &control);
	return queue->notified;
}

/* Called before a broadcast. If the broadcast must wait for earlier unicasts, all chips that it
 * reaches wait for a notification. So this function makes the unicast prefetchers of all these
 * chips send the notification. */
static void ordering_event_before_broadcast(
	const struct job *job, uint32_t feed, struct device_range range)
{
	struct command_queue *queue = job->queue;
	struct feed *to = &queue->feeds[feed];
	uint32_t count = device_range_count(range), behind = 0, scope = scope_of(job);
	uint32_t unknown = unknown_of(queue, range, TURN_BROADCASTS, scope);

	for (uint32_t i = 0; i < count; i++)
		behind += is_behind(order_of(queue, range, i), TURN_BROADCASTS, scope);
	resume_at(queue->mesh, unknown, &to->resume);
	if (behind > 0) {
		to->wait = notify(queue, range, true, unknown);
		host_threads_wait(queue->mesh);
	}
	set_last(queue, range, TURN_BROADCASTS, scope);
}

/* Changes from broadcasts to unicasts. Broadcasts a command that makes the broadcast prefetchers of
 * all chips of the feed (the issue queue of broadcasts) send a notification. This includes chips to
 * which the next unicast does not go. Each chip waits for the notification just before its own next
 * unicast, so it has usually arrived by then. */
static void turn_to_unicasts(struct command_queue *queue, uint32_t feed, uint32_t scope)
{
	const struct device_range range = queue->mesh->plan.feed[feed].range;
	uint32_t unknown = unknown_of(queue, range, TURN_UNICASTS, scope);
	uint32_t count = device_range_count(range), number = notify(queue, range, false, unknown);

	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = order_of(queue, range, i);

		order->wait = number;
		order->last = TURN_UNICASTS;
		resume_at(queue->mesh, unknown & order->unknown[TURN_UNICASTS], &order->resume);
		order->unknown[TURN_UNICASTS] &= ~unknown;
	}
}

static void ordering_event_before_unicast(const struct job *job, struct device_range range)
{
	struct command_queue *queue = job->queue;
	const struct plan *plan = &queue->mesh->plan;
	uint32_t count = device_range_count(range), scope = scope_of(job);

	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = order_of(queue, range, i);

		if (is_behind(order, TURN_UNICASTS, scope))
			turn_to_unicasts(queue,
				plan->routes[range_device(queue->mesh, range, i)].feed, scope);
		resume_at(queue->mesh, scope & order->unknown[TURN_UNICASTS], &order->resume);
	}
	set_last(queue, range, TURN_UNICASTS, scope);
}

/* Called when the devices of a range have executed everything that the queue sent to them, except
 * perhaps programs of sub-devices that are not in `sub_devices`. The next transaction need not wait
 * for any earlier transaction. */
static void ordering_event_settled(
	struct command_queue *queue, struct device_range range, uint32_t sub_devices)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = order_of(queue, range, i);

		order->last = TURN_NONE;
		order->running &= ~sub_devices;
	}
}

const struct ordering_ops ordering_event = {
	.entry = {.name = "event",
		.description = "prefetchers notify each other where broadcasts and unicasts turn",
		.section = "3.8.4",
		.resources = "a word per prefetcher; per turn a notification of every chip of the "
			     "grid"},
	.holds = true,
	.unicast = ordering_event_before_unicast,
	.broadcast = ordering_event_before_broadcast,
	.settled = ordering_event_settled,
};
