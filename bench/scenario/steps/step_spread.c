/* Distributes the buffers of write_buffer steps over the devices of a mesh (step_layout.h). The
 * parts may be shards of a matrix (ShardedBufferConfig, spec 3.3.3), or the parts into which a mesh
 * mapper of TTNN divides a tensor (mesh-sharding specification). */
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "bench/scenario/step_layout.h"
#include "check.h"
#include "layout/element.h"
#include "layout/mapper.h"

enum { HIGH, WIDE };

/* Lowers the mapper of a step. The size of an element follows from the size of the buffer. */
static enum mapper_refusal lower(const struct write_step *step, struct mesh_shape shape,
	struct mesh_layout *layout, struct text *why)
{
	struct mapper_mesh mesh = {shape.rows, shape.columns};
	struct mapper_tensor tensor = {.shape.rank = step->tensor_rank, .element_bytes = 1};
	struct mapper_lowering lowering;
	enum mapper_refusal refusal;

	memcpy(tensor.shape.size, step->tensor_shape, step->tensor_rank * sizeof(uint64_t));
	refusal = step->mapper_count == 1
			  ? mapper_shard(&tensor, &mesh, step->mapper[0], &lowering, why)
			  : mapper_shard_2d(&tensor, &mesh, step->mapper, &lowering, why);
	if (refusal == MAPPER_NONE) {
		*layout = lowering.config;
		layout->size_bytes = step->bytes;
	}
	return refusal;
}

/* Divides a buffer over the devices as a matrix of pages. With STEP_PARTS, each device gets a
 * different part. Otherwise all devices of a row (or column) of the mesh get the same part, which
 * is one row of the matrix. Each part is contiguous in the data of the buffer. */
static void cut_pages(
	const struct write_step *step, struct mesh_shape shape, struct mesh_layout *layout)
{
	bool apart = step->spread == STEP_PARTS, by_row = step->spread == STEP_ROW_PARTS;
	uint32_t parts = apart ? mesh_shape_count(shape) : by_row ? shape.rows : shape.columns;

	layout->sharded = apart || parts > 1;
	if (!layout->sharded)
		return;
	layout->orientation = (enum orientation)step->spread_order;
	if (!apart)
		layout->orientation = by_row ? ORIENTATION_COLUMN_MAJOR : ORIENTATION_ROW_MAJOR;
	layout->global_height = apart ? shape.rows : parts;
	layout->global_width = step->bytes / layout->global_height / step->page_bytes;
	layout->shard_height = 1;
	if (apart)
		layout->shard_width = layout->global_width / shape.columns;
}

void step_buffer_spread(
	const struct write_step *step, struct mesh_shape shape, struct mesh_layout *layout)
{
	*layout = (struct mesh_layout){.size_bytes = step->bytes};
	switch ((enum step_spread)step->spread) {
	case STEP_REPLICATED:
		return;
	case STEP_MATRIX:
		layout->sharded = true;
		layout->orientation = (enum orientation)step->spread_order;
		layout->global_height = step->global_shape[HIGH];
		layout->global_width = step->global_shape[WIDE];
		layout->shard_height = step->shard_shape[HIGH];
		layout->shard_width = step->shard_shape[WIDE];
		return;
	case STEP_MAPPED:
		(void)lower(step, shape, layout, NULL); /* errors were reported before */
		return;
	default:
		cut_pages(step, shape, layout);
	}
}

uint32_t step_buffer_parts(const struct write_step *step, struct mesh_shape shape)
{
	struct mesh_layout layout;
	struct mesh_spread spread;

	switch ((enum step_spread)step->spread) {
	case STEP_REPLICATED:
		return 1;
	case STEP_PARTS:
		return mesh_shape_count(shape);
	case STEP_ROW_PARTS:
		return shape.rows;
	case STEP_COLUMN_PARTS:
		return shape.columns;
	default:
		step_buffer_spread(step, shape, &layout);
		if (mesh_spread_init(&spread, &layout, shape.rows, shape.columns, NULL) !=
			STATUS_OK)
			return 1;
		return (uint32_t)(step->bytes / spread.device_bytes);
	}
}

/* ---- conditions between keys ---- */

/* Reports keys of a matrix or mapper that are missing, or that have no meaning for this spread. */
static bool check_spread_keys(
	const struct check *check, const struct tree_node *keys, const struct write_step *write)
{
	static const struct {
		const char *key, *spread;
		enum step_spread wants;
	} rows[] = {{"global_shape", "matrix", STEP_MATRIX}, {"shard_shape", "matrix", STEP_MATRIX},
		{"tensor_shape", "mapper", STEP_MAPPED}, {"mapper", "mapper", STEP_MAPPED}};
	size_t errors = diag_errors(check->diag);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tree_node *given = tree_get(keys, rows[i].key);
		bool wanted = write->spread == rows[i].wants;

		if (given && !wanted)
			diag_error(check->diag, tree_where(keys, rows[i].key),
				"%s of buffer '%s', which wants spread: %s", rows[i].key,
				write->buffer, rows[i].spread);
		else if (!given && wanted)
			diag_error(check->diag, tree_where(keys, "spread"),
				"spread: %s of buffer '%s' wants %s", rows[i].spread, write->buffer,
				rows[i].key);
	}
	if (write->spread == STEP_MAPPED && tree_get(keys, "spread_order"))
		diag_error(check->diag, tree_where(keys, "spread_order"),
			"spread_order of buffer '%s', whose mapper says the order", write->buffer);
	return diag_errors(check->diag) == errors;
}

/* Returns the number of elements in the matrix or tensor of the buffer that `first` makes. Returns
 * 0 if there are no elements, or more than a buffer can have; the second case is reported when the
 * layout is computed. */
static uint64_t elements_of(const struct write_step *first)
{
	bool matrix = first->spread == STEP_MATRIX;
	const uint64_t *extents = matrix ? first->global_shape : first->tensor_shape;
	uint64_t elements = 1;

	for (uint32_t d = 0; d < (matrix ? 2 : first->tensor_rank); d++)
		if (__builtin_mul_overflow(elements, extents[d], &elements) ||
			elements > LAYOUT_ELEMENTS_MAX)
			return 0;
	return elements;
}

/* Reports that a buffer of `bytes` bytes does not have the size of `elements` elements of `width`
 * bytes. If `width` is 0, any element type is allowed, but none gives the size of the buffer. */
static void refuse_width(const struct check *check, struct location where,
	const struct write_step *write, uint64_t bytes, uint64_t elements, uint32_t width)
{
	unsigned long long each = elements;

	if (width)
		diag_error(check->diag, where,
			"buffer '%s': %llu B for %llu elements; with these values an element has "
			"%u B, which gives %llu B",
			write->buffer, (unsigned long long)bytes, each, width, each * width);
	else
		diag_error(check->diag, where,
			"buffer '%s': %llu B for %llu elements; an element has 1, 2 or 4 B, which "
			"gives %llu, %llu or %llu B",
			write->buffer, (unsigned long long)bytes, each, each, 2 * each, 4 * each);
}

bool check_buffer_elements(const struct check *check, const struct tree_node *keys,
	const struct write_step *write, const struct write_step *first)
{
	static const enum element types[] = {[STEP_F32] = ELEMENT_F32,
		[STEP_BF16] = ELEMENT_BF16,
		[STEP_BFP8] = ELEMENT_BFP_BF8,
		[STEP_BFP4] = ELEMENT_BFP_BF4};
	bool any = write->values == STEP_BITS, mapped = first->spread == STEP_MAPPED;
	uint32_t width = any ? 0 : element_bytes(types[write->values]);
	uint64_t elements, each;

	if (!mapped && first->spread != STEP_MATRIX)
		return true;
	if (!any && width == 0) {
		diag_error(check->diag, tree_where(keys, "values"),
			"values: %s of buffer '%s' share exponents, but spread: %s is of elements "
			"of 1, 2 or 4 B",
			element_name(types[write->values]), write->buffer,
			mapped ? "mapper" : "matrix");
		return false;
	}
	elements = elements_of(first);
	if (elements == 0)
		return true;
	each = first->bytes % elements == 0 ? first->bytes / elements : 0;
	if (any ? each == 1 || each == 2 || each == 4 : each == width)
		return true;
	refuse_width(check,
		write->bytes_where.line ? write->bytes_where
					: tree_where(keys, any ? "spread" : "values"),
		write, first->bytes, elements, width);
	return false;
}

bool check_buffer_spread(
	const struct check *check, const struct tree_node *keys, const struct write_step *write)
{
	struct mesh_shape shape = check->config->shape;
	struct text why;
	struct mesh_layout layout;
	struct mesh_spread spread;
	bool mapped = write->spread == STEP_MAPPED, good;

	if (!check_spread_keys(check, keys, write))
		return false;
	if (!mapped && write->spread != STEP_MATRIX)
		return true;
	if (!check_buffer_elements(check, keys, write, write))
		return false;
	text_init(&why);
	step_buffer_spread(write, shape, &layout);
	good = !mapped || lower(write, shape, &layout, &why) == MAPPER_NONE;
	good = good &&
	       mesh_spread_init(&spread, &layout, shape.rows, shape.columns, &why) == STATUS_OK;
	if (!good)
		diag_error(check->diag, tree_where(keys, mapped ? "mapper" : "shard_shape"),
			"buffer '%s': %s", write->buffer, text_string(&why));
	text_fini(&why);
	return good;
}

void check_holds(const struct check *check, const struct tree_node *keys, const uint16_t *shard,
	const struct write_step *first)
{
	struct mesh_shape shape = check->config->shape;
	struct mesh_layout layout;
	struct mesh_spread spread;
	struct shard_rows rows;

	step_buffer_spread(first, shape, &layout);
	if (shard[0] >= shape.rows || shard[1] >= shape.columns ||
		mesh_spread_init(&spread, &layout, shape.rows, shape.columns, NULL) != STATUS_OK ||
		mesh_spread_shard(&spread, shard[0], shard[1], &rows))
		return;
	diag_error(check->diag, tree_where(keys, "shard"),
		"shard: device %u,%u has none of the %llu shards of buffer '%s'", shard[0],
		shard[1], (unsigned long long)(spread.shards_high * spread.shards_wide),
		first->buffer);
}
