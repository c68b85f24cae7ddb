/* Executes one command of the controller. Sends the answer if the command has an immediate answer.
 * Rejects commands that only executors send. */
#include "base/refuse.h"
#include "executor_private.h"

/* Closes a mesh. The executor ends when it has closed its last mesh. */
static enum status close_mesh(struct served *served)
{
	struct executor *executor = served->executor;

	executor_close(served);
	for (uint32_t i = 0; i < executor->meshes.count; i++) {
		const struct served *other = executor->meshes.at[i];

		if (other != NULL && other != served && other->mesh != NULL)
			return STATUS_OK;
	}
	__atomic_store_n(&executor->over, true, __ATOMIC_RELEASE);
	executor->status = STATUS_OK;
	return STATUS_OK;
}

static enum status not_for_executors(const struct wire_command *command, struct text *why)
{
	return refuse(
		why, STATUS_INVALID, "%s is not for executors", wire_kind_name(command->kind));
}

/* Returns true for commands that are answered with COMPLETED as soon as they are executed. Other
 * commands are answered later, with another message, or only if they fail. */
static bool is_answered(const struct wire_command *command)
{
	return command->kind == WIRE_close_mesh || command->kind == WIRE_end_trace ||
	       command->kind == WIRE_divide_devices || command->kind == WIRE_add_division ||
	       command->kind == WIRE_load_division;
}

static enum status serve_memory(
	struct served *served, const struct wire_command *command, struct text *why)
{
	switch (command->kind) {
	case WIRE_close_mesh:
		return close_mesh(served);
	case WIRE_divide_devices:
		return executor_divide(served, &command->divide_devices, why);
	case WIRE_add_division:
		return executor_add_division(served, &command->add_division, why);
	case WIRE_load_division:
		return executor_load_division(served, &command->load_division, why);
	case WIRE_create_buffer:
		return executor_create_buffer(served, &command->create_buffer, why);
	case WIRE_free_buffer:
		return executor_free_buffer(served, command->free_buffer.buffer);
	case WIRE_write_buffer:
		return executor_write(served, &command->write_buffer, why);
	case WIRE_read_buffer:
		return executor_read(served, &command->read_buffer, why);
	case WIRE_query:
		return executor_query(served, &command->query, why);
	case WIRE_measure_fabric:
		return executor_measure(served, &command->measure_fabric, why);
	case WIRE_load_shard:
		return executor_load(served, &command->load_shard, why);
	default:
		return not_for_executors(command, why);
	}
}

static enum status executor_serve_serve(
	struct served *served, const struct wire_command *command, struct text *why)
{
	switch (command->kind) {
	case WIRE_record_event:
		return executor_record(served, &command->record_event, why);
	case WIRE_wait_for_event:
		return executor_wait(served, &command->wait_for_event, why);
	case WIRE_synchronize_event:
		return executor_synchronize(served, &command->synchronize_event, why);
	case WIRE_enqueue_finish:
	case WIRE_finish_sub_devices:
		return executor_finish(served, command, why);
	case WIRE_enqueue_program:
		return executor_run_workload(served, &command->enqueue_program, why);
	case WIRE_set_runtime_args:
		return executor_set_arguments(served, &command->set_runtime_args, why);
	case WIRE_free_workload:
		return executor_free_workload(served, command->free_workload.workload);
	case WIRE_place_workload:
		return executor_place_workload(served, &command->place_workload, why);
	case WIRE_add_route:
		return executor_add_route(served, &command->add_route, why);
	case WIRE_give_binaries:
		return executor_give_binaries(served, &command->give_binaries, why);
	case WIRE_give_commands:
		return executor_give_commands(served, &command->give_commands, why);
	case WIRE_begin_trace:
	case WIRE_end_trace:
	case WIRE_release_trace:
	case WIRE_name_event:
	case WIRE_enqueue_trace:
		return executor_trace(served, command, why);
	default:
		return serve_memory(served, command, why);
	}
}

/* Returns the operation number that the controller has put into a command. While a trace is
 * captured, this is the number of the call in the trace. */
static uint32_t operation_of(const struct wire_command *command)
{
	switch (command->kind) {
	case WIRE_write_buffer:
		return command->write_buffer.operation;
	case WIRE_read_buffer:
		return command->read_buffer.operation;
	case WIRE_enqueue_program:
		return command->enqueue_program.operation;
	case WIRE_record_event:
		return command->record_event.operation;
	case WIRE_wait_for_event:
		return command->wait_for_event.operation;
	default:
		return 0;
	}
}

void executor_serve(struct executor *executor, const struct wire_command *command)
{
	struct served *served = executor_mesh(executor, command->mesh);
	struct text why = {0};
	enum status status;

	if (command->kind == WIRE_open_mesh) {
		status = executor_open(executor, command->mesh, &command->open_mesh, &why);
	} else if (served == NULL) {
		status = refuse(&why, STATUS_NOT_FOUND, "no mesh %u", command->mesh);
	} else {
		executor_count(served, &command->head, operation_of(command));
		status = executor_serve_serve(served, command, &why);
	}
	if (status == STATUS_OK)
		LOG_TO(DISTRIBUTED, DEBUG, "executed %s", wire_kind_name(command->kind));
	else
		LOG_TO(DISTRIBUTED, WARNING, "%s failed: %s", wire_kind_name(command->kind),
			why.length ? text_string(&why) : status_message(status));
	if (status != STATUS_OK || is_answered(command))
		executor_complete(executor, &command->head, status, &why);
	text_fini(&why);
}
