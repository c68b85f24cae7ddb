/* Keeps the transaction numbers of a lane unambiguous: never more than 255 of one kind in a row are
 * pending, since an empty one of the other kind goes between. Gives no numbers itself. */
#include "mesh/queue/order.h"

#include "mesh/queue/control.h"
#include "mesh/queue/host_threads.h"

/* An empty transaction: a wait for nothing. */
static void send_empty(struct command_queue *queue, struct device_range range, bool unicast)
{
	struct control control = {.unicast = unicast};

	control_add(&control, DISPATCH_WAIT, 0);
	queue->mesh->counters.empty_transactions += unicast ? device_range_count(range) : 1;
	control_send(queue, range, 0, &control);
}

static struct device_range range_of(const struct mesh_device *mesh, uint32_t device)
{
	uint16_t row = (uint16_t)(device / mesh->config.shape.columns);
	uint16_t column = (uint16_t)(device % mesh->config.shape.columns);

	return (struct device_range){row, column, row, column};
}

void order_unicast(struct command_queue *queue, struct device_range range)
{
	struct mesh_device *mesh = queue->mesh;
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t device = range_device(mesh, range, i);
		struct lane_order *order = &queue->lanes[device].order;

		if (order->unicasts == ORDER_IN_A_ROW_MAX)
			send_empty(queue, mesh->plan.grid[mesh->plan.routes[device].grid].range,
				false);
		order->unicasts++;
	}
}

static bool broadcasts_full(struct lane_order *order)
{
	if (order->settled)
		order->broadcasts = 0;
	order->settled = false;
	/* a device that took no part in what was counted as unicast */
	if (order->broadcasts > 0)
		order->unicasts = 0;
	return order->broadcasts == ORDER_IN_A_ROW_MAX;
}

void order_broadcast(struct command_queue *queue, struct device_range grid)
{
	struct mesh_device *mesh = queue->mesh;
	uint32_t count = device_range_count(grid), full = 0;

	for (uint32_t i = 0; i < count; i++)
		full += broadcasts_full(&queue->lanes[range_device(mesh, grid, i)].order);
	if (full == count) {
		send_empty(queue, grid, true);
	} else if (full > 0) {
		for (uint32_t i = 0; i < count; i++) {
			uint32_t device = range_device(mesh, grid, i);

			if (broadcasts_full(&queue->lanes[device].order))
				send_empty(queue, range_of(mesh, device), true);
		}
	}
	if (full > 0)
		host_threads_wait(mesh);
	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = &queue->lanes[range_device(mesh, grid, i)].order;

		order->unicasts = 0;
		order->broadcasts++;
	}
}

void order_settle(struct command_queue *queue, struct device_range range)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		struct lane_order *order = &queue->lanes[range_device(queue->mesh, range, i)].order;

		order->unicasts = 0;
		order->settled = true;
	}
}
