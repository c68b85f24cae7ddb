/* Converts values of tensors between two forms: the values of a whole tensor in row-major order, as
 * in a model binary, and the bytes of a device's part of the tensor, in the order of pages. */
#ifndef EXECUTION_TENSORS_H
#define EXECUTION_TENSORS_H

#include "base/status.h"
#include "base/text.h"
#include "binary/model_binary.h"
#include "layout/data/convert.h"

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

#endif
