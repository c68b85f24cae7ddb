/* label: full  needs: simgrid timeout: 300
 * Tests writes and reads of a part of a buffer, in the native and the simulated world. The part is
 * some pages of every device, or some pages of one device. Exactly these pages must be transferred,
 * in every layout, and the data on the host have exactly the size of these pages. */

#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "mesh_case.h"
#include "row.h"
#include "spread_scatter.h"

enum { ROWS = 2, COLUMNS = 3, DEVICES = ROWS * COLUMNS, PAGES = 12, STEPS = 40 };

static struct mesh_case test;

/* A buffer, and what each device has of it. */
struct model {
	struct mesh_buffer *buffer;
	uint64_t bytes, device_bytes;
	uint32_t page_bytes;
	uint8_t *device[DEVICES];
};

static void open_mesh(struct cluster *cluster, const char *path)
{
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	mesh_case_choose(&test, path, 1, "table", "main");
	test.cluster = cluster;
	mesh_case_attach(&test);
}

/* The layouts of a device's part, which is a matrix of 4 x 3 pages. */
static struct buffer_config config_of(uint32_t kind, uint32_t page_bytes)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = page_bytes};
	struct shard_parameters shard = {.pages_high = 4,
		.pages_wide = 3,
		.shard_pages_high = 3,
		.shard_pages_wide = 2,
		.cores = {0, 0, 1, 1},
		.round_robin = true};

	if (kind == 1)
		config.type = BUFFER_L1;
	if (kind < 2)
		return config;
	config.type = kind == 2 ? BUFFER_L1 : BUFFER_DRAM;
	config.layout = kind == 4 ? LAYOUT_HEIGHT_SHARDED : LAYOUT_BLOCK_SHARDED;
	if (kind == 4) { /* shards of consecutive pages, dealt again and again */
		shard.pages_high = PAGES;
		shard.pages_wide = shard.shard_pages_wide = shard.shard_pages_high = 1;
	}
	config.shard = shard;
	return config;
}

/* Returns a layout over the devices. Kind 0 replicates the buffer. Kind 1 gives each device a row
 * of a matrix. Other kinds give each device a block, whose rows are not contiguous on the host. */
static struct mesh_layout layout_of(uint32_t kind, uint32_t page_bytes)
{
	uint64_t part = (uint64_t)PAGES * page_bytes, width = part / 4 / 4;
	struct mesh_layout layout = {.size_bytes = part};

	if (kind == 0)
		return layout;
	layout = (struct mesh_layout){.sharded = true, .size_bytes = part * DEVICES};
	layout.shard_height = kind == 1 ? 1 : 4;
	layout.shard_width = kind == 1 ? 4 * width : width;
	layout.global_height = layout.shard_height * (kind == 1 ? DEVICES : ROWS);
	layout.global_width = layout.shard_width * (kind == 1 ? 1 : COLUMNS);
	return layout;
}

static void make(struct model *model, uint32_t layout, uint32_t spread, uint32_t page_bytes)
{
	struct buffer_config config = config_of(layout, page_bytes);
	struct mesh_layout over = layout_of(spread, page_bytes);

	model->page_bytes = page_bytes;
	assert_int_equal(
		mesh_buffer_new(test.mesh, &over, &config, NULL, &model->buffer), STATUS_OK);
	model->bytes = mesh_buffer_bytes(model->buffer);
	model->device_bytes = mesh_buffer_device_bytes(model->buffer);
	assert_int_equal(model->device_bytes, PAGES * page_bytes);
	for (uint32_t i = 0; i < DEVICES; i++) {
		model->device[i] = malloc(model->device_bytes);
		mesh_case_fill(model->device[i], model->device_bytes, i + 1);
		assert_int_equal(enqueue_write_shard(mesh_queue(test.mesh, 0), model->buffer,
					 (uint16_t)(i / COLUMNS), (uint16_t)(i % COLUMNS),
					 model->device[i], true, 0),
			STATUS_OK);
	}
}

static void model_free(struct model *model)
{
	for (uint32_t i = 0; i < DEVICES; i++)
		free(model->device[i]);
	mesh_buffer_free(model->buffer);
}

static struct buffer_region draw_region(struct stream *stream)
{
	struct buffer_region region = {.of_device = stream_below(stream, 3) == 0,
		.row = (uint16_t)stream_below(stream, ROWS),
		.column = (uint16_t)stream_below(stream, COLUMNS)};

	region.pages.first = (uint32_t)stream_below(stream, PAGES);
	region.pages.count = 1 + (uint32_t)stream_below(stream, PAGES - region.pages.first);
	return region;
}

static bool has(const struct buffer_region *region, uint32_t device)
{
	return !region->of_device || device == (uint32_t)region->row * COLUMNS + region->column;
}

static uint64_t bytes_of(const struct model *model, const struct buffer_region *region)
{
	return region->of_device ? model->device_bytes : model->bytes;
}

/* The part of `device` within data of a region. */
static void take_part(const struct model *model, const struct buffer_region *region,
	uint32_t device, const uint8_t *data, uint8_t *part)
{
	const struct mesh_spread *spread = mesh_buffer_spread(model->buffer);

	if (region->of_device || !spread->layout.sharded)
		memcpy(part, data, model->device_bytes);
	else
		mesh_spread_gather(spread, device / COLUMNS, device % COLUMNS, data, part);
}

static void write_some(struct model *model, struct stream *stream)
{
	struct buffer_region region = draw_region(stream);
	uint64_t first = region.pages.first * model->page_bytes;
	uint64_t count = region.pages.count * model->page_bytes;
	uint8_t *data = malloc(bytes_of(model, &region)), *part = malloc(model->device_bytes);

	mesh_case_fill(data, bytes_of(model, &region), stream_next(stream));
	assert_int_equal(enqueue_write_region(mesh_queue(test.mesh, 0), model->buffer, &region,
				 data, stream_below(stream, 2) == 0, 0),
		STATUS_OK);
	for (uint32_t i = 0; i < DEVICES; i++) {
		if (!has(&region, i))
			continue;
		take_part(model, &region, i, data, part);
		memcpy(model->device[i] + first, part + first, count);
	}
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	free(data);
	free(part);
}

/* What a read of the region leaves in memory that was full of 0xee. */
static void expect(const struct model *model, const struct buffer_region *region, uint8_t *data)
{
	const struct mesh_spread *spread = mesh_buffer_spread(model->buffer);
	uint64_t first = region->pages.first * model->page_bytes;
	uint64_t count = region->pages.count * model->page_bytes;
	uint8_t *part = malloc(model->device_bytes);

	memset(data, 0xee, bytes_of(model, region));
	for (uint32_t i = 0; i < DEVICES; i++) {
		if (!has(region, i) || (!region->of_device && !spread->layout.sharded && i > 0))
			continue; /* of a replicated buffer, only the first device is read */
		memset(part, 0xee, model->device_bytes);
		memcpy(part + first, model->device[i] + first, count);
		if (region->of_device || !spread->layout.sharded)
			memcpy(data, part, model->device_bytes);
		else
			spread_scatter(spread, i / COLUMNS, i % COLUMNS, part, data);
	}
	free(part);
}

static void read_some(struct model *model, struct stream *stream)
{
	struct buffer_region region = draw_region(stream);
	uint64_t bytes = bytes_of(model, &region);
	uint8_t *back = malloc(bytes), *expected = malloc(bytes);

	memset(back, 0xee, bytes);
	expect(model, &region, expected);
	assert_int_equal(enqueue_read_region(mesh_queue(test.mesh, 0), model->buffer, &region, back,
				 stream_below(stream, 2) == 0, 0),
		STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	assert_memory_equal(back, expected, bytes);
	free(back);
	free(expected);
}

static void check_all(const struct model *model)
{
	uint8_t *back = malloc(model->device_bytes);

	for (uint32_t i = 0; i < DEVICES; i++) {
		assert_int_equal(
			enqueue_read_shard(mesh_queue(test.mesh, 0), model->buffer,
				(uint16_t)(i / COLUMNS), (uint16_t)(i % COLUMNS), back, true, 0),
			STATUS_OK);
		assert_memory_equal(back, model->device[i], model->device_bytes);
	}
	free(back);
}

static void run(struct cluster *cluster, const char *path)
{
	/* pages with padding, pages without padding, and pages that are written in parts */
	static const uint32_t page_bytes[] = {80, 256, 24576};

	open_mesh(cluster, path);
	for (uint32_t i = 0; i < 45; i++) {
		struct stream stream;
		struct model model;

		if (i % 3 == 2 && i / 3 % 5 > 0 && i / 3 % 5 < 3)
			continue; /* too large for the L1 of these cores */
		stream_init(&stream, i, "test/region");
		make(&model, i / 3 % 5, i / 15, page_bytes[i % 3]);
		for (uint32_t step = 0; step < STEPS / (i % 3 + 1); step++) {
			if (stream_below(&stream, 2))
				write_some(&model, &stream);
			else
				read_some(&model, &stream);
		}
		check_all(&model);
		model_free(&model);
	}
	mesh_close(test.mesh);
}

static void pages_of_parts_are_written_and_read_alone(struct cluster *cluster)
{
	run(cluster, "unicast");
}

static void pages_are_broadcast_alone(struct cluster *cluster)
{
	run(cluster, "broadcast");
}

static void regions_outside_of_a_buffer_are_refused(struct cluster *cluster)
{
	const struct buffer_region bad[] = {{.pages = {0, 0}}, {.pages = {PAGES, 1}},
		{.pages = {PAGES - 1, 2}}, {.pages = {1, UINT32_MAX}},
		{.pages = {0, 1}, .of_device = true, .row = ROWS},
		{.pages = {0, 1}, .of_device = true, .column = COLUMNS}};
	struct command_queue *queue;
	uint8_t data[8192] = {0};
	struct model model;

	open_mesh(cluster, "unicast");
	queue = mesh_queue(test.mesh, 0);
	make(&model, 0, 0, 256);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(enqueue_write_region(queue, model.buffer, &bad[i], data, true, 0),
			STATUS_OUT_OF_RANGE);
		assert_int_equal(enqueue_read_region(queue, model.buffer, &bad[i], data, true, 0),
			STATUS_OUT_OF_RANGE);
	}
	model_free(&model);
	mesh_close(test.mesh);
}

/* Returns the bytes of commands that an enqueued write of `pages` pages adds. */
static uint64_t sent_by(struct model *model, uint32_t pages)
{
	const struct buffer_region region = {.pages = {1, pages}};
	static uint8_t data[PAGES * 256];
	struct mesh_counters before, after;

	mesh_device_counters(test.mesh, &before);
	assert_int_equal(enqueue_write_region(
				 mesh_queue(test.mesh, 0), model->buffer, &region, data, true, 0),
		STATUS_OK);
	mesh_device_counters(test.mesh, &after);
	return after.unicasts.bytes - before.unicasts.bytes;
}

static void a_page_more_is_a_page_of_bytes_more_on_each_device(struct cluster *cluster)
{
	struct model model;
	uint64_t two;

	open_mesh(cluster, "unicast");
	make(&model, 0, 0, 256);
	two = sent_by(&model, 2);
	assert_int_equal(sent_by(&model, 10) - two, 8 * 256 * DEVICES);
	model_free(&model);
	mesh_close(test.mesh);
}

static const struct test_cluster cluster = {
	.rows = ROWS, .columns = COLUMNS, .pcie = TEST_PCIE_LEFT};

int main(void)
{
	const struct row_case cases[] = {
		ROW_CASE(pages_of_parts_are_written_and_read_alone, cluster),
		ROW_CASE(pages_are_broadcast_alone, cluster),
		ROW_CASE(regions_outside_of_a_buffer_are_refused, cluster),
		ROW_CASE(a_page_more_is_a_page_of_bytes_more_on_each_device, cluster),
	};

	return ROW_RUN_SUITE("mesh_region", cases);
}
