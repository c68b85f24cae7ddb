/* Makes the layouts of buffers from the keys of write_buffer steps (step_layout.h), and checks that
 * these keys fit together. In the rehearsal, the runtime checks the layouts. */
#include "bench/scenario/step_layout.h"

#include <string.h>

#include "base/text.h"
#include "check.h"
#include "rehearsal/rehearsal.h"

enum { HIGH, WIDE };

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return (a + b - 1) / b;
}

static uint32_t pages_of(const struct write_step *step, struct mesh_shape shape)
{
	return (uint32_t)(step->bytes / step_buffer_parts(step, shape) / step->page_bytes);
}

/* Finds the grid of cores that hold shards. Banks count as a grid with one column. */
static void slots_of(const struct write_step *step, const struct chip_geometry *geometry,
	uint32_t *columns, uint32_t *rows)
{
	bool said = step->shard_cores_count > 0, of_one = step->sub_device_number > 0;
	struct worker_rect own = step->sub_device_cores;

	*columns = said	    ? step->shard_cores[0]
		   : of_one ? own.column1 - own.column0 + 1u
			    : geometry->worker_columns;
	*rows = said	 ? step->shard_cores[1]
		: of_one ? own.row1 - own.row0 + 1u
			 : geometry->worker_rows;
	if (buffer_type_in_dram((enum buffer_type)step->memory)) {
		*columns = 1;
		*rows = geometry->dram_bank_count;
	}
}

/* Returns the number of the last of `count` consecutive columns or rows, which begin with number
 * `first`. If the result does not fit into the type, returns UINT8_MAX, which is outside of every
 * grid. */
static uint8_t last_of(uint32_t first, uint32_t count)
{
	return first + count - 1 < UINT8_MAX ? (uint8_t)(first + count - 1) : UINT8_MAX;
}

/* Shards of consecutive pages, distributed over all banks or cores of a device. */
static void consecutive_keys(const struct write_step *step, uint32_t pages, uint32_t slots,
	struct shard_parameters *shard)
{
	shard->pages_high = pages;
	shard->pages_wide = shard->shard_pages_wide = 1;
	shard->shard_pages_high =
		step->contiguous_pages ? step->contiguous_pages : divide_up(pages, slots);
}

/* Sets the size of a matrix of pages and of its shards. If the step does not give the size of a
 * shard, there is one shard for each bank or core. */
static void matrix_keys(const struct write_step *step, uint32_t pages, uint32_t columns,
	uint32_t rows, struct shard_parameters *shard)
{
	bool wide = step->layout == STEP_WIDTH_SHARDED, block = step->layout == STEP_BLOCK_SHARDED;

	shard->pages_high = wide ? 1 : pages;
	shard->pages_wide = wide ? pages : 1;
	if (step->page_matrix_count) {
		shard->pages_high = step->page_matrix[HIGH];
		shard->pages_wide = step->page_matrix[WIDE];
	}
	shard->shard_pages_high = wide	  ? shard->pages_high
				  : block ? divide_up(shard->pages_high, rows)
					  : divide_up(shard->pages_high, rows * columns);
	shard->shard_pages_wide = block	 ? divide_up(shard->pages_wide, columns)
				  : wide ? divide_up(shard->pages_wide, rows * columns)
					 : shard->pages_wide;
	if (step->shard_pages_count) {
		shard->shard_pages_high = step->shard_pages[HIGH];
		shard->shard_pages_wide = step->shard_pages[WIDE];
	}
}

void step_buffer_layout(const struct write_step *step, struct mesh_shape shape,
	const struct chip_geometry *geometry, struct mesh_layout *layout,
	struct buffer_config *config)
{
	static const enum buffer_layout layouts[] = {[STEP_INTERLEAVED] = LAYOUT_INTERLEAVED,
		[STEP_SHARDED] = LAYOUT_HEIGHT_SHARDED,
		[STEP_HEIGHT_SHARDED] = LAYOUT_HEIGHT_SHARDED,
		[STEP_WIDTH_SHARDED] = LAYOUT_WIDTH_SHARDED,
		[STEP_BLOCK_SHARDED] = LAYOUT_BLOCK_SHARDED};
	struct shard_parameters *shard = &config->shard;
	uint32_t columns, rows;

	step_buffer_spread(step, shape, layout);
	*config = (struct buffer_config){.type = step->memory,
		.layout = layouts[step->layout],
		.page_bytes = step->page_bytes,
		.bottom_up = step->bottom_up,
		.sub_device = (uint8_t)step->sub_device_index};
	if (step->layout == STEP_INTERLEAVED)
		return;
	slots_of(step, geometry, &columns, &rows);
	if (step->layout == STEP_SHARDED)
		consecutive_keys(step, pages_of(step, shape), columns * rows, shard);
	else
		matrix_keys(step, pages_of(step, shape), columns, rows, shard);
	if (buffer_type_in_dram((enum buffer_type)step->memory)) {
		columns = geometry->worker_columns;
		rows = geometry->worker_rows;
	}
	shard->cores = (struct worker_rect){step->sub_device_cores.column0,
		step->sub_device_cores.row0, last_of(step->sub_device_cores.column0, columns),
		last_of(step->sub_device_cores.row0, rows)};
	shard->orientation = (enum orientation)step->orientation;
	shard->round_robin = true;
}

/* ---- conditions between keys ---- */

/* Reports keys of shards that do not apply to this layout. */
static void check_given(
	const struct check *check, const struct tree_node *keys, const struct write_step *write)
{
	static const struct {
		const char *key, *wants;
		bool sharded, matrix; /* true for layouts that have the key */
	} rows[] = {
		{"contiguous_pages", "layout: sharded", true, false},
		{"page_matrix", "layout: height-, width- or block-sharded", false, true},
		{"shard_pages", "layout: height-, width- or block-sharded", false, true},
		{"shard_cores", "a sharded layout in L1", true, true},
	};
	const bool given[] = {write->contiguous_pages > 0, write->page_matrix_count > 0,
		write->shard_pages_count > 0, write->shard_cores_count > 0};
	bool in_dram = buffer_type_in_dram((enum buffer_type)write->memory);

	for (int i = 0; i < 4; i++) {
		bool fits = write->layout == STEP_SHARDED ? rows[i].sharded
							  : write->layout && rows[i].matrix;

		if (given[i] && (!fits || (i == 3 && in_dram)))
			diag_error(check->diag, tree_where(keys, rows[i].key),
				"%s: the pages of buffer '%s' are %s%s; that wants %s", rows[i].key,
				write->buffer,
				tree_get(keys, "layout") ? tree_get(keys, "layout")->text
							 : "interleaved",
				in_dram ? " over DRAM banks" : "", rows[i].wants);
	}
}

void check_shard(const struct check *check, const struct tree_node *keys, const uint16_t *shard,
	uint32_t count, bool pinned)
{
	struct mesh_shape shape = check->config->shape;

	if (count == 0)
		return;
	if (shard[0] >= shape.rows || shard[1] >= shape.columns)
		diag_error(check->diag, tree_where(keys, "shard"),
			"shard: device %u,%u of a mesh of %u x %u devices", shard[0], shard[1],
			shape.rows, shape.columns);
	if (pinned)
		diag_error(check->diag, tree_where(keys, "pinned"),
			"pinned memory holds a whole buffer: not with shard");
}

void check_stored(
	const struct check *check, const struct tree_node *keys, const struct write_step *write)
{
	const char *why = NULL;

	if (!write->stored)
		return;
	if (platform_hosts(check->run->platform) == NULL)
		why = "data in storage are for hosts to share: a machine of one host reads none";
	else if (write->shard_count > 0)
		why = "hosts read whole buffers, or their parts of these: not with shard";
	else if (write->values != STEP_BITS)
		why = "data in storage are any bits: not with values";
	if (why != NULL)
		diag_error(check->diag, tree_where(keys, "stored"), "%s", why);
}

void check_of_host(const struct check *check, const struct tree_node *keys, const char *buffer,
	struct location where)
{
	static const struct {
		const char *key, *harmless; /* `harmless` is a value that is always allowed */
	} rows[] = {{"shard", NULL}, {"pinned", "false"}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tree_node *given = tree_get(keys, rows[i].key);

		if (given && !(rows[i].harmless && given->kind == TREE_SCALAR &&
				     strcmp(given->text, rows[i].harmless) == 0))
			diag_error(check->diag, tree_where(keys, rows[i].key),
				"%s: buffer '%s' lies in system memory, which all devices have in "
				"common and the host copies itself",
				rows[i].key, buffer);
	}
	if (check->trace)
		diag_error(check->diag, where,
			"buffer '%s' lies in system memory: the host copies it itself, and a trace "
			"holds commands of devices",
			buffer);
}

/* Returns " (KEY)" for the key that sets the size of the buffer's memory. Returns "" if no key sets
 * it, because the machine determines it. */
static const char *memory_key(const struct write_step *write)
{
	static const char *const keys[BUFFER_TYPE_COUNT] = {
		[BUFFER_L1_SMALL] = " (runtime.sizes.l1_small_bytes)",
		[BUFFER_TRACE] = " (runtime.sizes.trace_region_bytes)",
		[BUFFER_SYSTEM] = " (runtime.sizes.system_memory_bytes)",
	};

	if (write->sub_device_number > 0)
		return " (runtime.sub_device_l1_bytes)";
	return keys[write->memory] ? keys[write->memory] : "";
}

/* Returns the location of the key to blame if the runtime rejects a buffer with `status`. */
static struct location blame_buffer(const struct check *check, const struct tree_node *keys,
	const struct write_step *write, enum status status)
{
	const struct device_handle *device = rehearsal_device(check->rehearsal, check->mesh);
	uint32_t sub_device = write->sub_device_index;
	bool has_l1 = sub_device == 0 ||
		      device->ops->sub_device_usage(device, sub_device - 1).total_bytes > 0;

	if (sub_device > 0 &&
		(status == STATUS_UNSUPPORTED || status == STATUS_OUT_OF_RANGE || !has_l1))
		return write->sub_device_where;
	if (status == STATUS_NO_SPACE)
		return write->bytes_where.line ? write->bytes_where : write->shape_where;
	if (write->memory == BUFFER_SYSTEM && write->spread)
		return tree_where(keys, "spread");
	return tree_get(keys, "layout") ? tree_where(keys, "layout") : write->buffer_where;
}

void check_buffer_layout(
	const struct check *check, const struct tree_node *keys, const struct write_step *write)
{
	size_t errors = diag_errors(check->diag);
	struct mesh_layout layout;
	struct buffer_config config;
	struct text why;
	enum status status;

	check_given(check, keys, write);
	if (diag_errors(check->diag) > errors)
		return;
	if (write->contiguous_pages > pages_of(write, check->config->shape)) {
		diag_error(check->diag, tree_where(keys, "contiguous_pages"),
			"shards of %u pages, but each device's part of buffer '%s' has %u",
			write->contiguous_pages, write->buffer,
			pages_of(write, check->config->shape));
		return;
	}
	if (write->sub_device_number > 0 && !rehearsal_is_divided(check->rehearsal, check->mesh))
		return; /* the sub-devices did not get their L1 */
	text_init(&why);
	step_buffer_layout(write, check->config->shape, check->geometry, &layout, &config);
	status = rehearsal_buffer(
		check->rehearsal, check->mesh, write->buffer, &layout, &config, &why);
	if (status != STATUS_OK)
		diag_error(check->diag, blame_buffer(check, keys, write, status),
			"buffer '%s': %s%s", write->buffer,
			why.length ? text_string(&why) : status_message(status),
			status == STATUS_NO_SPACE ? memory_key(write) : "");
	text_fini(&why);
}
