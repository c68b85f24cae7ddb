/* The event path `aggregator-naive` (spec 3.11.2). The aggregator, a firmware stage, counts the
 * announcements of all events in one word. An event, together with all events before it, has a
 * known number of announcements. The event counts as reached when the word has this number. This
 * goes wrong if one device is faster than another: the word then also counts the faster device's
 * announcements of later events, so an event can count as reached although the slower device has
 * not reached it. */
#include <stdlib.h>

#include "base/allocate.h"
#include "completion_parts.h"
#include "mesh/choice/rows.h"

/* For each event: the count that each aggregator has when the event is reached. */
struct dues {
	uint32_t *at; /* [event * aggregators + aggregator] */
	uint32_t events;
	uint32_t last; /* number of the event that was recorded last */
};

static void completion_aggregator_naive_start(struct mesh_device *mesh)
{
	struct dues *dues = allocate(1, sizeof(*dues));

	mesh->completion = dues;
	pollers_start(mesh);
}

static void completion_aggregator_naive_stop(struct mesh_device *mesh)
{
	struct dues *dues = mesh->completion;

	pollers_stop(mesh);
	free(dues->at);
	free(dues);
	mesh->completion = NULL;
}

static void completion_aggregator_naive_grow(
	struct dues *dues, uint32_t event, uint32_t aggregators)
{
	uint32_t events = dues->events ? dues->events : 64;

	while (events <= event)
		events *= 2;
	dues->at = allocate_more(dues->at, (size_t)events * aggregators, sizeof(*dues->at));
	for (uint32_t i = dues->events * aggregators; i < events * aggregators; i++)
		dues->at[i] = 0;
	dues->events = events;
}

/* Called only for events that notify the host. Aggregators do not count other events. */
static void completion_aggregator_naive_record(
	struct command_queue *queue, struct device_range range, uint32_t event)
{
	struct mesh_device *mesh = queue->mesh;
	struct dues *dues = mesh->completion;
	uint32_t aggregators = mesh->plan.aggregators, count = device_range_count(range);

	if (event >= dues->events)
		completion_aggregator_naive_grow(dues, event, aggregators);
	for (uint32_t a = 0; a < aggregators; a++)
		dues->at[event * aggregators + a] = dues->at[dues->last * aggregators + a];
	for (uint32_t i = 0; i < count; i++)
		dues->at[event * aggregators +
			 aggregator_of_device(&mesh->plan, range_device(mesh, range, i))]++;
	dues->last = event;
}

static bool completion_aggregator_naive_touches(
	struct command_queue *queue, struct device_range range, uint32_t aggregator)
{
	uint32_t count = device_range_count(range);

	for (uint32_t i = 0; i < count; i++)
		if (aggregator_of_device(&queue->mesh->plan, range_device(queue->mesh, range, i)) ==
			aggregator)
			return true;
	return false;
}

/* Finds the first aggregator, from number *index on, that serves a device of the range. Sets *word
 * to the address of the aggregator's count, and to the value that this count has when the event is
 * reached. Sets *index to the number after this aggregator. Returns false if there is no such
 * aggregator. */
static bool next_count(struct command_queue *queue, struct device_range range, uint32_t event,
	uint32_t *index, struct event_word *word)
{
	const struct mesh_device *mesh = queue->mesh;
	const struct dues *dues = mesh->completion;
	uint32_t aggregators = mesh->plan.aggregators;

	while (*index < aggregators && !completion_aggregator_naive_touches(queue, range, *index))
		++*index;
	if (*index == aggregators)
		return false;
	word->address = mesh->counts + 4 * (uint64_t)*index;
	word->value = dues->at[event * aggregators + *index];
	++*index;
	return true;
}

static const struct event_words counts = {"the count of an aggregator", next_count};

static const char *const keys[] = {"runtime.host.pollers", NULL};

const struct completion_ops completion_aggregator_naive = {
	.entry = {.name = "aggregator-naive",
		.description = "an aggregator per initiator that only counts: shows the false "
			       "notification",
		.section = "3.11.2",
		.resources = "an aggregator and a word of host memory per initiator; "
			     "runtime.host.pollers - 1 "
			     "threads",
		.keys = keys,
		.hazard = "devices that run ahead complete events for those that lag"},
	.notice = NOTICE_GATHER,
	.counts = true,
	.generations = 1,
	.reads = &reads_when_synchronized,
	.words = &counts,
	.thread_count = pollers_thread_count,
	.start = completion_aggregator_naive_start,
	.stop = completion_aggregator_naive_stop,
	.record = completion_aggregator_naive_record,
	.wait_event = words_wait,
	.reached = words_reached,
};
