/* Traces over all hosts (spec 4.6). Each executor captures and replays its own commands, and sends
 * the data that a replay reads. Each answer that contains such data has a separate command number.
 * The controller reserves these numbers just before the number of the replay. It is an error to
 * begin a capture on a queue that already captures, or to end a capture that contains no call. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "handle_private.h"

static struct spread_trace *trace_of(const struct handle_trace *trace)
{
	union {
		const struct handle_trace *from;
		struct spread_trace *to;
	} cast = {trace};

	return cast.to;
}

enum status on_distributed_trace_begin(
	struct device_handle *handle, uint32_t queue, struct text *why)
{
	struct distributed *of = distributed_of(handle);
	const struct handle_call call = {.queue = queue};
	enum status status = distributed_check(of, call);

	world->work(WORK_API_CALL, 1);
	if (status != STATUS_OK)
		return status;
	if (of->capturing[queue].number != 0)
		return refuse(why, STATUS_EXISTS, "queue %u captures a trace already", queue);
	if (of->config.sizes.trace_region_bytes == 0)
		return refuse(why, STATUS_UNSUPPORTED,
			"hosts keep traces in a region of their own, and there is none");
	of->capturing[queue] = (struct capturing){.number = numbers_take(&of->traces)};
	return distributed_forward(
		of, order_new(of->parts, WIRE_begin_trace, queue, of->parts->taking), call);
}

static enum status handle_traces_end(
	struct distributed *of, uint32_t queue, uint32_t number, struct text *why)
{
	struct order *order = order_new(of->parts, WIRE_end_trace, queue, of->parts->taking);
	enum status status;

	order->command.end_trace.trace = number;
	status = distributed_forward(of, order, (struct handle_call){.blocking = true});
	if (status != STATUS_OK && why != NULL)
		text_append(why, controller_why(of->controller));
	return status;
}

static void handle_traces_release(struct distributed *of, uint32_t number)
{
	struct order *order = order_new(of->parts, WIRE_release_trace, 0, of->parts->taking);

	order->command.release_trace.trace = number;
	forward(of->controller, order);
	numbers_give_back(&of->traces, number);
}

enum status on_distributed_trace_end(
	struct device_handle *handle, uint32_t queue, struct text *why, struct handle_trace **trace)
{
	struct distributed *of = distributed_of(handle);
	struct capturing capturing = of->capturing[queue];
	struct spread_trace *made;
	enum status status;

	world->work(WORK_API_CALL, 1);
	*trace = NULL;
	if (capturing.number == 0)
		return refuse(why, STATUS_INVALID, "queue %u captures no trace", queue);
	of->capturing[queue] = (struct capturing){0};
	status = handle_traces_end(of, queue, capturing.number, why);
	if (status == STATUS_OK && capturing.calls == 0)
		status = refuse(why, STATUS_INVALID, "nothing was captured");
	if (status != STATUS_OK && status != STATUS_ELIDED) {
		handle_traces_release(of, capturing.number);
		free(capturing.reads);
		return status;
	}
	made = allocate(1, sizeof *made);
	*made = (struct spread_trace){.of = of,
		.number = capturing.number,
		.queue = queue,
		.capture = capturing.number,
		.records = capturing.records,
		.reads = capturing.reads,
		.read_count = capturing.read_count,
		.launches = capturing.launches,
		.waits = capturing.waits};
	*trace = (struct handle_trace *)made;
	return status;
}

/* Called before a replay of a trace is sent. For each read in the trace, adds an entry to the table
 * of answers that the controller waits for. The number of the entry is the number of the replay
 * minus the read's number among the calls of the trace. */
static void await_reads(struct distributed *of, struct handle_call call,
	const struct spread_trace *trace, struct order *order)
{
	const struct wire_enqueue_trace *replay = &order->command.enqueue_trace;

	if (trace->read_count > 0)
		order->reserved = trace->reads[trace->read_count - 1].call;
	for (uint32_t i = 0; i < trace->read_count; i++) {
		const struct captured_read *read = &trace->reads[i];
		struct awaited *awaited = table_await(of->controller, of->parts, AWAITED_READ,
			forward_number(of->controller, order) - read->call, read->hosts);

		awaited->call.queue = call.queue;
		if (replay->first_operation != 0)
			awaited->call.operation = replay->first_operation + read->call - 1;
		awaited->data = read->data;
		awaited->one = read->one;
		awaited->spread = read->spread;
	}
}

enum status on_distributed_replay(struct device_handle *handle, struct handle_call call,
	struct handle_trace *trace, uint32_t first_operation)
{
	struct distributed *of = distributed_of(handle);
	struct spread_trace *replayed = trace_of(trace);
	enum status status = distributed_check(of, call);

	distributed_called(call.operation, call.queue);
	if (status == STATUS_OK &&
		(of->capturing[call.queue].number != 0 ||
			(replayed->records > 0 && call.queue != replayed->queue)))
		status = STATUS_INVALID;
	if (status == STATUS_OK) {
		struct order *order =
			order_new(of->parts, WIRE_enqueue_trace, call.queue, of->parts->taking);

		order->launches = replayed->launches;
		order->waits = replayed->waits;
		order->command.enqueue_trace.trace = replayed->number;
		order->command.enqueue_trace.blocking = call.blocking;
		order->command.enqueue_trace.operation = call.operation;
		order->command.enqueue_trace.first_operation = first_operation;
		replayed->replayed = true;
		await_reads(of, call, replayed, order);
		status = distributed_forward(of, order, call);
	}
	return distributed_returned(call.operation, call.queue, status);
}

enum status on_distributed_trace_event(struct device_handle *handle,
	const struct handle_trace *trace, const struct handle_event *captured,
	struct handle_event *event)
{
	struct distributed *of = distributed_of(handle);
	const struct spread_trace *replayed = trace_of(trace);
	struct order *order;

	if (!replayed->replayed || captured->device != of->handle.number ||
		captured->capture != replayed->capture)
		return STATUS_NOT_FOUND;
	*event = *captured;
	event->id = ++of->event;
	event->capture = 0;
	order = order_new(of->parts, WIRE_name_event, captured->queue,
		distributed_takers(of, captured->range));
	order->command.name_event.trace = replayed->number;
	order->command.name_event.captured = captured->id;
	order->command.name_event.event = event->id;
	if (event->to_host)
		table_await(of->controller, of->parts, AWAITED_EVENT,
			forward_number(of->controller, order), order->hosts)
			->event = event->id;
	return distributed_forward(of, order, (struct handle_call){0});
}

uint32_t on_distributed_trace_sub_devices(const struct handle_trace *trace)
{
	const struct spread_trace *of = trace_of(trace);
	uint32_t sub_devices = of->launches | of->waits;

	return sub_devices != 0 ? sub_devices : SUB_DEVICES_ALL;
}

void on_distributed_trace_free(struct handle_trace *trace)
{
	struct spread_trace *freed = trace_of(trace);

	if (freed == NULL)
		return;
	handle_traces_release(freed->of, freed->number);
	free(freed->reads);
	free(freed);
}
