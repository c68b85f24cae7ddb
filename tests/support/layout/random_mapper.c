/* Draws mappers, and computes the shards that they must give (see random_mapper.h). */
#include "random_mapper.h"

#include <string.h>

#include "check.h"
#include "random_layout.h"

/* Dimension `d` is cut into pieces. Sets *pieces to the number of pieces, and *piece to the number
 * of the piece that the device at (row, column) has. */
static void slice(const struct mapper_trial *trial, uint32_t d, uint32_t row, uint32_t column,
	uint64_t *pieces, uint64_t *piece)
{
	int64_t rank = trial->tensor.shape.rank;

	*pieces = 1;
	*piece = 0;
	for (int i = 0; i < (trial->one ? 1 : 2); i++) {
		int64_t dim = trial->dims[i] < 0 ? trial->dims[i] + rank : trial->dims[i];

		if (trial->dims[i] == MAPPER_REPLICATE || dim != d)
			continue;
		if (trial->one) {
			*pieces = (uint64_t)trial->mesh.rows * trial->mesh.columns;
			*piece = (uint64_t)row * trial->mesh.columns + column;
		} else {
			*pieces = i == 0 ? trial->mesh.rows : trial->mesh.columns;
			*piece = i == 0 ? row : column;
		}
	}
}

/* The result that the specification demands for a trial; MAPPER_NONE if it is supported. */
enum mapper_refusal trial_expected(const struct mapper_trial *trial)
{
	const struct layout_shape *shape = &trial->tensor.shape;
	int64_t rank = shape->rank, resolved[2] = {-1, -1};
	enum mapper_refusal limit = MAPPER_NONE;
	uint32_t in_rows = 0;

	for (int i = 0; i < (trial->one ? 1 : 2); i++) {
		uint64_t pieces = trial->one ? (uint64_t)trial->mesh.rows * trial->mesh.columns
				  : i == 0   ? trial->mesh.rows
					     : trial->mesh.columns;

		if (trial->dims[i] == MAPPER_REPLICATE)
			continue;
		resolved[i] = trial->dims[i] < 0 ? trial->dims[i] + rank : trial->dims[i];
		if (resolved[i] < 0 || resolved[i] >= rank)
			return MAPPER_DIM;
		if (i == 1 && resolved[1] == resolved[0])
			return MAPPER_TWICE;
		if (shape->size[resolved[i]] % pieces)
			return MAPPER_UNEVEN;
		if (pieces == 1 || resolved[i] == rank - 1)
			continue;
		in_rows++;
		for (int64_t d = 0; d < resolved[i]; d++)
			if (shape->size[d] != 1)
				limit = MAPPER_ND;
	}
	return in_rows == 2 ? MAPPER_ROWS : limit;
}

/* Compares the data of a device with its slice of the tensor. */
void trial_check_device(const struct mapper_trial *trial, const struct mapper_lowering *lowering,
	uint32_t row, uint32_t column, const uint8_t *whole, const uint8_t *local)
{
	const struct layout_shape *shape = &trial->tensor.shape;
	uint32_t bytes = trial->tensor.element_bytes;
	uint64_t count = layout_volume(&lowering->device);

	for (uint64_t i = 0; i < count; i++) {
		struct layout_shape at = layout_at(&lowering->device, i);

		for (uint32_t d = 0; d < shape->rank; d++) {
			uint64_t pieces, piece;

			slice(trial, d, row, column, &pieces, &piece);
			check_equal(lowering->device.size[d], shape->size[d] / pieces);
			at.size[d] += piece * (shape->size[d] / pieces);
		}
		check(memcmp(local + i * bytes, whole + layout_number(shape, &at) * bytes, bytes) ==
				0,
			"element %llu of device %u,%u", (unsigned long long)i, row, column);
	}
}

enum mapper_refusal trial_lower(const struct mapper_trial *trial, bool any,
	struct mapper_lowering *lowering, struct text *why)
{
	if (trial->one)
		return (any ? mapper_shard_any : mapper_shard)(
			&trial->tensor, &trial->mesh, trial->dims[0], lowering, why);
	return (any ? mapper_shard_2d_any : mapper_shard_2d)(
		&trial->tensor, &trial->mesh, trial->dims, lowering, why);
}

void trial_draw(struct stream *stream, uint64_t elements, struct mapper_trial *trial)
{
	struct layout_shape *shape = &trial->tensor.shape;
	uint64_t left = elements;

	trial->tensor.element_bytes = 1u << stream_below(stream, 3);
	trial->mesh = (struct mapper_mesh){
		(uint32_t)random_between(stream, 1, 4), (uint32_t)random_between(stream, 1, 4)};
	shape->rank = (uint32_t)random_between(stream, 1, 7);
	for (uint32_t d = 0; d < shape->rank; d++) {
		static const uint64_t sizes[] = {1, 1, 2, 4, 8, 12, 3, 16, 5};
		uint64_t size = sizes[stream_below(stream, sizeof sizes / sizeof *sizes)];

		shape->size[d] = size <= left ? size : 1;
		left /= shape->size[d];
	}
	trial->one = stream_below(stream, 3) == 0;
	for (int i = 0; i < 2; i++) {
		int64_t rank = shape->rank, dim = (int64_t)stream_below(stream, 2 * shape->rank);

		trial->dims[i] = (int32_t)(dim - rank);
		if (stream_below(stream, 40) == 0)
			trial->dims[i] = (int32_t)(rank + dim);
		if (!trial->one && stream_below(stream, 4) == 0)
			trial->dims[i] = MAPPER_REPLICATE;
	}
}
