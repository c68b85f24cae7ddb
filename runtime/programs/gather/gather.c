/* Brings the parts of a buffer to the host (gather.h). One implementation reads every device. The
 * other implementation first runs rounds of transfers between devices, and then reads one device. A
 * round is an all-gather along all rows, or along all columns, of devices. After at most two
 * rounds, one device has all parts, in the order of the host's data. The all-gathers use lines of
 * devices, not rings, because a mesh may have no wrap-around links. */
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "memory/mesh_layout.h"
#include "programs/collective.h"
#include "programs/gather.h"
#include "world/device.h"

/* A round: all-gathers along all rows of devices at once, or along all columns. */
struct gather_round {
	struct handle_buffer *output; /* the same on all devices that belong to one row or column */
	struct workload *workload;
	struct program **programs; /* indexed by place on a line, or by line and place */
	uint32_t program_count;
};

struct mesh_gather {
	struct device_handle *device;
	struct handle_buffer *read; /* the buffer that the host reads: the output of the last round,
				     * or the user's buffer if there is no round */
	struct gather_round rounds[GATHER_ROUNDS_MAX];
	uint32_t round_count, cores;
};

/* The order of the parts on the devices of a mesh. */
struct order {
	const char *name;
	/* by_columns: parts differ along a row of devices; by_rows: parts differ along a column */
	bool by_columns, by_rows;
	bool rows_first; /* used only if by_columns and by_rows are both set. true: consecutive
			  * parts are in a column of devices; false: in a row of devices */
};

static const struct order orders[] = {
	{"all", false, false, false},
	{"by columns", true, false, false},
	{"by rows", false, true, false},
	{"row by row", true, true, false},
	{"column by column", true, true, true},
};

static uint64_t gather_rounds_part_of(
	const struct order *order, struct mesh_shape shape, uint32_t row, uint32_t column)
{
	if (order->by_columns && order->by_rows)
		return order->rows_first ? (uint64_t)column * shape.rows + row
					 : (uint64_t)row * shape.columns + column;
	return order->by_columns ? column : order->by_rows ? row : 0;
}

/* Returns true if the parts are in this order, and each device holds its part in one piece. */
static bool gather_rounds_is_in(
	const struct order *order, struct mesh_shape shape, const struct mesh_spread *spread)
{
	struct shard_rows rows;

	for (uint32_t row = 0; row < shape.rows; row++)
		for (uint32_t column = 0; column < shape.columns; column++)
			if (!mesh_spread_shard(spread, row, column, &rows) || rows.rows != 1 ||
				rows.first_byte !=
					gather_rounds_part_of(order, shape, row, column) *
						spread->device_bytes)
				return false;
	return true;
}

static const struct order *gather_rounds_order_of(
	struct mesh_shape shape, const struct mesh_spread *spread)
{
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		if (gather_rounds_is_in(&orders[i], shape, spread))
			return &orders[i];
	return NULL;
}

/* ---- a round ---- */

static struct library_buffer known(const struct handle_ops *ops, const struct handle_buffer *buffer)
{
	return (struct library_buffer){ops->buffer_placement(buffer), ops->buffer_address(buffer)};
}

/* Creates an output that is `times` as large as the data that each device holds now. */
static enum status output_new(struct mesh_gather *gather, struct gather_round *round,
	uint32_t times, const struct buffer_config *like, struct text *why)
{
	const struct handle_ops *ops = gather->device->ops;
	struct mesh_layout layout = {.size_bytes = times * ops->buffer_device_bytes(gather->read)};
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = like->page_bytes};

	return ops->buffer_new(gather->device, &layout, &config, why, &round->output);
}

/* The devices of a mesh as parallel lines. Each line gathers independently. */
struct lines {
	struct mesh_shape shape;
	bool along_rows;
	uint32_t count, length;	  /* number of lines, and devices in each */
	uint32_t step, line_step; /* `step`: difference between the indices of neighbouring devices
				   * of a line; `line_step`: difference between the indices of
				   * devices at the same place on neighbouring lines */
};

static struct lines lines_of(struct mesh_shape shape, bool along_rows)
{
	return along_rows
		       ? (struct lines){shape, true, shape.rows, shape.columns, 1, shape.columns}
		       : (struct lines){shape, false, shape.columns, shape.rows, shape.columns, 1};
}

static void programs_new(
	struct mesh_gather *gather, struct gather_round *round, uint32_t count, const char *along)
{
	const struct handle_ops *ops = gather->device->ops;
	char name[64];

	round->programs = allocate(count, sizeof(struct program *));
	round->workload = ops->workload_new(gather->device);
	for (; round->program_count < count; round->program_count++) {
		snprintf(name, sizeof name, "gather/%s.%u", along, round->program_count);
		round->programs[round->program_count] = ops->program_new(gather->device, name);
	}
}

static void programs_fini(struct mesh_gather *gather, struct gather_round *round)
{
	const struct handle_ops *ops = gather->device->ops;

	if (round->workload)
		ops->workload_free(gather->device, round->workload);
	for (uint32_t i = 0; i < round->program_count; i++)
		ops->program_free(gather->device, round->programs[i]);
	free(round->programs);
	round->workload = NULL;
	round->programs = NULL;
	round->program_count = 0;
}

/* Adds to the workload the program of the device at place `i` of line `line`. The same program runs
 * at place `i` of `alike` consecutive lines, beginning with `line`. */
static enum status gather_rounds_add(struct gather_round *round, const struct lines *lines,
	uint32_t i, uint32_t line, uint32_t alike, struct text *why)
{
	uint32_t first = i * lines->step + line * lines->line_step;
	uint32_t last = first + (alike - 1) * lines->line_step;
	uint32_t columns = lines->shape.columns;
	struct device_range range = {(uint16_t)(first / columns), (uint16_t)(first % columns),
		(uint16_t)(last / columns), (uint16_t)(last % columns)};

	return workload_add(round->workload, round->programs[line * lines->length + i], range, why);
}

/* Builds the programs of `alike` lines, beginning with `line`. These lines share programs. */
static enum status build_lines(struct gather_round *round, struct collective_config *config,
	const struct lines *lines, uint32_t line, uint32_t alike, struct text *why)
{
	uint32_t *devices = allocate(lines->length, sizeof(*devices));
	enum status status;

	for (uint32_t i = 0; i < lines->length; i++)
		devices[i] = line * lines->line_step + i * lines->step;
	config->devices = devices;
	config->lines = alike;
	status = collective_build(round->programs + line * lines->length, config, why);
	for (uint32_t i = 0; i < lines->length && status == STATUS_OK; i++)
		status = gather_rounds_add(round, lines, i, line, alike, why);
	free(devices);
	return status;
}

/* Builds one program for each place on a line; all lines use the same programs. If this fails, for
 * example because the lines have different numbers of routes, builds one program for each device
 * instead. */
static enum status gather_rounds_build(struct mesh_gather *gather, struct gather_round *round,
	struct collective_config *config, const struct lines *lines, struct text *why)
{
	const char *along = lines->along_rows ? "rows" : "columns";
	enum status status;

	programs_new(gather, round, lines->length, along);
	config->links = program_links(round->programs[0]);
	if (config->links == 0 || config->links > COLLECTIVE_LINKS_MAX)
		config->links = COLLECTIVE_LINKS_MAX;
	status = build_lines(round, config, lines, 0, lines->count, NULL);
	if (status == STATUS_OK)
		return STATUS_OK;
	programs_fini(gather, round);
	programs_new(gather, round, lines->count * lines->length, along);
	*config->semaphores = 0;
	status = STATUS_OK;
	for (uint32_t line = 0; line < lines->count && status == STATUS_OK; line++)
		status = build_lines(round, config, lines, line, 1, why);
	return status;
}

/* Adds a round that gathers the buffer gather->read along all rows, or all columns, of devices. The
 * output of the round becomes the new gather->read. */
static enum status add_round(struct mesh_gather *gather, const struct buffer_config *like,
	bool along_rows, struct text *why)
{
	const struct handle_ops *ops = gather->device->ops;
	struct lines lines = lines_of(ops->shape(gather->device), along_rows);
	struct gather_round *round = &gather->rounds[gather->round_count];
	uint32_t semaphores = 0;
	struct collective_config config = {.op = COLLECTIVE_ALL_GATHER,
		.device_count = lines.length,
		.line_step = lines.line_step,
		.semaphores = &semaphores,
		.input = known(ops, gather->read)};
	enum status status;

	if (lines.length == 1)
		return STATUS_OK;
	gather->round_count++;
	config.pages = config.input.placement->page_count;
	status = output_new(gather, round, lines.length, like, why);
	if (status != STATUS_OK)
		return status;
	config.output = known(ops, round->output);
	status = gather_rounds_build(gather, round, &config, &lines, why);
	gather->cores = 2 * collective_lanes(&config);
	gather->read = round->output;
	return status;
}

/* Creates the rounds that gather the source. A buffer in system memory needs none, nor does a
 * buffer that every device already has as a whole. After an error, the rounds that were already
 * created belong to `gather`. */
static enum status gather_rounds_make(
	struct mesh_gather *gather, const struct gather_source *source, struct text *why)
{
	struct mesh_shape shape = gather->device->ops->shape(gather->device);
	struct mesh_spread spread;
	const struct order *order;
	enum status status =
		mesh_spread_init(&spread, &source->layout, shape.rows, shape.columns, why);

	if (status != STATUS_OK || source->config.type == BUFFER_SYSTEM)
		return status;
	order = gather_rounds_order_of(shape, &spread);
	if (!order)
		return refuse(why, STATUS_UNSUPPORTED,
			"parts in an order that devices of a mesh cannot gather");
	if (order->by_rows && order->rows_first)
		status = add_round(gather, &source->config, false, why);
	if (order->by_columns && status == STATUS_OK)
		status = add_round(gather, &source->config, true, why);
	if (order->by_rows && !order->rows_first && status == STATUS_OK)
		status = add_round(gather, &source->config, false, why);
	return status;
}

static void gather_round_fini(struct mesh_gather *gather, struct gather_round *round)
{
	programs_fini(gather, round);
	gather->device->ops->buffer_free(round->output);
}

/* ---- gathers ---- */

enum status gather_new(const struct gather_ops *row, struct device_handle *device,
	const struct gather_source *source, struct text *why, struct mesh_gather **gather)
{
	struct mesh_gather *made = allocate(1, sizeof *made);
	enum status status = STATUS_OK;

	made->device = device;
	made->read = source->buffer;
	if (row->on_devices)
		status = gather_rounds_make(made, source, why);
	if (status == STATUS_OK)
		*gather = made;
	else
		gather_free(made);
	return status;
}

void gather_free(struct mesh_gather *gather)
{
	if (!gather)
		return;
	for (uint32_t i = 0; i < gather->round_count; i++)
		gather_round_fini(gather, &gather->rounds[i]);
	free(gather);
}

uint32_t gather_rounds(const struct mesh_gather *gather)
{
	return gather->round_count;
}

uint32_t gather_cores(const struct mesh_gather *gather)
{
	return gather->cores;
}

struct device_range gather_read_range(const struct mesh_gather *gather)
{
	return gather->device->ops->buffer_read_range(gather->read);
}

enum status gather_read(
	struct mesh_gather *gather, const struct gather_call *call, struct text *why)
{
	const struct handle_ops *ops = gather->device->ops;
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < gather->round_count && status == STATUS_OK; i++) {
		struct handle_call launch = {call->call.queue, false, call->rounds[i]};
		struct workload *workload = gather->rounds[i].workload;

		status = ops->run(gather->device, launch, workload);
		if (status != STATUS_OK)
			(void)ops->workload_check(gather->device, workload, why);
	}
	if (status != STATUS_OK)
		return status;
	return call->memory
		       ? ops->read_pinned(gather->device, call->call, gather->read, call->memory, 0)
		       : ops->read(gather->device, call->call, gather->read, call->data);
}

static const struct gather_ops rows[] = {
	{.entry = {.name = "host",
		 .description = "every device is read, and the host puts the parts together",
		 .section = "3.3.5",
		 .resources = "a read for every device"}},
	{.entry = {.name = "device",
		 .description = "all-gathers over the fabric, then one device is read",
		 .section = "3.3.5",
		 .resources = "a copy of the whole on every device"},
		.on_devices = true},
};

REGISTRY_OF_ARRAY(gather, gather_ops, "runtime.gather", "gathering of parts", rows)
