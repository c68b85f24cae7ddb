/* Makes the programs of every enqueue_workload step, with the kernels, arguments, circular buffers
 * and semaphores that the keys of the step describe. */
#include "client_private.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"

/* A program under construction. */
struct making {
	struct client *client;
	const struct step *step;
	const struct program_keys *keys;
	struct program *program;
	struct text why;
};

static bool client_program_check(
	const struct making *making, enum status status, struct location where)
{
	if (status == STATUS_OK)
		return true;
	if (!where.source) /* a default has no location */
		where = making->keys->where;
	if (!where.source)
		where = making->step->where;
	return client_refuse(making->client, where, "program '%s': %s", making->keys->program,
		making->why.length ? text_string(&making->why) : status_message(status));
}

/* One of `parts` groups of a step's cores. */
static struct cores part_of(const struct program_keys *keys, uint32_t part, uint32_t parts)
{
	struct cores cores = keys->cores;

	cores.part = (uint16_t)part;
	cores.parts = (uint16_t)parts;
	return cores;
}

static uint64_t run_cycles(const struct making *making)
{
	double hz = platform_real(making->client->plan->platform, "chip.aiclk");

	return (uint64_t)((double)making->keys->run_ns * hz * 1e-9 + 0.5);
}

/* Adds a kernel on every group of cores, each with a binary of its own. */
static bool client_program_add_kernel(struct making *making, enum processor processor)
{
	const struct program_keys *keys = making->keys;
	uint32_t kernel;

	for (uint32_t i = 0; i < keys->kernel_groups; i++) {
		struct kernel_config config = {
			.processor = processor,
			.cores = part_of(keys, i, keys->kernel_groups),
			.bytes = keys->kernel_bytes,
			.copied = processor == PROCESSOR_NCRISC,
			.steps = (uint16_t)keys->pages,
			.cycles = run_cycles(making),
		};

		if (client_has_arguments(keys, processor)) {
			config.unique_args = keys->runtime_args;
			config.common_args = keys->common_runtime_args;
		}

		if (!client_program_check(making,
			    program_add_kernel(making->program, &config, &making->why, &kernel),
			    keys->kernel_bytes_where))
			return false;
	}
	return true;
}

/* Adds one kernel on all Ethernet cores of the program. */
static bool add_ethernet_kernel(struct making *making)
{
	const struct program_keys *keys = making->keys;
	struct kernel_config config = {
		.processor = PROCESSOR_BRISC,
		.cores = keys->ethernet_cores,
		.bytes = keys->kernel_bytes,
		.cycles = run_cycles(making) * keys->pages,
		.unique_args = keys->runtime_args,
		.common_args = keys->common_runtime_args,
	};
	uint32_t kernel;

	return client_program_check(making,
		program_add_kernel(making->program, &config, &making->why, &kernel),
		keys->kernel_bytes_where);
}

static bool add_kernels(struct making *making)
{
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		if (making->keys->processors[i] &&
			!client_program_add_kernel(making, (enum processor)i))
			return false;
	return !making->keys->processors[STEP_ETHERNET] || add_ethernet_kernel(making);
}

/* Adds the same number of circular buffers on every group of cores. Each group's buffers have one
 * page more than those of the previous group. */
static bool add_circular_buffers(struct making *making)
{
	const struct program_keys *keys = making->keys;

	for (uint32_t i = 0; i < keys->circular_buffer_groups; i++)
		for (uint32_t k = 0; k < keys->circular_buffers; k++)
			if (!client_program_check(making,
				    program_add_circular_buffer(making->program,
					    part_of(keys, i, keys->circular_buffer_groups),
					    i + client_buffer_pages(making->client, keys),
					    keys->circular_buffer_bytes, &making->why),
				    keys->circular_buffers_where))
				return false;
	return true;
}

static bool add_semaphore(struct making *making, struct cores cores, uint32_t initial)
{
	uint32_t index;

	return client_program_check(making,
		program_add_semaphore(making->program, cores, initial, &making->why, &index),
		making->keys->where);
}

static bool add_semaphores(struct making *making)
{
	const struct program_keys *keys = making->keys;

	for (uint32_t i = 0; i < keys->semaphores; i++)
		if (!add_semaphore(making, keys->cores, i) ||
			(keys->processors[STEP_ETHERNET] &&
				!add_semaphore(making, keys->ethernet_cores, i)))
			return false;
	return true;
}

/* Adds everything that the program consists of. */
static bool client_program_add_all(struct making *making, struct client_program *program)
{
	enum status (*build)(
		struct client * client, struct client_program * program, struct text * why) =
		making->keys->library > 0 ? client_library_build : client_kernels_build;

	if (program_acts(making->keys))
		return client_program_check(making, build(making->client, program, &making->why),
			making->keys->library_where);
	return add_kernels(making) && add_circular_buffers(making) && add_semaphores(making);
}

/* Makes program `index` of a step, in its workload. */
static bool make_program(struct client *client, struct client_workload *made, uint32_t index)
{
	struct client_program *program = &made->programs[index];
	uint32_t number = made->step->number, count;
	struct making making = {.client = client,
		.step = made->step,
		.keys = &step_programs(made->step, &count)[index]};
	char name[128];
	bool good;

	text_init(&making.why);
	snprintf(name, sizeof name, index > 0 ? "%.100s/%u.%u" : "%.100s/%u", making.keys->program,
		number, index);
	making.program = client->device->ops->program_new(client->device, name);
	program->program = making.program;
	if (index == 0)
		made->workload = client->device->ops->workload_new(client->device);
	program->keys = making.keys;
	program->range = client_range(client, making.keys->devices);
	made->program_count++;
	good = client_program_add_all(&making, program) &&
	       client_program_check(&making,
		       workload_add(made->workload, making.program, program->range, &making.why),
		       making.keys->devices_where);
	text_fini(&making.why);
	return good;
}

bool client_workload_make(struct client *client, const struct step *step)
{
	uint32_t count;
	struct client_workload *made;

	(void)step_programs(step, &count);
	made = allocate(1, sizeof *made + count * sizeof *made->programs);
	made->step = step;
	made->next = client->workloads;
	client->workloads = made;
	client->steps[step->number].workload = made;
	for (uint32_t i = 0; i < count; i++)
		if (!make_program(client, made, i))
			return false;
	return true;
}

/* Reports that a workload does not fit. Its binaries may be too large for DRAM, its circular
 * buffers for L1, or its description for a message to other hosts. */
static bool refuse_space(
	struct client *client, const struct step *step, const struct client_workload *workload)
{
	const struct program_keys *keys = workload->programs[0].keys;
	struct text why;

	text_init(&why);
	(void)client->device->ops->workload_check(client->device, workload->workload, &why);
	client_refuse(client,
		keys->kernel_bytes_where.source ? keys->kernel_bytes_where : step->where,
		"program '%s': %s", keys->program,
		why.length ? text_string(&why) : status_message(STATUS_NO_SPACE));
	text_fini(&why);
	return false;
}

void client_workload_ran(struct client *client, struct client_workload *workload)
{
	workload->launches++;
	for (uint32_t i = 0; i < workload->program_count; i++)
		if (workload->programs[i].acting)
			client_library_ran(client, &workload->programs[i]);
		else
			client_kernels_ran(client, &workload->programs[i]);
}

bool client_enqueue(struct client *client, const struct step *step, uint32_t operation)
{
	struct client_workload *workload = client->steps[step->number].workload;
	struct handle_call call = {step->workload.queue, step->workload.blocking, operation};
	enum status status;

	for (uint32_t i = 0; i < workload->program_count; i++) {
		struct client_program *program = &workload->programs[i];

		if ((program->keys->arguments == ARGUMENTS_FRESH || program->generation == 0) &&
			!client_refresh(client, workload->workload, program))
			return false;
	}
	status = client->device->ops->run(client->device, call, workload->workload);
	if (operation != 0)
		client_workload_ran(client, workload);
	if (status == STATUS_NO_SPACE || status == STATUS_UNSUPPORTED)
		return refuse_space(client, step, workload);
	if (!client_is_complete(client, status))
		return client_fail(client, "program '%s': %s", workload->programs[0].keys->program,
			status_message(status));
	return !step->workload.blocking ||
	       client_compare_reads(client, step->workload.queue, client_all_devices(client));
}

void client_forget_values(struct client *client, const struct repeat_step *body)
{
	for (uint32_t i = 0; i < body->step_count; i++) {
		const struct step *step = &body->steps[i];
		struct client_workload *workload = client->steps[step->number].workload;

		if (step->kind == STEP_REPEAT)
			client_forget_values(client, &step->repeat);
		for (uint32_t k = 0; workload && k < workload->program_count; k++)
			if (workload->programs[k].keys->arguments == ARGUMENTS_FRESH)
				workload->programs[k].generation = 0;
	}
}

void client_workloads_free(struct client *client)
{
	while (client->workloads) {
		struct client_workload *workload = client->workloads;
		uint64_t taken = client_taken(client);

		client->workloads = workload->next;
		client->device->ops->workload_free(client->device, workload->workload);
		for (uint32_t i = 0; i < workload->program_count; i++) {
			client->device->ops->program_free(
				client->device, workload->programs[i].program);
			client_library_free(&workload->programs[i]);
		}
		client_note_left(client, "workload", workload->programs[0].keys->program,
			workload->step->where, taken);
		free(workload);
	}
}
