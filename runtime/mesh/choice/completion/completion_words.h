/* Event paths by words of host memory: an event is reached when each of its words has reached a
 * value. The synchronizing thread polls them in order; there are no waiting threads besides. */
#ifndef MESH_CHOICE_COMPLETION_WORDS_H
#define MESH_CHOICE_COMPLETION_WORDS_H

#include "mesh/device/device.h"

struct event_word {
	uint64_t address; /* in the host window */
	uint32_t value;
};

struct event_words {
	const char *what; /* names the words in stall reports */

	/* Returns the word of an event at *index of a range, or the next one that the event has,
	 * and moves *index behind it. False behind the last. */
	bool (*next)(struct command_queue *queue, struct device_range range, uint32_t event,
		uint32_t *index, struct event_word *word);
};

/* The wait_event and reached operations of a row with event_words. */
enum status words_wait(struct command_queue *queue, struct device_range range, uint32_t event,
	int64_t deadline_ns);
bool words_reached(struct command_queue *queue, struct device_range range, uint32_t event);

#endif
