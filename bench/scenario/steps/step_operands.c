/* Tensors as operands of library programs. A buffer with the key `shape` is a tensor: its size and
 * its pages are computed from shape and element type. A library program takes its parameters
 * `element` and `tiles` from the tensors that it uses, which must not contradict each other. */
#include <string.h>

#include "base/arena.h"
#include "bench/scenario/step_layout.h"
#include "check.h"
#include "layout/element.h"
#include "layout/layout.h"
#include "programs/library.h"

enum { SIDE = 32, TILES_MAX = 65536, LETTERS = 128 };

/* ---- sizes of tensors ---- */

/* Extents of a tensor: its matrices, and the elements or tiles of each. */
struct extents {
	uint64_t heads, rows, columns;
};

/* Returns the extents in elements. Returns false if there are more elements than a tensor has. */
static bool extents_of(const struct write_step *write, struct extents *extents)
{
	uint32_t rank = write->shape_rank;
	uint64_t elements = 1;

	*extents = (struct extents){1, 1, write->shape[rank - 1]};
	for (uint32_t i = 0; i < rank; i++)
		if (__builtin_mul_overflow(elements, write->shape[i], &elements) ||
			elements > LAYOUT_ELEMENTS_MAX)
			return false;
	if (rank > 1)
		extents->rows = write->shape[rank - 2];
	extents->heads = elements / extents->rows / extents->columns;
	return true;
}

static uint64_t tiles_up(uint64_t elements)
{
	return (elements + SIDE - 1) / SIDE;
}

/* Sets the size of a tensor's buffer and of its pages, which are tiles or rows. Reports an error
 * and returns false if programs could not compute on the tensor. */
static bool size_tensor(const struct check *check, struct write_step *write)
{
	enum element element = (enum element)write->element;
	struct extents extents;
	uint64_t page, pages;

	if (!extents_of(write, &extents)) {
		diag_error(check->diag, write->shape_where,
			"shape of tensor '%s': more than %llu elements", write->buffer,
			(unsigned long long)LAYOUT_ELEMENTS_MAX);
		return false;
	}
	if (write->tiled &&
		(extents.columns % SIDE != 0 ||
			(extents.rows % SIDE != 0 && extents.heads * extents.rows > 1))) {
		diag_error(check->diag, write->shape_where,
			"tensor '%s' has matrices of %llu x %llu elements, which are no whole "
			"tiles of 32x32 (one row alone may be), and programs would compute on "
			"what fills them up",
			write->buffer, (unsigned long long)extents.rows,
			(unsigned long long)extents.columns);
		return false;
	}
	if (!write->tiled && element_is_block(element)) {
		diag_error(check->diag, write->shape_where,
			"tensor '%s' is not in tiles, but elements of %s are only in tiles",
			write->buffer, element_name(element));
		return false;
	}
	page = write->tiled ? element_tile_bytes(element, SIDE, SIDE)
			    : extents.columns * element_bytes(element);
	pages = extents.heads *
		(write->tiled ? tiles_up(extents.rows) * tiles_up(extents.columns) : extents.rows);
	if (page > PAGE_BYTES_MAX) {
		diag_error(check->diag, write->shape_where,
			"rows of tensor '%s' have %llu B, but a page has at most %d", write->buffer,
			(unsigned long long)page, PAGE_BYTES_MAX);
		return false;
	}
	write->page_bytes = (uint32_t)page;
	write->bytes = pages * page;
	return true;
}

static bool operands_default(const struct tree_node *keys, const char *name, const char *fallback)
{
	const struct tree_node *node = tree_get(keys, name);

	return !node || (node->kind == TREE_SCALAR && strcmp(node->text, fallback) == 0);
}

/* Reports an error for each key that contradicts the shape of the tensor. */
static void check_said(const struct check *check, const struct tree_node *keys,
	const struct write_step *said, const struct write_step *write)
{
	if (said->bytes != 0 && said->bytes != write->bytes)
		diag_error(check->diag, tree_where(keys, "bytes"),
			"bytes of tensor '%s', which has %llu by its shape", write->buffer,
			(unsigned long long)write->bytes);
	if (!operands_default(keys, "page_bytes", "2048") && said->page_bytes != write->page_bytes)
		diag_error(check->diag, tree_where(keys, "page_bytes"),
			"page_bytes of tensor '%s', whose pages have %u by its shape",
			write->buffer, write->page_bytes);
	if (write->spread == STEP_MATRIX || write->spread == STEP_MAPPED)
		diag_error(check->diag, write->shape_where,
			"shape of buffer '%s', whose spread has a shape of its own", write->buffer);
}

/* Returns the type of numbers in the tensor's data if the step does not give one. */
static uint32_t operands_values(const struct write_step *write)
{
	switch ((enum element)write->element) {
	case ELEMENT_F32:
		return STEP_F32;
	case ELEMENT_BF16:
		return STEP_BF16;
	case ELEMENT_BFP_BF8:
		return STEP_BFP8;
	case ELEMENT_BFP_BF4:
		return STEP_BFP4;
	default:
		return STEP_BITS;
	}
}

void check_tensor_shape(const struct check *check, const struct tree_node *keys,
	struct write_step *write, const struct write_step *first)
{
	struct write_step said = *write;

	if (write->shape_rank == 0 && first && first->shape_rank > 0) {
		write->values = write->values == STEP_BITS ? first->values : write->values;
		return;
	}
	if (write->shape_rank == 0) {
		if (!operands_default(keys, "element", "f32"))
			diag_error(check->diag, tree_where(keys, "element"),
				"element of buffer '%s', which has no shape", write->buffer);
		if (!operands_default(keys, "tiled", "true"))
			diag_error(check->diag, tree_where(keys, "tiled"),
				"tiled: false of buffer '%s', which has no shape", write->buffer);
		return;
	}
	if (!size_tensor(check, write))
		return;
	check_said(check, keys, &said, write);
	if (write->values == STEP_BITS)
		write->values = operands_values(write);
	else if (write->values != operands_values(write))
		diag_error(check->diag, tree_where(keys, "values"),
			"values of another type than tensor '%s' has: %s", write->buffer,
			element_name((enum element)write->element));
}

bool check_same_tensor(const struct write_step *write, const struct write_step *first)
{
	return write->shape_rank == 0 ||
	       (write->shape_rank == first->shape_rank && write->element == first->element &&
		       write->tiled == first->tiled &&
		       memcmp(write->shape, first->shape,
			       first->shape_rank * sizeof *first->shape) == 0);
}

/* ---- operands of programs ---- */

/* A program whose parameters are computed from its tensors. struct library_row (programs/library.h)
 * names each extent of a program by a letter. known[letter] is the extent in tiles. of[letter] is
 * the port from whose tensor the extent was taken. */
struct operands {
	const struct check *check;
	const struct tree_node *keys;
	struct program_keys *program;
	const struct library_row *row;
	uint64_t known[LETTERS];
	const struct port_keys *of[LETTERS];
	const struct write_step *typed; /* the first tensor */
};

static const struct port_keys *port_of(const struct operands *operands, uint32_t port)
{
	const struct program_keys *program = operands->program;

	for (uint32_t i = 0; i < program->buffer_count; i++)
		if (strcmp(program->buffers[i].port, operands->row->ports[port].name) == 0)
			return &program->buffers[i];
	return NULL;
}

/* Returns the tensor of a port; NULL if the port has none, or another buffer. */
static const struct write_step *tensor_of(const struct operands *operands, uint32_t port)
{
	const struct port_keys *keys = port_of(operands, port);
	const struct write_step *write =
		keys ? check_find_buffer(operands->check, keys->buffer) : NULL;

	return write && write->shape_rank > 0 && write->bytes > 0 ? write : NULL;
}

/* Computes the extents, in tiles, of the part of a tensor that one device has. A part consists of
 * whole matrices (heads), or of whole rows of tiles if there is only one matrix. */
static bool device_extents(const struct operands *operands, const struct port_keys *port,
	const struct write_step *tensor, struct extents *extents)
{
	uint64_t parts = step_buffer_parts(tensor, operands->check->config->shape);

	if (!extents_of(tensor, extents))
		return false;
	extents->rows = tiles_up(extents->rows);
	extents->columns = tiles_up(extents->columns);
	if (extents->heads % parts == 0) {
		extents->heads /= parts;
	} else if (extents->heads == 1 && extents->rows % parts == 0) {
		extents->rows /= parts;
	} else {
		diag_error(operands->check->diag, port->where,
			"tensor '%s' of %llu x %llu x %llu tiles does not divide into %llu parts "
			"of whole rows",
			tensor->buffer, (unsigned long long)extents->heads,
			(unsigned long long)extents->rows, (unsigned long long)extents->columns,
			(unsigned long long)parts);
		return false;
	}
	return true;
}

/* Takes one extent of a port, or compares it with the one that is known. */
static void take_extent(struct operands *operands, const struct port_keys *port,
	const struct write_step *tensor, char letter, uint64_t extent)
{
	static const char *const names[LETTERS] = {['h'] = "number of matrices",
		['r'] = "height in tiles",
		['c'] = "width in tiles",
		['k'] = "inner extent in tiles",
		['1'] = "height in tiles",
		['s'] = "width in tiles",
		['t'] = "height in tiles",
		['y'] = "height in tiles",
		['x'] = "width in tiles",
		['w'] = "width in tiles",
		['i'] = "height in tiles",
		['o'] = "height in tiles"};
	uint64_t *known = &operands->known[(unsigned char)letter];
	const struct port_keys *of = operands->of[(unsigned char)letter];

	if (*known == 0) {
		*known = extent;
		operands->of[(unsigned char)letter] = port;
	} else if (*known != extent) {
		diag_error(operands->check->diag, port->where,
			"'%s' of library: %s: the %s of tensor '%s' is %llu, but must be "
			"%llu%s%s%s",
			port->port, operands->row->name, names[(unsigned char)letter],
			tensor->buffer, (unsigned long long)extent, (unsigned long long)*known,
			of ? ", that of '" : "", of ? of->buffer : "", of ? "'" : "");
	}
}

/* Takes the extents of a port's tensor. A port may have a letter for the number of matrices
 * (heads); see library.h. If it has none, the matrices count as one matrix that has the rows of all
 * of them. */
static void take_port(struct operands *operands, uint32_t number)
{
	const struct port_keys *port = port_of(operands, number);
	const struct write_step *tensor = tensor_of(operands, number);
	const char *letters = operands->row->shapes[number];
	struct extents extents;

	if (!tensor || !letters)
		return;
	if (!tensor->tiled) {
		diag_error(operands->check->diag, port->where,
			"'%s' of library: %s takes tiles, but tensor '%s' is in rows (tiled: "
			"false)",
			port->port, operands->row->name, tensor->buffer);
		return;
	}
	if (!device_extents(operands, port, tensor, &extents))
		return;
	if (strlen(letters) == 3)
		take_extent(operands, port, tensor, *letters++, extents.heads);
	else
		extents.rows *= extents.heads;
	take_extent(operands, port, tensor, letters[0], extents.rows);
	take_extent(operands, port, tensor, letters[1], extents.columns);
}

/* Returns true if the shape of a port is a sum, which follows from the other ports. */
static bool is_sum(const struct operands *operands, uint32_t port)
{
	const char *letters = operands->row->shapes[port];

	return letters && strpbrk(letters, "st") != NULL;
}

static void take_element(struct operands *operands, uint32_t number)
{
	const struct port_keys *port = port_of(operands, number);
	const struct write_step *tensor = tensor_of(operands, number);

	if (!tensor)
		return;
	if (!operands->typed)
		operands->typed = tensor;
	else if (tensor->element != operands->typed->element)
		diag_error(operands->check->diag, port->where,
			"tensor '%s' is of %s, but tensor '%s' of the same program of %s",
			tensor->buffer, element_name((enum element)tensor->element),
			operands->typed->buffer,
			element_name((enum element)operands->typed->element));
}

/* Sets the element type of the program from its tensors. Reports an error if they differ. */
static void give_element(const struct operands *operands)
{
	struct program_keys *program = operands->program;
	const struct write_step *typed = operands->typed;

	if (!typed || !(operands->row->parameters & LIBRARY_ELEMENT))
		return;
	if (program_key_is_default(operands->keys, "element"))
		program->element = typed->element;
	else if (program->element != typed->element)
		diag_error(operands->check->diag, program->element_where,
			"element: %s, but tensor '%s' is of %s",
			element_name((enum element)program->element), typed->buffer,
			element_name((enum element)typed->element));
}

/* If the program's key `tiles` is missing, sets it from the extents of the tensors. If the key is
 * given, it must agree with these extents. Does nothing if an extent is unknown or too large. Then
 * check_acting() reports a missing `tiles`. */
static void give_tiles(const struct operands *operands)
{
	struct program_keys *program = operands->program;
	const uint64_t extents[] = {
		operands->known['r'], operands->known['c'], operands->known['k']};
	uint32_t wanted = operands->row->parameters & LIBRARY_INNER   ? 3
			  : operands->row->parameters & LIBRARY_TILES ? 2
								      : 0;

	for (uint32_t i = 0; i < wanted; i++)
		if (extents[i] == 0 || extents[i] > TILES_MAX)
			return;
	for (uint32_t i = 0; i < wanted && program->tiles_count == wanted; i++)
		if (program->tiles[i] != extents[i]) {
			diag_error(operands->check->diag, program->tiles_where,
				"tiles: %u, but the tensors have %llu (%s)", program->tiles[i],
				(unsigned long long)extents[i],
				i == 0	 ? "rows"
				: i == 1 ? "columns"
					 : "inner extent");
			return;
		}
	for (uint32_t i = 0; i < wanted && program->tiles_count == 0; i++)
		program->tiles[i] = (uint32_t)extents[i];
	program->tiles_count = program->tiles_count == 0 ? wanted : program->tiles_count;
}

/* If the images of a convolution are a tensor in rows, where each row is a pixel, takes their
 * height and width from this tensor. Reports an error if the program gives another height or
 * width. */
static void give_image(const struct operands *operands)
{
	struct image_keys *image = operands->program->image;
	const struct write_step *tensor = tensor_of(operands, 0);
	const uint64_t *size;

	if (!(operands->row->parameters & LIBRARY_IMAGE) || !image || !tensor || tensor->tiled ||
		tensor->shape_rank < 3)
		return;
	size = tensor->shape + tensor->shape_rank - 3;
	if (image->size_count == 0 && size[0] <= TILES_MAX && size[1] <= TILES_MAX) {
		image->size[0] = (uint32_t)size[0];
		image->size[1] = (uint32_t)size[1];
		image->size_count = 2;
	} else if (image->size[0] != size[0] || image->size[1] != size[1]) {
		diag_error(operands->check->diag, operands->program->image_where,
			"image: %u x %u pixels, but tensor '%s' has images of %llu x %llu",
			image->size[0], image->size[1], tensor->buffer, (unsigned long long)size[0],
			(unsigned long long)size[1]);
	}
}

static void check_program_operands(
	const struct check *check, const struct tree_node *keys, struct program_keys *program)
{
	struct operands operands = {.check = check, .keys = keys, .program = program};
	uint64_t *known = operands.known;

	if (program->library == 0)
		return;
	operands.row = library_row(program->library - 1);
	known['1'] = 1;
	if (program->slice_count > 0) {
		known['y'] = program->slice[2];
		known['x'] = program->slice[3];
	}
	for (uint32_t i = 0; i < operands.row->port_count; i++) {
		take_element(&operands, i);
		if (!is_sum(&operands, i))
			take_port(&operands, i);
	}
	known['s'] = known['c'] && known['k'] ? known['c'] + known['k'] : 0;
	known['t'] = known['r'] && known['k'] ? known['r'] + known['k'] : 0;
	for (uint32_t i = 0; i < operands.row->port_count; i++)
		if (is_sum(&operands, i))
			take_port(&operands, i);
	give_element(&operands);
	give_tiles(&operands);
	give_image(&operands);
}

void check_operands(const struct check *check, const struct tree_node *keys, struct step *step)
{
	const struct tree_node *items = keys ? tree_get(keys, "programs") : NULL;
	struct workload_step *workload = &step->workload;

	if (workload->program_count == 0)
		check_program_operands(check, keys, &workload->own);
	for (uint32_t i = 0; i < workload->program_count; i++)
		check_program_operands(
			check, items ? items->items[i] : keys, &workload->programs[i]);
}
