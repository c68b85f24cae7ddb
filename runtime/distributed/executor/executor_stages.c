/* The executor's stages as threads (spec 4.8.3): one receives and decodes, one sends; between them
 * and the event loop are queues. The receiver ends behind CLOSE_MESH, so that it needs no deadline.
 * Does not look at what commands mean. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "executor_private.h"
#include "world/queue.h"

enum { LETTERS = 64, OUTGOING = 1024 };

struct stages {
	const struct executor_settings *settings;
	struct channel *channel;
	struct letter letters[LETTERS];
	struct queue *unused, *arrived, *outgoing;
	struct thread *receiver, *sender;
};

static bool receive_one(struct stages *stages)
{
	const struct executor_settings *settings = stages->settings;
	struct letter *letter;
	struct span message;
	enum wire_kind kind;
	void *item;

	if (queue_pop(stages->unused, &item, DEADLINE_NEVER, settings->wait) != STATUS_OK ||
		settings->transport->receive(stages->channel, DEADLINE_NEVER, &message) !=
			STATUS_OK)
		return false;
	letter = item;
	if (letter_read(letter, settings->codec, message, NULL) != STATUS_OK)
		letter->command.kind = WIRE_NO_COMMAND;
	kind = letter->command.kind; /* it may be another's soon */
	queue_push(stages->arrived, letter, DEADLINE_NEVER, settings->wait);
	return kind != WIRE_close_mesh && kind != WIRE_NO_COMMAND;
}

static void receive(void *arg)
{
	struct stages *stages = arg;

	while (receive_one(stages))
		;
	queue_close(stages->arrived);
}

static void send(void *arg)
{
	struct stages *stages = arg;
	bool lost = false;
	void *item;

	while (queue_pop(stages->outgoing, &item, DEADLINE_NEVER, stages->settings->wait) ==
		STATUS_OK) {
		struct span *message = item;

		/* the receiver sees that the controller is lost, too, and says so */
		lost = lost || stages->settings->transport->send(
				       stages->channel, *message, DEADLINE_NEVER) != STATUS_OK;
		span_release(*message);
		free(message);
	}
}

struct stages *stages_start(struct executor *executor)
{
	const struct executor_settings *settings = executor->settings;
	struct stages *stages = allocate(1, sizeof *stages);

	stages->settings = settings;
	stages->channel = executor->channel;
	stages->unused = queue_new("letters without a command", LETTERS);
	stages->arrived = queue_new("commands for the event loop", LETTERS);
	stages->outgoing = queue_new("answers to send", OUTGOING);
	for (uint32_t i = 0; i < LETTERS; i++)
		queue_push(stages->unused, &stages->letters[i], DEADLINE_NEVER, settings->wait);
	stages->receiver = world->spawn("executor receives", settings->place, receive, stages);
	stages->sender = world->spawn("executor sends", settings->place, send, stages);
	return stages;
}

void stages_stop(struct stages *stages)
{
	void *item;

	if (stages == NULL)
		return;
	queue_close(stages->unused);
	queue_close(stages->outgoing);
	world->join(stages->sender);
	world->join(stages->receiver);
	while (queue_pop(stages->arrived, &item, DEADLINE_NEVER, stages->settings->wait) ==
		STATUS_OK)
		;
	while (queue_pop(stages->unused, &item, DEADLINE_NEVER, stages->settings->wait) ==
		STATUS_OK)
		;
	for (uint32_t i = 0; i < LETTERS; i++)
		letter_fini(&stages->letters[i]);
	queue_free(stages->unused);
	queue_free(stages->arrived);
	queue_free(stages->outgoing);
	free(stages);
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
