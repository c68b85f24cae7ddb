/* The executor's stages as threads (spec 4.8.3). Up to three threads receive, decode and send;
 * queues connect these threads with the event loop. If no thread is dedicated to decoding, the
 * receiving thread also decodes. It then sees CLOSE_MESH, which is the last command, and ends. So
 * it can wait for messages without a deadline. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "executor_private.h"
#include "world/queue.h"

enum { LETTERS = 64, OUTGOING = 1024, LOOK_NS = 50000000 };

struct stages {
	const struct executor_settings *settings;
	struct channel *channel;
	struct letter letters[LETTERS];
	struct queue *unused, *received, *arrived, *outgoing;
	struct thread *receiver, *decoder, *sender; /* NULL: there is no such thread */
	bool over;				    /* set when the decoding thread has decoded the
						     * last message; atomic */
};

/* Returns false if this was the last message. */
static bool decode_one(struct stages *stages, struct letter *letter)
{
	const struct executor_settings *settings = stages->settings;
	enum wire_kind kind;

	if (letter_read(letter, settings->codec, letter->message, NULL) != STATUS_OK)
		letter->command.kind = WIRE_NO_COMMAND;
	kind = letter->command.kind; /* read it now, because the letter is passed on */
	queue_push(stages->arrived, letter, DEADLINE_NEVER, settings->wait);
	return kind != WIRE_close_mesh && kind != WIRE_NO_COMMAND;
}

/* Receives the next message. If another thread decodes the messages, only that thread can recognize
 * the last message. It then sets `over`, but does not wake the thread that receives. So this
 * function checks `over` every LOOK_NS. */
static enum status take_message(struct stages *stages, struct span *message)
{
	const struct channel_ops *transport = stages->settings->transport;
	enum status status = STATUS_TIMEOUT;

	if (stages->decoder == NULL)
		return transport->receive(stages->channel, DEADLINE_NEVER, message);
	while (status == STATUS_TIMEOUT && !__atomic_load_n(&stages->over, __ATOMIC_ACQUIRE))
		status = transport->receive(stages->channel, world->now_ns() + LOOK_NS, message);
	return status;
}

static bool receive_one(struct stages *stages)
{
	const struct executor_settings *settings = stages->settings;
	struct letter *letter;
	struct span message;
	void *item;

	if (queue_pop(stages->unused, &item, DEADLINE_NEVER, settings->wait) != STATUS_OK ||
		take_message(stages, &message) != STATUS_OK)
		return false;
	letter = item;
	letter->message = message;
	if (stages->decoder == NULL)
		return decode_one(stages, letter);
	queue_push(stages->received, letter, DEADLINE_NEVER, settings->wait);
	return true;
}

static void executor_stages_receive(void *arg)
{
	struct stages *stages = arg;

	while (receive_one(stages))
		;
	queue_close(stages->decoder != NULL ? stages->received : stages->arrived);
}

static void executor_stages_decode(void *arg)
{
	struct stages *stages = arg;
	bool more = true;
	void *item;

	while (more && queue_pop(stages->received, &item, DEADLINE_NEVER, stages->settings->wait) ==
			       STATUS_OK)
		more = decode_one(stages, item);
	__atomic_store_n(&stages->over, true, __ATOMIC_RELEASE);
	queue_close(stages->arrived);
}

static void executor_stages_send(void *arg)
{
	struct stages *stages = arg;
	bool lost = false;
	void *item;

	while (queue_pop(stages->outgoing, &item, DEADLINE_NEVER, stages->settings->wait) ==
		STATUS_OK) {
		struct span *message = item;

		/* the receiver also notices that the controller is lost, and reports it */
		lost = lost || stages->settings->transport->send(
				       stages->channel, *message, DEADLINE_NEVER) != STATUS_OK;
		span_release(*message);
		free(message);
	}
}

static struct thread *start(struct stages *stages, const char *name, void (*run)(void *stages))
{
	return world->spawn(name, stages->settings->place, run, stages);
}

static void executor_stages_start_receiver(struct stages *stages)
{
	const struct executor_settings *settings = stages->settings;

	stages->unused = queue_new("letters without a command", LETTERS);
	stages->arrived = queue_new("commands for the event loop", LETTERS);
	for (uint32_t i = 0; i < LETTERS; i++)
		queue_push(stages->unused, &stages->letters[i], DEADLINE_NEVER, settings->wait);
	if (settings->stages.deserialize) {
		stages->received = queue_new("messages to decode", LETTERS);
		stages->decoder = start(stages, "executor deserializes", executor_stages_decode);
	}
	stages->receiver = start(stages, "executor receives", executor_stages_receive);
}

struct stages *stages_start(struct executor *executor)
{
	const struct executor_settings *settings = executor->settings;
	struct stages *stages = allocate(1, sizeof *stages);

	stages->settings = settings;
	stages->channel = executor->channel;
	if (settings->stages.receive)
		executor_stages_start_receiver(stages);
	if (settings->stages.send) {
		stages->outgoing = queue_new("answers to send", OUTGOING);
		stages->sender = start(stages, "executor sends", executor_stages_send);
	}
	return stages;
}

static void executor_stages_drain(struct stages *stages, struct queue *queue)
{
	void *item;

	while (queue_pop(queue, &item, DEADLINE_NEVER, stages->settings->wait) == STATUS_OK)
		;
	queue_free(queue);
}

static void stop_receiver(struct stages *stages)
{
	queue_close(stages->unused);
	world->join(stages->receiver);
	if (stages->decoder != NULL) {
		world->join(stages->decoder);
		executor_stages_drain(stages, stages->received);
	}
	executor_stages_drain(stages, stages->arrived);
	executor_stages_drain(stages, stages->unused);
	for (uint32_t i = 0; i < LETTERS; i++)
		letter_fini(&stages->letters[i]);
}

void stages_stop(struct stages *stages)
{
	if (stages == NULL)
		return;
	if (stages->sender != NULL) {
		queue_close(stages->outgoing);
		world->join(stages->sender);
		queue_free(stages->outgoing);
	}
	if (stages->receiver != NULL)
		stop_receiver(stages);
	free(stages);
}

bool stages_receive(const struct stages *stages)
{
	return stages != NULL && stages->receiver != NULL;
}

bool stages_sends(const struct stages *stages)
{
	return stages != NULL && stages->sender != NULL;
}

enum status stages_next(struct stages *stages, int64_t deadline_ns, struct letter **letter)
{
	void *item = NULL;
	enum status status = queue_pop(stages->arrived, &item, deadline_ns, stages->settings->wait);

	*letter = item;
	if (status == STATUS_OK && (*letter)->command.kind == WIRE_NO_COMMAND)
		status = STATUS_INVALID;
	return status;
}

void stages_give_back(struct stages *stages, struct letter *letter)
{
	letter_empty(letter);
	queue_push(stages->unused, letter, DEADLINE_NEVER, stages->settings->wait);
}

void stages_send(struct stages *stages, struct span message)
{
	struct span *item = allocate(1, sizeof *item);
	enum status status;

	*item = message;
	status = queue_push(stages->outgoing, item, DEADLINE_NEVER, stages->settings->wait);
	ensure(status == STATUS_OK, "an answer cannot be sent: %s", status_message(status));
}
