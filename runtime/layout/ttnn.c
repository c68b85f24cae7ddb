/* The view of a layout in the terms of TTNN. The specification computes grid_shape as
 * [divup(stride[0] // stride[-2], shard_shape[0]), divup(stride[-2], shard_shape[0])]. This formula
 * leaves out the outermost extent, and divides the width by the rows of a shard. Both are errors.
 * The code here divides all rows by the rows of a shard, and the width by the width of a shard. */
#include "layout/layout_text.h"

#include "base/refuse.h"

static uint64_t divide_up(uint64_t value, uint64_t by)
{
	return value / by + (value % by != 0);
}

/* Handles all results of the layout except the last two. Each of these results must divide one
 * dimension into equal slices. Sets the bits of these dimensions in *sliced. */
static enum status slice(
	struct ttnn_view *view, const struct layout *layout, uint32_t *sliced, struct text *why)
{
	uint32_t results = layout->grid.rank;

	view->shape = layout->tensor;
	view->mesh.rank = results - 2;
	for (uint32_t r = 0; r < results - 2; r++) {
		uint64_t pieces = layout->grid.size[r];
		uint8_t d = layout->nest[r][0];

		view->mesh.size[r] = pieces;
		if (layout->nest_count[r] == 0 && pieces == 1)
			continue;
		if (layout->nest_count[r] != 1 || layout->stride[r][d] != 1 || (*sliced >> d & 1))
			return refuse(why, STATUS_INVALID,
				"result %u is no single dimension: a mesh slices whole ones", r);
		if (layout->tensor.size[d] % pieces != 0)
			return refuse(why, STATUS_INVALID,
				"d%u of %llu sliced unevenly over %llu devices", d,
				(unsigned long long)layout->tensor.size[d],
				(unsigned long long)pieces);
		view->shape.size[d] = layout->tensor.size[d] / pieces;
		if (view->shape.size[d] > 1 && layout->grid.size[results - 2] > 1)
			return refuse(why, STATUS_INVALID,
				"%llu slices of d%u on a device: its cores would hold rows of "
				"several",
				(unsigned long long)view->shape.size[d], d);
		*sliced |= 1u << d;
	}
	return STATUS_OK;
}

static enum status check_width(const struct layout *layout, struct text *why)
{
	uint32_t column = layout->grid.rank - 1, inner = layout->tensor.rank - 1;
	uint32_t count = layout->nest_count[column];

	if (count > 1 || (count == 1 && layout->nest[column][0] != inner))
		return refuse(why, STATUS_INVALID,
			"the width holds other dimensions than the innermost: TTNN collapses [0, "
			"-1)");
	if (count == 1 && layout->stride[column][inner] != 1)
		return refuse(why, STATUS_INVALID, "d%u has gaps: the width has stride 1", inner);
	return STATUS_OK;
}

/* Computes the strides of the dimensions in rows, beginning with the innermost dimension. */
static enum status collapse(
	struct ttnn_view *view, const struct layout *layout, uint32_t sliced, struct text *why)
{
	uint32_t row = layout->grid.rank - 2, inner = layout->tensor.rank - 1;
	uint64_t width = layout->physical.size[row + 1];
	/* next: stride of the next dimension, in rows; rows: number of rows so far */
	uint64_t next = 1, rows = 1;

	view->stride.rank = layout->tensor.rank;
	view->stride.size[inner] = 1;
	for (uint32_t d = inner; d-- > 0;) {
		uint64_t stride = layout->stride[row][d];

		if (view->shape.size[d] == 1 || (sliced >> d & 1))
			stride = next;
		else if (d + 1 == inner && stride != 1)
			return refuse(why, STATUS_INVALID,
				"rows of d%u are not adjacent: stride[-2] is the width", d);
		else if (stride < rows)
			return refuse(why, STATUS_INVALID,
				"d%u is collapsed out of order: rows are row-major", d);
		view->stride.size[d] = stride * width;
		rows += (view->shape.size[d] - 1) * stride;
		next = stride * view->shape.size[d];
	}
	view->physical_shape[0] = rows;
	view->physical_shape[1] = width;
	for (uint32_t i = 0; i < layout->nest_count[row]; i++)
		if (layout->nest[row][i] == inner || (sliced >> layout->nest[row][i] & 1))
			return refuse(
				why, STATUS_INVALID, "d%u is in two results", layout->nest[row][i]);
	return STATUS_OK;
}

enum status ttnn_view_init(struct ttnn_view *view, const struct layout *layout, struct text *why)
{
	uint32_t results = layout->grid.rank, sliced = 0;
	enum status status;

	*view = (struct ttnn_view){0};
	if (results < 2)
		return refuse(why, STATUS_INVALID, "a grid of rank %u: TTNN lays rows out in 2D",
			results);
	status = slice(view, layout, &sliced, why);
	if (status == STATUS_OK)
		status = check_width(layout, why);
	if (status == STATUS_OK)
		status = collapse(view, layout, sliced, why);
	if (status != STATUS_OK)
		return status;
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t r = results - 2 + i;

		view->shard_shape[i] = layout->shard.size[r];
		view->physical_shard_shape[i] = layout->padded.size[r];
		view->grid_shape[i] = divide_up(view->physical_shape[i], view->shard_shape[i]);
	}
	/* the slices of a device contribute consecutive rows */
	if (layout->grid.size[results - 2] == 1) {
		view->shard_shape[0] = view->physical_shape[0];
		view->grid_shape[0] = 1;
		if (layout->tile_height)
			view->physical_shard_shape[0] =
				divide_up(view->shard_shape[0], layout->tile_height) *
				layout->tile_height;
		else
			view->physical_shard_shape[0] = view->shard_shape[0];
	}
	view->tile_shape[0] = layout->tile_height ? layout->tile_height : 1;
	view->tile_shape[1] = layout->tile_height ? layout->tile_width : 1;
	return STATUS_OK;
}
