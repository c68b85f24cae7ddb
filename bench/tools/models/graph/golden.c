/* Computes the golden values of a graph (graph_private.h). Executes the graph's programs in double
 * precision. Every tensor is stored as one part for each device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "execution/tensors.h"
#include "graph_private.h"

enum { SIDE = 32 };

struct golden_run {
	struct builder *builder;
	struct golden_part *parts; /* [tensor * devices + device] */
};

static struct golden_part *part_of(const struct golden_run *run, uint32_t tensor, uint32_t device)
{
	return &run->parts[(uint64_t)tensor * run->builder->devices + device];
}

/* Makes the parts of a tensor on all devices, filled with zeros. */
static void make_parts(const struct golden_run *run, uint32_t tensor)
{
	struct tile_shape_of shape;

	(void)tensor_tile_shape(
		&run->builder->tensors[tensor], run->builder->devices, &shape, NULL);
	for (uint32_t device = 0; device < run->builder->devices; device++) {
		struct golden_part *part = part_of(run, tensor, device);
		uint64_t tiles = (uint64_t)shape.heads * shape.rows * shape.columns;

		free(part->at);
		*part = (struct golden_part){shape.heads, shape.rows * SIDE, shape.columns * SIDE,
			allocate(tiles, SIDE * SIDE * sizeof(double))};
	}
}

/* Calls visit() for each element of a tensor, on each device. Passes the addresses of the element
 * in the device's part, and in `whole`, which has the values of the whole tensor. */
static void visit_elements(const struct golden_run *run, uint32_t tensor, float *whole,
	void (*visit)(double *part, float *whole))
{
	struct tensor_view view;

	(void)tensor_view_init(&view, &run->builder->tensors[tensor], run->builder->devices, NULL);
	for (uint32_t device = 0; device < run->builder->devices; device++) {
		const struct golden_part *part = part_of(run, tensor, device);

		for (uint64_t i = 0; i < view.elements; i++) {
			uint64_t column = i % view.extents[0], rows = i / view.extents[0];
			uint64_t row = rows / view.extents[1] * part->rows + rows % view.extents[1];

			visit(&part->at[row * part->columns + column],
				&whole[tensor_view_at(&view, device, i)]);
		}
	}
}

static void take_value(double *part, float *whole)
{
	*part = (double)*whole;
}

static void give_value(double *part, float *whole)
{
	*whole = (float)*part;
}

static void take_values(const struct golden_run *run, const struct model_values *values)
{
	float *copy = allocate(values->count, sizeof *copy);

	memcpy(copy, values->values, values->count * sizeof *copy);
	make_parts(run, values->tensor);
	visit_elements(run, values->tensor, copy, take_value);
	free(copy);
}

/* ---- operations ---- */

static uint64_t elements_of(const struct golden_part *part)
{
	return (uint64_t)part->heads * part->rows * part->columns;
}

static void run_collective(const struct golden_run *run, const struct execution_kind *kind,
	const struct model_operation *operation)
{
	uint32_t devices = run->builder->devices;

	for (uint32_t device = 0; device < devices; device++) {
		struct golden_part *to = part_of(run, operation->ports[1], device);
		uint64_t count = elements_of(to);

		for (uint32_t other = 0; other < devices; other++) {
			const struct golden_part *from = part_of(run, operation->ports[0], other);
			uint64_t first = kind->op == COLLECTIVE_REDUCE_SCATTER ? device * count : 0;

			if (kind->op == COLLECTIVE_ALL_GATHER)
				memcpy(to->at + other * elements_of(from), from->at,
					elements_of(from) * sizeof(double));
			else
				for (uint64_t i = 0; i < count; i++)
					to->at[i] += from->at[first + i];
		}
	}
}

static void run_operation(const struct golden_run *run, const struct model_operation *operation)
{
	uint32_t devices = run->builder->devices, reads = operation->port_count - 1;
	struct operation_shapes shapes = {.devices = devices};
	struct execution_kind kind;

	(void)execution_kind_find(operation->kind, &kind);
	memcpy(shapes.slice, operation->slice, sizeof shapes.slice);
	for (uint32_t i = 0; i < reads; i++)
		(void)tensor_tile_shape(&run->builder->tensors[operation->ports[i]], devices,
			&shapes.shapes[i], NULL);
	(void)operation_shapes_infer(&kind, &shapes, NULL);
	make_parts(run, operation->ports[reads]);
	if (!kind.row) {
		run_collective(run, &kind, operation);
		return;
	}
	for (uint32_t device = 0; device < devices; device++) {
		const struct golden_part *from[MODEL_BINARY_PORTS_MAX];

		for (uint32_t i = 0; i < reads; i++)
			from[i] = part_of(run, operation->ports[i], device);
		golden_operation(
			&kind, &shapes, from, part_of(run, operation->ports[reads], device));
	}
}

/* Stores the golden values of an output. Does nothing if the binary has values of the tensor
 * already. Values that are not finite are an error. */
static void store_output(
	const struct golden_run *run, const struct model_program *program, uint32_t tensor)
{
	struct builder *builder = run->builder;
	uint64_t count = model_tensor_elements(&builder->tensors[tensor]);
	float *values = arena_array(builder->arena, count, sizeof *values);
	struct model_binary *binary = &builder->binary;

	if (model_values_of(binary->golden, binary->golden_count, tensor) ||
		model_values_of(binary->constants, binary->constant_count, tensor))
		return;
	visit_elements(run, tensor, values, give_value);
	for (uint64_t i = 0; i < count; i++)
		if (!isfinite(values[i])) {
			diag_error(builder->diag, builder->graph->keys.platform_where,
				"output '%s' of program '%s' has values that are no finite numbers",
				builder->tensors[tensor].name, program->name);
			return;
		}
	builder->golden[binary->golden_count++] = (struct model_values){.tensor = tensor,
		.tolerance = (float)builder->graph->keys.tolerance,
		.count = count,
		.values = values};
}

void graph_golden_make(struct builder *builder)
{
	const struct model_binary *binary = &builder->binary;
	uint64_t parts = (uint64_t)binary->tensor_count * builder->devices;
	struct golden_run run = {
		.builder = builder, .parts = allocate(parts + 1, sizeof *run.parts)};
	uint32_t inputs = binary->golden_count;

	for (uint32_t i = 0; i < binary->constant_count; i++)
		take_values(&run, &binary->constants[i]);
	for (uint32_t i = 0; i < inputs; i++)
		take_values(&run, &binary->golden[i]);
	for (uint32_t i = 0; i < binary->program_count; i++) {
		const struct model_program *program = &binary->programs[i];

		for (uint32_t k = 0; k < program->operation_count; k++)
			run_operation(&run, &program->operations[k]);
		for (uint32_t k = 0; k < program->output_count; k++)
			store_output(&run, program, program->outputs[k]);
	}
	for (uint64_t i = 0; i < parts; i++)
		free(run.parts[i].at);
	free(run.parts);
}
