/* timeout: 120
 * Runs the test plan of the sharding specification on a mesh of devices, in the native world. A
 * mapper says how a tensor is divided among devices. It is either rejected or translated to a
 * layout (lowered). In the second case, a tensor is written with the layout, and reading the part
 * of each device must give the slice that the mapper describes. Tests random mappers, mappers that
 * need packing, and mappers that real models use. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "mesh/tensor.h"
#include "mesh_case.h"
#include "random_mapper.h"
#include "world/native/native.h"

enum { ROWS = 2, COLUMNS = 4, SEEDS = 400, ELEMENTS = 4096, NONE = MAPPER_REPLICATE };

static struct mesh_case test;

static void open_t3k(void)
{
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	mesh_case_open(&test);
}

/* Bytes that the host has copied between its own memories. */
static uint64_t packed_bytes(const struct work_counts *counts)
{
	return counts->copied_bytes[MEMORY_UNCACHED_SOURCE][MEMORY_CACHED] +
	       counts->copied_bytes[MEMORY_UNCACHED_SOURCE][MEMORY_UNCACHED_SOURCE];
}

static void write_and_read(const struct mapper_trial *trial, const struct mapper_lowering *lowering)
{
	struct command_queue *queue = mesh_queue(test.mesh, 0);
	uint64_t bytes = lowering->config.size_bytes, part;
	uint8_t *whole = malloc(bytes), *back = calloc(bytes, 1), *local;
	struct mesh_mapped mapped = {&trial->tensor, lowering, NULL};
	struct work_counts before, after;
	struct buffer_config config = {.type = BUFFER_DRAM};
	struct mesh_spread spread;

	mesh_case_fill(whole, bytes, bytes);
	assert_int_equal(
		mesh_spread_init(&spread, &lowering->config, ROWS, COLUMNS, NULL), STATUS_OK);
	part = spread.device_bytes;
	local = malloc(part);
	config.page_bytes = (uint32_t)part;
	assert_int_equal(
		mesh_buffer_new(test.mesh, &lowering->config, &config, NULL, &mapped.buffer),
		STATUS_OK);
	native_world_counts(&before);
	assert_int_equal(mesh_mapped_write(queue, &mapped, whole, 0), STATUS_OK);
	native_world_counts(&after);
	assert_int_equal(packed_bytes(&after) - packed_bytes(&before),
		lowering->packed ? lowering->copied_bytes : 0);
	for (uint16_t row = 0; row < ROWS; row++)
		for (uint16_t column = 0; column < COLUMNS; column++) {
			memset(local, 0, part);
			assert_int_equal(enqueue_read_shard(
						 queue, mapped.buffer, row, column, local, true, 0),
				STATUS_OK);
			trial_check_device(trial, lowering, row, column, whole, local);
		}
	assert_int_equal(mesh_mapped_read(queue, &mapped, back, 0), STATUS_OK);
	assert_memory_equal(back, whole, bytes);
	mesh_buffer_free(mapped.buffer);
	free(whole);
	free(back);
	free(local);
}

TEST(random_mappers_write_slices_or_are_refused)
{
	uint32_t written = 0, packed = 0, refused = 0;

	open_t3k();
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct mapper_lowering lowering;
		struct mapper_trial trial;
		struct stream stream;

		stream_init(&stream, seed, "layout/mesh-mapper");
		trial_draw(&stream, ELEMENTS, &trial);
		trial.mesh = (struct mapper_mesh){ROWS, COLUMNS};
		trial.tensor.element_bytes = 4;
		assert_int_equal(
			trial_lower(&trial, false, &lowering, NULL), trial_expected(&trial));
		if (trial_expected(&trial) == MAPPER_NONE) {
			write_and_read(&trial, &lowering);
			written++;
		} else if (trial_lower(&trial, true, &lowering, NULL) == MAPPER_NONE) {
			write_and_read(&trial, &lowering);
			packed++;
		} else {
			refused++;
		}
	}
	assert_true(written > SEEDS / 10 && packed > SEEDS / 40 && refused > SEEDS / 10);
	mesh_case_close(&test);
}

/* Mappers that TTNN models use: activations, weights, caches and batches on 2 x 4 devices. */
TEST(what_models_use_is_written_or_refused_as_the_specification_says)
{
	static const struct {
		struct mapper_trial trial;
		enum mapper_refusal expected;
	} uses[] = {
		/* ReplicateTensorToMesh: weights of data parallel models */
		{{{{4, {1, 1, 64, 128}}, 2}, {2, 4}, false, {NONE, NONE}}, MAPPER_NONE},
		/* ShardTensorToMesh(dim=0): batches; (dim=-1): columns of weights */
		{{{{4, {8, 3, 32, 32}}, 2}, {2, 4}, true, {0, 0}}, MAPPER_NONE},
		{{{{4, {1, 1, 64, 256}}, 2}, {2, 4}, true, {-1, 0}}, MAPPER_NONE},
		{{{{4, {1, 1, 256, 64}}, 2}, {2, 4}, true, {2, 0}}, MAPPER_NONE},
		/* heads of a cache: allowed after the batch only if that is 1 */
		{{{{4, {1, 8, 32, 64}}, 2}, {2, 4}, true, {1, 0}}, MAPPER_NONE},
		{{{{4, {32, 8, 32, 64}}, 2}, {2, 4}, true, {1, 0}}, MAPPER_ND},
		/* ShardTensor2DMesh: weights in two dimensions, either way round */
		{{{{4, {1, 1, 128, 256}}, 2}, {2, 4}, false, {2, 3}}, MAPPER_NONE},
		{{{{4, {1, 1, 128, 256}}, 2}, {2, 4}, false, {3, 2}}, MAPPER_NONE},
		{{{{4, {1, 1, 64, 256}}, 2}, {2, 4}, false, {NONE, 3}}, MAPPER_NONE},
		{{{{4, {1, 1, 64, 256}}, 2}, {2, 4}, false, {3, NONE}}, MAPPER_NONE},
		/* batches over rows, width over columns; batches over rows, heads over columns */
		{{{{4, {4, 1, 32, 256}}, 2}, {2, 4}, false, {0, 3}}, MAPPER_NONE},
		{{{{4, {4, 8, 32, 64}}, 2}, {2, 4}, false, {0, 1}}, MAPPER_ROWS},
		{{{{4, {4, 8, 32, 64}}, 2}, {2, 4}, false, {NONE, 1}}, MAPPER_ND},
	};

	open_t3k();
	for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
		struct mapper_lowering lowering;
		enum mapper_refusal refusal = trial_lower(&uses[i].trial, false, &lowering, NULL);

		assert_int_equal(refusal, uses[i].expected);
		if (refusal != MAPPER_NONE)
			assert_int_equal(
				trial_lower(&uses[i].trial, true, &lowering, NULL), MAPPER_NONE);
		write_and_read(&uses[i].trial, &lowering);
	}
	mesh_case_close(&test);
}

TEST_MAIN(NULL, NULL)
