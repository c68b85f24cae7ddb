/* Functions that several files of the distributed handle share. They number objects, find the hosts
 * of a range, record marks of calls, send orders, and wait for answers. */
#include <string.h>

#include "base/allocate.h"
#include "handle_private.h"

uint32_t numbers_take(struct numbers *numbers)
{
	uint32_t number = 1;

	while (number < numbers->count && numbers->used[number])
		number++;
	if (number >= numbers->count) {
		uint32_t count = number < 8 ? 16 : 2 * number;

		numbers->used = allocate_more(numbers->used, count, sizeof *numbers->used);
		memset(numbers->used + numbers->count, 0, count - numbers->count);
		numbers->count = count;
	}
	numbers->used[number] = true;
	return number;
}

void numbers_give_back(struct numbers *numbers, uint32_t number)
{
	numbers->used[number] = false;
}

uint32_t distributed_hosts(const struct distributed *of, struct device_range range)
{
	const struct controller *controller = of->controller;
	struct device_range cut;
	uint32_t hosts = 0;

	for (uint32_t i = 0; i < controller->settings.host_count; i++)
		if ((of->parts->taking >> i & 1) != 0 && part_cut(&of->parts->part[i], range, &cut))
			hosts |= 1u << i;
	return hosts;
}

uint32_t distributed_takers(const struct distributed *of, struct device_range range)
{
	return of->parts->spans ? of->parts->taking : distributed_hosts(of, range);
}

enum status distributed_check(const struct distributed *of, struct handle_call call)
{
	if (call.queue >= of->config.command_queues)
		return STATUS_OUT_OF_RANGE;
	if (of->capturing[call.queue].number != 0 && call.blocking)
		return STATUS_INVALID;
	return table_judge(of->controller);
}

uint32_t distributed_counted(struct distributed *of, struct handle_call call)
{
	struct capturing *capturing = &of->capturing[call.queue];

	return capturing->number != 0 ? ++capturing->calls : call.operation;
}

void distributed_called(uint32_t operation, uint32_t queue)
{
	if (operation != 0)
		world->mark(operation, MARK_CALLED, queue);
	world->work(WORK_API_CALL, 1);
}

enum status distributed_returned(uint32_t operation, uint32_t queue, enum status status)
{
	if (operation != 0)
		world->mark(operation, MARK_RETURNED, queue);
	return status;
}

void distributed_capture(struct distributed *of, uint32_t queue, uint32_t launches, uint32_t waits)
{
	struct capturing *capturing = &of->capturing[queue];

	if (capturing->number == 0)
		return;
	capturing->launches |= launches;
	capturing->waits |= waits;
}

/* Returns true if the order makes the devices do something. */
static bool is_enqueued(const struct distributed *of, const struct order *order)
{
	switch (order->command.kind) {
	case WIRE_write_buffer:
	case WIRE_load_shard:
	case WIRE_enqueue_program:
	case WIRE_enqueue_trace:
	case WIRE_record_event:
	case WIRE_wait_for_event:
		return of->capturing[order->command.head.queue].number == 0;
	default:
		return false;
	}
}

/* Returns true if all devices have done the work of the order when all hosts have answered. */
static bool is_whole(const struct distributed *of, const struct order *order)
{
	return order->hosts == of->parts->taking &&
	       !(order->command.kind == WIRE_write_buffer &&
		       order->command.write_buffer.ranges.count > 0);
}

enum status distributed_forward(
	struct distributed *of, struct order *order, struct handle_call call)
{
	struct controller *controller = of->controller;
	uint32_t queue = order->command.head.queue;
	bool enqueued = is_enqueued(of, order), whole = is_whole(of, order);
	uint32_t settled = QUEUE_SENT | order->waits | order->launches;
	struct awaited *awaited = NULL;
	enum status status;

	if (enqueued)
		of->busy[queue] |= QUEUE_SENT | order->launches;
	else
		distributed_capture(of, queue, order->launches, order->waits);
	if (call.blocking) {
		awaited = table_await(controller, of->parts, AWAITED_ANSWER,
			forward_number(controller, order), order->hosts);
		awaited->kept = true;
	}
	forward(controller, order);
	if (!call.blocking)
		return table_judge(controller);
	status = table_wait(controller, awaited, DEADLINE_NEVER);
	if (status == STATUS_OK && enqueued && whole)
		of->busy[queue] &= ~settled;
	if (status == STATUS_OK && call.operation != 0)
		world->mark(call.operation, MARK_SEEN, call.queue);
	return status;
}

enum status distributed_refuse(struct distributed *of, enum status status, const char *why)
{
	text_clear(&of->controller->why);
	text_append(&of->controller->why, why);
	return status;
}
