/* Event path `aggregator` (spec 3.8.7.2, 3.11.2): an aggregator per initiator gathers the events of
 * its grid and writes one notification for all of its devices. Whoever synchronizes takes them, in
 * whatever order they come, and keeps how far each device is. No threads. */
#include "base/ensure.h"
#include "command/gather.h"
#include "completion_reads.h"
#include "registry_rows.h"

static uint32_t thread_count(uint32_t devices, uint32_t queues)
{
	(void)devices;
	(void)queues;
	return 0;
}

static void record(struct command_queue *queue, struct device_range range, uint32_t event)
{
	(void)queue;
	(void)range;
	(void)event;
}

static void expect_event(struct lane *lane, uint32_t event)
{
	(void)lane;
	(void)event;
}

/* True if some device of the range and of the aggregator's grid has not reached the event. */
static bool is_missing(
	struct command_queue *queue, struct device_range range, uint32_t event, uint32_t aggregator)
{
	const struct bringup *plan = &queue->mesh->plan;
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t device = range_device(queue->mesh, range, i);

		if (aggregator_of_device(plan, device) == aggregator &&
			(int32_t)(queue->lanes[device].event_seen - event) < 0)
			return true;
	}
	return false;
}

/* Every device that recorded the event has reached it. */
static void note(struct mesh_device *mesh, uint32_t aggregator, struct completion_record record)
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

static enum status wait_event(
	struct command_queue *queue, struct device_range range, uint32_t event, int64_t deadline_ns)
{
	struct mesh_device *mesh = queue->mesh;

	reads_drain(queue, range, event);
	for (uint32_t i = 0; i < mesh->plan.aggregators; i++)
		while (is_missing(queue, range, event, i)) {
			struct completion_record record;
			enum status status =
				completion_queue_next(mesh->notifications[i], deadline_ns, &record);

			if (status != STATUS_OK)
				return status;
			note(mesh, i, record);
		}
	return STATUS_OK;
}

static bool reached(struct command_queue *queue, struct device_range range, uint32_t event)
{
	struct mesh_device *mesh = queue->mesh;

	for (uint32_t i = 0; i < mesh->plan.aggregators; i++) {
		struct completion_record record;

		while (is_missing(queue, range, event, i)) {
			if (completion_queue_try(mesh->notifications[i], &record) != STATUS_OK)
				return false;
			note(mesh, i, record);
		}
	}
	return true;
}

const struct completion_ops completion_aggregator = {
	.entry = {.name = "aggregator",
		.description = "an aggregator per initiator gathers events, one generation at a "
			       "time, and notifies the host once",
		.section = "3.8.7.2, 3.11.2",
		.resources = "an aggregator and a notification queue per initiator, no threads"},
	.path = EVENT_PATH_AGGREGATOR,
	.thread_count = thread_count,
	.start = reads_start,
	.stop = reads_stop,
	.record = record,
	.expect_event = expect_event,
	.expect_read = reads_expect,
	.wait_event = wait_event,
	.reached = reached,
	.wait_read = reads_wait,
	.read_must_wait = reads_must_wait,
};
