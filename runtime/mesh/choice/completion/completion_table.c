/* The variant `table` of struct completion_ops (spec 3.8.7.1). Every device writes its events to a
 * table in host memory, which has one slot for each device and queue. The thread that synchronizes
 * polls the slots in order, and takes the data of earlier reads out of the completion queues. No
 * other thread waits, except pollers. In the variant `table-one-slot`, all queues of a device share
 * one slot, so an event of one queue also completes earlier events of another queue. */
#include "completion_parts.h"
#include "mesh/choice/rows.h"

static bool next_slot(struct command_queue *queue, struct device_range range, uint32_t event,
	uint32_t *index, struct event_word *word)
{
	const struct lane *lane;

	/* skip devices of other hosts, because their slots are in the memory of these hosts */
	do {
		if (*index == device_range_count(range))
			return false;
		lane = &queue->lanes[range_device(queue->mesh, range, (*index)++)];
	} while (lane->completion == NULL);
	word->address = lane->event_slot;
	word->value = event;
	return true;
}

static const struct event_words slots = {"an event in the notification table", next_slot};

/* The operations that both variants share. */
#define TABLE_OPS                                                                                  \
	.asked_apart = true, .reads = &reads_when_synchronized, .words = &slots,                   \
	.thread_count = pollers_thread_count, .start = pollers_start, .stop = pollers_stop,        \
	.wait_event = words_wait, .reached = words_reached

static const char *const keys[] = {"runtime.host.pollers", NULL};

const struct completion_ops completion_table = {
	.entry = {.name = "table",
		.description = "notification table with a slot per device and queue, polled by "
			       "the thread that synchronizes",
		.section = "3.8.7.1",
		.resources = "a word of host memory per device and queue; runtime.host.pollers - 1 "
			     "threads",
		.keys = keys},
	.notice = NOTICE_SLOT,
	TABLE_OPS,
};

const struct completion_ops completion_table_one_slot = {
	.entry = {.name = "table-one-slot",
		.description = "notification table with a slot per device for all queues: shows "
			       "the false completion",
		.section = "3.8.7.1",
		.resources = "a word of host memory per device; runtime.host.pollers - 1 threads",
		.keys = keys,
		.hazard = "an event of one queue completes events of the others"},
	.notice = NOTICE_SLOT,
	.shared_slot = true,
	TABLE_OPS,
};
