/* label: full  timeout: 300
 * Tests events of several devices and queues, in the native world. An event path is an
 * implementation that reports events to the host. It must never report an event before the event
 * has happened, even if the device ranges of events overlap. Only event paths with a known hazard
 * do this. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "mesh/event.h"
#include "mesh_case.h"
#include "world/world.h"

/* How long the tests wait for an event: PATIENCE_NS if the event must not be reported,
 * LONG_PATIENCE_NS if it must be reported. */
#define PATIENCE_NS	 30000000
#define LONG_PATIENCE_NS 60000000000

enum { EVENTS = 60, SIDE = 3 };

static void open_mesh(struct mesh_case *test, uint16_t rows, uint16_t columns, const char *forward,
	uint32_t initiators, const char *completion)
{
	mesh_case_init(test, rows, columns, TEST_PCIE_GATEWAYS);
	mesh_case_choose(test, forward, initiators, completion, "main");
	mesh_case_open(test);
}

static struct mesh_event record(struct command_queue *queue, struct device_range range)
{
	struct mesh_event event;

	assert_int_equal(enqueue_record_event(queue, range, true, 0, &event), STATUS_OK);
	return event;
}

/* An event of `queue` whose id is `ahead` ids in the future. */
static struct mesh_event future(
	struct command_queue *queue, struct device_range range, uint32_t ahead)
{
	struct mesh_event now = record(queue, range);

	now.id += ahead;
	return now;
}

/* Records events until `event` is reached. */
static void release(const struct mesh_event *event)
{
	struct mesh_event made;

	do
		made = record(event->queue, event->range);
	while ((int32_t)(made.id - event->id) < 0);
}

static bool seen(const struct mesh_event *event, bool expected)
{
	int64_t patience_ns = expected ? LONG_PATIENCE_NS : PATIENCE_NS;
	enum status status = event_synchronize(event, world->now_ns() + patience_ns);

	assert_true(status == STATUS_OK || status == STATUS_TIMEOUT);
	return status == STATUS_OK;
}

static void finish(struct mesh_case *test)
{
	for (uint32_t q = 0; q < 2; q++)
		assert_int_equal(
			queue_finish(mesh_queue(test->mesh, q), 0, DEADLINE_NEVER), STATUS_OK);
	mesh_case_close(test);
}

/* Opens a mesh of two devices. Holds queue 0 of the mesh on the devices in `range`: lets it wait
 * for an event of queue 1 that is not recorded yet. Returns this event. */
static struct mesh_event open_held(struct mesh_case *test, const char *forward, uint32_t initiators,
	const char *completion, struct device_range range)
{
	struct mesh_event hold;

	open_mesh(test, 1, 2, forward, initiators, completion);
	hold = future(mesh_queue(test->mesh, 1), range, 4);
	assert_int_equal(enqueue_wait_event(mesh_queue(test->mesh, 0), &hold, 0), STATUS_OK);
	return hold;
}

/* Records an event on both devices, and then another event on device 0. Device 1 is held, so it
 * acknowledges no event; device 0 acknowledges both events. Returns true if the event on both
 * devices is reported, although device 1 has not acknowledged it. */
static bool tells_for_those_who_lag(const char *completion, const char *forward, bool expected)
{
	const struct device_range all = {0, 0, 0, 1}, first = {0, 0, 0, 0}, second = {0, 1, 0, 1};
	struct command_queue *queue;
	struct mesh_event hold, both, ahead;
	struct mesh_case test;
	bool told;

	hold = open_held(&test, forward, 1, completion, second);
	queue = mesh_queue(test.mesh, 0);
	both = record(queue, all);
	ahead = record(queue, first);
	told = seen(&both, expected);
	release(&hold);
	assert_int_equal(event_synchronize(&both, DEADLINE_NEVER), STATUS_OK);
	assert_int_equal(event_synchronize(&ahead, DEADLINE_NEVER), STATUS_OK);
	finish(&test);
	return told;
}

TEST(only_aggregators_that_count_tell_for_those_who_lag)
{
	const struct completion_ops *row;

	for (size_t c = 0; (row = completion_row(c)) != NULL; c++)
		for (size_t f = 0; forward_row(f) != NULL && (row->counts || !row->entry.hazard);
			f++)
			assert_int_equal(tells_for_those_who_lag(
						 row->entry.name, forward_name(f), row->counts),
				row->counts);
}

/* Holds up queue 0, and then records an event on queue 0 and one on queue 1. Returns true if the
 * event of queue 0 is reported while the queue is still held up. */
static bool tells_for_another_queue(const char *completion, bool expected)
{
	const struct device_range all = {0, 0, 0, 1};
	struct mesh_event hold, held, later;
	struct mesh_case test;
	bool told;

	hold = open_held(&test, "unicast", 0, completion, all);
	held = record(mesh_queue(test.mesh, 0), all);
	later = record(mesh_queue(test.mesh, 1), all);
	assert_int_equal(event_synchronize(&later, DEADLINE_NEVER), STATUS_OK);
	told = seen(&held, expected);
	release(&hold);
	finish(&test);
	return told;
}

TEST(only_one_slot_for_all_queues_tells_for_another_queue)
{
	const struct completion_ops *row;

	for (size_t c = 0; (row = completion_row(c)) != NULL; c++)
		if (row->shared_slot || row->entry.hazard == NULL)
			assert_int_equal(tells_for_another_queue(row->entry.name, row->shared_slot),
				row->shared_slot);
}

/* A held device in one range must not hold the event of the next range. */
TEST(disjoint_ranges_complete_in_any_order)
{
	const struct device_range first = {0, 0, 0, 0}, second = {0, 1, 0, 1};

	for (size_t c = 0; sound_row(c) != NULL; c++) {
		struct mesh_event hold, held, free;
		struct command_queue *queue;
		struct mesh_case test;

		hold = open_held(&test, "unicast", 0, sound_name(c), first);
		queue = mesh_queue(test.mesh, 0);
		held = record(queue, first);
		free = record(queue, second);
		assert_int_equal(event_synchronize(&free, DEADLINE_NEVER), STATUS_OK);
		assert_false(event_query(&held));
		release(&hold);
		assert_int_equal(event_synchronize(&held, DEADLINE_NEVER), STATUS_OK);
		finish(&test);
	}
}

static struct device_range any_range(struct stream *stream)
{
	uint16_t at[4];

	for (int i = 0; i < 4; i++)
		at[i] = (uint16_t)stream_below(stream, SIDE);
	return (struct device_range){at[0] < at[1] ? at[0] : at[1], at[2] < at[3] ? at[2] : at[3],
		at[0] < at[1] ? at[1] : at[0], at[2] < at[3] ? at[3] : at[2]};
}

static void overlapping(const char *completion, const char *forward, uint32_t seed)
{
	struct mesh_event events[EVENTS];
	struct stream stream;
	struct mesh_case test;

	stream_init(&stream, seed, "overlapping");
	open_mesh(&test, SIDE, SIDE, forward, seed % 4 ? 3 : 1, completion);
	for (uint32_t i = 0; i < EVENTS; i++) {
		struct command_queue *queue =
			mesh_queue(test.mesh, (uint32_t)stream_below(&stream, 2));
		struct mesh_event *wanted = &events[stream_below(&stream, i + 1)];

		events[i] = record(queue, any_range(&stream));
		if (stream_below(&stream, 3) == 0)
			assert_int_equal(enqueue_wait_event(queue, wanted, 0), STATUS_OK);
		if (stream_below(&stream, 5) == 0)
			assert_int_equal(event_synchronize(wanted, DEADLINE_NEVER), STATUS_OK);
	}
	for (uint32_t i = EVENTS; i-- > 0;) {
		assert_int_equal(event_synchronize(&events[i], DEADLINE_NEVER), STATUS_OK);
		assert_true(event_query(&events[i]));
	}
	finish(&test);
}

TEST(overlapping_ranges_all_complete)
{
	for (size_t c = 0; sound_row(c) != NULL; c++)
		for (uint32_t seed = 0; seed < 3; seed++)
			for (size_t f = 0; forward_row(f) != NULL; f++)
				overlapping(sound_name(c), forward_name(f), seed);
}

TEST_MAIN(NULL, NULL)
