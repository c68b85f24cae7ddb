/* A completion queue of gRPC, and the thread of ours that hears what is over: it is also the one
 * that polls the library's sockets. Private to the room. Knows neither calls nor frames. */
#ifndef TRANSPORT_GRPC_QUEUE_H
#define TRANSPORT_GRPC_QUEUE_H

#include <stdbool.h>

#include "end.h"
#include "grpc_api.h"

/* Something that the library was asked for: its tag. */
struct grpc_task {
	/* It is over, well or not: in the queue's thread, with the end's mutex held. */
	void (*over)(struct grpc_task *task, bool good);
	void *owner;
};

struct grpc_queue {
	const struct grpc_api *api;
	grpc_completion_queue *queue;
	pthread_t thread;
	bool hears; /* the thread is there */
	struct end *end;
};

/* Starts the library and the thread. IO: it is not on this machine, or there is no thread; the
 * queue is closed then. */
enum status grpc_queue_open(struct grpc_queue *queue, struct end *end, struct text *why);

/* Without the mutex, when nothing more will be asked for: waits until all that was is over, and
 * ends the thread. Again: nothing happens. */
void grpc_queue_stop(struct grpc_queue *queue);

/* After grpc_queue_stop(), and when all that used it is gone. Again: nothing happens. */
void grpc_queue_close(struct grpc_queue *queue);

#endif
