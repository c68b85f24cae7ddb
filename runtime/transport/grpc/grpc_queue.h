/* A completion queue of gRPC and our thread that waits at it. That thread also polls the library's
 * sockets. Private to the room. */
#ifndef TRANSPORT_GRPC_QUEUE_H
#define TRANSPORT_GRPC_QUEUE_H

#include <stdbool.h>

#include "end.h"
#include "grpc_api.h"

/* An operation started in the library; its address is the tag. */
struct grpc_task {
	/* The operation completed, successfully or not. Called in the queue's thread with the end's
	 * mutex held. */
	void (*over)(struct grpc_task *task, bool good);
	void *owner;
};

struct grpc_queue {
	const struct grpc_api *api;
	grpc_completion_queue *queue;
	pthread_t thread;
	bool hears; /* the thread runs */
	struct end *end;
};

/* Initializes the library and starts the thread. IO: the library is not installed, or the thread
 * could not be started; the queue is then closed already. */
enum status grpc_queue_open(struct grpc_queue *queue, struct end *end, struct text *why);

/* Without the mutex, after the last operation was started: waits until all are over, and joins the
 * thread. Idempotent. */
void grpc_queue_stop(struct grpc_queue *queue);

/* Destroys the queue, after grpc_queue_stop() and after everything that used it was freed.
 * Idempotent. */
void grpc_queue_close(struct grpc_queue *queue);

#endif
