/* Makes, loads, finishes and frees executions of model binaries (execution/execution.h). */
#include "execution/execution.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "execution_private.h"
#include "world/world.h"

/* Encodes the values of a tensor that the host will write, for all devices. */
static void execution_encode(struct execution *execution, const struct model_values *values)
{
	struct placed *placed = &execution->placed[values->tensor];
	uint64_t bytes = placed->view.layout.shard_bytes;
	bool whole = placed->view.tensor->split == MODEL_WHOLE;
	uint32_t parts = whole ? 1 : execution->devices;

	if (!placed->buffers[0])
		return; /* no program uses it */
	placed->bytes = allocate(parts, bytes);
	for (uint32_t device = 0; device < parts; device++)
		tensor_encode(
			&placed->view, device, values->values, placed->bytes + bytes * device);
}

static enum status execution_check_config(const struct execution_config *config, struct text *why)
{
	if (config->queues < 1 || config->queues > EXECUTION_SLOTS_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "%u command queues", config->queues);
	if (config->window < 1 || config->window > EXECUTION_WINDOW_MAX || config->programs < 1 ||
		config->programs > EXECUTION_PROGRAMS_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "a window of %u runs and %u programs",
			config->window, config->programs);
	return STATUS_OK;
}

static enum status check_machine(const struct execution *execution, struct text *why)
{
	struct mesh_shape shape = execution->ops->shape(execution->handle);
	struct model_system there;

	model_system_init(&there, "this mesh", shape.rows, shape.columns,
		execution->ops->geometry(execution->handle));
	return model_system_check(&execution->binary->system, &there, why);
}

enum status execution_new(struct device_handle *handle, const struct model_binary *binary,
	const struct execution_config *config, struct text *why, struct execution **execution)
{
	struct mesh_shape shape = handle->ops->shape(handle);
	const struct chip_geometry *geometry = handle->ops->geometry(handle);
	struct execution *made;
	enum status status = execution_check_config(config, why);

	*execution = NULL;
	if (status != STATUS_OK)
		return status;
	made = allocate(1, sizeof *made);
	*made = (struct execution){.handle = handle,
		.ops = handle->ops,
		.binary = binary,
		.config = *config,
		.devices = (uint32_t)shape.rows * shape.columns,
		.slots = config->queues,
		.cores = (uint32_t)geometry->worker_columns * geometry->worker_rows};
	made->runs = allocate(binary->program_count, sizeof *made->runs);
	made->captured = allocate(binary->program_count, sizeof *made->captured);
	made->gone = allocate((size_t)made->devices * made->cores, sizeof *made->gone);
	status = check_machine(made, why);
	if (status == STATUS_OK)
		status = plan_tensors(made, why);
	if (status != STATUS_OK) {
		execution_free(made);
		return status;
	}
	for (uint32_t i = 0; i < binary->constant_count; i++)
		execution_encode(made, &binary->constants[i]);
	for (uint32_t i = 0; i < binary->golden_count; i++)
		if (binary->golden[i].tolerance <= 0)
			execution_encode(made, &binary->golden[i]);
	*execution = made;
	return STATUS_OK;
}

enum status execution_load(struct execution *execution, struct text *why)
{
	const struct model_binary *binary = execution->binary;
	uint32_t queues = execution->ops->queue_count(execution->handle);
	enum status status = STATUS_OK;

	if (execution->config.queues > queues)
		return refuse(why, STATUS_OUT_OF_RANGE, "%u command queues, but the mesh has %u",
			execution->config.queues, queues);
	for (uint32_t i = 0; i < binary->constant_count && status == STATUS_OK; i++) {
		uint32_t tensor = binary->constants[i].tensor;

		if (execution->placed[tensor].bytes)
			status = submit_write(execution, tensor, 0, 0);
		if (status == STATUS_ELIDED)
			status = STATUS_OK;
	}
	for (uint32_t i = 0; i < binary->program_count && status == STATUS_OK; i++)
		if (binary->programs[i].constant)
			status = submit_operations(execution, i, 0, NULL, why);
	if (status == STATUS_OK)
		status = execution->ops->finish(execution->handle, 0, 0, DEADLINE_NEVER);
	if (status != STATUS_OK && why && why->length == 0)
		(void)refuse(why, status, "loading: %s", status_message(status));
	return status;
}

enum status execution_finish(struct execution *execution, struct text *why)
{
	enum status status = STATUS_OK;

	while (execution->count > 0) {
		enum status next = submit_retire(execution, status == STATUS_OK ? why : NULL);

		status = status == STATUS_OK ? next : status;
	}
	return status;
}

void execution_free(struct execution *execution)
{
	if (!execution)
		return;
	for (uint32_t i = 0; i < execution->binary->program_count; i++)
		for (uint32_t slot = 0; slot < EXECUTION_SLOTS_MAX; slot++) {
			execution->ops->trace_free(execution->captured[i][slot].trace);
			free(execution->captured[i][slot].kept);
		}
	kept_free_all(execution);
	plan_free(execution);
	free(execution->captured);
	free(execution->runs);
	free(execution->gone);
	free(execution);
}

struct execution_figures execution_figures(const struct execution *execution)
{
	return execution->figures;
}

uint64_t execution_launches(const struct execution *execution, uint32_t device, uint32_t core)
{
	size_t count = (size_t)execution->devices * execution->cores;
	uint64_t *launches = allocate(count, sizeof *launches), result;

	memcpy(launches, execution->gone, count * sizeof *launches);
	for (const struct kept *kept = execution->kept; kept; kept = kept->next)
		kept_count_launches(execution, kept, launches);
	result = launches[(size_t)device * execution->cores + core];
	free(launches);
	return result;
}
