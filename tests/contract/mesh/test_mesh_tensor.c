/* timeout: 120
 * Tests mesh tensors, in the native world. Each element must be on the device, on the tile and at
 * the address that the layout gives. A read must return the data that were written. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "layout/layout_text.h"
#include "layout/machine.h"
#include "mesh/tensor.h"
#include "mesh_case.h"
#include "random_layout.h"
#include "world/native/native.h"

enum { ROWS = 2, COLUMNS = 3, SEEDS = 60, ELEMENTS = 2000 };

static struct mesh_case test;

static void open_mesh(const char *threads)
{
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	mesh_case_choose(&test, "unicast", 0, "table", threads);
	mesh_case_open(&test);
}

static const struct chip_geometry *geometry(void)
{
	return test.info->chips[0].geometry;
}

/* Address and tile of the shard in `unit`, from the layout; slots are whole pages. */
static uint32_t shard_address(
	const struct mesh_tensor *tensor, const struct layout_unit *unit, uint16_t *tile)
{
	const struct mesh_buffer *buffer = mesh_tensor_buffer(tensor);
	const struct placement *placement = mesh_buffer_placement(buffer);
	uint32_t slot = placement->config.shard.shard_pages_high * placement->page_stride;

	if (mesh_tensor_layout(tensor)->space == SPACE_L1)
		*tile = geometry()->worker_tiles[unit->core_row * geometry()->worker_columns +
						 unit->core_column];
	else
		*tile = geometry()->dram_tiles[unit->bank];
	return mesh_buffer_address(buffer) + unit->slot * slot;
}

/* Compares the memory of every shard with the bytes that shard_data_make() computes for it; another
 * test checks this function. If the layout places a copy of the whole tensor on each device,
 * compares all copies. */
static void check_memory(const struct mesh_tensor *tensor, const struct tensor_source *source)
{
	const struct layout *layout = mesh_tensor_layout(tensor);
	struct layout_machine machine = {ROWS, COLUMNS, geometry()->worker_rows,
		geometry()->worker_columns, geometry()->dram_bank_count};
	uint8_t *expected = malloc(layout->shard_bytes), *seen = malloc(layout->shard_bytes);
	void *scratch = malloc(shard_data_scratch_bytes(layout));
	bool replicated = layout->grid.rank <= 2;

	for (uint64_t i = 0; i < layout->shards; i++) {
		struct layout_shape shard = layout_at(&layout->grid, i);
		struct layout_unit unit = layout_unit(layout, &machine, &shard);
		uint32_t device = unit.device_row * COLUMNS + unit.device_column;
		uint16_t tile;
		uint32_t address = shard_address(tensor, &unit, &tile);

		shard_data_make(layout, source, &shard, expected, scratch);
		for (uint32_t d = 0; d < ROWS * COLUMNS; d++) {
			if (!replicated && d != device)
				continue;
			mesh_case_inspect(
				&test, d, tile, address, (uint32_t)layout->shard_bytes, seen);
			assert_memory_equal(seen, expected, layout->shard_bytes);
		}
	}
	free(expected);
	free(seen);
	free(scratch);
}

/* Converts data to the layout's type and back, as a write and a read do. */
static void take_back(
	const struct layout *layout, const struct tensor_source *source, uint8_t *back)
{
	uint8_t *shard_bytes = malloc(layout->shard_bytes);
	void *scratch = malloc(shard_data_scratch_bytes(layout));
	struct tensor_sink sink = {.bytes = back};

	for (uint64_t i = 0; i < layout->shards; i++) {
		struct layout_shape shard = layout_at(&layout->grid, i);

		shard_data_make(layout, source, &shard, shard_bytes, scratch);
		shard_data_take(layout, &sink, &shard, shard_bytes, scratch);
	}
	free(shard_bytes);
	free(scratch);
}

static bool holds_shard(const struct layout *layout, uint32_t row, uint32_t column)
{
	struct layout_machine machine = {ROWS, COLUMNS, geometry()->worker_rows,
		geometry()->worker_columns, geometry()->dram_bank_count};

	for (uint64_t i = 0; i < layout->shards; i++) {
		struct layout_shape shard = layout_at(&layout->grid, i);
		struct layout_unit unit = layout_unit(layout, &machine, &shard);

		if (unit.device_row == row && unit.device_column == column)
			return true;
	}
	return false;
}

/* Checks that a read of the tensor waits for each of these devices. */
static void check_read_range(const struct mesh_tensor *tensor)
{
	const struct layout *layout = mesh_tensor_layout(tensor);
	struct device_range range = mesh_tensor_read_range(tensor);

	assert_int_equal(range.row0 + range.column0, 0);
	for (uint16_t row = 0; row <= range.row1; row++)
		for (uint16_t column = 0; column <= range.column1; column++)
			assert_true(holds_shard(layout, row, column));
	if (range.column1 + 1 < COLUMNS)
		assert_false(holds_shard(layout, 0, range.column1 + 1u));
}

static void round_trip(const struct layout *layout, uint64_t seed)
{
	uint64_t bytes = layout_volume(&layout->tensor) * element_bytes(layout->tensor_element);
	uint8_t *data = malloc(bytes), *back = calloc(bytes, 1), *expected = calloc(bytes, 1);
	struct tensor_source source = {.bytes = data};
	struct tensor_sink sink = {.bytes = back};
	struct command_queue *queue = mesh_queue(test.mesh, 0);
	struct mesh_tensor *tensor = NULL;
	struct text why = {0};

	for (uint64_t i = 0; i < bytes; i++) /* small positive numbers of any type */
		data[i] = (uint8_t)((i * 7 + seed) % 60);
	if (mesh_tensor_new(test.mesh, layout, &why, &tensor) != STATUS_OK)
		fail_msg("%s", text_string(&why));
	take_back(layout, &source, expected);
	assert_int_equal(mesh_tensor_write(queue, tensor, &source, 0), STATUS_OK);
	check_memory(tensor, &source);
	assert_int_equal(mesh_tensor_read(queue, tensor, &sink, 0), STATUS_OK);
	assert_memory_equal(back, expected, bytes);
	check_read_range(tensor);

	mesh_tensor_free(tensor);
	free(data);
	free(back);
	free(expected);
}

/* Includes host threads that pack and unpack parts in parallel. */
static void random_tensors_come_back(const char *threads, uint64_t seed)
{
	uint32_t tried = 0, on_devices = 0, in_l1 = 0;

	open_mesh(threads);
	for (; tried < SEEDS; seed++) {
		struct stream stream;
		struct layout layout;

		stream_init(&stream, seed, "layout/mesh");
		random_layout(&stream, ELEMENTS, &layout);
		if (mesh_tensor_check(&layout, mesh_device_shape(test.mesh), geometry(), NULL) !=
				STATUS_OK ||
			layout.shard_bytes > 1 << 15)
			continue;
		round_trip(&layout, seed);
		tried++;
		on_devices += layout.grid.rank > 2;
		in_l1 += layout.space == SPACE_L1;
	}
	assert_true(on_devices > SEEDS / 10);
	assert_true(in_l1 > SEEDS / 10 && in_l1 < SEEDS);
	mesh_case_close(&test);
}

TEST(random_tensors_lie_where_their_layouts_say_and_come_back)
{
	for (size_t t = 0; threads_row(t) != NULL; t++)
		random_tensors_come_back(threads_name(t), 10000 * t);
}

static struct layout read_layout(const char *text)
{
	struct diag *diag = diag_new();
	struct layout layout;
	bool encoded;

	if (!layout_parse("layout", text, strlen(text), diag, &layout, &encoded))
		diag_print(diag, stderr);
	assert_int_equal(diag_errors(diag), 0);
	diag_free(diag);
	return layout;
}

static void check_refused(const char *text, enum status expected, const char *sentence)
{
	struct layout layout = read_layout(text);
	struct mesh_tensor *tensor = NULL;
	struct text why = {0};

	assert_int_equal(mesh_tensor_new(test.mesh, &layout, &why, &tensor), expected);
	assert_string_equal(text_string(&why), sentence);
	text_fini(&why);
}

TEST(layouts_that_are_not_for_this_mesh_are_refused_by_name)
{
	open_mesh("main");
	check_refused("tensor<8x8xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
		      "memref<8x8xf32, #tt.memory_space<system>>>>",
		STATUS_INVALID, "a layout in system: a mesh tensor is on devices");
	check_refused("tensor<7x8x8xf32, #tt.layout<(d0, d1, d2) -> (d0, d1, d2), undef, <7x1x1>, "
		      "memref<1x8x8xf32, #tt.memory_space<l1>>>>",
		STATUS_OUT_OF_RANGE, "7 shards on 2 x 3 devices");
	check_refused("tensor<8x64xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <1x64>, "
		      "memref<8x1xf32, #tt.memory_space<l1>>>>",
		STATUS_OUT_OF_RANGE, "64 shards on 3 x 4 cores");
	check_refused("tensor<8x64xu32, #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
		      "memref<8x64xf32, #tt.memory_space<l1>>>>",
		STATUS_INVALID, "u32 elements as f32");
	mesh_case_close(&test);
}

TEST_MAIN(NULL, NULL)
