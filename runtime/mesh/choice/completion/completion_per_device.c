/* The event path `per-device` (spec 3.8.7, today's design). Events and data arrive in each device's
 * completion queue. Before a thread sends commands that return records, it announces the records to
 * a reader thread, which later takes them. The variant of runtime.host.readers chooses the number
 * of reader threads. */
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/choice/rows.h"
#include "mesh/queue/transfer.h"
#include "completion_parts.h"

/* The state of a host thread that waits for an event, which reader threads report. Only one thread
 * waits at a time, so each mesh needs only one waiter. The monitor mesh->completed guards this
 * struct. */
struct waiter {
	bool active;
	const struct command_queue *queue;
	struct device_range range;
	uint32_t event;
	uint32_t remaining; /* number of lanes that have not reached the event */
};

static bool lane_in(const struct lane *lane, struct device_range range)
{
	uint32_t columns = lane->queue->mesh->plan.mesh.shape.columns;

	return device_range_has(
		range, (uint16_t)(lane->device / columns), (uint16_t)(lane->device % columns));
}

/* Records that the device of the lane has reached `event`. Wakes the waiting thread if it waited
 * for no other lane. */
static void completion_per_device_reach(struct lane *lane, uint32_t event)
{
	struct mesh_device *mesh = lane->queue->mesh;
	struct waiter *waiter = mesh->completion;

	world->work(WORK_COMPLETE, 1);
	world->monitor_enter(mesh->completed);
	if (waiter->active && waiter->queue == lane->queue && lane_in(lane, waiter->range) &&
		(int32_t)(lane->event_seen - waiter->event) < 0 &&
		(int32_t)(event - waiter->event) >= 0 && --waiter->remaining == 0)
		world->monitor_notify_all(mesh->completed);
	lane->event_seen = event;
	world->monitor_exit(mesh->completed);
}

static void take_event(struct lane *lane, uint32_t event)
{
	struct completion_record record;
	enum status status = completion_queue_next(lane->completion, DEADLINE_NEVER, &record);

	if (status != STATUS_OK || record.kind != COMPLETION_EVENT || record.tag != event)
		read_halt(lane, &record, status, completion_kind_name(COMPLETION_EVENT));
	if (record.operation != 0)
		world->mark(record.operation, MARK_POLLED, lane->marked_chip);
	completion_per_device_reach(lane, event);
}

void expectation_take(const struct expectation *expectation)
{
	if (expectation->read != NULL)
		read_receive(expectation->read, expectation->lane);
	else
		take_event(expectation->lane, expectation->event);
}

static uint32_t thread_count(const struct mesh_config *config, uint32_t devices)
{
	return config->host.readers->thread_count(devices, config->command_queues);
}

static void start(struct mesh_device *mesh)
{
	mesh->completion = allocate(1, sizeof(struct waiter));
	mesh->config.host.readers->start(mesh);
}

static void stop(struct mesh_device *mesh)
{
	mesh->config.host.readers->stop(mesh);
	free(mesh->completion);
}

static void expect_event(struct lane *lane, uint32_t event)
{
	lane->queue->mesh->config.host.readers->expect(lane, NULL, event);
}

static void expect_read(struct lane *lane, struct read *read)
{
	lane->queue->mesh->config.host.readers->expect(lane, read, 0);
}

/* Returns the number of lanes of the range that have not reached the event. The caller must have
 * entered the monitor mesh->completed. */
static uint32_t missing(struct command_queue *queue, struct device_range range, uint32_t event)
{
	uint32_t count = device_range_count(range), left = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct lane *lane = &queue->lanes[range_device(queue->mesh, range, i)];

		left += lane->completion != NULL && (int32_t)(lane->event_seen - event) < 0;
	}
	return left;
}

static enum status completion_per_device_wait_event(
	struct command_queue *queue, struct device_range range, uint32_t event, int64_t deadline_ns)
{
	struct mesh_device *mesh = queue->mesh;
	struct waiter *waiter = mesh->completion;
	enum status status = STATUS_OK;

	world->monitor_enter(mesh->completed);
	*waiter = (struct waiter){true, queue, range, event, missing(queue, range, event)};
	while (waiter->remaining > 0 && status == STATUS_OK)
		status = world->monitor_wait_until(
			mesh->completed, deadline_ns, mesh->config.host.caller_wait);
	if (waiter->remaining == 0)
		status = STATUS_OK;
	waiter->active = false;
	world->monitor_exit(mesh->completed);
	return status;
}

static bool completion_per_device_reached(
	struct command_queue *queue, struct device_range range, uint32_t event)
{
	bool result;

	world->monitor_enter(queue->mesh->completed);
	result = missing(queue, range, event) == 0;
	world->monitor_exit(queue->mesh->completed);
	return result;
}

static void completion_per_device_wait_read(struct read *read)
{
	struct mesh_device *mesh = read->queue->mesh;

	world->monitor_enter(mesh->completed);
	while (read->remaining > 0)
		world->monitor_wait_until(
			mesh->completed, DEADLINE_NEVER, mesh->config.host.caller_wait);
	world->monitor_exit(mesh->completed);
}

static const struct read_ops reads_by_threads = {
	.threads = true, .expect = expect_read, .wait = completion_per_device_wait_read};

static const char *const keys[] = {"runtime.host.reader_wait", "runtime.host.readers", NULL};

const struct completion_ops completion_per_device = {
	.entry = {.name = "per-device",
		.description = "completion queue per device and queue, emptied by reader threads",
		.section = "3.8.7",
		.resources = "a completion queue per device and queue, and its reader threads",
		.keys = keys},
	.notice = NOTICE_RECORD,
	.asked_apart = true,
	.reads = &reads_by_threads,
	.thread_count = thread_count,
	.start = start,
	.stop = stop,
	.expect = expect_event,
	.wait_event = completion_per_device_wait_event,
	.reached = completion_per_device_reached,
};
