/* The client's programs: one per enqueue_workload step, with kernels, arguments, circular buffers
 * and semaphores as its keys say. */
#include "client_private.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"

static bool check(struct client *client, enum status status, struct location where,
	const struct step *step, const struct text *why)
{
	if (status == STATUS_OK)
		return true;
	if (!where.source) /* a default: the step says it by not saying it */
		where = step->where;
	return client_refuse(client, where, "program '%s': %s", step->workload.program,
		why->length ? text_string(why) : status_message(status));
}

/* One of `parts` groups of a step's cores. */
static struct cores part_of(const struct workload_step *keys, uint32_t part, uint32_t parts)
{
	struct cores cores = keys->cores;

	cores.part = (uint16_t)part;
	cores.parts = (uint16_t)parts;
	return cores;
}

static uint64_t run_cycles(const struct client *client, const struct workload_step *keys)
{
	double hz = platform_real(client->plan->platform, "chip.aiclk");

	return (uint64_t)((double)keys->run_ns * hz * 1e-9 + 0.5);
}

/* A kernel on every group of cores, each with a binary of its own. */
static bool add_kernel(struct client *client, const struct step *step, enum processor processor,
	struct program *program, struct text *why)
{
	const struct workload_step *keys = &step->workload;
	uint32_t kernel;

	for (uint32_t i = 0; i < keys->kernel_groups; i++) {
		struct kernel_config config = {
			.processor = processor,
			.cores = part_of(keys, i, keys->kernel_groups),
			.bytes = keys->kernel_bytes,
			.copied = processor == PROCESSOR_NCRISC,
			.steps = (uint16_t)keys->pages,
			.cycles = run_cycles(client, keys),
		};

		if (client_has_arguments(keys, processor)) {
			config.unique_args = keys->runtime_args;
			config.common_args = keys->common_runtime_args;
		}

		if (!check(client, program_add_kernel(program, &config, why, &kernel),
			    keys->kernel_bytes_where, step, why))
			return false;
	}
	return true;
}

/* One kernel on all of its Ethernet cores. */
static bool add_ethernet_kernel(
	struct client *client, const struct step *step, struct program *program, struct text *why)
{
	const struct workload_step *keys = &step->workload;
	struct kernel_config config = {
		.processor = PROCESSOR_BRISC,
		.cores = keys->ethernet_cores,
		.bytes = keys->kernel_bytes,
		.cycles = run_cycles(client, keys) * keys->pages,
		.unique_args = keys->runtime_args,
		.common_args = keys->common_runtime_args,
	};
	uint32_t kernel;

	return check(client, program_add_kernel(program, &config, why, &kernel),
		keys->kernel_bytes_where, step, why);
}

static bool add_kernels(
	struct client *client, const struct step *step, struct program *program, struct text *why)
{
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		if (step->workload.processors[i] &&
			!add_kernel(client, step, (enum processor)i, program, why))
			return false;
	return !step->workload.processors[STEP_ETHERNET] ||
	       add_ethernet_kernel(client, step, program, why);
}

/* The same number of circular buffers on every group of cores, with a page more in each group. */
static bool add_circular_buffers(
	struct client *client, const struct step *step, struct program *program, struct text *why)
{
	const struct workload_step *keys = &step->workload;

	for (uint32_t i = 0; i < keys->circular_buffer_groups; i++)
		for (uint32_t k = 0; k < keys->circular_buffers; k++)
			if (!check(client,
				    program_add_circular_buffer(program,
					    part_of(keys, i, keys->circular_buffer_groups), i + 1,
					    keys->circular_buffer_bytes, why),
				    keys->circular_buffers_where, step, why))
				return false;
	return true;
}

static bool add_semaphore(struct client *client, const struct step *step, struct program *program,
	struct cores cores, uint32_t initial, struct text *why)
{
	uint32_t index;

	return check(client, program_add_semaphore(program, cores, initial, why, &index),
		step->where, step, why);
}

static bool add_semaphores(
	struct client *client, const struct step *step, struct program *program, struct text *why)
{
	const struct workload_step *keys = &step->workload;

	for (uint32_t i = 0; i < keys->semaphores; i++)
		if (!add_semaphore(client, step, program, keys->cores, i, why) ||
			(keys->processors[STEP_ETHERNET] && !add_semaphore(client, step, program,
								    keys->ethernet_cores, i, why)))
			return false;
	return true;
}

static struct device_range range_of(const struct client *client, const struct devices_keys *keys)
{
	if (!keys)
		return client_all_devices(client);
	return (struct device_range){keys->offset[0], keys->offset[1],
		(uint16_t)(keys->offset[0] + keys->shape[0] - 1),
		(uint16_t)(keys->offset[1] + keys->shape[1] - 1)};
}

bool client_program_make(struct client *client, const struct step *step)
{
	const struct workload_step *keys = &step->workload;
	struct client_program *made = allocate(1, sizeof *made);
	struct text why;
	char name[128];
	bool good;

	text_init(&why);
	snprintf(name, sizeof name, "%.100s/%u", keys->program, step->number);
	made->number = step->number;
	made->step = keys;
	made->range = range_of(client, keys->devices);
	made->program = client->device->ops->program_new(client->device, name);
	made->workload = client->device->ops->workload_new(client->device);
	made->next = client->programs;
	client->programs = made;
	client->steps[step->number].program = made;
	good = add_kernels(client, step, made->program, &why) &&
	       add_circular_buffers(client, step, made->program, &why) &&
	       add_semaphores(client, step, made->program, &why) &&
	       check(client, workload_add(made->workload, made->program, made->range, &why),
		       keys->devices_where, step, &why);
	text_fini(&why);
	return good;
}

bool client_enqueue(struct client *client, const struct step *step, uint32_t operation)
{
	struct client_program *program = client->steps[step->number].program;
	struct handle_call call = {step->workload.queue, step->workload.blocking, operation};
	enum status status;

	program->launches++;
	if (step->workload.arguments == ARGUMENTS_FRESH || program->launches == 1)
		program_refresh_args(program->program, ++program->generation);
	status = client->device->ops->run(client->device, call, program->workload);
	if (status == STATUS_NO_SPACE)
		return client_refuse(client, step->workload.kernel_bytes_where,
			"program '%s': its binaries do not fit into DRAM", step->workload.program);
	if (!client_is_complete(client, status))
		return client_fail(
			client, "program '%s': %s", step->workload.program, status_message(status));
	return !step->workload.blocking ||
	       client_compare_reads(client, step->workload.queue, client_all_devices(client));
}

void client_programs_free(struct client *client)
{
	while (client->programs) {
		struct client_program *program = client->programs;

		client->programs = program->next;
		workload_free(program->workload);
		program_free(program->program);
		free(program);
	}
}
