/* Shapes of the tensors of an operation, in tiles on one device. The library says for each port of
 * a program which letters its shape has (programs/library.h); from the tensors that an operation
 * reads follow the numbers behind the letters, and from these the shape that it writes. Builder and
 * loader of model binaries use the same functions, so they agree. */
#ifndef EXECUTION_SHAPES_H
#define EXECUTION_SHAPES_H

#include "base/status.h"
#include "base/text.h"
#include "binary/model_binary.h"
#include "programs/library.h"
#include "programs/reference/reference.h"

/* The part of a tensor on one device: matrices of rows x columns tiles, one behind the other. */
struct tile_shape_of {
	uint32_t heads, rows, columns;
};

/* What runs an operation. */
struct execution_kind {
	const struct library_row *row; /* NULL: a collective */
	enum collective_op op;
};

/* Finds what runs an operation of this kind. Returns false if there is nothing of this name. */
bool execution_kind_find(const char *name, struct execution_kind *kind);

/* Returns the name of kind `index`, from 0, for messages; NULL after the last. */
const char *execution_kind_name(size_t index);

/* Sets *shape to a tensor's part on one of `devices` devices. Returns OK. Returns INVALID, with a
 * sentence in `why` (may be NULL), if the part does not consist of whole tiles. A vector, or a
 * matrix of one row, is a row of tiles. */
enum status tensor_tile_shape(const struct model_tensor *tensor, uint32_t devices,
	struct tile_shape_of *shape, struct text *why);

/* The shapes of an operation's ports. Fill in `devices`, `slice` and shapes[] of the ports that it
 * reads. */
struct operation_shapes {
	uint32_t devices; /* of the mesh */
	uint32_t slice[4];
	struct tile_shape_of shapes[MODEL_BINARY_PORTS_MAX]; /* [port] */
	uint32_t tiles[3];				     /* result: struct library_use.tiles */
};

/* Sets the shape of the port that is written, and `tiles`, from the shapes of the other ports.
 * Returns OK. Returns INVALID, with a sentence in `why` (may be NULL), if the shapes do not fit
 * together. */
enum status operation_shapes_infer(
	const struct execution_kind *kind, struct operation_shapes *shapes, struct text *why);

/* Returns the number of ports of a kind, and the name of a port. */
uint32_t operation_port_count(const struct execution_kind *kind);
const char *operation_port_name(const struct execution_kind *kind, uint32_t port);

/* Returns true if pages of a port are rows of elements instead of tiles; the port `from` of `copy`
 * takes both. */
bool operation_port_in_rows(const struct execution_kind *kind, uint32_t port);

#endif
