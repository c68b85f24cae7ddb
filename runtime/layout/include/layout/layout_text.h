/* The text form of tensors with layouts, as the specification prints it:
 *
 *     tensor<2x3x64x128xf32, #tt.layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), undef,
 *         <2x4>, memref<192x32xf32, #tt.memory_space<l1>>>>
 *
 * `d0 <> d1` joins dimensions: the stride of d0 is the size of d1 in the tensor. It is an error if
 * the text has another form, or if the shape of the memref does not follow from the tensor, the map
 * and the grid. Error messages give the position in the text. */
#ifndef LAYOUT_LAYOUT_TEXT_H
#define LAYOUT_LAYOUT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "layout/layout.h"

enum { LAYOUT_TEXT_BYTES_MAX = 1 << 16 };

/* Reads one tensor from `length` bytes of text. Messages use `name` as the name of the file. If the
 * text has a layout, sets *encoded to true and initializes `layout`. Otherwise sets *encoded to
 * false, and sets only the members tensor and tensor_element of `layout`. Returns false if there
 * are errors, and reports them to `diag`. */
bool layout_parse(const char *name, const char *text, size_t length, struct diag *diag,
	struct layout *layout, bool *encoded);

/* Reads a text, for example `2x3x64` from a command line, into *shape. Returns true, or false with
 * a sentence in `why`. */
bool layout_parse_shape(const char *text, struct layout_shape *shape, struct text *why);

/* Reads two numbers, for example `8x4`, into `pair`. Both must be between 1 and `most`. If the text
 * is wrong, returns false with a sentence in `why`. The sentence says that the text is `what`, for
 * example "no mesh of up to 8x8 chips". */
bool layout_parse_pair(
	const char *text, uint32_t most, const char *what, uint32_t pair[2], struct text *why);

/* Read the name of an element type, a fill or a memory space. If there is no such name, return
 * false, with a sentence in `why` that suggests the most similar name. */
bool layout_parse_element(const char *text, enum element *element, struct text *why);
bool layout_parse_fill(const char *text, enum fill *fill, struct text *why);
bool layout_parse_space(const char *text, enum layout_space *space, struct text *why);

/* Append to `out`, on one line: the whole text form, only the map, or only the memref. */
void layout_print(const struct layout *layout, struct text *out);
void layout_print_map(const struct layout *layout, struct text *out);
void layout_print_memref(const struct layout *layout, struct text *out);

/* A layout in the terms of TTNN: a logical shape, PyTorch strides, and 2D shards of a matrix. The
 * rows of the matrix come from all dimensions except the last. If a layout cannot be expressed in
 * these terms, the error gives the reason. */

struct ttnn_view {
	/* the leading dimensions of the grid, which are distributed over devices */
	struct layout_shape mesh;
	/* shape and strides of the tensor on one device; strides are in elements */
	struct layout_shape shape, stride;
	uint64_t physical_shape[2]; /* rows and width */
	uint64_t shard_shape[2], physical_shard_shape[2], tile_shape[2];
	uint64_t grid_shape[2]; /* number of shards that contain elements, in each direction */
};

/* Computes the view of a layout that passed layout_init(). The last two results of the layout are
 * rows and width; the results before them slice the tensor over a mesh. Returns OK. Returns
 * INVALID, with a sentence in `why` (may be NULL), if the terms of TTNN cannot express the layout:
 *
 * - there are fewer than two results;
 * - dimensions other than the innermost are collapsed into the width, or the width has gaps;
 * - dimensions are out of order;
 * - slices have different sizes, or rows of several slices would be on one core. */
enum status ttnn_view_init(struct ttnn_view *view, const struct layout *layout, struct text *why);

#endif
