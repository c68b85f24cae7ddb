/* Makes the values of constants and inputs (graph_private.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/stream.h"
#include "execution/tensors.h"
#include "graph_private.h"

static void fill_drawn(const struct builder *builder, const struct graph_tensor_keys *keys,
	const char *role, float *values, uint64_t count)
{
	struct stream stream;

	stream_init(&stream, builder->graph->keys.seed, role);
	for (uint64_t i = 0; i < count; i++)
		values[i] = (float)(keys->mean + keys->spread * (2 * stream_unit(&stream) - 1));
}

/* Fills in sines or cosines of angles. The angle of element i of row r is r * 10000^(-2 (i mod
 * half) / wide). Both halves of a row have the same angles. */
static void fill_angles(
	const struct model_tensor *tensor, bool cosines, float *values, uint64_t count)
{
	uint32_t wide = tensor->shape[tensor->rank - 1], half = wide / 2;

	for (uint64_t i = 0; i < count; i++) {
		double power = half ? -(double)(i % wide % half) / half : 0;
		double angle = (double)(i / wide) * pow(10000, power);

		values[i] = (float)(cosines ? cos(angle) : sin(angle));
	}
}

/* Rounds the values to the tensor's element type, so that they are the values that devices have. */
static void round_values(
	const struct builder *builder, uint32_t number, float *values, struct location where)
{
	struct tensor_view view;
	struct text why = {0};
	uint8_t *bytes;

	if (tensor_view_init(&view, &builder->tensors[number], builder->devices, &why) !=
		STATUS_OK) {
		diag_error(builder->diag, where, "%s", text_string(&why));
		text_fini(&why);
		return;
	}
	bytes = allocate(1, view.layout.shard_bytes);
	for (uint32_t device = 0; device < builder->devices; device++) {
		tensor_encode(&view, device, values, bytes);
		tensor_decode(&view, device, bytes, values);
	}
	free(bytes);
}

static void graph_fill(
	const struct builder *builder, uint32_t number, const char *role, struct model_values *made)
{
	const struct graph_tensor_keys *keys = builder->built[number].keys;
	const struct model_tensor *tensor = &builder->tensors[number];
	uint64_t count = model_tensor_elements(tensor);
	float *values = arena_array(builder->arena, count, sizeof *values);

	if (keys->values == VALUES_DRAWN)
		fill_drawn(builder, keys, role, values, count);
	else
		fill_angles(tensor, keys->values == VALUES_COSINES, values, count);
	round_values(builder, number, values, keys->where);
	*made = (struct model_values){.tensor = number, .count = count, .values = values};
}

/* Reports an error if the values of all tensors together are too large for a file. */
static bool graph_values_fit(const struct builder *builder)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < builder->binary.tensor_count; i++) {
		if (!builder->built[i].keys)
			continue;
		bytes += sizeof(float);
		for (uint32_t k = 0, product = 1; k < builder->tensors[i].rank; k++) {
			uint64_t more = (uint64_t)product * builder->tensors[i].shape[k];

			if (more > MODEL_BINARY_ELEMENTS_MAX) {
				diag_error(builder->diag, builder->built[i].keys->where,
					"tensor '%s' has more than %d elements",
					builder->tensors[i].name, MODEL_BINARY_ELEMENTS_MAX);
				return false;
			}
			product = (uint32_t)more;
		}
		bytes += model_tensor_elements(&builder->tensors[i]) * sizeof(float);
		if (bytes > MODEL_BINARY_BYTES_MAX / 2) {
			diag_error(builder->diag, builder->built[i].keys->where,
				"constants and inputs up to tensor '%s' have %llu bytes, but a "
				"binary holds %d",
				builder->tensors[i].name, (unsigned long long)bytes,
				MODEL_BINARY_BYTES_MAX / 2);
			return false;
		}
	}
	return true;
}

void graph_values_make(struct builder *builder)
{
	struct model_binary *binary = &builder->binary;

	builder->constants =
		arena_array(builder->arena, binary->tensor_count + 1, sizeof *builder->constants);
	builder->golden =
		arena_array(builder->arena, binary->tensor_count + 1, sizeof *builder->golden);
	binary->constants = builder->constants;
	binary->golden = builder->golden;
	if (!graph_values_fit(builder))
		return;
	for (uint32_t i = 0; i < builder->graph->keys.constant_count; i++)
		graph_fill(builder, i, builder->tensors[i].name,
			&builder->constants[binary->constant_count++]);
	for (uint32_t i = 0; i < binary->program_count; i++)
		for (uint32_t k = 0; k < binary->programs[i].input_count; k++) {
			uint32_t number = binary->programs[i].inputs[k];
			char *role = arena_printf(builder->arena, "%s/%s", binary->programs[i].name,
				builder->tensors[number].name);

			graph_fill(builder, number, role, &builder->golden[binary->golden_count++]);
		}
}
