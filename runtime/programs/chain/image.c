/* Chains (chain.h) whose input is an image. NCRISC gathers the rows of the im2col matrix from the
 * pixels. For positions outside the image, it uses a pixel of zeros. Each core keeps this pixel in
 * a circular buffer of one page. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "chain.h"
#include "layout/data/convert.h"

enum { SIDE = KERNEL_TILE_SIDE, ROW_BYTES_MAX = 1 << 20, PART_ALIGN = 32 };

/* Indices of the extents in library_use.image. */
enum { HIGH, WIDE };

/* The registers of the reader. */
enum {
	IN_Y = CHAIN_FREE,
	IN_X,
	TAP_Y,
	TAP_X,
	TAPS_Y,
	TAPS_X,
	TOP,   /* first row that the convolution kernel covers for the current pixel of the
		* result, counted from the top of the padding */
	START, /* index of the row of pixels in the buffer where the image begins */
	ZEROS, /* place of the pixel of zeros: a tile and an address */
};
enum { FROM_LEFT = TERM };
_Static_assert((int)ZEROS + 1 < (int)KERNEL_REGISTERS, "registers of an image");

/* ---- description ---- */

/* Returns the number of pixels from the first to the last tap of the kernel, including both. */
static uint64_t reach(const struct library_image *of, int i)
{
	return ((uint64_t)of->kernel[i] - 1) * of->dilation[i] + 1;
}

/* Checks the extents of the image and the kernel, and sets the extents of the result. */
static enum status image_extents(
	const struct library_use *use, struct chain_image *image, struct text *why)
{
	const struct library_image *of = &use->image;

	for (int i = HIGH; i <= WIDE; i++) {
		uint64_t padded = (uint64_t)of->size[i] + 2 * (uint64_t)of->padding[i];

		if (of->size[i] == 0 || of->kernel[i] == 0 || of->stride[i] == 0 ||
			of->dilation[i] == 0 || of->padding[i] >= reach(of, i) ||
			reach(of, i) > padded) {
			library_refuses(use, LIBRARY_OF_IMAGE, 0);
			return refuse(why, STATUS_INVALID,
				"a kernel of %u with stride %u, padding %u and dilation %u does "
				"not fit on %u pixels of an image's %s",
				of->kernel[i], of->stride[i], of->padding[i], of->dilation[i],
				of->size[i], i == HIGH ? "height" : "width");
		}
		image->out[i] = (uint32_t)((padded - reach(of, i)) / of->stride[i]) + 1;
	}
	return STATUS_OK;
}

/* Divides the channels of a pixel of `bytes` bytes into parts. Each part must begin at a multiple
 * of PART_ALIGN, because kernels can read only from such addresses. Returns false, with a reason in
 * `why`, if that is not possible. */
static bool image_parts(
	const struct library_use *use, struct chain_image *image, uint32_t bytes, struct text *why)
{
	uint32_t parts = use->image.groups > 0 ? use->image.groups : 1;

	image->channel_parts = parts;
	image->part_bytes = bytes / parts;
	if (parts == 1 || (bytes % parts == 0 && image->part_bytes % PART_ALIGN == 0))
		return true;
	library_refuses(use, LIBRARY_OF_IMAGE, 0);
	refuse(why, STATUS_INVALID,
		"%u groups of a pixel of %u B: each has a multiple of %d B; join smaller ones, "
		"with zeros between them in the weights",
		parts, bytes, PART_ALIGN);
	return false;
}

/* Checks the pixels, and sets the extents of the matrix of im2col. */
static enum status image_matrix(
	const struct library_use *use, struct chain_image *image, struct text *why)
{
	const struct placement *pixels = use->buffers[0].placement;
	uint32_t element = element_bytes(use->element), bytes = pixels->config.page_bytes;
	uint64_t each = (uint64_t)use->image.size[HIGH] * use->image.size[WIDE], rows, row_bytes;

	if (bytes % element != 0 || pixels->page_stride != bytes) {
		library_refuses(use, LIBRARY_OF_BUFFER, 0);
		return refuse(why, STATUS_INVALID,
			"a pixel of %u B does not fill its place of %u B with elements of %s",
			bytes, pixels->page_stride, element_name(use->element));
	}
	if (pixels->page_count % each != 0) {
		library_refuses(use, LIBRARY_OF_IMAGE, 0);
		return refuse(why, STATUS_INVALID,
			"a buffer of %u pixels has no whole number of images of %u x %u",
			pixels->page_count, use->image.size[HIGH], use->image.size[WIDE]);
	}
	if (!image_parts(use, image, bytes, why))
		return STATUS_INVALID;
	image->images = (uint32_t)(pixels->page_count / each);
	rows = (uint64_t)image->images * image->out[HIGH] * image->out[WIDE];
	row_bytes = (uint64_t)use->image.kernel[HIGH] * use->image.kernel[WIDE] * image->part_bytes;
	if (rows > UINT32_MAX || row_bytes > ROW_BYTES_MAX) {
		library_refuses(use, LIBRARY_OF_IMAGE, 0);
		return refuse(why, STATUS_INVALID,
			"%llu pixels of a result, each from %llu B, of which %d may be in a row",
			(unsigned long long)rows, (unsigned long long)row_bytes, ROW_BYTES_MAX);
	}
	image->rows = (uint32_t)rows;
	image->columns = (uint32_t)row_bytes / element;
	return STATUS_OK;
}

enum status chain_take_image(
	const struct library_use *use, struct chain *chain, const char *name, struct text *why)
{
	struct chain_image *image = &chain->image;
	enum status status = parts_check_rows(use, why);

	image->of = use->image;
	if (status == STATUS_OK)
		status = image_extents(use, image, why);
	if (status == STATUS_OK)
		status = image_matrix(use, image, why);
	if (status == STATUS_OK)
		chain->inputs[chain->input_count++] =
			(struct chain_input){.name = name, .tiles = SIDE, .image = true};
	return status;
}

uint32_t chain_image_bytes(const struct library_use *use, const struct chain *chain)
{
	return chain->image.columns * element_bytes(use->element);
}

uint32_t chain_image_tiles(const struct chain *chain)
{
	return (chain->image.columns - 1) / SIDE + 1;
}

/* ---- kernels ---- */

/* Sets `to` to the first row that the group takes. */
static void first_row(struct kernel_text *text, const struct chain_image *image, uint8_t to)
{
	uint8_t number = WALK_NUMBER;

	if (image->channel_parts > 1) {
		kernel_text_add(text, KERNEL_DIVIDE, to, WALK_NUMBER, 0, image->channel_parts);
		number = to;
	}
	kernel_text_add(text, KERNEL_MULTIPLY, to, number, 0, SIDE);
}

void chain_image_begin(struct kernel_text *text, const struct chain *chain)
{
	uint32_t whole = kernel_text_label(text);

	kernel_text_set(text, LIMIT, chain->image.rows);
	first_row(text, &chain->image, ROWS);
	kernel_text_add(text, KERNEL_SUBTRACT, ROWS, LIMIT, ROWS, 0);
	kernel_text_set(text, LIMIT, SIDE);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, ROWS, LIMIT, whole);
	kernel_text_set(text, ROWS, SIDE);
	kernel_text_place(text, whole);
	kernel_text_set(text, COLUMNS, chain->image.columns);
}

/* Sets TOP, FROM_LEFT and START for the pixel of the result in row RESULT of the group. */
static void place_pixel(struct kernel_text *text, const struct chain_image *image)
{
	const struct library_image *of = &image->of;

	first_row(text, image, TOP);
	kernel_text_add(text, KERNEL_ADD, TOP, TOP, RESULT, 0);
	kernel_text_add(text, KERNEL_REMAINDER, FROM_LEFT, TOP, 0, image->out[WIDE]);
	kernel_text_add(text, KERNEL_MULTIPLY, FROM_LEFT, FROM_LEFT, 0, of->stride[WIDE]);
	kernel_text_add(text, KERNEL_DIVIDE, TOP, TOP, 0, image->out[WIDE]);
	kernel_text_add(text, KERNEL_DIVIDE, START, TOP, 0, image->out[HIGH]);
	kernel_text_add(text, KERNEL_MULTIPLY, START, START, 0, of->size[HIGH]);
	kernel_text_add(text, KERNEL_REMAINDER, TOP, TOP, 0, image->out[HIGH]);
	kernel_text_add(text, KERNEL_MULTIPLY, TOP, TOP, 0, of->stride[HIGH]);
}

/* Sets `in` to the coordinate of a tap in the image, from that of the kernel's first tap. */
static void place_tap(struct kernel_text *text, const struct library_image *of, int i, uint8_t in,
	uint8_t first, uint8_t tap)
{
	if (of->dilation[i] == 1) {
		kernel_text_add(text, KERNEL_ADD, in, first, tap, 0);
	} else {
		kernel_text_add(text, KERNEL_MULTIPLY, in, tap, 0, of->dilation[i]);
		kernel_text_add(text, KERNEL_ADD, in, in, first, 0);
	}
	kernel_text_add(text, KERNEL_SUBTRACT, in, in, 0, of->padding[i]);
}

/* Appends code that reads the pixel at one position (tap) of the convolution kernel into LOCAL. If
 * the position is outside the image, the code stores zeros there. A negative coordinate becomes a
 * very large unsigned number. So the code only compares coordinates with the image's height and
 * width. */
static void read_tap(
	struct kernel_text *text, const struct chain_image *image, uint32_t description)
{
	const struct library_image *of = &image->of;
	uint32_t outside = kernel_text_label(text), done = kernel_text_label(text);

	place_tap(text, of, WIDE, IN_X, FROM_LEFT, TAP_X);
	kernel_text_set(text, LIMIT, of->size[HIGH]);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, IN_Y, LIMIT, outside);
	kernel_text_set(text, LIMIT, of->size[WIDE]);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, IN_X, LIMIT, outside);
	kernel_text_add(text, KERNEL_ADD, PAGE, START, IN_Y, 0);
	kernel_text_add(text, KERNEL_MULTIPLY, PAGE, PAGE, 0, of->size[WIDE]);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, IN_X, 0);
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, description);
	if (image->channel_parts > 1) {
		kernel_text_add(text, KERNEL_MULTIPLY, LIMIT, SHARE, 0, image->part_bytes);
		kernel_text_add(text, KERNEL_ADD, PLACE + 1, PLACE + 1, LIMIT, 0);
	}
	kernel_text_add(text, KERNEL_READ, LOCAL, PLACE, 0, image->part_bytes);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, done);
	kernel_text_place(text, outside);
	kernel_text_add(text, KERNEL_READ, LOCAL, ZEROS, 0, image->part_bytes);
	kernel_text_place(text, done);
	kernel_text_add(text, KERNEL_ADD, LOCAL, LOCAL, 0, image->part_bytes);
}

void chain_make_zeros(struct kernel_text *text, const struct chain *chain)
{
	uint32_t again;

	kernel_text_add(text, KERNEL_OWN_TILE, ZEROS, 0, 0, 0);
	kernel_text_add(text, KERNEL_BACK, ZEROS + 1, (uint8_t)chain->buffer_count, 0, 0);
	kernel_text_add(text, KERNEL_ADD, LOCAL, ZEROS + 1, 0, 0);
	kernel_text_add(text, KERNEL_ADD, LIMIT, LOCAL, 0, chain->image.part_bytes);
	again = kernel_text_here(text);
	kernel_text_add(text, KERNEL_STORE, 0, LOCAL, 0, 0);
	kernel_text_add(text, KERNEL_ADD, LOCAL, LOCAL, 0, 4);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, LOCAL, LIMIT, again);
}

void chain_read_image(
	struct kernel_text *text, const struct chain *chain, uint8_t buffer, uint32_t description)
{
	const struct chain_image *image = &chain->image;
	uint32_t row, tap_y, tap_x;

	chain_image_begin(text, chain);
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, SIDE);
	kernel_text_add(text, KERNEL_BACK, LOCAL, buffer, 0, 0);
	kernel_text_set(text, RESULT, 0);
	row = kernel_text_here(text);
	place_pixel(text, image);
	tap_y = loop_begin(text, TAP_Y, TAPS_Y, image->of.kernel[HIGH]);
	place_tap(text, &image->of, HIGH, IN_Y, TOP, TAP_Y);
	tap_x = loop_begin(text, TAP_X, TAPS_X, image->of.kernel[WIDE]);
	read_tap(text, image, description);
	loop_end(text, TAP_X, TAPS_X, tap_x);
	loop_end(text, TAP_Y, TAPS_Y, tap_y);
	loop_end(text, RESULT, ROWS, row);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, SIDE);
}

/* ---- reference ---- */

void chain_image_rows(const struct library_use *use, const struct chain *chain, uint32_t group,
	const uint8_t *pixels, uint8_t *tiles)
{
	static const struct tile_shape whole = {SIDE, SIDE};
	const struct chain_image *image = &chain->image;
	const struct library_image *of = &image->of;
	uint64_t bytes = image->part_bytes, row_bytes = chain_image_bytes(use, chain);
	uint64_t first = (uint64_t)(group / image->channel_parts) * SIDE;
	uint8_t *rows = allocate(SIDE, row_bytes);

	pixels += group % image->channel_parts * bytes;
	for (uint64_t i = 0; i < SIDE && first + i < image->rows; i++) {
		uint64_t pixel = first + i, line = pixel / image->out[WIDE];
		uint64_t which = line / image->out[HIGH];
		uint64_t top = line % image->out[HIGH] * of->stride[HIGH];
		uint64_t left = pixel % image->out[WIDE] * of->stride[WIDE];

		for (uint64_t tap = 0; tap < (uint64_t)of->kernel[HIGH] * of->kernel[WIDE]; tap++) {
			uint64_t y = top + tap / of->kernel[WIDE] * of->dilation[HIGH],
				 x = left + tap % of->kernel[WIDE] * of->dilation[WIDE];

			if (y < of->padding[HIGH] || y - of->padding[HIGH] >= of->size[HIGH] ||
				x < of->padding[WIDE] || x - of->padding[WIDE] >= of->size[WIDE])
				continue;
			y += which * of->size[HIGH] - of->padding[HIGH];
			x += y * of->size[WIDE] - of->padding[WIDE];
			memcpy(rows + i * row_bytes + tap * bytes,
				pixels + x * bytes * image->channel_parts, bytes);
		}
	}
	tilize_padded(rows, tiles, SIDE, image->columns, whole, element_bytes(use->element), 0);
	free(rows);
}
