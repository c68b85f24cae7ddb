/* The variant `counter` of struct ordering_ops (spec 3.8.4): transactions carry numbers of eight
 * bits. So at most 255 unicasts may be pending without a broadcast between them, and at most 255
 * broadcasts without a unicast between them. Before one more transaction of the same kind, the host
 * sends an empty transaction of the other kind. queue/submit.c assigns the numbers. */
#include "mesh/queue/control.h"
#include "mesh/queue/job.h"
#include "mesh/choice/rows.h"

enum {
	NUMBERS = 256,
	/* maximum number of pending transactions of one kind that follow each other directly,
	 * without one of the other kind between them */
	IN_A_ROW_MAX = NUMBERS - 1,
};

/* Sends an empty transaction: a WAIT without a condition. */
static void send_empty(struct command_queue *queue, struct device_range range, bool unicast)
{
	struct control control = {.unicast = unicast, .for_order = true};

	control_add(&control, DISPATCH_WAIT, 0);
	control_send(queue, range, 0, &control);
}

static struct device_range range_of(const struct mesh_device *mesh, uint32_t device)
{
	uint16_t row = (uint16_t)(device / mesh->config.shape.columns);
	uint16_t column = (uint16_t)(device % mesh->config.shape.columns);

	return (struct device_range){row, column, row, column};
}

/* Called before a unicast. If a device of the range already has the maximum number of pending
 * unicasts, first broadcasts an empty transaction. */
static void ordering_counter_before_unicast(const struct job *job, struct device_range range)
{
	struct command_queue *queue = job->queue;
	struct mesh_device *mesh = queue->mesh;
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t device = range_device(mesh, range, i);
		struct lane_order *order = &queue->lanes[device].order;

		if (order->unicasts == IN_A_ROW_MAX)
			send_empty(queue, mesh->plan.feed[mesh->plan.routes[device].feed].range,
				false);
		order->unicasts++;
	}
}

static bool broadcasts_full(struct lane_order *order)
{
	if (order->settled)
		order->broadcasts = 0;
	order->settled = false;
	/* `broadcasts` above 0 means that this device has received no unicast since its last
	 * broadcast. But `unicasts` may be above 0: a unicast to a range is counted for every
	 * device of the range, even if only some of them receive it. */
	if (order->broadcasts > 0)
		order->unicasts = 0;
	return order->broadcasts == IN_A_ROW_MAX;
}

/* Called before a broadcast. First sends an empty unicast to each device that has the maximum
 * number of pending broadcasts. */
static void ordering_counter_before_broadcast(
	const struct job *job, uint32_t feed, struct device_range range)
{
	struct command_queue *queue = job->queue;
	struct mesh_device *mesh = queue->mesh;
	uint32_t count = device_range_count(range), full = 0;

	(void)feed;
	for (uint32_t i = 0; i < count; i++)
		full += broadcasts_full(&queue->lanes[range_device(mesh, range, i)].order);
	if (full == count) {
		send_empty(queue, range, true);
	} else if (full > 0) {
		for (uint32_t i = 0; i < count; i++) {
			uint32_t device = range_device(mesh, range, i);

			if (broadcasts_full(&queue->lanes[device].order))
				send_empty(queue, range_of(mesh, device), true);
		}
	}
	if (full > 0)
		host_threads_wait(mesh);
	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = &queue->lanes[range_device(mesh, range, i)].order;

		order->unicasts = 0;
		order->broadcasts++;
	}
}

static void ordering_counter_settled(
	struct command_queue *queue, struct device_range range, uint32_t sub_devices)
{
	uint32_t count = device_range_count(range);

	(void)sub_devices;
	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = &queue->lanes[range_device(queue->mesh, range, i)].order;

		order->unicasts = 0;
		order->settled = true;
	}
}

const struct ordering_ops ordering_counter = {
	.entry = {.name = "counter",
		.description = "transactions carry numbers, and dispatchers take them in turn",
		.section = "3.8.4",
		.resources = "a header per transaction, of a byte per chip if it is broadcast"},
	.numbers = true,
	.unicast = ordering_counter_before_unicast,
	.broadcast = ordering_counter_before_broadcast,
	.settled = ordering_counter_settled,
};
