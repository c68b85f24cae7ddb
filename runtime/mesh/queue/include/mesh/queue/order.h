/* Order of a device's transactions by number (spec 3.8.4). The number has eight bits, so of 256 or
 * more pending transactions of one kind the dispatcher could not tell the first of the other kind
 * behind them from the first before them. Bounds what is pending. */
#ifndef MESH_QUEUE_ORDER_H
#define MESH_QUEUE_ORDER_H

#include "mesh/device/device.h"

enum {
	ORDER_NUMBERS = 256,
	/* transactions of one kind, unicast or broadcast, between two of the other */
	ORDER_IN_A_ROW_MAX = ORDER_NUMBERS - 1,
};

/* Before a unicast to the devices of a range is given to host threads: where as many are pending as
 * may be, broadcasts an empty transaction first. Only with broadcast grids. */
void order_unicast(struct command_queue *queue, struct device_range range);

/* Before a broadcast to a grid, with no host thread at work: sends every device of which as many
 * are pending as may be an empty transaction first. */
void order_broadcast(struct command_queue *queue, struct device_range grid);

/* All that the queue has sent to the devices of a range has been executed. */
void order_settle(struct command_queue *queue, struct device_range range);

#endif
