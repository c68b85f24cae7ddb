/* A layout in the terms of TTNN: logical shape, PyTorch strides that collapse all dimensions except
 * the last into rows, and 2D shards of these rows. Layouts that this cannot express are errors that
 * name the reason. */
#ifndef LAYOUT_TTNN_H
#define LAYOUT_TTNN_H

#include "layout/layout.h"

struct ttnn_view {
	struct layout_shape mesh;	   /* leading grid dimensions, sliced over devices */
	struct layout_shape shape, stride; /* on one device; strides in elements */
	uint64_t physical_shape[2];	   /* rows, width */
	uint64_t shard_shape[2], physical_shard_shape[2], tile_shape[2];
	uint64_t grid_shape[2]; /* shards that hold elements */
};

/* The view of a layout that passed layout_init(). Its last two results are rows and width; those
 * before them slice the tensor over a mesh. INVALID with a sentence in `why` (may be NULL): another
 * number of results, dimensions collapsed into the width or out of order, gaps in the width, slices
 * that are uneven or would put rows of several slices on a core. */
enum status ttnn_view_init(struct ttnn_view *view, const struct layout *layout, struct text *why);

#endif
