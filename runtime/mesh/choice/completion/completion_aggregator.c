/* The event path `aggregator` (spec 3.8.7.2, 3.11.2), and functions that the other event paths with
 * aggregators share. Each multicast initiator has an aggregator, which is a firmware stage. The
 * aggregator gathers the events of all devices in the initiator's grid, and then writes one
 * notification to the host. The host thread that synchronizes takes notifications in order of
 * arrival, and records the last event of each device. This event path starts no threads except
 * pollers. */
#include "base/ensure.h"
#include "command/completion.h"
#include "completion_parts.h"
#include "mesh/choice/rows.h"

/* Returns true if a device of the range that is in the aggregator's grid has not reached the event.
 */
static bool is_missing(
	struct command_queue *queue, struct device_range range, uint32_t event, uint32_t aggregator)
{
	const struct plan *plan = &queue->mesh->plan;
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t device = range_device(queue->mesh, range, i);

		if (aggregator_of_device(plan, device) == aggregator &&
			(int32_t)(queue->lanes[device].event_seen - event) < 0)
			return true;
	}
	return false;
}

/* Records that every device of the notification has reached the notification's event. */
static void completion_aggregator_note(
	struct mesh_device *mesh, uint32_t aggregator, struct completion_record record)
{
	struct gather who = gather_unpack(record.address);
	struct device_range range = {who.row0, who.column0, who.row1, who.column1};
	uint32_t count = device_range_count(range);

	ensure(record.kind == COMPLETION_GATHERED && who.queue < mesh->queue_count,
		"record %s in a notification queue", completion_kind_name(record.kind));
	world->work(WORK_COMPLETE, 1);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t device = range_device(mesh, range, i);
		struct lane *lane = &mesh->queues[who.queue].lanes[device];

		if (aggregator_of_device(&mesh->plan, device) == aggregator)
			lane->event_seen = record.tag;
	}
}

/* Takes an aggregator's notifications until all devices that are both in the range and in the
 * aggregator's grid have reached the event. Waits for notifications until the deadline. If
 * `deadline_ns` is NULL, does not wait, and takes only notifications that have already arrived.
 * Returns OK if the event is reached, otherwise the status of the completion queue. */
static enum status completion_aggregator_take(struct command_queue *queue,
	struct device_range range, uint32_t event, uint32_t aggregator, const int64_t *deadline_ns)
{
	struct mesh_device *mesh = queue->mesh;
	struct completion_queue *notifications = mesh->notifications[aggregator];

	while (is_missing(queue, range, event, aggregator)) {
		struct completion_record record;
		enum status status =
			deadline_ns ? completion_queue_next(notifications, *deadline_ns, &record)
				    : completion_queue_try(notifications, &record);

		if (status != STATUS_OK)
			return status;
		completion_aggregator_note(mesh, aggregator, record);
	}
	return STATUS_OK;
}

/* The arguments of the pollers. Each poller waits for some of the aggregators. */
struct gathered_event {
	struct command_queue *queue;
	struct device_range range;
	uint32_t event;
	const int64_t *deadline_ns;
};

static enum status poll_aggregators(void *arg, uint32_t share, uint32_t shares)
{
	const struct gathered_event *of = arg;
	enum status status = STATUS_OK;

	for (uint32_t i = share; i < of->queue->mesh->plan.aggregators && status == STATUS_OK;
		i += shares)
		status = completion_aggregator_take(
			of->queue, of->range, of->event, i, of->deadline_ns);
	return status;
}

enum status aggregator_wait_event(
	struct command_queue *queue, struct device_range range, uint32_t event, int64_t deadline_ns)
{
	struct gathered_event of = {queue, range, event, &deadline_ns};

	reads_drain(queue, range, event);
	return pollers_run(queue->mesh, queue->mesh->plan.aggregators, poll_aggregators, &of);
}

bool aggregator_reached(struct command_queue *queue, struct device_range range, uint32_t event)
{
	struct gathered_event of = {queue, range, event, NULL};

	return poll_aggregators(&of, 0, 1) == STATUS_OK;
}

const char *const aggregator_keys[] = {"runtime.host.pollers", NULL};

const struct completion_ops completion_aggregator = {
	.entry = {.name = "aggregator",
		.description = "an aggregator per initiator gathers events, one generation at a "
			       "time, and notifies the host once",
		.section = "3.8.7.2, 3.11.2",
		.resources = "an aggregator and a notification queue per initiator; "
			     "runtime.host.pollers - 1 threads",
		.keys = aggregator_keys},
	.generations = 1,
	AGGREGATOR_OPS,
};
