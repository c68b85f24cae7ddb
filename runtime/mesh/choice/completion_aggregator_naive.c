/* Event path `aggregator-naive` (spec 3.11.2): the aggregator counts announcements, whichever event
 * they are of, and the host compares the count with what all events so far add up to. A device that
 * runs ahead makes up for one that lags: the false notification. */
#include <stdlib.h>

#include "base/ensure.h"
#include "completion_reads.h"
#include "registry_rows.h"

/* Announcements due at each aggregator when an event is reached. */
struct dues {
	uint32_t *at; /* [event * aggregators + aggregator] */
	uint32_t events;
	uint32_t last; /* event recorded last */
};

static uint32_t thread_count(uint32_t devices, uint32_t queues)
{
	(void)devices;
	(void)queues;
	return 0;
}

static void expect_event(struct lane *lane, uint32_t event)
{
	(void)lane;
	(void)event;
}

static void start(struct mesh_device *mesh)
{
	struct dues *dues = calloc(1, sizeof(*dues));

	ensure(dues != NULL, "no memory for counts");
	mesh->completion = dues;
	reads_start(mesh);
}

static void stop(struct mesh_device *mesh)
{
	struct dues *dues = mesh->completion;

	reads_stop(mesh);
	free(dues->at);
	free(dues);
	mesh->completion = NULL;
}

static void grow(struct dues *dues, uint32_t event, uint32_t aggregators)
{
	uint32_t events = dues->events ? dues->events : 64;

	while (events <= event)
		events *= 2;
	dues->at = realloc(dues->at, (size_t)events * aggregators * sizeof(*dues->at));
	ensure(dues->at != NULL, "no memory for %u events", events);
	for (uint32_t i = dues->events * aggregators; i < events * aggregators; i++)
		dues->at[i] = 0;
	dues->events = events;
}

/* Events that do not come to the host are not among them. */
static void record(struct command_queue *queue, struct device_range range, uint32_t event)
{
	struct mesh_device *mesh = queue->mesh;
	struct dues *dues = mesh->completion;
	uint32_t aggregators = mesh->plan.aggregators, count = device_range_count(range);

	if (event >= dues->events)
		grow(dues, event, aggregators);
	for (uint32_t a = 0; a < aggregators; a++)
		dues->at[event * aggregators + a] = dues->at[dues->last * aggregators + a];
	for (uint32_t i = 0; i < count; i++)
		dues->at[event * aggregators +
			 aggregator_of_device(&mesh->plan, range_device(mesh, range, i))]++;
	dues->last = event;
}

static bool touches(struct command_queue *queue, struct device_range range, uint32_t aggregator)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++)
		if (aggregator_of_device(&queue->mesh->plan, range_device(queue->mesh, range, i)) ==
			aggregator)
			return true;
	return false;
}

static enum status wait_event(
	struct command_queue *queue, struct device_range range, uint32_t event, int64_t deadline_ns)
{
	struct mesh_device *mesh = queue->mesh;
	const struct dues *dues = mesh->completion;

	reads_drain(queue, range, event);
	for (uint32_t a = 0; a < mesh->plan.aggregators; a++) {
		enum status status;

		if (!touches(queue, range, a))
			continue;
		status = device_row->window_wait(mesh->cluster, mesh->counts + 4 * (uint64_t)a,
			dues->at[event * mesh->plan.aggregators + a], deadline_ns,
			mesh->config.host.caller_wait, "the count of an aggregator");
		if (status != STATUS_OK)
			return status;
	}
	world->work(WORK_COMPLETE, 1);
	return STATUS_OK;
}

static bool reached(struct command_queue *queue, struct device_range range, uint32_t event)
{
	struct mesh_device *mesh = queue->mesh;
	const struct dues *dues = mesh->completion;

	for (uint32_t a = 0; a < mesh->plan.aggregators; a++) {
		uint32_t count;

		if (!touches(queue, range, a))
			continue;
		count = device_row->window_word(mesh->cluster, mesh->counts + 4 * (uint64_t)a);
		world->work(WORK_POLL, 1);
		if ((int32_t)(count - dues->at[event * mesh->plan.aggregators + a]) < 0)
			return false;
	}
	return true;
}

const struct completion_ops completion_aggregator_naive = {
	.entry = {.name = "aggregator-naive",
		.description = "an aggregator per initiator that only counts: shows the false "
			       "notification",
		.section = "3.11.2",
		.resources = "an aggregator and a word of host memory per initiator, no threads",
		.hazard = "devices that run ahead complete events for those that lag"},
	.path = EVENT_PATH_COUNT,
	.thread_count = thread_count,
	.start = start,
	.stop = stop,
	.record = record,
	.expect_event = expect_event,
	.expect_read = reads_expect,
	.wait_event = wait_event,
	.reached = reached,
	.wait_read = reads_wait,
	.read_must_wait = reads_must_wait,
};
