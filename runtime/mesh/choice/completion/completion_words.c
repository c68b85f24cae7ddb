/* Waiting for words of host memory, see completion_words.h. */
#include "completion_words.h"

#include "completion_reads.h"

enum status words_wait(
	struct command_queue *queue, struct device_range range, uint32_t event, int64_t deadline_ns)
{
	struct mesh_device *mesh = queue->mesh;
	const struct event_words *words = mesh->config.completion->words;
	struct event_word word;
	uint32_t index = 0;

	reads_drain(queue, range, event);
	while (words->next(queue, range, event, &index, &word)) {
		enum status status = device_row->window_wait(mesh->cluster, word.address,
			word.value, deadline_ns, mesh->config.host.caller_wait, words->what);

		if (status != STATUS_OK)
			return status;
	}
	world->work(WORK_COMPLETE, 1);
	return STATUS_OK;
}

bool words_reached(struct command_queue *queue, struct device_range range, uint32_t event)
{
	struct mesh_device *mesh = queue->mesh;
	const struct event_words *words = mesh->config.completion->words;
	struct event_word word;
	uint32_t index = 0;

	while (words->next(queue, range, event, &index, &word)) {
		uint32_t seen = device_row->window_word(mesh->cluster, word.address);

		world->work(WORK_POLL, 1);
		if ((int32_t)(seen - word.value) < 0)
			return false;
	}
	return true;
}
