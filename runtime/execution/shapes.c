/* Infers the shapes of operations from the letters in the program library (member `shapes` of
 * struct library_row, programs/library.h). */
#include "execution/tensors.h"

#include <string.h>

#include "base/refuse.h"

enum { SIDE = 32, LETTERS = 26 };

/* ---- kinds ---- */

/* The collectives that a model binary can have. */
static const struct {
	const char *name;
	enum collective_op op;
} collectives[] = {{"all_gather", COLLECTIVE_ALL_GATHER},
	{"reduce_scatter", COLLECTIVE_REDUCE_SCATTER}, {"all_reduce", COLLECTIVE_ALL_REDUCE}};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

/* True if model binaries can use the program. They cannot contain a program that differs between
 * devices, nor the parameters of a program on images. */
static bool is_usable(const struct library_row *row)
{
	return !row->differs && !(row->parameters & LIBRARY_IMAGE);
}

bool execution_kind_find(const char *name, struct execution_kind *kind)
{
	*kind = (struct execution_kind){.row = library_find(name)};
	if (kind->row)
		return is_usable(kind->row);
	for (size_t i = 0; i < COLLECTIVES; i++)
		if (strcmp(collectives[i].name, name) == 0) {
			kind->op = collectives[i].op;
			return true;
		}
	return false;
}

const char *execution_kind_name(size_t index)
{
	if (index < COLLECTIVES)
		return collectives[index].name;
	index -= COLLECTIVES;
	for (size_t i = 0; library_row(i); i++)
		if (is_usable(library_row(i)) && index-- == 0)
			return library_row(i)->name;
	return NULL;
}

enum status execution_kind_check(
	const struct execution_kind *kind, uint32_t rows, uint32_t columns, struct text *why)
{
	if (kind->row)
		return STATUS_OK;
	if (rows * columns < 2)
		return refuse(why, STATUS_UNSUPPORTED, "a collective of one device");
	if (kind->op != COLLECTIVE_ALL_REDUCE && rows > 1 && columns > 1)
		return refuse(why, STATUS_UNSUPPORTED,
			"its parts follow a line of devices, but the mesh has %u x %u", rows,
			columns);
	return STATUS_OK;
}

uint32_t operation_port_count(const struct execution_kind *kind)
{
	return kind->row ? kind->row->port_count : 2;
}

const char *operation_port_name(const struct execution_kind *kind, uint32_t port)
{
	static const char *const names[] = {"from", "to"};

	return kind->row ? kind->row->ports[port].name : names[port];
}

bool operation_port_in_rows(const struct execution_kind *kind, uint32_t port)
{
	return kind->row && !kind->row->shapes[port] && kind->row != &library_copy;
}

/* ---- shapes ---- */

enum status tensor_tile_shape(const struct model_tensor *tensor, uint32_t devices,
	struct tile_shape_of *shape, struct text *why)
{
	uint32_t extents[MODEL_BINARY_RANK_MAX] = {1, 1, 1, 1}; /* innermost first */

	for (uint32_t i = 0; i < tensor->rank; i++)
		extents[i] = tensor->shape[tensor->rank - 1 - i];
	if (tensor->split == MODEL_COLUMNS)
		extents[0] /= devices;
	else if (tensor->split == MODEL_ROWS)
		extents[1] /= devices;
	else if (tensor->split == MODEL_HEADS)
		extents[2] /= devices;
	*shape = (struct tile_shape_of){.heads = extents[2] * extents[3],
		.rows = (extents[1] + SIDE - 1) / SIDE,
		.columns = extents[0] / SIDE};
	if (extents[0] % SIDE != 0 || (extents[1] % SIDE != 0 && extents[1] != 1))
		return refuse(why, STATUS_INVALID,
			"tensor '%s' has %u rows and %u columns on a device, but only whole tiles "
			"of 32x32, or one row, can be computed with",
			tensor->name, extents[1], extents[0]);
	return STATUS_OK;
}

/* The values of the letters; 0: not known yet. */
struct letters {
	uint32_t of[LETTERS];
};

static uint32_t *letter(struct letters *letters, char name)
{
	return &letters->of[name - 'a'];
}

/* Sets a letter. If it is already set, reports an error unless it has the same value. */
static enum status letter_set(
	struct letters *letters, char name, uint32_t value, const char *port, struct text *why)
{
	uint32_t known = name == '1' ? 1 : *letter(letters, name);

	if (known != 0 && known != value)
		return refuse(why, STATUS_INVALID,
			"'%s' has %u tiles, but other tensors ask for %u", port, value, known);
	if (name != '1')
		*letter(letters, name) = value;
	return STATUS_OK;
}

/* Sets the letters of an input port from the shape of its tensor. If the port has no letter `h`,
 * its number of rows is the number of heads times the rows of one head. */
static enum status letters_take(struct letters *letters, const struct execution_kind *kind,
	uint32_t port, const struct tile_shape_of *shape, struct text *why)
{
	const char *of = kind->row && kind->row->shapes[port] ? kind->row->shapes[port] : "rc";
	const char *name = operation_port_name(kind, port);
	uint32_t rows = shape->rows;
	enum status status = STATUS_OK;

	if (*of == 'h')
		status = letter_set(letters, *of++, shape->heads, name, why);
	else
		rows *= shape->heads;
	if (status == STATUS_OK)
		status = letter_set(letters, of[0], rows, name, why);
	if (status == STATUS_OK)
		status = letter_set(letters, of[1], shape->columns, name, why);
	return status;
}

/* Sets the letters that follow from others and from the slice. */
static void letters_complete(struct letters *letters, const uint32_t slice[4])
{
	*letter(letters, 's') = *letter(letters, 'c') + *letter(letters, 'k');
	*letter(letters, 't') = *letter(letters, 'r') + *letter(letters, 'k');
	*letter(letters, 'y') = slice[2];
	*letter(letters, 'x') = slice[3];
}

static enum status infer_row(
	const struct execution_kind *kind, struct operation_shapes *shapes, struct text *why)
{
	uint32_t written = kind->row->port_count - 1;
	const char *of = kind->row->shapes[written] ? kind->row->shapes[written] : "rc";
	struct tile_shape_of *to = &shapes->shapes[written];
	struct letters letters = {{0}};
	enum status status = STATUS_OK;

	for (uint32_t port = 0; port < written && status == STATUS_OK; port++)
		status = letters_take(&letters, kind, port, &shapes->shapes[port], why);
	if (status != STATUS_OK)
		return status;
	letters_complete(&letters, shapes->slice);
	shapes->tiles[0] = *letter(&letters, 'r');
	shapes->tiles[1] = *letter(&letters, 'c');
	shapes->tiles[2] = *letter(&letters, 'k');
	*to = (struct tile_shape_of){.heads = *of == 'h' ? *letter(&letters, 'h') : 1};
	of += *of == 'h';
	to->rows = *letter(&letters, of[0]);
	to->columns = *letter(&letters, of[1]);
	if (to->rows == 0 || to->columns == 0)
		return refuse(why, STATUS_INVALID, "'%s' would have no tiles",
			operation_port_name(kind, written));
	return STATUS_OK;
}

enum status operation_shapes_infer(
	const struct execution_kind *kind, struct operation_shapes *shapes, struct text *why)
{
	const struct tile_shape_of *from = &shapes->shapes[0];
	struct tile_shape_of *to = &shapes->shapes[1];

	if (kind->row)
		return infer_row(kind, shapes, why);
	*to = (struct tile_shape_of){1, from->heads * from->rows, from->columns};
	if (kind->op == COLLECTIVE_REDUCE_SCATTER && to->rows % shapes->devices != 0)
		return refuse(why, STATUS_INVALID,
			"%u rows of tiles do not divide among %u devices", to->rows,
			shapes->devices);
	if (kind->op == COLLECTIVE_ALL_GATHER)
		to->rows *= shapes->devices;
	else if (kind->op == COLLECTIVE_REDUCE_SCATTER)
		to->rows /= shapes->devices;
	return STATUS_OK;
}
