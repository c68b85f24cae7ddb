/* Sends the executor's answers, in the event loop's thread or in the sending thread. Also finds
 * command queues by number. When the connection to the controller is lost, sends nothing. */
#include "executor_private.h"

void executor_end(struct executor *executor, enum status status, const char *what)
{
	if (!__atomic_exchange_n(&executor->over, true, __ATOMIC_ACQ_REL)) {
		executor->status = status;
		text_printf(&executor->why, "%s: %s", executor->settings->channel.name, what);
	}
}

static void executor_answer_post(struct executor *executor, struct span message)
{
	const struct channel_ops *transport = executor->settings->transport;
	enum status status;

	if (stages_sends(executor->stages)) {
		stages_send(executor->stages, message);
		return;
	}
	status = executor->lost ? STATUS_CLOSED
				: transport->send(executor->channel, message, DEADLINE_NEVER);
	span_release(message);
	if (status != STATUS_OK) {
		executor_end(executor, STATUS_CLOSED, "the controller is lost");
		executor->lost = true;
	}
}

void executor_share_channel(struct executor *executor)
{
	if (executor->channel_turn.monitor == NULL)
		turn_init(&executor->channel_turn, "the turn at the channel of an executor",
			executor->settings->wait);
}

void executor_answer(struct executor *executor, const struct wire_command *answer)
{
	struct text why = {0};
	struct span message;

	turn_take(&executor->channel_turn);
	if (mail_write(&executor->writer, answer, &message, &why) == STATUS_OK)
		executor_answer_post(executor, message);
	else
		executor_end(executor, STATUS_INVALID, text_string(&why));
	turn_give(&executor->channel_turn);
	text_fini(&why);
}

void executor_complete(struct executor *executor, const struct wire_head *head, enum status status,
	const struct text *why)
{
	enum { TEXT_BYTES = 1024 };
	const struct wire_command answer = {.kind = WIRE_completed,
		.completed = {.number = head->number,
			.queue = head->queue,
			.status = (uint8_t)status,
			.text = mail_text(why, TEXT_BYTES)}};

	executor_answer(executor, &answer);
}

struct command_queue *executor_queue(struct served *served, uint32_t queue)
{
	if (served->mesh == NULL || queue >= mesh_queue_count(served->mesh))
		return NULL;
	return mesh_queue(served->mesh, queue);
}
