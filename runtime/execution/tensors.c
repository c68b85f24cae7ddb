/* Converts values of tensors to bytes of devices, and back (execution/tensors.h). */
#include "execution/tensors.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "world/world.h"

enum { SIDE = 32 };

/* Makes the layout of a part: one shard, in tiles or in rows. */
static enum status part_layout(
	const struct tensor_view *view, struct layout *layout, struct text *why)
{
	const struct model_tensor *tensor = view->tensor;
	const struct layout_interval all_but_last = {0, -1};
	uint32_t side = tensor->in_rows ? 0 : SIDE;
	enum status status;

	*layout = (struct layout){.tensor = {.rank = tensor->rank},
		.tensor_element = ELEMENT_F32,
		.grid = {.rank = 2, .size = {1, 1}},
		.tile_height = side,
		.tile_width = side,
		.element = tensor->element,
		.space = SPACE_DRAM};
	for (uint32_t i = 0; i < tensor->rank; i++)
		layout->tensor.size[i] = view->extents[tensor->rank - 1 - i];
	status = layout_collapse(layout, &all_but_last, tensor->rank > 1, 2, why);
	if (status == STATUS_OK && side > 0)
		status = layout_align_rows(layout, side, why);
	return status == STATUS_OK ? layout_init(layout, why) : status;
}

enum status tensor_view_init(struct tensor_view *view, const struct model_tensor *tensor,
	uint32_t devices, struct text *why)
{
	static const int dimensions[] = {-1, 1, 0, 2, -1};
	int divided = dimensions[tensor->split];
	uint64_t stride = 1;
	enum status status;

	*view = (struct tensor_view){.tensor = tensor, .devices = devices, .elements = 1};
	for (uint32_t i = 0; i < MODEL_BINARY_RANK_MAX; i++) {
		uint64_t whole = i < tensor->rank ? tensor->shape[tensor->rank - 1 - i] : 1;
		bool is_divided = divided >= 0 && (uint32_t)divided == i;

		view->extents[i] = is_divided ? whole / devices : whole;
		view->strides[i] = stride;
		view->elements *= view->extents[i];
		if (is_divided)
			view->step = view->extents[i] * stride;
		stride *= whole;
	}
	if (tensor->in_rows && element_is_block(tensor->element))
		return refuse(why, STATUS_INVALID,
			"tensor '%s' is in rows, but %s exists only in "
			"tiles",
			tensor->name, element_name(tensor->element));
	status = part_layout(view, &view->layout, why);
	return status == STATUS_OK ? shard_data_check(&view->layout, why) : status;
}

uint32_t tensor_view_page_bytes(const struct tensor_view *view)
{
	enum element element = view->tensor->element;

	return view->tensor->in_rows ? (uint32_t)view->extents[0] * element_bytes(element)
				     : element_tile_bytes(element, SIDE, SIDE);
}

uint64_t tensor_view_at(const struct tensor_view *view, uint32_t device, uint64_t element)
{
	uint64_t at = view->step * device;

	for (uint32_t i = 0; i < MODEL_BINARY_RANK_MAX; i++) {
		at += element % view->extents[i] * view->strides[i];
		element /= view->extents[i];
	}
	return at;
}

struct transfer {
	const struct tensor_view *view;
	uint32_t device;
	const float *from;
	float *to;
};

static void transfer_read(void *context, uint64_t first, uint64_t count, void *out)
{
	const struct transfer *transfer = context;
	float *to = out;

	for (uint64_t i = 0; i < count; i++)
		to[i] = transfer->from[tensor_view_at(transfer->view, transfer->device, first + i)];
}

static void transfer_write(void *context, uint64_t first, uint64_t count, const void *in)
{
	const struct transfer *transfer = context;
	const float *from = in;

	for (uint64_t i = 0; i < count; i++) {
		float *to =
			&transfer->to[tensor_view_at(transfer->view, transfer->device, first + i)];

		*to = transfer->view->tensor->split == MODEL_PARTIAL ? *to + from[i] : from[i];
	}
}

void tensor_encode(const struct tensor_view *view, uint32_t device, const float *whole, void *bytes)
{
	struct transfer transfer = {.view = view, .device = device, .from = whole};
	struct tensor_source source = {.read = transfer_read, .context = &transfer};
	struct layout_shape shard = {.rank = 2};
	void *scratch = allocate(1, shard_data_scratch_bytes(&view->layout));

	shard_data_make(&view->layout, &source, &shard, bytes, scratch);
	free(scratch);
}

void tensor_decode(const struct tensor_view *view, uint32_t device, const void *bytes, float *whole)
{
	struct transfer transfer = {.view = view, .device = device, .to = whole};
	struct tensor_sink sink = {.write = transfer_write, .context = &transfer};
	struct layout_shape shard = {.rank = 2};
	void *scratch = allocate(1, shard_data_scratch_bytes(&view->layout));

	shard_data_take(&view->layout, &sink, &shard, bytes, scratch);
	free(scratch);
}

void tensor_charge(const struct tensor_view *view)
{
	struct shard_data_work work = shard_data_work(&view->layout);

	world->work(WORK_COPY_RUN, 1);
	world->work_copy(work.scalar_bytes, MEMORY_UNCACHED_SOURCE, MEMORY_CACHED);
	if (work.tiled_bytes > 0)
		world->work(WORK_TILIZE_BYTE, work.tiled_bytes);
	if (work.blocks > 0)
		world->work(WORK_CONVERT_BLOCK, work.blocks);
}
