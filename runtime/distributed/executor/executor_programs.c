/* Creates workloads from their descriptions (spec 4.4, 4.9; mesh/description.h). The executor lays
 * out the programs of a workload and makes their binaries. It leaves out programs that run on none
 * of its devices. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "executor_private.h"
#include "mesh/assembled.h"

static enum status add_kernels(struct program *program, uint32_t index,
	const struct wire_enqueue_program *message, struct text *why)
{
	enum status status = STATUS_OK;
	uint32_t used = 0;

	for (uint32_t i = 0; i < message->kernels.count && status == STATUS_OK; i++) {
		const struct wire_kernel *from = &message->kernels.at[i];
		struct kernel_config config = {.processor = (enum processor)from->processor,
			.cores = cores_from_wire(&message->cores.at[from->cores]),
			.bytes = from->bytes,
			.cycles = from->cycles,
			.steps = from->steps,
			.copied = from->copied,
			.unique_args = from->unique_args,
			.common_args = from->common_args,
			.table = from->table};
		uint32_t kernel;

		if (from->acts) {
			config.text = message->texts.at + used;
			used += from->bytes; /* in range, because the codec has checked it */
		}
		if (from->program == index)
			status = program_add_kernel(program, &config, why, &kernel);
	}
	return status;
}

static enum status add_rest(struct program *program, uint32_t index,
	const struct wire_enqueue_program *message, struct text *why)
{
	enum status status = STATUS_OK;
	uint32_t semaphore;

	for (uint32_t i = 0; i < message->circular_buffers.count && status == STATUS_OK; i++) {
		const struct wire_circular_buffer *from = &message->circular_buffers.at[i];

		if (from->program == index)
			status = program_add_circular_buffer(program,
				cores_from_wire(&message->cores.at[from->cores]), from->pages,
				from->page_bytes, why);
	}
	for (uint32_t i = 0; i < message->semaphores.count && status == STATUS_OK; i++) {
		const struct wire_semaphore *from = &message->semaphores.at[i];

		if (from->program == index)
			status = program_add_semaphore(program,
				cores_from_wire(&message->cores.at[from->cores]), from->initial,
				why, &semaphore);
	}
	return status;
}

static enum status executor_programs_add_program(struct served *served,
	struct remote_workload *made, const struct wire_enqueue_program *message, uint32_t index,
	struct text *why)
{
	const struct wire_program *from = &message->programs.at[index];
	const struct wire_range wire = {from->row, from->column, from->rows, from->columns};
	struct device_range range, cut;
	char name[BOUND_NAME_BYTES + 1] = "";
	enum status status;

	if (!part_from_wire(&wire, &range))
		return refuse(why, STATUS_OUT_OF_RANGE, "program %u has no devices", index);
	if (!part_cut(&served->part, range, &cut))
		return STATUS_OK;
	if (from->name.count > 0) /* if the count is 0, the pointer may be NULL */
		memcpy(name, from->name.at, from->name.count);
	made->programs[index] = program_new_at(mesh_program_site(served->mesh), name, from->id);
	status = add_kernels(made->programs[index], index, message, why);
	if (status == STATUS_OK)
		status = add_rest(made->programs[index], index, message, why);
	if (status == STATUS_OK)
		status = workload_add(made->workload, made->programs[index], cut, why);
	return status;
}

static void free_workload(struct remote_workload *freed)
{
	workload_free(freed->workload);
	for (uint32_t i = 0; i < freed->count; i++)
		program_free(freed->programs[i]);
	free(freed->programs);
	free(freed->given);
	free(freed);
}

static enum status executor_programs_make(
	struct served *served, const struct wire_enqueue_program *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct remote_workload *made;
	enum status status = STATUS_OK;

	if (things_find(&served->workloads, message->workload) != NULL)
		return refuse(why, STATUS_EXISTS, "workload %llu was described before",
			(unsigned long long)message->workload);
	made = allocate(1, sizeof *made);
	made->count = message->programs.count;
	made->programs = allocate(made->count + 1, sizeof *made->programs);
	made->workload = workload_new(served->mesh);
	status = things_put(&served->workloads, message->workload, made);
	if (status != STATUS_OK) {
		free_workload(made);
		return status;
	}
	for (uint32_t i = 0; i < made->count && status == STATUS_OK; i++)
		status = executor_programs_add_program(served, made, message, i, why);
	made->status = status;
	if (status == STATUS_OK) {
		executor_compile(served, made);
		executor_ask(served, &head, made);
	}
	return status;
}

static enum status executor_programs_find(
	struct served *served, uint64_t number, struct remote_workload **workload, struct text *why)
{
	*workload = things_find(&served->workloads, number);
	if (*workload == NULL)
		return refuse(
			why, STATUS_NOT_FOUND, "no workload %llu", (unsigned long long)number);
	if ((*workload)->status != STATUS_OK)
		return refuse(why, (*workload)->status, "workload %llu could not be made",
			(unsigned long long)number);
	return STATUS_OK;
}

enum status executor_run_workload(
	struct served *served, const struct wire_enqueue_program *message, struct text *why)
{
	const struct wire_head head = {message->number, message->queue};
	struct command_queue *queue = executor_queue(served, message->queue);
	struct remote_workload *workload;
	enum status status = STATUS_OK;

	if (queue == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no queue %u", message->queue);
	if (message->describe)
		return executor_programs_make(served, message, why);
	status = executor_programs_find(served, message->workload, &workload, why);
	if (status != STATUS_OK)
		return status;
	if (message->blocking && served->capturing[message->queue])
		return STATUS_INVALID;
	if (served->asks && !workload->placed)
		return refuse(why, STATUS_NO_SPACE, "workload %llu lies nowhere",
			(unsigned long long)message->workload);
	if (workload_program_count(workload->workload) > 0) {
		workload_launch_as(workload->workload, message->commands);
		status = workload_check(workload->workload, why);
		if (status == STATUS_OK)
			status = enqueue_workload(
				queue, workload->workload, false, message->operation);
		if (status == STATUS_INVALID && message->commands != 0)
			(void)refuse(why, status,
				"workload %llu has no commands of generation %u that fit here",
				(unsigned long long)message->workload, message->commands);
	}
	if (status == STATUS_OK && message->blocking)
		pending_add(served, &head, PENDING_ANSWER,
			executor_point(served, workload_sub_devices(workload->workload),
				message->operation),
			NULL, 0);
	return status;
}

enum status executor_free_workload(struct served *served, uint64_t workload)
{
	struct remote_workload *freed = things_find(&served->workloads, workload);

	if (freed == NULL)
		return STATUS_NOT_FOUND;
	free_workload(freed);
	return things_put(&served->workloads, workload, NULL);
}

/* ---- arguments ---- */

static enum status executor_programs_set_all(const struct served *served,
	const struct remote_workload *workload, struct program *program,
	const struct wire_argument_set *set, const uint32_t *words, struct text *why)
{
	const struct wire_range wire = {set->row, set->column, set->rows, set->columns};
	struct device_range range, cut;

	if (set->rows == 0)
		return program_set_arguments(program, words, set->count);
	if (!part_from_wire(&wire, &range))
		return STATUS_OUT_OF_RANGE;
	if (!part_cut(&served->part, range, &cut))
		return STATUS_OK;
	return workload_set_arguments(workload->workload, cut, words, set->count, why);
}

static enum status set_one(const struct served *served, const struct remote_workload *workload,
	const struct wire_argument_set *set, const uint32_t *words, struct text *why)
{
	struct program *program;

	if (set->program >= workload->count)
		return refuse(why, STATUS_OUT_OF_RANGE, "program %u of %u", set->program,
			workload->count);
	program = workload->programs[set->program];
	if (program == NULL) /* the program runs only on other hosts */
		return STATUS_OK;
	if (set->all)
		return executor_programs_set_all(served, workload, program, set, words, why);
	if (set->kernel >= program_kernel_count(program))
		return refuse(why, STATUS_OUT_OF_RANGE, "kernel %u", set->kernel);
	if (set->core == ARGUMENTS_COMMON)
		return program_set_common_args(program, set->kernel, words, set->count);
	return program_set_args(program, set->kernel, set->core, words, set->count);
}

enum status executor_set_arguments(
	struct served *served, const struct wire_set_runtime_args *message, struct text *why)
{
	struct remote_workload *workload;
	enum status status = executor_programs_find(served, message->workload, &workload, why);

	for (uint32_t i = 0; i < message->sets.count && status == STATUS_OK; i++) {
		const struct wire_argument_set *set = &message->sets.at[i];

		status = set_one(served, workload, set, message->words.at + set->first, why);
	}
	return status;
}

/* ---- routes ---- */

enum status executor_add_route(
	struct served *served, const struct wire_add_route *message, struct text *why)
{
	const struct mesh_shape whole = served->part.whole;
	struct device_range begin, cut;
	const struct route_config config = {.devices = message->devices.at,
		.count = message->devices.count,
		.each = message->each,
		.round = message->round,
		.link = message->link};

	if (served->mesh == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no mesh is open");
	for (uint32_t i = 0; i < config.count; i++)
		if (config.devices[i] >= mesh_shape_count(whole))
			return refuse(why, STATUS_OUT_OF_RANGE, "device %u of %u x %u",
				config.devices[i], whole.rows, whole.columns);
	if (config.count > 0) {
		begin.row0 = begin.row1 = (uint16_t)(config.devices[0] / whole.columns);
		begin.column0 = begin.column1 = (uint16_t)(config.devices[0] % whole.columns);
		if (!part_cut(&served->near, begin, &cut)) /* all devices are on other hosts */
			return STATUS_OK;
	}
	return mesh_add_route(served->mesh, &config, message->route, why);
}
