/* The program of a two-dimensional convolution through im2col. For each pixel of the result, the
 * reader gathers the image pixels that the convolution kernel covers, as a row of a matrix
 * (image.c). This matrix is multiplied with the weights. A group is 32 pixels of the result. Sums
 * are f32, and are rounded once, after the bias is added. If the channels are divided into parts
 * (image.groups), a group is one part of the channels of 32 pixels, and takes the columns of the
 * weights that belong to this part. */
#include "base/refuse.h"
#include "chain.h"

enum { FROM, WEIGHT, BIAS, CONV_TO };

/* Adds the weights and the bias as inputs of the chain. Sets *wide to the width of the result in
 * tiles, which follows from the number of pages of the weights. */
static enum status conv_take(
	const struct library_use *use, struct chain *chain, uint32_t *wide, struct text *why)
{
	uint32_t inner = chain_image_tiles(chain);
	uint32_t pages = use->buffers[WEIGHT].placement->page_count;
	struct chain_input kept = {.name = "weight", .tiles = pages, .stride = 1, .kept = true};
	enum status status = chain_take(use, chain, pages, kept, why);

	if (status == STATUS_OK && pages % inner != 0) {
		library_refuses(use, LIBRARY_OF_BUFFER, WEIGHT);
		return refuse(why, STATUS_INVALID,
			"weights of %u tiles are no whole number of columns of %u tiles, which the "
			"%u values under a kernel are",
			pages, inner, chain->image.columns);
	}
	*wide = pages / inner;
	if (status == STATUS_OK && *wide % chain->image.channel_parts != 0) {
		library_refuses(use, LIBRARY_OF_BUFFER, WEIGHT);
		return refuse(why, STATUS_INVALID,
			"weights of %u columns of tiles are no whole number for each of %u groups",
			*wide, chain->image.channel_parts);
	}
	kept.name = "bias";
	kept.tiles = *wide;
	if (status == STATUS_OK)
		status = chain_take(use, chain, *wide, kept, why);
	if (status == STATUS_OK)
		status =
			parts_check_tiles(use, CONV_TO, "to", (uint64_t)chain->groups * *wide, why);
	return status;
}

static enum status conv2d_make(const struct library_use *use, struct chain *chain, struct text *why)
{
	enum status status = chain_take_image(use, chain, "from", why);
	uint32_t wide = 0, parts = chain->image.channel_parts, results;
	struct chain_varying first = {0};
	uint8_t product;

	if (status != STATUS_OK)
		return status;
	chain->groups = (chain->image.rows - 1) / KERNEL_TILE_SIDE + 1;
	chain->inside = ELEMENT_F32;
	status = conv_take(use, chain, &wide, why);
	if (status != STATUS_OK)
		return status;
	results = wide / parts;
	if (parts > 1) {
		chain->groups *= parts;
		chain->rising = parts;
		first.times = results;
	}
	product = chain_add(chain, (struct chain_stage){.opcode = KERNEL_TILE_MATMUL,
					   .left = {.buffer = FROM, .by_inner = 1, .last = true},
					   .right = {.buffer = WEIGHT,
						   .by_result = 1,
						   .by_inner = wide,
						   .first_of = first,
						   .last = true},
					   .results = results,
					   .inner = chain_image_tiles(chain)});
	chain_add(chain,
		(struct chain_stage){.opcode = KERNEL_TILE_ADD,
			.b = KERNEL_ROW,
			.left = {.buffer = product, .by_result = 1, .last = true},
			.right = {.buffer = BIAS, .by_result = 1, .first_of = first, .last = true},
			.results = results,
			.inner = 1});
	return STATUS_OK;
}

CHAIN_FUNCTIONS(conv2d, conv2d_make)

const struct library_row library_conv2d = {
	.name = "conv2d",
	.what = "convolves images with a kernel, plus a bias, through im2col; `image` has the "
		"extents of an image and its kernel, strides, padding, dilation and groups",
	.section = "3.4.4, flow 7",
	.parameters = LIBRARY_ELEMENT | LIBRARY_IMAGE,
	.port_count = 4,
	.ports = {{"from", "a page for each pixel: its channels", false},
		{"weight",
			"tiles of a matrix, row by row: a row for each channel (of a group) under "
			"each tap of the kernel, a column for each channel of the result",
			false},
		{"bias", "a row of tiles: its first row of elements", false},
		{"to", "tiles of a matrix: a row for each pixel of the result, and of its channels",
			true}},
	.shapes = {NULL, "iw", "1w", "ow"},
	.build = conv2d_build,
	.reference = conv2d_reference,
};
