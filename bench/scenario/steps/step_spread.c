/* Spreads the buffers of write_buffer steps over the devices of a mesh (step_layout.h). The parts
 * may be shards of a matrix (ShardedBufferConfig, spec 3.3.3), or what a mesh mapper of TTNN makes
 * of a tensor (mesh-sharding specification). */
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "bench/scenario/step_layout.h"
#include "check.h"
#include "layout/mapper.h"

enum { HIGH, WIDE };

/* Lowers the mapper of a step. The bytes of an element follow from those of the buffer. */
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

/* A matrix of pages: each device gets a shard of it, or each row or column of devices gets a row.
 * Each part is contiguous in the data. */
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
		(void)lower(step, shape, layout, NULL); /* if refused, replicated: checked before */
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

/* Reports the keys of a matrix or mapper that are missing, or of no meaning for this spread. */
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
	text_init(&why);
	step_buffer_spread(write, shape, &layout);
	good = !mapped || lower(write, shape, &layout, &why) == MAPPER_NONE;
	layout.sharded = true; /* a replicated tensor is of whole elements, too */
	good = good &&
	       mesh_spread_init(&spread, &layout, shape.rows, shape.columns, &why) == STATUS_OK;
	if (!good)
		diag_error(check->diag, tree_where(keys, mapped ? "mapper" : "shard_shape"),
			"buffer '%s': %s", write->buffer, text_string(&why));
	text_fini(&why);
	return good;
}
