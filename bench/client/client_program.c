/* Makes the programs of every enqueue_workload step (bench/scenario/step_make.h), and enqueues
 * them. */
#include "client_private.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"

static struct library_buffer program_buffer(void *context, const char *name)
{
	struct client *client = context;
	struct handle_buffer *buffer = client_buffer_named(client, name)->buffer;

	return (struct library_buffer){client->device->ops->buffer_placement(buffer),
		client->device->ops->buffer_address(buffer)};
}

static struct step_maker client_program_maker(struct client *client)
{
	return (struct step_maker){.run = client->plan,
		.limits = client->program_limits,
		.shape = client->device->ops->shape(client->device),
		.buffer = program_buffer,
		.context = client,
		.diag = client->diag};
}

/* Makes program `index` of a step, and adds it to the step's workload. */
static bool make_program(struct client *client, struct client_workload *made, uint32_t index)
{
	struct client_program *program = &made->programs[index];
	struct step_maker maker = client_program_maker(client);
	uint32_t number = made->step->number, count;
	const struct program_keys *keys = &step_programs(made->step, &count)[index];
	char name[128];

	snprintf(name, sizeof name, index > 0 ? "%.100s/%u.%u" : "%.100s/%u", keys->program, number,
		index);
	program->program = client->device->ops->program_new(client->device, name);
	if (client->plan->scenario->runtime.division_count > 0)
		(void)program_for_division(program->program, keys->division, NULL);
	if (index == 0)
		made->workload = client->device->ops->workload_new(client->device);
	program->keys = keys;
	program->range = client_range(client, keys->devices);
	made->program_count++;
	if (keys->library > 0)
		client_library_prepare(client, program, &maker);
	if (step_make_program(&maker, made->step, keys, program->program, made->workload))
		return true;
	client->outcome = CLIENT_REFUSED;
	return false;
}

/* Sets state->runs to true if each launch of the step must set the run time of its kernels. It
 * must if the time can differ between launches of the same workload, or between cores. Also sets
 * this time. */
static void prepare_run(struct client *client, const struct step *step)
{
	const struct program_keys *keys = &step->workload.own;
	struct client_step *state = &client->steps[step->number];

	state->runs = step->workload.shared || keys->imbalance > 0;
	state->run_cycles = step_run_cycles(client->plan, keys->run_ns);
	state->run_spread = (uint16_t)(keys->imbalance * 65536);
}

/* Sets the run times of a workload's programs. Programs in a list have their own times. These must
 * be set again, because another step may have launched the same programs with other times. */
static void set_run(const struct client *client, const struct step *step,
	const struct client_workload *workload)
{
	const struct client_step *state = &client->steps[step->number];

	for (uint32_t i = 0; i < workload->program_count && state->runs; i++) {
		const struct client_program *program = &workload->programs[i];
		bool listed = step->workload.program_count > 0 || step->workload.keeps_times;

		if (!program_acts(program->keys))
			program_set_run(program->program,
				listed ? step_run_cycles(client->plan, program->keys->run_ns)
				       : state->run_cycles,
				listed ? (uint16_t)(program->keys->imbalance * 65536)
				       : state->run_spread);
	}
}

bool client_workload_make(struct client *client, const struct step *step)
{
	uint32_t count;
	const struct step *maker = step->workload.maker;
	struct client_workload *made;

	prepare_run(client, step);
	if (maker) {
		client->steps[step->number].workload = client->steps[maker->number].workload;
		return true;
	}
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

/* Reports an error because a workload does not fit. Its binaries may be too large for DRAM, its
 * circular buffers may be too large for L1, or its description may be too long for a message to
 * other hosts. */
static bool refuse_space(
	struct client *client, const struct step *step, const struct client_workload *workload)
{
	struct text why = {0};

	(void)client->device->ops->workload_check(client->device, workload->workload, &why);
	step_refuse_workload(step, &why, client->diag);
	text_fini(&why);
	client->outcome = CLIENT_REFUSED;
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
	set_run(client, step, workload);
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
