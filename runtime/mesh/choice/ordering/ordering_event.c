/* Ordering `event` (spec 3.8.4): where a feed turns from unicasts to broadcasts or back, the
 * prefetchers of one kind notify those of the other through the dispatcher, which wait for it. */
#include "mesh/queue/control.h"
#include "mesh/queue/host_threads.h"
#include "mesh/choice/rows.h"

static struct lane_order *order_of(
	struct command_queue *queue, struct device_range range, uint32_t i)
{
	return &queue->lanes[range_device(queue->mesh, range, i)].order;
}

static bool any_last(struct command_queue *queue, struct device_range range, enum grid_turn turn)
{
	uint32_t count = device_range_count(range), found = 0;

	for (uint32_t i = 0; i < count; i++)
		found += order_of(queue, range, i)->last == turn;
	return found > 0;
}

static void set_last(struct command_queue *queue, struct device_range range, enum grid_turn turn)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++)
		order_of(queue, range, i)->last = turn;
}

/* Then it has to be done before the other may go on, and to be told which runs there were. */
static bool has_own_dispatcher(const struct command_queue *queue)
{
	return queue->mesh->config.forward.dispatcher->dedicated;
}

/* The runs behind which a dispatcher goes on. */
static void resume_at(const struct mesh_device *mesh, struct run_resume *resume)
{
	for (uint32_t i = 0; i < mesh->sub_device_count; i++)
		resume->run[i] = mesh->sub_devices[i].launches.started;
}

/* Whether the dispatchers of one kind know of all runs so far. */
static bool all_last(struct command_queue *queue, struct device_range range, enum grid_turn turn)
{
	uint32_t count = device_range_count(range), found = 0;

	for (uint32_t i = 0; i < count; i++)
		found += order_of(queue, range, i)->last == turn;
	return found == count;
}

/* The number of a notification of all prefetchers of one kind of a range, once their dispatcher has
 * come so far. */
static uint32_t notify(struct command_queue *queue, struct device_range range, bool unicast)
{
	struct control control = {.unicast = unicast, .for_order = true, .any_order = true};

	if (has_own_dispatcher(queue))
		control_add_workers(&control, queue->mesh, SUB_DEVICES_ALL, DISPATCH_BARRIER);
	control.prefetch.kind = PREFETCH_NOTIFY_COUNTERPART;
	control.prefetch.counterpart.value = ++queue->notified;
	control_send(queue, range, 0, &control);
	return queue->notified;
}

/* All chips that a broadcast reaches wait, so all of them have to be notified. */
static void before_broadcast(struct command_queue *queue, uint32_t feed, struct device_range range)
{
	struct feed *to = &queue->feeds[feed];

	to->resume.due = has_own_dispatcher(queue) && !all_last(queue, range, TURN_BROADCASTS);
	resume_at(queue->mesh, &to->resume);
	if (any_last(queue, range, TURN_UNICASTS)) {
		to->wait = notify(queue, range, true);
		host_threads_wait(queue->mesh);
	}
	set_last(queue, range, TURN_BROADCASTS);
}

/* A dispatcher of unicasts alone knows nothing of the runs that others have begun. */
static void resume(const struct command_queue *queue, struct lane_order *order)
{
	order->resume.due = has_own_dispatcher(queue);
	resume_at(queue->mesh, &order->resume);
}

/* One broadcast notifies for all chips of the feed; those that take no part wait by their next
 * unicast, for what is long there then. */
static void turn_to_unicasts(struct command_queue *queue, uint32_t feed)
{
	const struct device_range range = queue->mesh->plan.feed[feed].range;
	uint32_t count = device_range_count(range), number = notify(queue, range, false);

	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = order_of(queue, range, i);

		order->wait = number;
		resume(queue, order);
	}
	set_last(queue, range, TURN_UNICASTS);
}

static void before_unicast(struct command_queue *queue, struct device_range range)
{
	const struct plan *plan = &queue->mesh->plan;
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = order_of(queue, range, i);

		if (order->last == TURN_NONE)
			resume(queue, order);
		if (order->last == TURN_BROADCASTS)
			turn_to_unicasts(
				queue, plan->routes[range_device(queue->mesh, range, i)].feed);
	}
	set_last(queue, range, TURN_UNICASTS);
}

/* Nothing is left that could be overtaken. */
static void settled(struct command_queue *queue, struct device_range range)
{
	set_last(queue, range, TURN_NONE);
}

const struct ordering_ops ordering_event = {
	.entry = {.name = "event",
		.description = "prefetchers notify each other where broadcasts and unicasts turn",
		.section = "3.8.4",
		.resources = "a word per prefetcher; per turn a notification of every chip of the "
			     "grid"},
	.holds = true,
	.unicast = before_unicast,
	.broadcast = before_broadcast,
	.settled = settled,
};
