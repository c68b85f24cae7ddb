/* label: full  timeout: 300
 * Tests dispatch in the native world: the work of the host for each device, and the numbers of
 * threads and stages. Broadcasts by any number of initiators reach every chip once. Launches wait
 * if a config ring has no space. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "mesh_case.h"
#include "world/native/native.h"

static struct work_counts work_since(const struct work_counts *before)
{
	struct work_counts now;

	native_world_counts(&now);
	for (int i = 0; i < WORK_KIND_COUNT; i++)
		now.units[i] -= before->units[i];
	now.copied_bytes[MEMORY_CACHED][MEMORY_PINNED] -=
		before->copied_bytes[MEMORY_CACHED][MEMORY_PINNED];
	return now;
}

/* Returns the host's work for one enqueue of a cached workload with changed arguments. */
static struct work_counts enqueue_work(uint16_t side, const char *forward, uint32_t initiators)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct command_queue *queue;
	struct work_counts before, used;
	struct program *program;
	struct workload *workload;
	struct mesh_case test;

	mesh_case_init(&test, side, side, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, forward, initiators, "table", "main");
	mesh_case_open(&test);
	program = mesh_case_program(&test, "law", cores, 256, 5);
	workload = mesh_case_workload(&test, program);
	queue = mesh_queue(test.mesh, 0);
	assert_int_equal(enqueue_workload(queue, workload, true, 0), STATUS_OK);
	program_refresh_args(program, 3);
	native_world_counts(&before);
	assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
	used = work_since(&before);
	assert_int_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
	workload_free(workload);
	program_free(program);
	mesh_case_close(&test);
	return used;
}

TEST(unicast_costs_grow_with_devices_and_broadcast_costs_with_initiators)
{
	struct work_counts one = enqueue_work(1, "unicast", 0),
			   four = enqueue_work(4, "unicast", 0);
	struct work_counts single = enqueue_work(4, "broadcast", 1);
	struct work_counts several = enqueue_work(4, "broadcast", 4);
	struct work_counts small = enqueue_work(2, "broadcast", 1);

	assert_int_equal(four.units[WORK_RESERVE], 16 * one.units[WORK_RESERVE]);
	assert_int_equal(four.units[WORK_DOORBELL], 16 * one.units[WORK_DOORBELL]);
	assert_int_equal(four.copied_bytes[MEMORY_CACHED][MEMORY_PINNED],
		16 * one.copied_bytes[MEMORY_CACHED][MEMORY_PINNED]);
	/* each command is built and patched once, whatever the number of devices */
	assert_int_equal(four.units[WORK_PATCH_ARGUMENT], one.units[WORK_PATCH_ARGUMENT]);
	assert_int_equal(four.units[WORK_CREATE_OPERATION], 0);
	assert_int_equal(four.units[WORK_API_CALL], 1);
	assert_int_equal(single.units[WORK_RESERVE], small.units[WORK_RESERVE]);
	assert_int_equal(single.units[WORK_DOORBELL], 1);
	assert_int_equal(several.units[WORK_DOORBELL], 4);
	/* 16 transaction ids instead of 4; both lists are padded to 16 B */
	assert_int_equal(single.copied_bytes[MEMORY_CACHED][MEMORY_PINNED],
		small.copied_bytes[MEMORY_CACHED][MEMORY_PINNED]);
	assert_int_equal(several.copied_bytes[MEMORY_CACHED][MEMORY_PINNED],
		4 * small.copied_bytes[MEMORY_CACHED][MEMORY_PINNED]);
}

/* A patch changes one value in an existing command stream. BRISC has 5 unique arguments for each of
 * 12 workers, and 5 common arguments; only changed arguments are patched. Each launch also patches
 * three words of the launch message and a byte of GO. The second launch finds the binaries in the
 * kernel cache, so it also patches the command that fills the cache. */
TEST(only_changed_arguments_are_patched)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct work_counts before, used;
	struct mesh_counters counters;
	struct command_queue *queue;
	struct program *program;
	struct workload *workload;
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	mesh_case_open(&test);
	program = mesh_case_program(&test, "patched", cores, 256, 5);
	workload = mesh_case_workload(&test, program);
	queue = mesh_queue(test.mesh, 0);
	assert_int_equal(enqueue_workload(queue, workload, true, 0), STATUS_OK);
	native_world_counts(&before);
	assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
	used = work_since(&before);
	assert_int_equal(used.units[WORK_PATCH_ARGUMENT], 4 + 1);
	assert_int_equal(used.units[WORK_BUILD_COMMAND], 2); /* the preamble */
	program_refresh_args(program, 3);
	native_world_counts(&before);
	assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
	used = work_since(&before);
	assert_int_equal(used.units[WORK_PATCH_ARGUMENT], 4 + 12 * 5 + 5);
	mesh_device_counters(test.mesh, &counters);
	assert_int_equal(counters.streams_built, 1);
	assert_int_equal(counters.streams_reused, 2);
	workload_free(workload);
	program_free(program);
	mesh_case_close(&test);
}

static struct mesh_resources plan_of(uint16_t rows, uint16_t columns, const char *forward,
	uint32_t initiators, const char *completion, const char *threads)
{
	struct mesh_resources resources;
	struct cluster_info *info;
	struct mesh_case test;

	mesh_case_init(&test, rows, columns, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, forward, initiators, completion, threads);
	test.config.host.count = 6;
	info = test_cluster_info_new(&test.cluster_config);
	assert_int_equal(mesh_plan(info, &test.config, &resources, NULL), STATUS_OK);
	test_cluster_info_free(info);
	return resources;
}

TEST(todays_design_takes_192_threads_for_64_devices)
{
	assert_int_equal(plan_of(8, 8, "unicast", 0, "per-device", "per-device").host_threads, 192);
	assert_int_equal(plan_of(8, 8, "unicast", 0, "table", "main").host_threads, 0);
	assert_int_equal(plan_of(8, 8, "broadcast", 1, "table", "pool").host_threads, 6);
	assert_int_equal(plan_of(4, 4, "unicast", 0, "per-device", "main").host_threads, 32);
}

TEST(stages_are_counted_per_chip)
{
	struct mesh_resources unicast = plan_of(4, 8, "unicast", 0, "table", "main");
	struct mesh_resources broadcast = plan_of(4, 8, "broadcast", 2, "table", "main");

	/* Each queue has a prefetch_d, a dispatcher and a dispatch_s on each chip. Gateways also
	 * have a prefetch_h and a dispatch_h for each of 8 chips. */
	assert_int_equal(unicast.mesh_processors, 3 * 2);
	assert_int_equal(unicast.gateway_processors, 2 * 2 * 8);
	assert_int_equal(unicast.total_processors, 2 * (3 * 32 + 2 * 32));
	assert_int_equal(unicast.mesh_dram_bytes, 0);
	/* also: depacketizer and prefetch_d; prefetch_h and packetizer on each initiator */
	assert_int_equal(broadcast.mesh_processors, 5 * 2);
	assert_int_equal(broadcast.gateway_processors, 2 * 2 * 8 + 2 * 2);
	assert_int_equal(broadcast.total_processors, 2 * (5 * 32 + 2 * 32 + 2 * 2));
	assert_true(broadcast.mesh_dram_bytes > 0);
	assert_int_equal(broadcast.initiators, 2);
	assert_int_equal(broadcast.issue_queues, 2 * (32 + 2));
	assert_int_equal(broadcast.completion_queues, 2 * 32);
}

/* Each chip is gateway, initiator and receiver at the same time. With rings and caches of real
 * sizes, its stages fit on eight tiles, but not on five. */
TEST(stages_share_tiles_where_they_fit)
{
	for (uint16_t tiles = 5; tiles <= 8; tiles += 3) {
		struct cluster_info *info;
		struct mesh_resources resources;
		struct mesh_case test;

		mesh_case_init(&test, 1, 2, TEST_PCIE_LEFT);
		mesh_case_choose(&test, "broadcast", 1, "table", "main");
		test.cluster_config.dispatch_tiles = tiles;
		test.limits.cache_bytes = 1 << 20;
		test.limits.fetch_ring_bytes = 256 << 10;
		test.limits.dispatch_ring_bytes = 512 << 10;
		info = test_cluster_info_new(&test.cluster_config);
		assert_int_equal(mesh_plan(info, &test.config, &resources, NULL),
			tiles == 8 ? STATUS_OK : STATUS_NO_SPACE);
		if (tiles == 8) {
			assert_int_equal(resources.mesh_tiles, 8);
			/* Each of two queues has nine stages on the chip. Five are for the chip
			 * itself: dispatcher, dispatch_s, prefetch_hd, prefetch_d and depacketizer.
			 * Two are for the other chip: prefetch_h and dispatch_h. Two are for
			 * broadcasts: another prefetch_h and the packetizer. */
			assert_int_equal(resources.mesh_processors, 18);
		}
		test_cluster_info_free(info);
	}
}

/* Sends replicated data, launches with changing arguments, and events by broadcast to 8x8 chips
 * behind gateways, with the given number of initiators. Then checks every replica and every worker.
 */
static void broadcast_reaches_all(uint32_t initiators)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct mesh_layout layout = {.size_bytes = 50000};
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1000};
	uint8_t *data = malloc(layout.size_bytes), *back = malloc(layout.size_bytes);
	struct mesh_counters counters;
	struct mesh_buffer *buffer;
	struct program *program;
	struct workload *workload;
	struct mesh_case test;

	mesh_case_init(&test, 8, 8, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, "broadcast", initiators, "table", "main");
	mesh_case_open(&test);
	program = mesh_case_program(&test, "everywhere", cores, 2000, 6);
	workload = mesh_case_workload(&test, program);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	mesh_case_fill(data, layout.size_bytes, initiators);
	assert_int_equal(
		enqueue_write_buffer(mesh_queue(test.mesh, 1), buffer, data, false, 0), STATUS_OK);
	for (uint32_t i = 1; i <= 6; i++) {
		mesh_case_set_args(&test, program, cores, 6, i);
		assert_int_equal(
			enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 0), STATUS_OK);
	}
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	mesh_device_counters(test.mesh, &counters);
	/* one write, binaries, six launches and an event to each grid, and no unicasts */
	assert_int_equal(counters.broadcasts.transactions, 9 * initiators);
	assert_int_equal(counters.unicasts.transactions, 0);
	for (uint16_t device = 0; device < 64; device++) {
		assert_int_equal(enqueue_read_shard(mesh_queue(test.mesh, 1), buffer, device / 8,
					 device % 8, back, true, 0),
			STATUS_OK);
		assert_memory_equal(data, back, layout.size_bytes);
	}
	for (uint32_t device = 0; device < 64; device++)
		for (uint32_t core = 0; core < 12; core++) {
			struct launch_result result = mesh_case_result(&test, device, core);

			assert_int_equal(result.launches, 6);
			assert_int_equal(result.checksum, mesh_case_checksum(core, 6, 6));
		}
	mesh_buffer_free(buffer);
	workload_free(workload);
	program_free(program);
	mesh_case_close(&test);
	free(data);
	free(back);
}

TEST(any_number_of_initiators_reaches_every_chip)
{
	for (uint32_t initiators = 1; initiators <= 8; initiators++)
		broadcast_reaches_all(initiators);
}

/* The config ring has no room for two launches of the large kernel. So each of them must wait until
 * the previous one has ended. Launches of the small kernel do not wait. */
TEST(a_full_config_ring_waits_and_stays_right)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct mesh_counters counters;
	struct program *programs[2];
	struct workload *workloads[2];
	struct mesh_case test;

	mesh_case_init(&test, 1, 2, TEST_PCIE_ALL);
	mesh_case_open(&test);
	for (int i = 0; i < 2; i++) {
		programs[i] =
			mesh_case_program(&test, i ? "large" : "small", cores, i ? 9000 : 200, 6);
		workloads[i] = mesh_case_workload(&test, programs[i]);
	}
	for (uint32_t i = 0; i < 30; i++)
		assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workloads[0], false, 0),
			STATUS_OK);
	mesh_device_counters(test.mesh, &counters);
	assert_int_equal(counters.ring_waits, 0);
	for (uint32_t i = 0; i < 30; i++) {
		mesh_case_set_args(&test, programs[1], cores, 6, i);
		assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workloads[1], false, 0),
			STATUS_OK);
	}
	mesh_device_counters(test.mesh, &counters);
	/* 45 KiB of 69 KiB: each launch overlaps the one before it */
	assert_true(counters.ring_waits >= 29);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t device = 0; device < 2; device++)
		for (uint32_t core = 0; core < 12; core++) {
			struct launch_result result = mesh_case_result(&test, device, core);

			assert_int_equal(result.launches, 60);
			assert_int_equal(result.checksum, mesh_case_checksum(core, 6, 29));
		}
	for (int i = 0; i < 2; i++) {
		workload_free(workloads[i]);
		program_free(programs[i]);
	}
	mesh_case_close(&test);
}

TEST_MAIN(NULL, NULL)
