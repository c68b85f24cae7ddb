/* Converts values of tensors between two forms: the values of a whole tensor in row-major order, as
 * in a model binary, and the bytes of a device's part of the tensor, in the order of pages. */
#ifndef EXECUTION_TENSORS_H
#define EXECUTION_TENSORS_H

#include "base/status.h"
#include "base/text.h"
#include "binary/model_binary.h"
#include "layout/data/convert.h"
#include "programs/library.h"
#include "programs/reference/reference.h"

/* The part of a tensor that one of `devices` devices has. Fill it in with tensor_view_init(). */
struct tensor_view {
	const struct model_tensor *tensor;
	uint32_t devices;
	uint64_t extents[MODEL_BINARY_RANK_MAX]; /* size of a part, innermost dimension first */
	uint64_t strides[MODEL_BINARY_RANK_MAX]; /* strides in the whole tensor, innermost first */
	uint64_t step;	      /* from the first element of a device to that of the next device */
	uint64_t elements;    /* number of elements of a part */
	struct layout layout; /* layout of a part */
};

/* Fills in *view. Returns OK. Returns INVALID, with a sentence in `why` (may be NULL), if values
 * cannot be converted to the tensor's element type, or if the tensor has a block format but its
 * pages are rows. */
enum status tensor_view_init(struct tensor_view *view, const struct model_tensor *tensor,
	uint32_t devices, struct text *why);

/* Returns the size of a page, and of a part: view->layout.shard_bytes. */
uint32_t tensor_view_page_bytes(const struct tensor_view *view);

/* Returns the position in the whole tensor of element `element` of a device's part. */
uint64_t tensor_view_at(const struct tensor_view *view, uint32_t device, uint64_t element);

/* tensor_encode() makes the bytes of a device's part from the values of the whole tensor.
 * tensor_decode() copies the values of a part into `whole`; with split MODEL_PARTIAL, it adds them
 * to `whole`. Both charge no host time; tensor_charge() charges the host time of one such call. */
void tensor_encode(
	const struct tensor_view *view, uint32_t device, const float *whole, void *bytes);
void tensor_decode(
	const struct tensor_view *view, uint32_t device, const void *bytes, float *whole);
void tensor_charge(const struct tensor_view *view);

/* Shapes of the tensors of an operation, in tiles on one device. The program library describes
 * the shape of each port by letters, which stand for numbers of tiles (programs/library.h). The
 * tensors that the operation reads give the values of the letters, and the letters give the
 * shape of the tensor that it writes. The builder and the loader of model binaries use the same
 * functions. */

/* The part of a tensor on one device: `heads` matrices, each of `rows` x `columns` tiles. */
struct tile_shape_of {
	uint32_t heads, rows, columns;
};

/* What runs an operation. */
struct execution_kind {
	const struct library_row *row; /* NULL: a collective */
	enum collective_op op;
};

/* Finds the library row or the collective with this name. Returns false if there is none that model
 * binaries can use. */
bool execution_kind_find(const char *name, struct execution_kind *kind);

/* Returns the name of a kind, for messages. Kinds are numbered from 0; returns NULL after the last
 * one. */
const char *execution_kind_name(size_t index);

/* Returns OK if the devices of a mesh can execute the kind. Returns UNSUPPORTED, with a sentence in
 * `why` (may be NULL), in two cases. First, the kind is a collective and there is only one device.
 * Second, the mesh has several rows and columns, and the kind is a collective other than
 * all_reduce, so its result depends on the order of the devices. The line of devices goes back and
 * forth through the rows of the mesh, but the parts of tensors are ordered row by row. */
enum status execution_kind_check(
	const struct execution_kind *kind, uint32_t rows, uint32_t columns, struct text *why);

/* Sets *shape to a tensor's part on one of `devices` devices. Returns OK. Returns INVALID, with a
 * sentence in `why` (may be NULL), if the part does not consist of whole tiles. A part with a
 * single row of elements, for example a vector, is allowed: it gets one row of tiles. */
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

/* Computes the shape of the output port, and `tiles`. Both follow from the shapes of the other
 * ports. Returns OK. Returns INVALID, with a sentence in `why` (may be NULL), if the shapes do not
 * fit together. */
enum status operation_shapes_infer(
	const struct execution_kind *kind, struct operation_shapes *shapes, struct text *why);

/* Returns the number of ports of a kind, and the name of a port. */
uint32_t operation_port_count(const struct execution_kind *kind);
const char *operation_port_name(const struct execution_kind *kind, uint32_t port);

/* Returns true if the pages of a port must be rows of elements, not tiles. The ports of the program
 * `copy` accept both rows and tiles, so the result for them is false. */
bool operation_port_in_rows(const struct execution_kind *kind, uint32_t port);

#endif
