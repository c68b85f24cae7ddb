/* Events (spec 3.5, 3.11). A queue records an event, and another queue or the host waits for it. */
#include "mesh/event.h"

#include "command/completion.h"
#include "mesh/queue.h"
#include "mesh/queue/job.h"
#include "mesh/queue/control.h"

void queue_mark(uint32_t operation, enum mark_point point, const struct command_queue *queue)
{
	if (operation != 0 && !queue->mesh->config.marks.calls_apart)
		world->mark(operation, point, queue->index);
}

void queue_called(uint32_t operation, const struct command_queue *queue)
{
	queue_mark(operation, MARK_CALLED, queue);
	world->work(WORK_API_CALL, 1);
}

static uint8_t notify_flags(const struct completion_ops *completion)
{
	static const uint8_t flags[] = {
		[NOTICE_SLOT] = DISPATCH_TABLE, [NOTICE_GATHER] = DISPATCH_GATHER};

	return flags[completion->notice];
}

/* Sets DISPATCH_EVENT in those commands of a trace that contain event ids. In the trace, these ids
 * count from the start of the trace. When a command has this flag, a replay adds the id of its
 * first event to the id. */
static void count_from_replay(struct control *control)
{
	for (uint32_t i = 0; i < control->count; i++)
		if (control->commands[i].kind == DISPATCH_WRITE_WORD ||
			control->commands[i].kind == DISPATCH_NOTIFY_HOST)
			control->commands[i].flags |= DISPATCH_EVENT;
}

static void event_record(struct command_queue *queue, struct device_range range,
	uint32_t sub_devices, bool to_host, uint32_t operation, struct mesh_event *event)
{
	struct mesh_device *mesh = queue->mesh;
	struct capture *capture = queue->capture;
	struct control control = {.to_host = to_host,
		.event = capture != NULL ? ++capture->events : ++mesh->next_event,
		.captured = CAPTURED_RECORD};

	control_add_workers(&control, mesh, sub_devices, DISPATCH_BARRIER);
	control_add_words(&control, queue, control.event);
	if (to_host) {
		struct dispatch_command *notify = control_add(
			&control, DISPATCH_NOTIFY_HOST, notify_flags(mesh->config.completion));

		notify->notify_host.event = control.event;
		if (notify->flags & DISPATCH_GATHER)
			notify->notify_host.address = gather_pack((struct gather){
				(uint8_t)range.row0, (uint8_t)range.column0, (uint8_t)range.row1,
				(uint8_t)range.column1, (uint8_t)queue->index});
		if (mesh->config.completion->record != NULL && capture == NULL)
			mesh->config.completion->record(queue, range, control.event);
	}
	if (capture != NULL)
		count_from_replay(&control);
	LOG_TO(EVENT, DEBUG, "queue %u records event %u%s", queue->index, control.event,
		to_host ? ", and tells the host" : "");
	control_send(queue, range, operation, &control);
	*event = (struct mesh_event){.queue = queue,
		.range = range,
		.id = control.event,
		.to_host = to_host,
		.operation = operation,
		.capture = capture != NULL ? capture->number : 0};
}

enum status enqueue_record_event_of(struct command_queue *queue, struct device_range range,
	uint32_t sub_devices, bool to_host, uint32_t operation, struct mesh_event *event)
{
	queue_called(operation, queue);
	if (!device_range_valid(range, queue->mesh->plan.mesh.shape))
		return STATUS_OUT_OF_RANGE;
	event_record(queue, range, sub_devices, to_host, operation, event);
	queue_mark(operation, MARK_RETURNED, queue);
	return STATUS_OK;
}

enum status enqueue_record_event(struct command_queue *queue, struct device_range range,
	bool to_host, uint32_t operation, struct mesh_event *event)
{
	return enqueue_record_event_of(queue, range, SUB_DEVICES_ALL, to_host, operation, event);
}

enum status enqueue_wait_event(
	struct command_queue *queue, const struct mesh_event *event, uint32_t operation)
{
	struct control control = {.captured = CAPTURED_WAIT};
	bool own = event->capture != 0, recorded;

	queue_called(operation, queue);
	if (event->queue->mesh != queue->mesh ||
		(own && (queue->capture == NULL || queue->capture->number != event->capture)))
		return STATUS_INVALID;
	recorded = own || (int32_t)(event->id - queue->mesh->next_event) <= 0;
	LOG_TO(EVENT, DEBUG, "queue %u waits for event %u of queue %u", queue->index, event->id,
		event->queue->index);
	/* A queue executes its commands in order, so it need not wait for its own event if the
	 * event was recorded before. If the event is recorded only after the wait, the queue is
	 * blocked for ever. */
	if (event->queue != queue || !recorded) {
		control_add_wait(&control, event->queue, event->id);
	}
	/* a trace counts this call even if it needs no command */
	if (control.count > 0 || queue->capture != NULL)
		control_send(queue, event->range, operation, &control);
	queue_mark(operation, MARK_RETURNED, queue);
	return STATUS_OK;
}

/* Returns the status of the reads that have ended since the last call. */
static enum status read_status(struct mesh_device *mesh)
{
	enum status status;

	world->monitor_enter(mesh->completed);
	status = mesh->read_status;
	mesh->read_status = STATUS_OK;
	world->monitor_exit(mesh->completed);
	return status;
}

enum status event_synchronize(const struct mesh_event *event, int64_t deadline_ns)
{
	struct mesh_device *mesh = event->queue->mesh;
	enum status status;

	world->work(WORK_API_CALL, 1);
	if (!event->to_host || event->capture != 0)
		return STATUS_INVALID;
	status = mesh->config.completion->wait_event(
		event->queue, event->range, event->id, deadline_ns);
	if (status != STATUS_OK)
		return status;
	queue_mark(event->operation, MARK_SEEN, event->queue);
	LOG_TO(EVENT, DEBUG, "the host sees event %u of queue %u", event->id, event->queue->index);
	return read_status(mesh);
}

bool event_query(const struct mesh_event *event)
{
	world->work(WORK_API_CALL, 1);
	return event->to_host && event->capture == 0 &&
	       event->queue->mesh->config.completion->reached(
		       event->queue, event->range, event->id);
}

bool event_asked_apart(const struct mesh_event *event)
{
	return event->queue->mesh->config.completion->asked_apart;
}

/* Notifies the configured ordering that the devices have executed everything. Does nothing if this
 * is not certain: if the event path may report events too early, or if the mesh device spans
 * several hosts. */
static void event_settle(
	struct command_queue *queue, struct device_range range, uint32_t sub_devices)
{
	const struct mesh_config *config = &queue->mesh->config;

	/* this host does not know what the devices of other hosts have executed */
	if (config->completion->entry.hazard == NULL && !config->whole.spans &&
		config->forward.ordering->settled != NULL)
		config->forward.ordering->settled(queue, range, sub_devices);
}

/* Records an event and waits for it. So it waits for the workers of `sub_devices` (one bit each),
 * and for everything else that was sent to the queue before. */
static enum status event_finish(struct command_queue *queue, struct device_range range,
	uint32_t sub_devices, uint32_t operation, int64_t deadline_ns)
{
	struct mesh_event event;
	enum status status;

	event_record(queue, range, sub_devices, true, operation, &event);
	status = queue->mesh->config.completion->wait_event(queue, range, event.id, deadline_ns);
	if (status != STATUS_OK)
		return status;
	if (device_range_count(range) == queue->mesh->devices)
		queue->mesh->busy[queue->index] &= ~(QUEUE_SENT | sub_devices);
	event_settle(queue, range, sub_devices);
	queue_mark(operation, MARK_SEEN, queue);
	LOG_TO(EVENT, DEBUG, "the host sees event %u of queue %u", event.id, queue->index);
	return STATUS_OK;
}

enum status queue_finish_of(
	struct command_queue *queue, uint32_t sub_devices, uint32_t operation, int64_t deadline_ns)
{
	enum status status;

	queue_called(operation, queue);
	if (queue->capture != NULL)
		return STATUS_INVALID;
	status = event_finish(queue, device_range_all(queue->mesh->plan.mesh.shape), sub_devices,
		operation, deadline_ns);
	if (status == STATUS_OK)
		status = read_status(queue->mesh);
	queue_mark(operation, MARK_RETURNED, queue);
	return status;
}

enum status queue_finish(struct command_queue *queue, uint32_t operation, int64_t deadline_ns)
{
	return queue_finish_of(queue, SUB_DEVICES_ALL, operation, deadline_ns);
}

bool queue_is_finished(const struct command_queue *queue)
{
	return queue->mesh->busy[queue->index] == 0;
}

enum status queue_returned(struct command_queue *queue, struct device_range range,
	uint32_t sub_devices, bool blocking, uint32_t operation)
{
	enum status status = STATUS_OK;

	if (blocking)
		status = event_finish(queue, range, sub_devices, operation, DEADLINE_NEVER);

	queue_mark(operation, MARK_RETURNED, queue);
	return status;
}
