/* Starts and completes the current command. */
#include "dispatcher_private.h"

/* Returns the operation that belongs to an operation number in a trace. */
static uint32_t trace_operation(const struct dispatcher *dispatcher, uint32_t number)
{
	return number > 0 && dispatcher->trace_first > 0 ? dispatcher->trace_first + number - 1 : 0;
}

static void trace_rename(const struct dispatcher *dispatcher, struct dispatch_command *command)
{
	uint32_t event = command->flags & DISPATCH_EVENT ? dispatcher->trace_event : 0;

	switch (command->kind) {
	case DISPATCH_GO:
		command->go.operation = trace_operation(dispatcher, command->go.operation);
		break;
	case DISPATCH_WAIT:
		command->wait.operation = trace_operation(dispatcher, command->wait.operation);
		break;
	case DISPATCH_WRITE_HOST:
		command->write_host.operation =
			trace_operation(dispatcher, command->write_host.operation);
		break;
	case DISPATCH_NOTIFY_HOST:
		command->notify_host.operation =
			trace_operation(dispatcher, command->notify_host.operation);
		command->notify_host.event += event;
		break;
	case DISPATCH_WRITE_WORD:
		command->write_word.value += event;
		break;
	default:
		break;
	}
}

bool dispatcher_goes_on(const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	const struct dispatch_command *last = &dispatcher->command;

	if (dispatcher->active)
		return dispatcher->progress.more;
	return command->kind == DISPATCH_WRITE_MULTICAST &&
	       last->kind == DISPATCH_WRITE_MULTICAST &&
	       last->write_multicast.offset == command->write_multicast.offset;
}

void dispatcher_enter(struct dispatcher *dispatcher)
{
	bool more;

	if (dispatcher->header == 0)
		return;
	more = dispatcher_goes_on(dispatcher, &dispatcher->next);
	dispatcher->current = dispatcher->chosen;
	dispatcher->command = dispatcher->next;
	if (dispatcher->tracing)
		trace_rename(dispatcher, &dispatcher->command);
	dispatcher->active = true;
	dispatcher->in_transaction = true;
	dispatcher->progress = (struct progress){
		.data_left = dispatcher_data_bytes(&dispatcher->command),
		.length = dispatcher_length(&dispatcher->command),
		.more = more,
	};
	marks_enter(dispatcher);
	link_receiver_take(
		dispatcher_input(dispatcher), &dispatcher->base.stage, dispatcher->header);
	dispatcher->header = 0;
}

void dispatcher_leave(struct dispatcher *dispatcher)
{
	dispatcher->active = false;
	if (dispatcher->command.flags & DISPATCH_LAST)
		dispatcher->in_transaction = false;
}

uint32_t dispatcher_data_bytes(const struct dispatch_command *command)
{
	uint32_t bytes = dispatch_data_bytes(command);

	if (command->kind == DISPATCH_WRITE_PACKED)
		bytes -= command_padded(2u * command->write_packed.count);
	return bytes;
}

uint32_t dispatcher_length(const struct dispatch_command *command)
{
	if (command->kind == DISPATCH_WRITE_LINEAR)
		return command->write_linear.length;
	return command->kind == DISPATCH_WRITE_MULTICAST ? command->write_multicast.length
							 : dispatcher_data_bytes(command);
}
