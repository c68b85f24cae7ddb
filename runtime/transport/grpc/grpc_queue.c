/* Completion queues of gRPC, see grpc_line.h. Callbacks run with the end's mutex held. */
#include "grpc_line.h"

static void *grpc_queue_hear(void *argument)
{
	struct grpc_queue *queue = argument;
	const gpr_timespec never = queue->api->gpr_inf_future(GPR_CLOCK_REALTIME);
	grpc_event event;

	for (;;) {
		struct grpc_task *task;

		event = queue->api->grpc_completion_queue_next(queue->queue, never, NULL);
		if (event.type == GRPC_QUEUE_SHUTDOWN)
			return NULL;
		task = event.tag;
		pthread_mutex_lock(&queue->end->mutex);
		task->over(task, event.success != 0);
		end_ring(queue->end);
		pthread_mutex_unlock(&queue->end->mutex);
	}
}

enum status grpc_queue_open(struct grpc_queue *queue, struct end *end, struct text *why)
{
	*queue = (struct grpc_queue){.api = grpc_api(), .end = end};
	if (queue->api == NULL) {
		if (why)
			text_append(why, "the library is not on this machine");
		return STATUS_IO;
	}
	queue->api->grpc_init();
	queue->queue = queue->api->grpc_completion_queue_create_for_next(NULL);
	queue->hears = pthread_create(&queue->thread, NULL, grpc_queue_hear, queue) == 0;
	if (queue->hears)
		return STATUS_OK;
	queue->api->grpc_completion_queue_shutdown(queue->queue);
	grpc_queue_close(queue);
	return STATUS_IO;
}

void grpc_queue_stop(struct grpc_queue *queue)
{
	if (!queue->hears)
		return;
	queue->api->grpc_completion_queue_shutdown(queue->queue);
	pthread_join(queue->thread, NULL);
	queue->hears = false;
}

void grpc_queue_close(struct grpc_queue *queue)
{
	if (!queue->queue)
		return;
	queue->api->grpc_completion_queue_destroy(queue->queue);
	queue->api->grpc_shutdown_blocking();
	queue->queue = NULL;
}
