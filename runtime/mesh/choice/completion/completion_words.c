/* Waits for an event by polling words of host memory; see completion_parts.h. The event path
 * provides a function that lists the words of an event, and the value that each word must reach. */
#include "completion_parts.h"

enum { PASSED = 0 }; /* a deadline in the past: checks without waiting */

/* The arguments of the pollers. Each poller waits for some of the words of an event. */
struct words_event {
	struct command_queue *queue;
	struct device_range range;
	uint32_t event;
	int64_t deadline_ns;
};

static enum status poll_words(void *arg, uint32_t share, uint32_t shares)
{
	const struct words_event *of = arg;
	struct mesh_device *mesh = of->queue->mesh;
	const struct event_words *words = mesh->config.completion->words;
	struct event_word word;
	uint32_t index = 0;

	for (uint32_t i = 0; words->next(of->queue, of->range, of->event, &index, &word); i++) {
		enum status status = STATUS_OK;

		if (i % shares == share)
			status = device_row->window_wait(mesh->cluster, word.address, word.value,
				of->deadline_ns, mesh->config.host.caller_wait, words->what);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

enum status words_wait(
	struct command_queue *queue, struct device_range range, uint32_t event, int64_t deadline_ns)
{
	struct words_event of = {queue, range, event, deadline_ns};
	enum status status;

	reads_drain(queue, range, event);
	status = pollers_run(queue->mesh, device_range_count(range), poll_words, &of);
	if (status == STATUS_OK)
		world->work(WORK_COMPLETE, 1);
	return status;
}

bool words_reached(struct command_queue *queue, struct device_range range, uint32_t event)
{
	struct mesh_device *mesh = queue->mesh;
	const struct event_words *words = mesh->config.completion->words;
	struct event_word word;
	uint32_t index = 0;

	while (words->next(queue, range, event, &index, &word)) {
		if (device_row->window_wait(mesh->cluster, word.address, word.value, PASSED,
			    mesh->config.host.caller_wait, words->what) != STATUS_OK)
			return false;
	}
	return true;
}
