/* Events with three reaches, waits and finishes (spec 4.5). An event is recorded on the part's
 * mesh; if the part has none of its devices, there is nothing to do. Events that are too old are
 * unknown. */
#include "base/refuse.h"
#include "executor_private.h"

struct remote_event *executor_new_event(struct executor *executor, uint64_t id)
{
	struct remote_event *event = &executor->events[id % EVENTS_KEPT];

	*event = (struct remote_event){.id = id};
	return event;
}

struct remote_event *executor_event(struct executor *executor, uint64_t id)
{
	struct remote_event *event = &executor->events[id % EVENTS_KEPT];

	return event->id == id ? event : NULL;
}

static struct device_range whole(const struct executor *executor)
{
	return device_range_all(executor->part.whole);
}

enum status executor_record(
	struct executor *executor, const struct wire_record_event *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct command_queue *queue = executor_queue(executor, message->queue);
	struct device_range range, cut;
	struct remote_event *event;
	enum status status;

	if (queue == NULL || message->ranges.count > 1)
		return refuse(why, STATUS_INVALID, "queue %u, %u ranges", message->queue,
			message->ranges.count);
	range = whole(executor);
	if (message->ranges.count == 1 && !part_from_wire(message->ranges.at, &range))
		return STATUS_OUT_OF_RANGE;
	event = executor_new_event(executor, message->event);
	event->here = part_cut(&executor->part, range, &cut);
	if (!event->here)
		return STATUS_OK;
	status = enqueue_record_event(
		queue, cut, message->reach > 0, message->operation, &event->event);
	if (status == STATUS_OK && message->reach == 2 && !executor->capturing[message->queue])
		pending_add_event(executor, &head, event);
	return status;
}

/* The event of a message; NULL, with a sentence, if it is unknown. */
static const struct remote_event *executor_events_known(
	struct executor *executor, uint64_t id, struct text *why)
{
	const struct remote_event *event = executor_event(executor, id);

	if (event == NULL && why != NULL)
		text_printf(why, "event %llu is not known, or one of the last %d",
			(unsigned long long)id, EVENTS_KEPT);
	return event;
}

enum status executor_wait(
	struct executor *executor, const struct wire_wait_for_event *message, struct text *why)
{
	struct command_queue *queue = executor_queue(executor, message->queue);
	const struct remote_event *event = executor_events_known(executor, message->event, why);

	if (queue == NULL || event == NULL)
		return STATUS_NOT_FOUND;
	return event->here ? enqueue_wait_event(queue, &event->event, message->operation)
			   : STATUS_OK;
}

enum status executor_synchronize(
	struct executor *executor, const struct wire_synchronize_event *message, struct text *why)
{
	const struct remote_event *event = executor_events_known(executor, message->event, why);

	if (event == NULL)
		return STATUS_NOT_FOUND;
	return event->here ? event_synchronize(&event->event, DEADLINE_NEVER) : STATUS_OK;
}

enum status executor_finish(
	struct executor *executor, const struct wire_command *command, struct text *why)
{
	const struct wire_head *head = &command->head;
	struct point point = {{0}, SUB_DEVICES_ALL, command->enqueue_finish.operation};

	if (executor_queue(executor, head->queue) == NULL || executor->capturing[head->queue])
		return refuse(why, STATUS_INVALID, "queue %u cannot be finished", head->queue);
	if (command->kind == WIRE_finish_sub_devices) {
		point.sub_devices = command->finish_sub_devices.sub_devices;
		point.operation = command->finish_sub_devices.operation;
	}
	point.range = device_range_all(mesh_device_shape(executor->mesh));
	pending_add(executor, head, PENDING_ANSWER, point, NULL, 0);
	return STATUS_OK;
}
