/* The client's events. Steps record events and wait for them, directly or in a trace; each replay
 * of a trace records new events. If the host waits for an event that does not notify the host, the
 * client reports an error of the scenario. */
#include <string.h>

#include "base/allocate.h"
#include "client_private.h"
#include "distributed/controller.h"

static struct client_event *client_event_find_event(struct client *client, const char *name)
{
	struct client_event *event = client->events;

	while (event && strcmp(event->name, name) != 0)
		event = event->next;
	if (event)
		return event;
	event = allocate(1, sizeof *event);
	event->name = name;
	event->next = client->events;
	client->events = event;
	return event;
}

bool client_event_make(struct client *client, const struct step *step)
{
	bool records = step->kind == STEP_RECORD_EVENT;
	struct client_event *event =
		client_event_find_event(client, records ? step->record.event : step->wait.event);

	client->steps[step->number].event = event;
	if (records)
		event->where = step->where;
	return true;
}

static bool record(struct client *client, const struct step *step, uint32_t operation,
	struct handle_event *made)
{
	struct handle_call call = {.queue = step->record.queue, .operation = operation};
	struct device_range range = client_range(client, step->record.devices);
	struct device_handle *device = client->device;
	enum status status;

	client->steps[step->number].event->to_executors =
		step->record.to_executors || step->record.to_host;
	if (step->record.to_executors)
		status = distributed_record_to_executors(device, call, range, made);
	else
		status = device->ops->record(device, call, range, step->record.to_host, made);
	return status == STATUS_OK ||
	       client_fail(client, "event '%s': %s", step->record.event, status_message(status));
}

bool client_record(struct client *client, const struct step *step)
{
	struct client_event *event = client->steps[step->number].event;
	uint32_t operation = client_start_operation(client, step, step->record.queue, 0);
	struct handle_event made;

	if (!record(client, step, operation, &made))
		return false;
	event->event = made;
	event->operation = operation;
	event->recorded = true;
	return true;
}

bool client_record_captured(struct client *client, const struct step *step)
{
	struct client_event *event = client->steps[step->number].event;

	event->in_capture = true;
	return record(client, step, 0, &event->captured);
}

bool client_record_replayed(
	struct client *client, const struct step *step, const struct handle_trace *trace)
{
	struct client_event *event = client->steps[step->number].event;
	enum status status = client->device->ops->trace_event(
		client->device, trace, &event->captured, &event->event);

	if (status != STATUS_OK)
		return client_fail(
			client, "event '%s' of a replay: %s", event->name, status_message(status));
	event->recorded = true;
	return true;
}

void client_capture_ended(struct client *client)
{
	for (struct client_event *event = client->events; event; event = event->next)
		event->in_capture = false;
}

/* Returns an event that is never recorded, for a wait whose event was not recorded before. */
static struct handle_event never(struct client *client, const struct step *step)
{
	uint32_t queues = client->device->ops->queue_count(client->device);

	return (struct handle_event){
		.device = client->device->number,
		.queue = (step->wait.queue + 1) % queues,
		.range = client_all_devices(client),
		.id = EVENT_NEVER,
		.to_host = true,
	};
}

/* Records, for stall reports, that a queue waits for an event that was not recorded before. */
static void note_vain(struct client *client, const struct step *step, struct client_event *event)
{
	struct client_wait *wait = allocate(1, sizeof *wait);

	*wait = (struct client_wait){client->vain, step, event};
	client->vain = wait;
}

/* Returns false after an error if executors cannot wait for this event. */
static bool may_ask(struct client *client, const struct step *step)
{
	const struct client_event *event = client->steps[step->number].event;

	if (!event->recorded)
		return client_refuse(client, step->wait.event_where,
			"executors wait for event '%s', which no step has recorded", event->name);
	if (!event->to_executors)
		return client_refuse(client, step->wait.event_where,
			"event '%s' does not notify executors: record it with to_executors: true",
			event->name);
	return true;
}

/* Returns true if the wait blocks the calling thread. All other waits are commands of a queue. For
 * a wait that blocks, client_event_wait() itself records the times of call and return, because
 * event_synchronize() gets no operation number. */
static bool holds_thread(const struct step *step)
{
	return step->wait.host || step->wait.executors;
}

static bool client_event_wait(struct client *client, const struct step *step, uint32_t operation)
{
	struct client_event *event = client->steps[step->number].event;
	struct handle_event wanted = event->in_capture ? event->captured
				     : event->recorded ? event->event
						       : never(client, step);
	struct handle_call call = {.queue = step->wait.queue, .operation = operation};
	struct device_handle *device = client->device;
	enum status status;

	if (step->wait.executors && !may_ask(client, step))
		return false;
	if (holds_thread(step))
		world->mark(operation, MARK_CALLED, step->wait.queue);
	if (!event->recorded && !event->in_capture && !step->wait.host)
		note_vain(client, step, event);
	if (step->wait.executors)
		status = distributed_synchronize_executors(device, &wanted);
	else if (!step->wait.host)
		status = device->ops->wait(device, call, &wanted);
	else
		status = device->ops->synchronize(device, &wanted, DEADLINE_NEVER);
	if (holds_thread(step))
		world->mark(operation, MARK_RETURNED, step->wait.queue);
	if (status == STATUS_INVALID && step->wait.host)
		return client_refuse(client, step->wait.event_where,
			"event '%s' does not notify the host: record it with to_host: true",
			event->name);
	if (!client_is_complete(client, status))
		return client_fail(
			client, "wait for event '%s': %s", event->name, status_message(status));
	return true;
}

bool client_wait(struct client *client, const struct step *step)
{
	return client_event_wait(
		client, step, client_start_operation(client, step, step->wait.queue, 0));
}

bool client_wait_captured(struct client *client, const struct step *step)
{
	return client_event_wait(client, step, 0);
}
