/* Declarations that the files of `meshsim executor` share: the connection to the controller, and
 * the queue of messages to send. */
#ifndef BENCH_RUN_SERVE_H
#define BENCH_RUN_SERVE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/run/enlist.h"
#include "bench/run/executors.h"
#include "native/processes.h"
#include "world/channel.h"

/* A print or a fault that waits to be sent. */
struct serve_news {
	struct serve_news *next;
	struct span message;
};

/* The executor of a host in one run; a process has one. */
struct serve {
	const struct channel_ops *ops;
	struct channel *channel;
	uint8_t *key;
	struct enlist accepted;
	struct cluster *cluster;
	uint32_t first_chip;
	bool bad_address; /* the controller's address is not valid */

	pthread_mutex_t mutex; /* protects all members below */
	pthread_cond_t changed;
	struct enlist_mark *marks;
	uint32_t mark_count, mark_capacity;
	struct serve_news *first, **last;
	char address[PROCESS_ADDRESS_BYTES]; /* address of the run's channels; "": unknown so far */
	bool lost;			     /* the controller is lost */
	bool ended;			     /* `end` must be sent, and then this end be closed */
	struct enlist end;
	struct work_counts counts;
};

/* Queue marks, faults and prints that the world has recorded. Call them from any thread. */
void serve_mark(
	void *serve, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip);
void serve_fault(void *serve, const struct firmware_fault *fault);
void serve_print(void *serve, const struct firmware_print *print);
void serve_log(void *serve, const struct log_line *line);

/* The function of a thread that answers the controller and sends queued messages. It returns when
 * the message about the executor's end was sent, or when the controller is lost. If the controller
 * is lost and this process then does not end soon, the thread ends the process. */
void *serve_line(void *serve);

/* Writes the address at which `controller` can reach this machine to `address`, with port 0. Both
 * addresses have the form HOST:PORT. Returns false if there is no such address. */
bool local_address(const char *controller, char *address, size_t size);

/* Sends a message before deadline_ns. */
enum status serve_send(struct serve *serve, const struct enlist *message, int64_t deadline_ns);

#endif
