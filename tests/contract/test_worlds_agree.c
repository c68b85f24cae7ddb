/* label: full  timeout: 300  needs: simgrid
 * Tests that the native and the simulated world agree. The same broadcasts on 8x8 chips leave the
 * same bytes in the L1 of every worker and in DRAM, and the host does the same counted work. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "check.h"
#include "mesh_case.h"
#include "mesh_rows.h"

enum { SIDE = 8, DEVICES = SIDE * SIDE, ARGS = 6, LAUNCHES = 9, SHARD_BYTES = 6144 };

/* The outcome in one world, in memory shared between processes. */
struct left {
	uint64_t workers[DEVICES]; /* hash of the L1 of all workers, the part of programs */
	uint64_t shards[DEVICES];  /* hash of the buffer in the DRAM banks */
	struct work_counts counts;
	bool done;
};

static struct left *left;
static struct mesh_case test;

static uint64_t hash_tile(
	uint32_t device, uint16_t tile, uint32_t address, uint32_t length, uint64_t seed)
{
	uint8_t *bytes = malloc(length);
	uint64_t hash;

	mesh_case_inspect(&test, device, tile, address, length, bytes);
	hash = hash_mix(seed ^ hash_bytes(bytes, length));
	free(bytes);
	return hash;
}

static void look(const struct mesh_buffer *buffer)
{
	const struct chip_geometry *geometry = test.info->chips[0].geometry;
	uint32_t workers = (uint32_t)geometry->worker_columns * geometry->worker_rows;
	uint32_t bank_bytes = SHARD_BYTES / geometry->dram_bank_count;

	for (uint32_t device = 0; device < DEVICES; device++) {
		for (uint32_t core = 0; core < workers; core++)
			left->workers[device] = hash_tile(device, geometry->worker_tiles[core],
				geometry->word_bytes, geometry->l1_bytes - geometry->word_bytes,
				left->workers[device]);
		for (uint32_t bank = 0; bank < geometry->dram_bank_count; bank++)
			left->shards[device] = hash_tile(device, geometry->dram_tiles[bank],
				mesh_buffer_address(buffer), bank_bytes, left->shards[device]);
	}
}

static struct mesh_buffer *write_shards(struct command_queue *queue, uint8_t *data)
{
	struct mesh_layout layout = {.sharded = true,
		.size_bytes = (uint64_t)DEVICES * SHARD_BYTES,
		.global_height = SIDE,
		.global_width = SIDE * SHARD_BYTES,
		.shard_height = 1,
		.shard_width = SHARD_BYTES};
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 512};
	struct mesh_buffer *buffer;

	mesh_case_fill(data, layout.size_bytes, 7);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	assert_int_equal(enqueue_write_buffer(queue, buffer, data, true, 1), STATUS_OK);
	return buffer;
}

static void work(struct cluster *cluster)
{
	const struct cores cores = {.kind = CORES_ALL};
	uint8_t *data = malloc((size_t)DEVICES * SHARD_BYTES);
	struct command_queue *queue;
	struct mesh_buffer *buffer;
	struct program *program;
	struct workload *workload;

	test.cluster = cluster;
	mesh_case_attach(&test);
	queue = mesh_queue(test.mesh, 0);
	buffer = write_shards(queue, data);
	program = mesh_case_program(&test, "agreed", cores, 600, ARGS);
	workload = mesh_case_workload(&test, program);
	for (uint32_t i = 1; i <= LAUNCHES; i++) {
		mesh_case_set_args(&test, program, cores, ARGS, i);
		assert_int_equal(enqueue_workload(queue, workload, false, 10 + i), STATUS_OK);
	}
	assert_int_equal(queue_finish(queue, 100, DEADLINE_NEVER), STATUS_OK);
	look(buffer);
	row_current()->counts(&left->counts);
	left->done = true;
	workload_free(workload);
	program_free(program);
	mesh_buffer_free(buffer);
	mesh_close(test.mesh);
	free(data);
}

static void run_row(const struct row *row, struct left *out, uint32_t initiators)
{
	left = out;
	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, "broadcast", initiators, "table", "main");
	mesh_row_run(row, &test, work, "%u initiators", initiators);
	check(out->done, "the %s world ended before its end", row->name);
}

static void compare(const struct left *native, const struct left *sim)
{
	for (int i = 0; i < DEVICES; i++)
		if (native->workers[i] != sim->workers[i] || native->shards[i] != sim->shards[i])
			fail_msg("device %d: L1 %016llx natively, %016llx simulated; DRAM %016llx, "
				 "%016llx",
				i, (unsigned long long)native->workers[i],
				(unsigned long long)sim->workers[i],
				(unsigned long long)native->shards[i],
				(unsigned long long)sim->shards[i]);
	for (int kind = 0; kind < WORK_KIND_COUNT; kind++)
		if (kind != WORK_POLL && native->counts.units[kind] != sim->counts.units[kind])
			fail_msg("%s: %llu units natively, %llu simulated",
				work_kind_name((enum work_kind)kind),
				(unsigned long long)native->counts.units[kind],
				(unsigned long long)sim->counts.units[kind]);
}

static void both_worlds_leave_the_same(uint32_t initiators)
{
	struct left *both = mmap(
		NULL, 2 * sizeof(*both), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(both, MAP_FAILED);
	run_row(&row_native, &both[0], initiators);
	run_row(&row_sim, &both[1], initiators);
	compare(&both[0], &both[1]);
	munmap(both, 2 * sizeof(*both));
}

TEST(one_initiator_leaves_the_same_in_both_worlds)
{
	both_worlds_leave_the_same(1);
}

TEST(eight_initiators_leave_the_same_in_both_worlds)
{
	both_worlds_leave_the_same(8);
}

TEST_MAIN(NULL, NULL)
