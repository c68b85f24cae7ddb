/* Records events, waits for events, and finishes queues (spec 4.5). An executor has a part of the
 * devices of a mesh. It records an event if some of the event's devices belong to this part. All
 * events of a run are kept, because a queue may wait for an event long after it was recorded. */
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "executor_private.h"

struct remote_event *executor_new_event(struct served *served, uint64_t id)
{
	enum { ROOM_LEAST = 1024 };
	uint64_t room = served->event_room > 0 ? served->event_room : ROOM_LEAST;

	if (id >= EVENTS_MAX)
		return NULL;
	while (room <= id)
		room *= 2;
	if (room > served->event_room) {
		served->events = allocate_more(served->events, room, sizeof *served->events);
		memset(served->events + served->event_room, 0,
			(room - served->event_room) * sizeof *served->events);
		served->event_room = room;
	}
	served->events[id] = (struct remote_event){.id = id};
	return &served->events[id];
}

struct remote_event *executor_event(struct served *served, uint64_t id)
{
	if (id >= served->event_room || served->events[id].id != id)
		return NULL;
	return &served->events[id];
}

static enum status executor_events_unknown(uint64_t id, struct text *why)
{
	return refuse(why, STATUS_NOT_FOUND, "event %llu was not recorded", (unsigned long long)id);
}

static struct device_range whole(const struct served *served)
{
	return device_range_all(served->part.whole);
}

enum status executor_record(
	struct served *served, const struct wire_record_event *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct command_queue *queue = executor_queue(served, message->queue);
	struct device_range range, cut;
	struct remote_event *event;
	enum status status;

	if (queue == NULL || message->ranges.count > 1)
		return refuse(why, STATUS_INVALID, "queue %u, %u ranges", message->queue,
			message->ranges.count);
	range = whole(served);
	if (message->ranges.count == 1 && !part_from_wire(message->ranges.at, &range))
		return STATUS_OUT_OF_RANGE;
	event = executor_new_event(served, message->event);
	if (event == NULL)
		return refuse(
			why, STATUS_OUT_OF_RANGE, "more than %d events in one run", EVENTS_MAX);
	event->here = part_cut(&served->part, range, &cut);
	if (!event->here)
		return STATUS_OK;
	status = enqueue_record_event(
		queue, cut, message->reach > 0, message->operation, &event->event);
	if (status == STATUS_OK && message->reach == 2 && !served->capturing[message->queue])
		pending_add_event(served, &head, event);
	return status;
}

/* Makes the queue wait for an event that is never recorded. So a run stalls on several hosts in the
 * same way as on one host. */
static enum status executor_wait_in_vain(
	struct served *served, const struct wire_wait_for_event *message)
{
	struct command_queue *other = executor_queue(served, message->queue ^ 1u);
	struct command_queue *queue = executor_queue(served, message->queue);
	const struct mesh_event never = {.queue = other ? other : queue,
		.range = device_range_all(mesh_device_shape(served->mesh)),
		.id = EVENT_NEVER};

	return enqueue_wait_event(queue, &never, message->operation);
}

enum status executor_wait(
	struct served *served, const struct wire_wait_for_event *message, struct text *why)
{
	struct command_queue *queue = executor_queue(served, message->queue);
	const struct remote_event *event = executor_event(served, message->event);

	if (queue == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no queue %u", message->queue);
	if (message->event == EVENT_NEVER)
		return executor_wait_in_vain(served, message);
	if (event == NULL)
		return executor_events_unknown(message->event, why);
	return event->here ? enqueue_wait_event(queue, &event->event, message->operation)
			   : STATUS_OK;
}

enum status executor_synchronize(
	struct served *served, const struct wire_synchronize_event *message, struct text *why)
{
	const struct remote_event *event = executor_event(served, message->event);

	if (event == NULL)
		return executor_events_unknown(message->event, why);
	return event->here ? event_synchronize(&event->event, DEADLINE_NEVER) : STATUS_OK;
}

enum status executor_finish(
	struct served *served, const struct wire_command *command, struct text *why)
{
	const struct wire_head *head = &command->head;
	struct point point = {{0}, SUB_DEVICES_ALL, command->enqueue_finish.operation};

	if (executor_queue(served, head->queue) == NULL || served->capturing[head->queue])
		return refuse(why, STATUS_INVALID, "queue %u cannot be finished", head->queue);
	if (command->kind == WIRE_finish_sub_devices) {
		point.sub_devices = command->finish_sub_devices.sub_devices;
		point.operation = command->finish_sub_devices.operation;
	}
	point.range = device_range_all(mesh_device_shape(served->mesh));
	pending_add(served, head, PENDING_ANSWER, point, NULL, 0);
	return STATUS_OK;
}
