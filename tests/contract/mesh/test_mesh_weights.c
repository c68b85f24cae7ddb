/* label: full  timeout: 240  needs: simgrid
 * Writes a feed-forward weight of a large model as tiles to the 64 chips of a mesh, in the native
 * and the simulated world. The weight is 16384 x 53248 in bf16; the model has 405 billion
 * parameters. The whole weight is never in memory: elements are generated on demand, and every
 * byte that reaches a DRAM bank is hashed with its address and dropped. Another test makes a
 * program on a tensor once for the whole mesh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/hash.h"
#include "check.h"
#include "layout/layout_text.h"
#include "mesh/tensor.h"
#include "mesh_case.h"
#include "row.h"

/* The weight matrix as a tensor of rank 3, in which the columns of the matrix are in 64 groups. The
 * tensor has the same bytes in the same order as the matrix. The grid gives one group to each
 * device; the group has 8 x 2 shards, which are distributed over 12 banks. */
static const char weight[] =
	"tensor<16384x64x832xbf16, #tt.layout<(d0, d1, d2) -> (d1, d0, d2), zero, <64x8x2>, "
	"memref<1x64x13x!tt.tile<32 x 32, bf16>, #tt.memory_space<dram>>>>";

enum {
	SIDE = 8,
	CHIPS = SIDE * SIDE,
	ROWS = 16384,
	COLUMNS = 53248,
	BANKS = 12,
	SHARD_ROWS = ROWS / 8,
	SHARD_COLUMNS = COLUMNS / CHIPS / 2,
	SHARD_BYTES = SHARD_ROWS * SHARD_COLUMNS * 2,
	TILE = 32,
	FACE = 16,
	FACE_BYTES = FACE * FACE * 2,
	WORD = 4 /* elements generated and hashed together */
};

/* AddressSanitizer delays the reuse of freed memory. */
#ifdef __SANITIZE_ADDRESS__
enum { FREED_IS_GIVEN_BACK = 0 };
#else
enum { FREED_IS_GIVEN_BACK = 1 };
#endif

static const uint64_t whole_bytes = UINT64_C(2) * ROWS * COLUMNS;

static const struct test_cluster mesh_of_64 = {
	.rows = SIDE, .columns = SIDE, .pcie = TEST_PCIE_GATEWAYS, .dram_banks = BANKS};
static const struct test_cluster mesh_of_6 = {.rows = 2, .columns = 3, .pcie = TEST_PCIE_LEFT};

static struct mesh_case test;

static void open_mesh(struct cluster *cluster, const struct test_cluster *config)
{
	mesh_case_init(&test, config->rows, config->columns, config->pcie);
	mesh_case_choose(&test, "unicast", 0, "table", "main");
	test.cluster = cluster;
	mesh_case_attach(&test);
}

/* Closes only the mesh. Does not free test.system, because chips may still access its memory. */
static void close_mesh(void)
{
	mesh_close(test.mesh);
}

static struct mesh_tensor *tensor_new(const char *text)
{
	struct diag *diag = diag_new();
	struct mesh_tensor *tensor = NULL;
	struct layout layout;
	bool encoded;

	check(layout_parse("layout", text, strlen(text), diag, &layout, &encoded), "a layout");
	check_status(mesh_tensor_new(test.mesh, &layout, NULL, &tensor), STATUS_OK);
	diag_free(diag);
	return tensor;
}

/* ---- the weight, and what arrives ---- */

/* Elements [number * WORD, + WORD) of the matrix. */
static uint64_t word_of(uint64_t number)
{
	return (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static void make_elements(void *context, uint64_t first, uint64_t count, void *out)
{
	uint8_t *to = out;

	check(first % WORD == 0 && count % WORD == 0, "a run that divides a word");
	for (uint64_t i = first / WORD; i < (first + count) / WORD; i++, to += sizeof(uint64_t)) {
		uint64_t word = word_of(i);

		memcpy(to, &word, sizeof(word));
	}
	*(uint64_t *)context += count;
}

static uint64_t hash_word(uint32_t bank, uint32_t address, uint64_t word)
{
	return hash_mix(word + ((uint64_t)bank << 32 | address));
}

struct arrived {
	uint64_t hash, bytes;
};

static struct {
	const struct device_ops *real;
	struct device_ops ops;
	struct arrived at[CHIPS];
	uint32_t first_address;
} spy;

/* Replaces noc_write(). If the write goes to a DRAM bank, at spy.first_address or above, adds the
 * hash of the data to the chip's hash. Then makes an elided write (a write without data) of the
 * same size instead. Makes all other writes unchanged. */
static void spy_write(struct stage *stage, uint16_t tile, uint32_t address, struct span span)
{
	struct cluster *cluster = test.cluster;
	const struct chip_geometry *geometry = spy.real->info(cluster)->chips[0].geometry;
	uint16_t chip = spy.real->number(stage->device);
	struct span none;

	if (geometry->tiles[tile].kind != TILE_DRAM || chip >= CHIPS ||
		address < spy.first_address) {
		spy.real->noc_write(stage, tile, address, span);
		return;
	}
	check(span.extent && !span.extent->elided && span.length % sizeof(uint64_t) == 0,
		"%u real bytes", span.length);
	for (uint32_t at = 0; at < span.length; at += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, span.extent->bytes + span.offset + at, sizeof(word));
		spy.at[chip].hash += hash_word(tile, address + at, word);
	}
	spy.at[chip].bytes += span.length;
	none = span_of(extent_new_elided(span.length));
	spy.real->noc_write(stage, tile, address, none);
	span_release(none);
}

static void spy_start(void)
{
	spy.real = device_row;
	spy.ops = *device_row;
	spy.ops.noc_write = spy_write;
	device_row = &spy.ops;
}

/* Returns the hash of a shard that begins in column `left` and row `top` of the matrix. A shard
 * consists of tiles, a tile of faces, and a face of rows, one after another. */
static uint64_t shard_hash(uint16_t tile, uint32_t address, uint64_t top, uint64_t left)
{
	uint64_t hash = 0;

	for (uint32_t at = 0; at < SHARD_BYTES; at += sizeof(uint64_t)) {
		uint32_t face = at / FACE_BYTES, in_face = at % FACE_BYTES;
		uint32_t number = face / 4, across = SHARD_COLUMNS / TILE;
		uint64_t row =
			top + number / across * TILE + face % 4 / 2 * FACE + in_face / (2 * FACE);
		uint64_t column =
			left + number % across * TILE + face % 2 * FACE + in_face % (2 * FACE) / 2;

		hash += hash_word(tile, address + at, word_of((row * COLUMNS + column) / WORD));
	}
	return hash;
}

/* The expected hash of a chip: its shards row by row, distributed over the banks in turn. */
static uint64_t chip_hash(const struct mesh_tensor *tensor, uint32_t chip)
{
	const struct chip_geometry *geometry = device_row->info(test.cluster)->chips[0].geometry;
	uint32_t address = mesh_buffer_address(mesh_tensor_buffer(tensor));
	uint64_t hash = 0;

	for (uint32_t i = 0; i < 16; i++)
		hash += shard_hash(geometry->dram_tiles[i % BANKS],
			address + i / BANKS * SHARD_BYTES, (uint64_t)(i / 2) * SHARD_ROWS,
			chip * (uint64_t)(COLUMNS / CHIPS) + i % 2 * SHARD_COLUMNS);
	return hash;
}

static uint64_t peak_bytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss * 1024;
}

static void a_weight_of_405b_reaches_64_chips_without_a_copy_of_the_whole(struct cluster *cluster)
{
	uint64_t asked = 0, before, grown;
	struct tensor_source source = {.read = make_elements, .context = &asked};
	struct mesh_tensor *tensor;

	spy_start();
	open_mesh(cluster, &mesh_of_64);
	tensor = tensor_new(weight);
	spy.first_address = mesh_buffer_address(mesh_tensor_buffer(tensor));
	before = peak_bytes();
	check_status(mesh_tensor_write(mesh_queue(test.mesh, 0), tensor, &source, 1), STATUS_OK);
	grown = peak_bytes() - before;
	printf("%s: %llu MB to %d chips, memory grew by %.1f MB, of which a chip's part is %.1f\n",
		row_current()->name, (unsigned long long)(whole_bytes / 1000000), CHIPS,
		(double)grown / 1e6, (double)whole_bytes / CHIPS / 1e6);
	check_equal(asked * 2, whole_bytes);
	for (uint32_t chip = 0; chip < CHIPS; chip++) {
		check_equal(spy.at[chip].bytes, whole_bytes / CHIPS);
		check_equal(spy.at[chip].hash, chip_hash(tensor, chip));
	}
	if (FREED_IS_GIVEN_BACK)
		check_less(grown, whole_bytes / 8);
	mesh_tensor_free(tensor);
	close_mesh();
}

/* A program for six devices is created only once, its binaries are written once, and its commands
 * are built once. */
static void a_program_on_a_tensor_is_made_once_for_the_mesh(struct cluster *cluster)
{
	const struct cores cores = {.kind = CORES_COUNT, .count = 4};
	struct work_counts before, after;
	struct mesh_tensor *tensor;
	struct workload *workload;
	struct program *program;

	open_mesh(cluster, &mesh_of_6);
	tensor = tensor_new(
		"tensor<6x32x64xf32, #tt.layout<(d0, d1, d2) -> (d0, d1, d2), zero, <6x1x2>, "
		"memref<1x1x1x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<l1>>>>");
	program = mesh_case_program(&test, "on a tensor", cores, 512, 2);
	/* the argument is the address of the tensor, which is the same on every device */
	mesh_case_set_args(
		&test, program, cores, 2, mesh_buffer_address(mesh_tensor_buffer(tensor)));
	workload = mesh_case_workload(&test, program);
	row_current()->counts(&before);
	check_status(enqueue_workload(mesh_queue(test.mesh, 0), workload, true, 1), STATUS_OK);
	row_current()->counts(&after);
	check_equal(after.units[WORK_CREATE_OPERATION] - before.units[WORK_CREATE_OPERATION], 1);
	for (uint32_t device = 0; device < 6; device++)
		check_equal(mesh_case_result(&test, device, 0).launches, 1);
	workload_free(workload);
	program_free(program);
	mesh_tensor_free(tensor);
	close_mesh();
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(a_weight_of_405b_reaches_64_chips_without_a_copy_of_the_whole, mesh_of_64),
		ROW_CASE(a_program_on_a_tensor_is_made_once_for_the_mesh, mesh_of_6),
	};

	return ROW_RUN_SUITE("weights", cases);
}
