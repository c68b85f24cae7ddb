/* Event paths by words of host memory: an event is reached when each of its words has come to a
 * value. Whoever synchronizes polls them in order; no thread waits for them meanwhile. */
#ifndef MESH_CHOICE_COMPLETION_WORDS_H
#define MESH_CHOICE_COMPLETION_WORDS_H

#include "mesh/device/device.h"

struct event_word {
	uint64_t address; /* in the host window */
	uint32_t value;
};

struct event_words {
	const char *what; /* is waited for, in stall reports */

	/* The word of an event on a range at *index or the next one that it has; moves *index
	 * behind it. False behind the last. */
	bool (*next)(struct command_queue *queue, struct device_range range, uint32_t event,
		uint32_t *index, struct event_word *word);
};

/* wait_event and reached of such a row, for the words that it names. */
enum status words_wait(struct command_queue *queue, struct device_range range, uint32_t event,
	int64_t deadline_ns);
bool words_reached(struct command_queue *queue, struct device_range range, uint32_t event);

#endif
