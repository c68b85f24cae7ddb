/* Makes tensors of graph files, and finds them by name (graph_private.h). */
#include <string.h>

#include "base/nearest.h"
#include "graph_private.h"

static uint32_t tensor_find(const struct builder *builder, const char *name)
{
	for (uint32_t i = builder->binary.tensor_count; i-- > 0;)
		if (builder->built[i].visible && strcmp(builder->tensors[i].name, name) == 0)
			return i;
	return NO_TENSOR;
}

uint32_t graph_tensor_add(
	struct builder *builder, const struct model_tensor *like, struct location where)
{
	uint32_t number = builder->binary.tensor_count;

	if (number == MODEL_BINARY_TENSORS_MAX) {
		diag_error(builder->diag, where, "more than %d tensors", MODEL_BINARY_TENSORS_MAX);
		return NO_TENSOR;
	}
	builder->tensors[number] = *like;
	builder->built[number] = (struct built_tensor){.tensor = &builder->tensors[number]};
	builder->binary.tensor_count++;
	return number;
}

void graph_tensor_show(struct builder *builder, uint32_t number, struct location where)
{
	if (tensor_find(builder, builder->tensors[number].name) != NO_TENSOR)
		diag_error(builder->diag, where, "two tensors are called '%s'",
			builder->tensors[number].name);
	builder->built[number].visible = true;
}

uint32_t graph_tensor_named(struct builder *builder, const char *name, struct location where)
{
	uint32_t number = tensor_find(builder, name);
	struct nearest nearest;

	if (number != NO_TENSOR)
		return number;
	nearest_start(&nearest, name);
	for (uint32_t i = 0; i < builder->binary.tensor_count; i++)
		if (builder->built[i].visible)
			nearest_offer(&nearest, builder->tensors[i].name);
	diag_error(builder->diag, where, "no tensor '%s'%s%s%s", name,
		nearest.best ? ", did you mean '" : "", nearest.best ? nearest.best : "",
		nearest.best ? "'?" : "");
	return NO_TENSOR;
}

void graph_set_shape(struct builder *builder, struct model_tensor *tensor,
	const struct expression *extents, uint32_t rank)
{
	tensor->rank = rank;
	for (uint32_t i = 0; i < rank; i++)
		tensor->shape[i] = (uint32_t)expression_value(
			&extents[i], &builder->sizes, MODEL_BINARY_ELEMENTS_MAX, builder->diag);
}

uint32_t graph_add_given(struct builder *builder, const struct graph_tensor_keys *keys)
{
	struct model_tensor tensor = {.name = keys->name,
		.element = (enum element)keys->element,
		.in_rows = keys->in_rows,
		.in_l1 = keys->memory == 1,
		.arrangement = keys->arrangement,
		.split = (enum model_split)keys->split};
	uint32_t number;

	graph_set_shape(builder, &tensor, keys->extents, keys->rank);
	if (keys->split == MODEL_PARTIAL)
		diag_error(builder->diag, keys->where,
			"tensor '%s': the host writes no summands; split: partial is what "
			"operations write",
			keys->name);
	number = graph_tensor_add(builder, &tensor, keys->where);
	if (number != NO_TENSOR) {
		graph_tensor_show(builder, number, keys->where);
		builder->built[number].keys = keys;
	}
	return number;
}
