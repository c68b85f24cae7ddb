/* Enqueues runs, and waits for them (execution_private.h). A run writes the inputs, runs the
 * operations or replays their trace, and reads the outputs. With two queues, it also records events
 * and waits for them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "execution_private.h"
#include "world/world.h"

static struct handle_call submit_start(struct execution *execution, enum execution_call call,
	const struct model_operation *operation, uint32_t queue, uint64_t bytes)
{
	const struct execution_config *config = &execution->config;

	return (struct handle_call){.queue = queue,
		.operation = config->start
				     ? config->start(config->context, call, operation, queue, bytes)
				     : 0};
}

struct handle_call submit_call(
	struct execution *execution, enum execution_call call, uint32_t queue, uint64_t bytes)
{
	return submit_start(execution, call, NULL, queue, bytes);
}

static bool is_complete(enum status status)
{
	return status == STATUS_OK || status == STATUS_ELIDED;
}

static uint32_t moving_queue(const struct execution *execution)
{
	return execution->config.queues - 1;
}

static uint64_t all_bytes(const struct execution *execution, const struct placed *placed)
{
	bool whole = placed->view.tensor->split == MODEL_WHOLE;

	return placed->view.layout.shard_bytes * (whole ? 1 : execution->devices);
}

static struct device_range everywhere(const struct execution *execution)
{
	struct mesh_shape shape = execution->ops->shape(execution->handle);

	return (struct device_range){
		0, 0, (uint16_t)(shape.rows - 1), (uint16_t)(shape.columns - 1)};
}

/* ---- writing and reading ---- */

enum status submit_write(
	struct execution *execution, uint32_t tensor, uint32_t slot, uint32_t queue)
{
	struct placed *placed = &execution->placed[tensor];
	uint64_t bytes = all_bytes(execution, placed);

	tensor_charge(&placed->view);
	return execution->ops->write(execution->handle,
		submit_call(execution, EXECUTION_WRITE, queue, bytes), placed->buffers[slot],
		placed->bytes);
}

static enum status record(
	struct execution *execution, uint32_t queue, bool to_host, struct handle_event *event)
{
	return execution->ops->record(execution->handle,
		to_host ? submit_call(execution, EXECUTION_EVENT, queue, 0)
			: (struct handle_call){.queue = queue},
		everywhere(execution), to_host, event);
}

static enum status wait_for(
	struct execution *execution, uint32_t queue, const struct handle_event *event)
{
	return execution->ops->wait(execution->handle, (struct handle_call){.queue = queue}, event);
}

/* Writes the inputs of a run. With two queues, queue 1 writes them. It first waits until the
 * operations of the previous run in this slot (struct slot) are complete. Queue 0 then waits until
 * the inputs are written, and until the outputs of that previous run were read. */
static enum status write_inputs(
	struct execution *execution, const struct model_program *program, uint32_t slot)
{
	uint32_t queue = moving_queue(execution);
	struct slot *state = &execution->slot[slot];
	struct handle_event written;
	enum status status = STATUS_OK;

	if (queue > 0 && state->used)
		status = wait_for(execution, queue, &state->computed);
	for (uint32_t i = 0; i < program->input_count && is_complete(status); i++)
		status = submit_write(execution, program->inputs[i],
			execution->placed[program->inputs[i]].buffers[1] ? slot : 0, queue);
	if (queue == 0 || !is_complete(status))
		return status;
	status = record(execution, queue, false, &written);
	if (is_complete(status))
		status = wait_for(execution, 0, &written);
	if (is_complete(status) && state->used)
		status = wait_for(execution, 0, &state->read);
	return status;
}

/* Reads the outputs, and then records an event. When the host gets this event, the run is complete.
 */
static enum status read_outputs(
	struct execution *execution, const struct model_program *program, struct submitted *run)
{
	uint32_t queue = moving_queue(execution);
	struct slot *state = &execution->slot[run->slot];
	enum status status = STATUS_OK;

	if (queue > 0) {
		status = record(execution, 0, false, &state->computed);
		if (is_complete(status))
			status = wait_for(execution, queue, &state->computed);
	}
	run->data = allocate(program->output_count, sizeof(uint8_t *));
	for (uint32_t i = 0; i < program->output_count && is_complete(status); i++) {
		const struct placed *placed = &execution->placed[program->outputs[i]];
		uint64_t bytes = all_bytes(execution, placed);

		run->data[i] = allocate(1, bytes);
		status = execution->ops->read(execution->handle,
			submit_call(execution, EXECUTION_READ, queue, bytes),
			placed->buffers[placed->buffers[1] ? run->slot : 0], run->data[i]);
	}
	if (is_complete(status))
		status = record(execution, queue, true, &run->event);
	state->read = run->event;
	state->used = true;
	return status;
}

/* ---- operations ---- */

/* Enqueues the operations. If `captured` is not NULL, a trace captures them. */
enum status submit_operations(struct execution *execution, uint32_t program, uint32_t slot,
	struct captured *captured, struct text *why)
{
	const struct model_program *of = &execution->binary->programs[program];

	for (uint32_t i = 0; i < of->operation_count; i++) {
		struct handle_call call = {.queue = 0};
		struct kept *kept;
		enum status status =
			kept_find(execution, program, i, slot, captured != NULL, why, &kept);

		if (status != STATUS_OK)
			return status;
		if (!captured)
			call = submit_start(
				execution, EXECUTION_OPERATION, &of->operations[i], 0, 0);
		status = execution->ops->run(execution->handle, call, kept->workload);
		if (status != STATUS_OK) {
			(void)execution->ops->workload_check(
				execution->handle, kept->workload, why);
			return refuse(why, status, "operation '%s': %s", of->operations[i].name,
				status_message(status));
		}
		if (captured) {
			captured->kept[i] = kept;
			kept->traced++;
			continue;
		}
		kept->launches++;
		execution->figures.operations++;
		execution->figures.conversions += of->operations[i].conversion;
	}
	return STATUS_OK;
}

/* Captures the operations of a program. */
static enum status submit_capture(
	struct execution *execution, uint32_t program, uint32_t slot, struct text *why)
{
	const struct model_program *of = &execution->binary->programs[program];
	struct captured *captured = &execution->captured[program][slot];
	struct handle_call call = submit_call(execution, EXECUTION_CAPTURE, 0, 0);
	enum status status = execution->ops->trace_begin(execution->handle, 0, why);
	enum status ended;

	if (status != STATUS_OK)
		return status;
	world->mark(call.operation, MARK_CALLED, 0);
	captured->kept = allocate(of->operation_count, sizeof(struct kept *));
	status = submit_operations(execution, program, slot, captured, why);
	ended = execution->ops->trace_end(
		execution->handle, 0, status == STATUS_OK ? why : NULL, &captured->trace);
	world->mark(call.operation, MARK_RETURNED, 0);
	execution->figures.captures += status == STATUS_OK && is_complete(ended);
	return status != STATUS_OK ? status : is_complete(ended) ? STATUS_OK : ended;
}

static enum status submit_replay(struct execution *execution, uint32_t program, uint32_t slot)
{
	const struct model_program *of = &execution->binary->programs[program];
	struct captured *captured = &execution->captured[program][slot];
	struct handle_call call = submit_call(execution, EXECUTION_REPLAY, 0, 0);
	uint32_t first = 0;

	for (uint32_t i = 0; i < of->operation_count; i++) {
		uint32_t number =
			submit_start(execution, EXECUTION_OPERATION, &of->operations[i], 0, 0)
				.operation;

		first = i == 0 ? number : first;
		if (number != 0)
			world->mark(number, MARK_CALLED, 0);
		captured->kept[i]->launches++;
		execution->figures.conversions += of->operations[i].conversion;
	}
	execution->figures.operations += of->operation_count;
	execution->figures.replays++;
	return execution->ops->replay(execution->handle, call, captured->trace, first);
}

/* Runs the operations, or replays their trace. The first run in a slot makes the programs, so only
 * the second run can capture a trace. */
static enum status compute(
	struct execution *execution, uint32_t program, uint32_t slot, struct text *why)
{
	uint32_t before = execution->runs[program][slot]++;
	enum status status = STATUS_OK;

	if (!execution->config.trace || before == 0)
		return submit_operations(execution, program, slot, NULL, why);
	if (!execution->captured[program][slot].trace)
		status = submit_capture(execution, program, slot, why);
	return status == STATUS_OK ? submit_replay(execution, program, slot) : status;
}

/* ---- completion ---- */

/* Compares an output with its golden values. */
static enum status compare(struct execution *execution, const struct model_program *program,
	uint32_t output, const uint8_t *data, struct text *why)
{
	uint32_t tensor = program->outputs[output];
	const struct placed *placed = &execution->placed[tensor];
	const struct model_values *golden =
		model_values_of(execution->binary->golden, execution->binary->golden_count, tensor);
	bool whole = placed->view.tensor->split == MODEL_WHOLE;
	double most = 0, worst = 0;
	uint64_t at = 0;
	float *got;

	tensor_charge(&placed->view);
	if (!golden || golden->tolerance <= 0)
		return STATUS_OK;
	got = allocate(golden->count, sizeof *got);
	for (uint32_t device = 0; device < (whole ? 1 : execution->devices); device++)
		tensor_decode(&placed->view, device,
			data + placed->view.layout.shard_bytes * device, got);
	for (uint64_t i = 0; i < golden->count; i++)
		most = fmax(most, fabs((double)golden->values[i]));
	for (uint64_t i = 0; i < golden->count; i++) {
		double difference = fabs((double)got[i] - (double)golden->values[i]);

		if (!(difference <= worst)) {
			worst = difference;
			at = i;
		}
	}
	worst = most > 0 ? worst / most : worst;
	if (worst > execution->figures.worst_error)
		execution->figures.worst_error = worst;
	if (worst <= (double)golden->tolerance) {
		execution->figures.outputs_compared++;
		free(got);
		return STATUS_OK;
	}
	(void)refuse(why, STATUS_INVALID,
		"output '%s' of program '%s': element %llu is %g, but its golden value is %g (%.3g "
		"of "
		"the largest, tolerated are %.3g)",
		placed->view.tensor->name, program->name, (unsigned long long)at, (double)got[at],
		(double)golden->values[at], worst, (double)golden->tolerance);
	free(got);
	return STATUS_INVALID;
}

static void free_data(const struct model_program *program, struct submitted *run)
{
	for (uint32_t i = 0; run->data && i < program->output_count; i++)
		free(run->data[i]);
	free(run->data);
	run->data = NULL;
}

enum status submit_retire(struct execution *execution, struct text *why)
{
	struct submitted *run = &execution->submitted[execution->first];
	const struct model_program *program = &execution->binary->programs[run->program];
	enum status status =
		execution->ops->synchronize(execution->handle, &run->event, DEADLINE_NEVER);

	if (!is_complete(status))
		(void)refuse(
			why, status, "program '%s': %s", program->name, status_message(status));
	for (uint32_t i = 0; i < program->output_count && status == STATUS_OK; i++)
		status = compare(execution, program, i, run->data[i], why);
	free_data(program, run);
	execution->first = (execution->first + 1) % EXECUTION_WINDOW_MAX;
	execution->count--;
	return status == STATUS_ELIDED ? STATUS_OK : status;
}

/* If `status` is an error and `why` has no sentence yet, writes one. */
static enum status submit_explain(enum status status, const char *program, struct text *why)
{
	if (is_complete(status))
		return STATUS_OK;
	return !why || why->length > 0
		       ? status
		       : refuse(why, status, "program '%s': %s", program, status_message(status));
}

enum status execution_run(struct execution *execution, uint32_t program, struct text *why)
{
	const struct model_binary *binary = execution->binary;
	const struct model_program *of;
	uint32_t slot = execution->next_slot;
	struct submitted *run;
	enum status status = STATUS_OK;

	if (program >= binary->program_count || binary->programs[program].constant)
		return refuse(why, STATUS_OUT_OF_RANGE, "program %u cannot be run", program);
	of = &binary->programs[program];
	for (uint32_t i = 0; i < of->input_count; i++)
		if (!execution->placed[of->inputs[i]].bytes)
			return refuse(why, STATUS_NOT_FOUND,
				"input '%s' of program '%s' has no "
				"values",
				binary->tensors[of->inputs[i]].name, of->name);
	if (execution->count == execution->config.window) {
		execution->figures.window_waits += execution->config.window > 1;
		status = submit_retire(execution, why);
	}
	if (status != STATUS_OK)
		return status;
	run = &execution->submitted[(execution->first + execution->count) % EXECUTION_WINDOW_MAX];
	*run = (struct submitted){.program = program, .slot = slot};
	status = write_inputs(execution, of, slot);
	if (is_complete(status))
		status = compute(execution, program, slot, why);
	if (is_complete(status))
		status = read_outputs(execution, of, run);
	if (!is_complete(status)) {
		free_data(of, run);
		return submit_explain(status, of->name, why);
	}
	execution->count++;
	execution->figures.runs++;
	execution->next_slot = (slot + 1) % execution->slots;
	return STATUS_OK;
}
