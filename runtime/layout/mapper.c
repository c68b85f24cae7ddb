/* Lowers mesh mappers to mesh buffers. A mapper describes how a tensor is split over devices. All
 * dimensions except the innermost are flattened to rows. A flattened dimension can be split only if
 * all dimensions before it have extent 1, because otherwise a piece would not be a run
 * of adjacent rows. */
#include "layout/mapper.h"

#include "base/ensure.h"
#include "base/refuse.h"

static const struct {
	const char *name, *limit;
} refusals[MAPPER_REFUSAL_COUNT] = {
#define X(name, text, limit) {text, limit},
#include "layout/mapper.def"
#undef X
};

const char *mapper_refusal_name(enum mapper_refusal refusal)
{
	return refusals[refusal].name;
}

const char *mapper_refusal_limit(enum mapper_refusal refusal)
{
	return refusals[refusal].limit;
}

/* Fills in *lowering for the flattened tensor, replicated on all devices. */
static enum mapper_refusal flatten(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, struct mapper_lowering *lowering, struct text *why)
{
	const struct layout_shape *shape = &tensor->shape;
	uint64_t bytes = tensor->element_bytes, rows = 1;

	ensure(tensor->element_bytes > 0, "elements of no bytes");
	*lowering = (struct mapper_lowering){.device = *shape};
	if (shape->rank < 1 || shape->rank > LAYOUT_RANK_MAX)
		return refuse(why, MAPPER_RANK, "tensor of rank %u, 1 to %d allowed", shape->rank,
			LAYOUT_RANK_MAX);
	if (mesh->rows == 0 || mesh->columns == 0 || mesh->rows > UINT32_MAX / mesh->columns)
		return refuse(why, MAPPER_MESH, "mesh of %u x %u", mesh->rows, mesh->columns);
	for (uint32_t d = 0; d < shape->rank; d++) {
		if (shape->size[d] == 0)
			return refuse(why, MAPPER_EMPTY, "dimension %u has no elements", d);
		if (bytes > LAYOUT_ELEMENTS_MAX / shape->size[d])
			return refuse(why, MAPPER_SIZE, "tensor of more than %llu B",
				(unsigned long long)LAYOUT_ELEMENTS_MAX);
		bytes *= shape->size[d];
		rows *= d + 1 < shape->rank ? shape->size[d] : 1;
	}
	lowering->config = (struct mesh_layout){
		.size_bytes = bytes,
		.global_height = rows,
		.global_width = shape->size[shape->rank - 1],
	};
	for (uint32_t d = 0; d < shape->rank; d++)
		lowering->pieces[d] = 1;
	return MAPPER_NONE;
}

/* Sets *resolved to the number of the dimension, counted from the front. */
static enum mapper_refusal mapper_resolve(
	const struct mapper_tensor *tensor, int32_t dim, uint32_t *resolved, struct text *why)
{
	int64_t rank = tensor->shape.rank, at = dim < 0 ? dim + rank : dim;

	if (at < 0 || at >= rank)
		return refuse(why, MAPPER_DIM, "dimension %d of a tensor of rank %lld", dim,
			(long long)rank);
	*resolved = (uint32_t)at;
	return MAPPER_NONE;
}

/* Splits one dimension into `pieces`. */
static enum mapper_refusal split(const struct mapper_tensor *tensor, int32_t dim, uint32_t pieces,
	struct mapper_lowering *lowering, struct text *why)
{
	enum mapper_refusal refusal;
	uint32_t d = 0;
	uint64_t size;

	refusal = mapper_resolve(tensor, dim, &d, why);
	if (refusal != MAPPER_NONE)
		return refusal;
	size = tensor->shape.size[d];
	if (lowering->order_count && lowering->order[0] == d)
		return refuse(why, MAPPER_TWICE,
			"dimension %u over the rows of the mesh and over its columns", d);
	if (size % pieces != 0)
		return refuse(why, MAPPER_UNEVEN,
			"dimension %u of %llu does not divide evenly into %u shards", d,
			(unsigned long long)size, pieces);
	lowering->pieces[d] = pieces;
	lowering->device.size[d] = size / pieces;
	lowering->order[lowering->order_count++] = d;
	return MAPPER_NONE;
}

/* Checks whether the flattened tensor can be split along the chosen dimensions. */
static enum mapper_refusal check_flat(const struct mapper_tensor *tensor,
	const struct mapper_lowering *lowering, struct text *why)
{
	uint32_t inner = tensor->shape.rank - 1, split_rows = 0;

	for (uint32_t d = 0; d < inner; d++)
		split_rows += lowering->pieces[d] > 1;
	if (split_rows > 1)
		return refuse(why, MAPPER_ROWS,
			"dimensions %u and %u are both flattened into rows: one of two has to be "
			"the "
			"innermost",
			lowering->order[0], lowering->order[1]);
	for (uint32_t d = 1; d < inner; d++)
		for (uint32_t outer = 0; lowering->pieces[d] > 1 && outer < d; outer++)
			if (tensor->shape.size[outer] != 1)
				return refuse(why, MAPPER_ND,
					"dimension %u can be split only if all before it are 1, "
					"dimension %u is %llu: transpose first",
					d, outer, (unsigned long long)tensor->shape.size[outer]);
	return MAPPER_NONE;
}

/* Sets the rows and the width of a shard. */
static void mapper_cut(const struct mapper_tensor *tensor, struct mapper_lowering *lowering)
{
	struct mesh_layout *config = &lowering->config;
	uint32_t inner = tensor->shape.rank - 1;

	config->sharded = true;
	config->shard_height = config->global_height;
	config->shard_width = config->global_width / lowering->pieces[inner];
	for (uint32_t d = 0; d < inner; d++)
		config->shard_height /= lowering->pieces[d];
}

enum mapper_refusal mapper_split(const struct mapper_tensor *tensor, const struct mapper_mesh *mesh,
	int32_t dim, struct mapper_lowering *lowering, struct text *why)
{
	enum mapper_refusal refusal = flatten(tensor, mesh, lowering, why);

	if (refusal != MAPPER_NONE)
		return refusal;
	return split(tensor, dim, mesh->rows * mesh->columns, lowering, why);
}

enum mapper_refusal mapper_split_2d(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why)
{
	enum mapper_refusal refusal = flatten(tensor, mesh, lowering, why);
	uint32_t pieces[] = {mesh->rows, mesh->columns};

	for (uint32_t i = 0; refusal == MAPPER_NONE && i < 2; i++)
		if (dims[i] != MAPPER_REPLICATE)
			refusal = split(tensor, dims[i], pieces[i], lowering, why);
	return refusal;
}

enum mapper_refusal mapper_shard(const struct mapper_tensor *tensor, const struct mapper_mesh *mesh,
	int32_t dim, struct mapper_lowering *lowering, struct text *why)
{
	enum mapper_refusal refusal = mapper_split(tensor, mesh, dim, lowering, why);

	if (refusal == MAPPER_NONE)
		refusal = check_flat(tensor, lowering, why);
	if (refusal == MAPPER_NONE)
		mapper_cut(tensor, lowering);
	return refusal;
}

enum mapper_refusal mapper_shard_2d(const struct mapper_tensor *tensor,
	const struct mapper_mesh *mesh, const int32_t dims[2], struct mapper_lowering *lowering,
	struct text *why)
{
	enum mapper_refusal refusal = mapper_split_2d(tensor, mesh, dims, lowering, why);
	struct mesh_layout *config = &lowering->config;
	uint32_t inner = tensor->shape.rank - 1;

	if (refusal == MAPPER_NONE)
		refusal = check_flat(tensor, lowering, why);
	if (refusal != MAPPER_NONE || lowering->order_count == 0)
		return refusal;
	mapper_cut(tensor, lowering);
	config->orientation = ORIENTATION_ROW_MAJOR;
	if (lowering->order_count == 2) {
		/* if the width is split over the rows of the mesh, shards are numbered column by
		 * column, otherwise row by row */
		if (lowering->order[0] == inner)
			config->orientation = ORIENTATION_COLUMN_MAJOR;
		return MAPPER_NONE;
	}
	if (dims[0] != MAPPER_REPLICATE)
		config->orientation = ORIENTATION_COLUMN_MAJOR;
	if (lowering->order[0] == inner)
		config->shard_height = 0;
	else
		config->shard_width = 0;
	return MAPPER_NONE;
}
