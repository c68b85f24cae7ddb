/* Makes the programs and the workload of an operation (execution_private.h). A row of the program
 * library, a collective, or filler kernels that only take the time of a cost execute it. */
#include <string.h>

#include "execution_private.h"
#include "programs/collective.h"

static struct library_buffer port_buffer(
	const struct execution *execution, uint32_t tensor, uint32_t slot)
{
	return (struct library_buffer){
		&execution->placed[tensor].placement, placed_address(execution, tensor, slot)};
}

static enum status build_row(const struct execution *execution,
	const struct model_operation *operation, const struct planned *planned, uint32_t slot,
	struct text *why, const struct kept *kept)
{
	struct library_use use = {
		.element = execution->placed[operation->ports[0]].view.tensor->element};
	enum status status;

	if (operation->cores > 0)
		use.cores = (struct cores){.kind = CORES_COUNT, .count = operation->cores};
	memcpy(use.tiles, planned->shapes.tiles, sizeof use.tiles);
	memcpy(use.slice, operation->slice, sizeof use.slice);
	for (uint32_t i = 0; i < operation->port_count; i++)
		use.buffers[i] = port_buffer(execution, operation->ports[i], slot);
	status = planned->kind.row->build(kept->programs[0], &use, why);
	return status == STATUS_OK
		       ? workload_add(kept->workload, kept->programs[0], DEVICES_UNBOUND, why)
		       : status;
}

static enum status build_collective(const struct execution *execution,
	const struct model_operation *operation, const struct planned *planned, uint32_t slot,
	struct text *why, const struct kept *kept)
{
	enum { LINKS_MAX = 4 };
	struct mesh_shape shape = execution->ops->shape(execution->handle);
	uint32_t links = operation->links ? operation->links : program_links(kept->programs[0]);
	struct collective_config config = {.op = planned->kind.op,
		.element = execution->placed[operation->ports[0]].view.tensor->element,
		.devices = kept->devices,
		.device_count = execution->devices,
		.ring = operation->ring,
		.links = links < 1	     ? 1
			 : links > LINKS_MAX ? LINKS_MAX
					     : links,
		.pages = execution->placed[operation->ports[0]].placement.page_count,
		.input = port_buffer(execution, operation->ports[0], slot),
		.output = port_buffer(execution, operation->ports[1], slot)};
	enum status status = collective_order(shape, operation->ring, kept->devices, why);

	if (planned->sums.page_count > 0)
		config.sums = (struct library_buffer){
			&planned->sums, kept_sums_address(execution, planned)};
	if (status == STATUS_OK)
		status = collective_build(kept->programs, &config, why);
	for (uint32_t i = 0; i < kept->program_count && status == STATUS_OK; i++) {
		uint16_t row = (uint16_t)(kept->devices[i] / shape.columns);
		uint16_t column = (uint16_t)(kept->devices[i] % shape.columns);

		status = workload_add(kept->workload, kept->programs[i],
			(struct device_range){row, column, row, column}, why);
	}
	return status;
}

/* Adds kernels that occupy the cores for the time of the cost. */
static enum status build_cost(
	const struct model_operation *operation, struct text *why, const struct kept *kept)
{
	const struct model_cost *cost = operation->cost;
	struct kernel_config config = {.processor = PROCESSOR_BRISC,
		.cores = {.kind = operation->cores ? CORES_COUNT : CORES_ALL,
			.count = operation->cores},
		.bytes = cost->kernel_bytes,
		.steps = 1,
		.cycles = cost->cycles};
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < kept->program_count && status == STATUS_OK; i++) {
		uint32_t kernel;

		status = program_add_kernel(kept->programs[i], &config, why, &kernel);
		if (status == STATUS_OK)
			status = workload_add(kept->workload, kept->programs[i],
				kept->ranges ? kept->ranges[i] : DEVICES_UNBOUND, why);
	}
	return status;
}

enum status build_operation(const struct execution *execution,
	const struct model_operation *operation, const struct planned *planned, uint32_t slot,
	struct text *why, const struct kept *kept)
{
	if (operation->cost)
		return build_cost(operation, why, kept);
	return planned->kind.row ? build_row(execution, operation, planned, slot, why, kept)
				 : build_collective(execution, operation, planned, slot, why, kept);
}
