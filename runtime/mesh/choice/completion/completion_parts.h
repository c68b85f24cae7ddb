/* Functions that several event paths (struct completion_ops of mesh/choice.h) share: waiting for
 * words of host memory, polling with several threads, reading data without reader threads, and
 * taking records with reader threads. */
#ifndef MESH_CHOICE_COMPLETION_PARTS_H
#define MESH_CHOICE_COMPLETION_PARTS_H

#include "mesh/device/device.h"

/* Several host threads poll the words or queues of one event (spec 3.8.8.2): the calling thread and
 * runtime.host.pollers - 1 additional threads, the pollers. Each thread polls some of the words or
 * queues. */

/* The thread_count, start and stop operations of an event path that polls. */
uint32_t pollers_thread_count(const struct mesh_config *config, uint32_t devices);
void pollers_start(struct mesh_device *mesh);
void pollers_stop(struct mesh_device *mesh);

/* Divides `things` words or queues among the threads. Each thread gets one share, which is not
 * empty. Calls poll(arg, number of the share, number of shares) for all shares in parallel; the
 * calling thread polls share 0. Returns OK if all calls return OK, otherwise the first other
 * status. */
enum status pollers_run(struct mesh_device *mesh, uint32_t things,
	enum status (*poll)(void *arg, uint32_t share, uint32_t shares), void *arg);

/* The operations for reading data of event paths that have no reader threads (spec 3.8.7). The data
 * stay in each device's completion queue until a synchronizing call takes them out. */

extern const struct read_ops reads_when_synchronized;

/* Takes the data of all reads of a range that were sent before an event. */
void reads_drain(struct command_queue *queue, struct device_range range, uint32_t event);

/* Event paths that wait for words of host memory: an event is reached when each of its words in
 * host memory has reached a value. The thread that synchronizes polls these words in order; the
 * pollers help it. */

struct event_word {
	uint64_t address; /* address of the word in the host window */
	uint32_t value;
};

struct event_words {
	const char *what; /* name of the words in stall reports */

	/* Finds the event's next word, from number *index on. Fills in *word, and sets *index to
	 * the number after this word. Returns false if there are no more words. The event has one
	 * word for each device in the range, or one word for each aggregator of these devices. */
	bool (*next)(struct command_queue *queue, struct device_range range, uint32_t event,
		uint32_t *index, struct event_word *word);
};

/* The operations wait_event and reached of an event path with event_words. */
enum status words_wait(struct command_queue *queue, struct device_range range, uint32_t event,
	int64_t deadline_ns);
bool words_reached(struct command_queue *queue, struct device_range range, uint32_t event);

/* Event paths with aggregators that gather events. In all these event paths, the thread that
 * synchronizes takes the aggregators' notifications. The event paths differ in the handshake
 * between devices and aggregators. */

enum status aggregator_wait_event(struct command_queue *queue, struct device_range range,
	uint32_t event, int64_t deadline_ns);
bool aggregator_reached(struct command_queue *queue, struct device_range range, uint32_t event);
extern const char *const aggregator_keys[];

#define AGGREGATOR_OPS                                                                             \
	.notice = NOTICE_GATHER, .reads = &reads_when_synchronized,                                \
	.thread_count = pollers_thread_count, .start = pollers_start, .stop = pollers_stop,        \
	.wait_event = aggregator_wait_event, .reached = aggregator_reached

/* The records of completion queues for which reader threads wait. The variant of
 * runtime.host.readers assigns each record to a thread. */

/* The next records of a lane. */
struct expectation {
	struct lane *lane;
	struct read *read; /* NULL: the record of an event */
	uint32_t event;
};

/* Takes the records out of the completion queue, and wakes waiting threads. Blocks until the
 * records have arrived. */
void expectation_take(const struct expectation *expectation);

/* The reader thread of a mesh (spec 3.9.2), which polls the completion queues of all devices. The
 * thread takes all records itself, or leaves the records of reads to the pool of host threads that
 * also sends commands. */

/* The operations thread_count, start, stop and expect of a readers variant. If the variant has
 * `offloads` set, the reader thread passes the records of reads to the pool of
 * runtime.host.threads. Otherwise the reader thread takes all records itself. */
uint32_t mesh_reader_count(uint32_t devices, uint32_t queues);
void mesh_reader_start(struct mesh_device *mesh);
void mesh_reader_stop(struct mesh_device *mesh);
void mesh_reader_expect(struct lane *lane, struct read *read, uint32_t event);

#endif
