/* Draws mesh mappers for random tensors and meshes. For each mapper, computes the outcome that the
 * sharding specification requires, and the slice of the tensor that each device must have. This
 * computation shares no code with the functions under test. */
#ifndef RANDOM_MAPPER_H
#define RANDOM_MAPPER_H

#include "base/stream.h"
#include "layout/mapper.h"

enum { TRIAL_ELEMENTS_MAX = 1 << 16 };

struct mapper_trial {
	struct mapper_tensor tensor;
	struct mapper_mesh mesh;
	bool one; /* the mapper is ShardTensorToMesh */
	int32_t dims[2];
};

/* Draws a tensor with 1 to 7 dimensions and at most `elements` elements, a mesh of up to 4 x 4
 * devices, and a mapper, which may be invalid. */
void trial_draw(struct stream *stream, uint64_t elements, struct mapper_trial *trial);

/* Returns MAPPER_NONE if the trial is supported. Otherwise returns the reason why it is not. */
enum mapper_refusal trial_expected(const struct mapper_trial *trial);

enum mapper_refusal trial_lower(const struct mapper_trial *trial, bool any,
	struct mapper_lowering *lowering, struct text *why);

/* Ends the process unless `local` is the slice of `whole` that device (row, column) must have. */
void trial_check_device(const struct mapper_trial *trial, const struct mapper_lowering *lowering,
	uint32_t row, uint32_t column, const uint8_t *whole, const uint8_t *local);

#endif
