/* Records events, waits for events, and finishes queues, on all hosts (spec 4.5). Devices,
 * executors or the controller can wait for an event. An event has the same id on all hosts. */
#include "handle_private.h"

enum { REACH_DEVICES, REACH_EXECUTORS, REACH_CONTROLLER };

static enum status handle_events_record(struct distributed *of, struct handle_call call,
	struct device_range range, uint8_t reach, struct handle_event *event)
{
	struct controller *controller = of->controller;
	struct capturing *capturing = &of->capturing[call.queue];
	struct order *order =
		order_new(of->parts, WIRE_record_event, call.queue, distributed_takers(of, range));
	struct wire_range *wire = arena_alloc(&order->arena, sizeof *wire);

	*wire = part_to_wire(range);
	order->command.record_event.event = ++of->event;
	order->command.record_event.reach = reach;
	order->command.record_event.operation = distributed_counted(of, call);
	order->command.record_event.ranges.at = wire;
	order->command.record_event.ranges.count = 1;
	*event = (struct handle_event){.range = range,
		.device = of->handle.number,
		.queue = call.queue,
		.id = of->event,
		.operation = call.operation,
		.to_host = reach == REACH_CONTROLLER,
		.capture = capturing->number};
	if (capturing->number != 0) {
		capturing->records++;
		distributed_capture(of, call.queue, 0, SUB_DEVICES_ALL);
	} else if (reach == REACH_CONTROLLER) {
		table_await(controller, of->parts, AWAITED_EVENT, forward_number(controller, order),
			order->hosts)
			->event = of->event;
	}
	forward(controller, order);
	return table_judge(controller);
}

static enum status record_call(struct device_handle *handle, struct handle_call call,
	struct device_range range, uint8_t reach, struct handle_event *event)
{
	struct distributed *of = distributed_of(handle);
	enum status status;

	call.blocking = false;
	status = distributed_check(of, call);
	distributed_called(call.operation, call.queue);
	if (status == STATUS_OK && !device_range_valid(range, of->shape))
		status = STATUS_OUT_OF_RANGE;
	if (status == STATUS_OK)
		status = handle_events_record(of, call, range, reach, event);
	return distributed_returned(call.operation, call.queue, status);
}

enum status on_distributed_record(struct device_handle *handle, struct handle_call call,
	struct device_range range, bool to_host, struct handle_event *event)
{
	return record_call(handle, call, range, to_host ? REACH_CONTROLLER : REACH_DEVICES, event);
}

enum status distributed_record_to_executors(struct device_handle *handle, struct handle_call call,
	struct device_range range, struct handle_event *event)
{
	return record_call(handle, call, range, REACH_EXECUTORS, event);
}

/* Returns true if the queue may wait for the event. A captured event may only be waited for in the
 * same capture. */
static bool may_wait(
	const struct distributed *of, struct handle_call call, const struct handle_event *event)
{
	return event->device == of->handle.number &&
	       (event->capture == 0 || event->capture == of->capturing[call.queue].number);
}

enum status on_distributed_wait(
	struct device_handle *handle, struct handle_call call, const struct handle_event *event)
{
	struct distributed *of = distributed_of(handle);
	enum status status;

	call.blocking = false;
	status = distributed_check(of, call);
	distributed_called(call.operation, call.queue);
	if (status == STATUS_OK && !may_wait(of, call, event))
		status = STATUS_INVALID;
	if (status == STATUS_OK) {
		struct order *order = order_new(of->parts, WIRE_wait_for_event, call.queue,
			distributed_takers(of, event->range));

		order->command.wait_for_event.event = event->id;
		order->command.wait_for_event.operation = distributed_counted(of, call);
		status = distributed_forward(of, order, call);
	}
	return distributed_returned(call.operation, call.queue, status);
}

enum status on_distributed_synchronize(
	struct device_handle *handle, const struct handle_event *event, int64_t deadline_ns)
{
	struct distributed *of = distributed_of(handle);
	enum status status;

	world->work(WORK_API_CALL, 1);
	if (event->device != of->handle.number || !event->to_host || event->capture != 0)
		return STATUS_INVALID;
	status = event->id == EVENT_NEVER
			 ? table_wait_in_vain(of->controller, deadline_ns)
			 : table_wait_event(of->controller, of->parts, event->id, deadline_ns);
	if (status == STATUS_OK && event->operation != 0)
		world->mark(event->operation, MARK_SEEN, event->queue);
	return status;
}

enum status distributed_synchronize_executors(
	struct device_handle *handle, const struct handle_event *event)
{
	struct distributed *of = distributed_of(handle);
	struct order *order;

	world->work(WORK_API_CALL, 1);
	if (event->device != of->handle.number || event->capture != 0)
		return STATUS_INVALID;
	order = order_new(of->parts, WIRE_synchronize_event, event->queue,
		distributed_takers(of, event->range));
	order->command.synchronize_event.event = event->id;
	return distributed_forward(of, order, (struct handle_call){0});
}

static struct order *finish_new(
	const struct distributed *of, struct handle_call call, uint32_t sub_devices)
{
	uint32_t hosts = of->parts->taking;
	struct order *order;

	if (sub_devices == SUB_DEVICES_ALL || !program_site_is_divided(of->site)) {
		order = order_new(of->parts, WIRE_enqueue_finish, call.queue, hosts);
		order->command.enqueue_finish.reach = REACH_CONTROLLER;
		order->command.enqueue_finish.operation = call.operation;
		return order;
	}
	order = order_new(of->parts, WIRE_finish_sub_devices, call.queue, hosts);
	order->command.finish_sub_devices.sub_devices = (uint8_t)sub_devices;
	order->command.finish_sub_devices.operation = call.operation;
	return order;
}

enum status distributed_finish(
	struct distributed *of, struct handle_call call, uint32_t sub_devices, int64_t deadline_ns)
{
	struct controller *controller = of->controller;
	struct order *order = finish_new(of, call, sub_devices);
	struct awaited *awaited;
	enum status status;

	awaited = table_await(controller, of->parts, AWAITED_ANSWER,
		forward_number(controller, order), order->hosts);
	awaited->kept = true;
	forward(controller, order);
	status = table_wait(controller, awaited, deadline_ns);
	if (status == STATUS_OK)
		of->busy[call.queue] &= ~(QUEUE_SENT | sub_devices);
	if (status == STATUS_OK && call.operation != 0)
		world->mark(call.operation, MARK_SEEN, call.queue);
	return status;
}

enum status on_distributed_finish(
	struct device_handle *handle, uint32_t queue, uint32_t operation, int64_t deadline_ns)
{
	return on_distributed_finish_of(handle, queue, SUB_DEVICES_ALL, operation, deadline_ns);
}

enum status on_distributed_finish_of(struct device_handle *handle, uint32_t queue,
	uint32_t sub_devices, uint32_t operation, int64_t deadline_ns)
{
	struct distributed *of = distributed_of(handle);
	const struct handle_call call = {.queue = queue, .blocking = true, .operation = operation};
	enum status status = distributed_check(of, call);

	distributed_called(operation, queue);
	if (status == STATUS_OK)
		status = distributed_finish(of, call, sub_devices, deadline_ns);
	return distributed_returned(operation, queue, status);
}
