/* Event path `table` (spec 3.8.7.1): every device writes events to its slot of a table in host
 * memory, one slot per device and queue. Whoever synchronizes polls the slots in order and takes
 * the data of the reads before it from the completion queues; no thread waits for them meanwhile.
 * `table-one-slot` has one slot per device for all of its queues, and so believes of one queue what
 * another has reached. */
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

static enum status wait_event(
	struct command_queue *queue, struct device_range range, uint32_t event, int64_t deadline_ns)
{
	struct mesh_device *mesh = queue->mesh;
	uint32_t count = device_range_count(range);

	reads_drain(queue, range, event);
	for (uint32_t i = 0; i < count; i++) {
		struct lane *lane = &queue->lanes[range_device(mesh, range, i)];
		enum status status = device_row->window_wait(mesh->cluster, lane->event_slot, event,
			deadline_ns, mesh->config.host.caller_wait,
			"an event in the notification table");

		if (status != STATUS_OK)
			return status;
	}
	world->work(WORK_COMPLETE, 1);
	return STATUS_OK;
}

static bool reached(struct command_queue *queue, struct device_range range, uint32_t event)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++) {
		struct lane *lane = &queue->lanes[range_device(queue->mesh, range, i)];
		uint32_t seen = device_row->window_word(queue->mesh->cluster, lane->event_slot);

		world->work(WORK_POLL, 1);
		if ((int32_t)(seen - event) < 0)
			return false;
	}
	return true;
}

const struct completion_ops completion_table = {
	.entry = {.name = "table",
		.description = "notification table with a slot per device and queue, polled by "
			       "whoever synchronizes",
		.section = "3.8.7.1",
		.resources = "a word of host memory per device and queue, no threads"},
	.path = EVENT_PATH_TABLE,
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

const struct completion_ops completion_table_one_slot = {
	.entry = {.name = "table-one-slot",
		.description = "notification table with a slot per device for all queues: shows "
			       "the false completion",
		.section = "3.8.7.1",
		.resources = "a word of host memory per device, no threads",
		.hazard = "an event of one queue completes events of the others"},
	.path = EVENT_PATH_SLOT,
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
