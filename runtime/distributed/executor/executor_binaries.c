/* Provides the binaries of kernels for the executor's devices (spec 4.8.2.1, 4.9). Either the
 * executor compiles the kernels, or the controller sends the binaries. The executor may ask the
 * controller for the addresses of binaries. The controller may also send the commands of launches.
 * The pieces of a binary must arrive in order. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "executor_private.h"
#include "mesh/assembled.h"

void executor_compile(struct served *served, const struct remote_workload *workload)
{
	/* true: this thread compiles the kernels now; false: threads of the executor's mesh compile
	 * them when the workload is enqueued */
	bool here = served->compiles && served->config.host.compile->compile == NULL;

	for (uint32_t i = 0; i < workload->count && here; i++)
		if (workload->programs[i] != NULL)
			compiled_add(&served->executor->compiled, workload->programs[i]);
}

void executor_ask(
	struct served *served, const struct wire_head *head, const struct remote_workload *workload)
{
	struct wire_command answer = {.kind = WIRE_memory_wanted,
		.memory_wanted = {.number = head->number, .queue = head->queue}};

	if (!served->asks || workload_program_count(workload->workload) == 0)
		return;
	answer.memory_wanted.bytes = binary_slot_bytes(&served->config,
		device_row->info(served->executor->cluster)->chips[0].geometry,
		workload_binary_pages(workload->workload));
	executor_answer(served->executor, &answer);
}

enum status executor_place_workload(
	struct served *served, const struct wire_place_workload *message, struct text *why)
{
	struct remote_workload *workload = things_find(&served->workloads, message->workload);

	if (workload == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no workload %llu",
			(unsigned long long)message->workload);
	if (workload->placed)
		return refuse(why, STATUS_EXISTS, "workload %llu lies somewhere already",
			(unsigned long long)message->workload);
	workload->placed = true;
	workload_place_binaries(workload->workload, message->address);
	return STATUS_OK;
}

enum status executor_give_binaries(
	struct served *served, const struct wire_give_binaries *message, struct text *why)
{
	struct remote_workload *workload = things_find(&served->workloads, message->workload);
	struct program *program;

	if (workload == NULL || message->program >= workload->count)
		return refuse(why, STATUS_NOT_FOUND, "no program %u of a workload %llu",
			message->program, (unsigned long long)message->workload);
	program = workload->programs[message->program];
	if (program == NULL) /* the program runs only on other hosts */
		return STATUS_OK;
	if (message->offset == 0) {
		free(workload->given);
		workload->given = allocate(1, program_binary_bytes(program) + 1);
		workload->given_have = 0;
	}
	if (message->bytes != program_binary_bytes(program) || workload->given == NULL ||
		message->offset != workload->given_have ||
		message->data.count > message->bytes - workload->given_have)
		return refuse(why, STATUS_INVALID, "%u B at %llu of %llu B of binaries",
			message->data.count, (unsigned long long)message->offset,
			(unsigned long long)message->bytes);
	if (message->data.count > 0)
		memcpy(workload->given + message->offset, message->data.at, message->data.count);
	world->work_copy(message->data.count, MEMORY_CACHED, MEMORY_CACHED);
	workload->given_have += message->data.count;
	if (workload->given_have < message->bytes)
		return STATUS_OK;
	program_give_binaries(program, workload->given);
	free(workload->given);
	workload->given = NULL;
	return STATUS_OK;
}

enum status executor_give_commands(
	struct served *served, const struct wire_give_commands *message, struct text *why)
{
	struct remote_workload *workload = things_find(&served->workloads, message->workload);

	if (workload == NULL || workload->status != STATUS_OK ||
		message->program >= workload->count)
		return refuse(why, STATUS_NOT_FOUND, "no program %u of a workload %llu",
			message->program, (unsigned long long)message->workload);
	/* the program runs only on other hosts */
	if (workload->programs[message->program] == NULL)
		return STATUS_OK;
	world->work_copy(message->data.count, MEMORY_CACHED, MEMORY_CACHED);
	return workload_give_commands(workload->workload, workload->programs[message->program],
		message->generation, message->layout.at, message->layout.count, message->data.at,
		message->data.count, why);
}
