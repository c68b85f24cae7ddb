/* label: full  timeout: 300
 * Tests every combination of forward path (runtime.forward.path), event path (runtime.completion)
 * and host threads (runtime.host.threads), in the native world. Reads must return the data that
 * were written, every worker must run every launch once with its own arguments, and queues must
 * wait for events. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_case.h"

enum { ARGS = 9 };

static void check_workers(
	struct mesh_case *test, uint32_t cores, uint32_t launches, uint32_t generation)
{
	uint32_t workers = mesh_worker_columns(test->mesh) * mesh_worker_rows(test->mesh);

	for (uint32_t device = 0; device < mesh_device_count(test->mesh); device++)
		for (uint32_t core = 0; core < workers; core++) {
			struct launch_result result = mesh_case_result(test, device, core);
			uint32_t expected = core < cores ? launches : 0;

			if (result.launches != expected ||
				(core < cores && result.checksum != mesh_case_checksum(core, ARGS,
									    generation)))
				fail_msg("device %u, core %u: %u launches instead of %u, checksum "
					 "%08x instead of %08x",
					device, core, result.launches, expected, result.checksum,
					mesh_case_checksum(core, ARGS, generation));
		}
}

static void workloads_run_on_every_worker(struct mesh_case *test)
{
	const struct cores cores = {.kind = CORES_COUNT, .count = 7};
	struct program *program = mesh_case_program(test, "counted", cores, 700, ARGS);
	struct workload *workload = mesh_case_workload(test, program);
	struct command_queue *queue = mesh_queue(test->mesh, 0);

	for (uint32_t i = 1; i <= 12; i++) {
		mesh_case_set_args(test, program, cores, ARGS, i);
		assert_int_equal(enqueue_workload(queue, workload, i % 5 == 0, i), STATUS_OK);
	}
	assert_int_equal(queue_finish(queue, 100, DEADLINE_NEVER), STATUS_OK);
	check_workers(test, 7, 12, 12);
	workload_free(workload);
	program_free(program);
}

static void buffers_come_back_as_written(struct mesh_case *test, struct mesh_layout layout,
	struct buffer_config config, uint32_t queue_number)
{
	struct command_queue *queue = mesh_queue(test->mesh, queue_number);
	uint8_t *data = malloc(layout.size_bytes), *back = calloc(layout.size_bytes, 1);
	struct mesh_buffer *buffer;

	mesh_case_fill(data, layout.size_bytes, layout.size_bytes);
	assert_int_equal(mesh_buffer_new(test->mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (int blocking = 0; blocking < 2; blocking++) {
		memset(back, 0, layout.size_bytes);
		assert_int_equal(enqueue_write_buffer(queue, buffer, data, blocking, 7), STATUS_OK);
		assert_int_equal(enqueue_read_buffer(queue, buffer, back, blocking, 8), STATUS_OK);
		if (!blocking)
			assert_int_equal(queue_finish(queue, 9, DEADLINE_NEVER), STATUS_OK);
		assert_memory_equal(data, back, layout.size_bytes);
		data[0] ^= 0xff;
	}
	mesh_buffer_free(buffer);
	free(data);
	free(back);
}

static void all_layouts(struct mesh_case *test)
{
	struct mesh_shape shape = mesh_device_shape(test->mesh);
	struct mesh_layout replicated = {.size_bytes = 40 * 100};
	struct mesh_layout sharded = {.sharded = true,
		.global_height = 20u * shape.rows,
		.global_width = 25u * shape.columns,
		.shard_height = 20,
		.shard_width = 25};
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 100};

	sharded.size_bytes = (uint64_t)sharded.global_height * sharded.global_width * 4;
	for (uint32_t type = 0; type < BUFFER_SYSTEM; type++) { /* types in device memory */
		config.type = (enum buffer_type)type;
		config.layout = LAYOUT_INTERLEAVED;
		buffers_come_back_as_written(test, replicated, config, 0);
		buffers_come_back_as_written(test, sharded, config, 1);
		config.layout = LAYOUT_HEIGHT_SHARDED;
		config.shard = (struct shard_parameters){.pages_high = 10,
			.pages_wide = 2,
			.shard_pages_high = 3,
			.shard_pages_wide = 2,
			.cores = {0, 0, 3, 2}};
		buffers_come_back_as_written(test, sharded, config, 0);
	}
}

static void every_device_gets_its_own_shard(struct mesh_case *test)
{
	struct mesh_shape shape = mesh_device_shape(test->mesh);
	struct mesh_layout layout = {.size_bytes = 4096};
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 512};
	struct command_queue *queue = mesh_queue(test->mesh, 1);
	struct mesh_buffer *buffer;
	uint8_t data[4096], back[4096];

	assert_int_equal(mesh_buffer_new(test->mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	mesh_case_fill(data, sizeof(data), 0);
	assert_int_equal(enqueue_write_buffer(queue, buffer, data, true, 0), STATUS_OK);
	for (uint16_t row = 0; row < shape.rows; row++)
		for (uint16_t column = 0; column < shape.columns; column++) {
			mesh_case_fill(data, sizeof(data), 1u + row * 100u + column);
			if ((row + column) % 2 == 0)
				assert_int_equal(enqueue_write_shard(
							 queue, buffer, row, column, data, true, 0),
					STATUS_OK);
		}
	for (uint16_t row = 0; row < shape.rows; row++)
		for (uint16_t column = 0; column < shape.columns; column++) {
			bool own = (row + column) % 2 == 0;

			mesh_case_fill(data, sizeof(data), own ? 1u + row * 100u + column : 0);
			assert_int_equal(
				enqueue_read_shard(queue, buffer, row, column, back, true, 0),
				STATUS_OK);
			assert_memory_equal(data, back, sizeof(back));
		}
	mesh_buffer_free(buffer);
}

/* One queue writes and the other reads, in turn. Only events synchronize them. */
static void events_order_the_queues(struct mesh_case *test)
{
	struct device_range all = device_range_all(mesh_device_shape(test->mesh));
	struct mesh_layout layout = {.size_bytes = 2048};
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	struct command_queue *writer = mesh_queue(test->mesh, 0),
			     *reader = mesh_queue(test->mesh, 1);
	uint8_t data[8][2048], back[8][2048];
	struct mesh_event written, read, last;
	struct mesh_buffer *buffer;

	assert_int_equal(mesh_buffer_new(test->mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (uint32_t i = 0; i < 8; i++) {
		mesh_case_fill(data[i], sizeof(data[i]), i);
		assert_int_equal(
			enqueue_write_buffer(writer, buffer, data[i], false, 0), STATUS_OK);
		assert_int_equal(enqueue_record_event(writer, all, false, 0, &written), STATUS_OK);
		assert_int_equal(enqueue_wait_event(reader, &written, 0), STATUS_OK);
		assert_int_equal(enqueue_read_buffer(reader, buffer, back[i], false, 0), STATUS_OK);
		assert_int_equal(enqueue_record_event(reader, all, i == 7, 0, &read), STATUS_OK);
		assert_int_equal(enqueue_wait_event(writer, &read, 0), STATUS_OK);
		last = read;
	}
	assert_int_equal(event_synchronize(&written, DEADLINE_NEVER), STATUS_INVALID);
	assert_int_equal(event_synchronize(&last, DEADLINE_NEVER), STATUS_OK);
	assert_true(event_query(&last));
	assert_memory_equal(data, back, sizeof(data));
	mesh_buffer_free(buffer);
}

/* Both queues launch in turn, so that run numbers and rings are handed over each time. */
static void both_queues_launch_in_turn(struct mesh_case *test)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct program *program = mesh_case_program(test, "shared", cores, 300, ARGS);
	struct workload *workload = mesh_case_workload(test, program);
	uint32_t before = mesh_case_result(test, 0, 0).launches;

	for (uint32_t i = 0; i < 10; i++) {
		mesh_case_set_args(test, program, cores, ARGS, 50 + i);
		assert_int_equal(
			enqueue_workload(mesh_queue(test->mesh, i / 2 % 2), workload, false, 0),
			STATUS_OK);
	}
	assert_int_equal(queue_finish(mesh_queue(test->mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test->mesh, 1), 0, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t core = 0; core < 12; core++) {
		struct launch_result result = mesh_case_result(test, 0, core);

		assert_int_equal(result.launches, (core < 7 ? before : 0) + 10);
		assert_int_equal(result.checksum, mesh_case_checksum(core, ARGS, 59));
	}
	workload_free(workload);
	program_free(program);
}

static void run_all(const char *forward, const char *completion, const char *threads,
	enum test_pcie pcie, bool cache, bool ethernet)
{
	struct mesh_case test;

	printf("           %s, %s, %s, PCIe %d, cache %d, %s tiles\n", forward, completion, threads,
		(int)pcie, (int)cache, ethernet ? "Ethernet" : "Tensix");
	mesh_case_init(&test, 2, 2, pcie);
	test.config.sizes.l1_small_bytes = 8192;
	test.config.sizes.trace_region_bytes = 65536;
	test.cluster_config.ethernet = ethernet;
	if (ethernet) { /* one stage on each, with 256 KiB */
		test.cluster_config.dispatch_tiles = 20;
		test.limits.cache_bytes = 64 << 10;
	}
	mesh_case_choose(&test, forward, 1, completion, threads);
	test.config.host.count = 2;
	test.config.command_cache = cache;
	mesh_case_open(&test);
	workloads_run_on_every_worker(&test);
	all_layouts(&test);
	every_device_gets_its_own_shard(&test);
	events_order_the_queues(&test);
	both_queues_launch_in_turn(&test);
	mesh_case_close(&test);
}

static void run_on_tensix(const char *forward, const char *completion, const char *threads,
	enum test_pcie pcie, bool cache)
{
	run_all(forward, completion, threads, pcie, cache, false);
}

static void run_on_ethernet(const char *forward, const char *completion, const char *threads,
	enum test_pcie pcie, bool cache)
{
	run_all(forward, completion, threads, pcie, cache, true);
}

TEST(every_combination_does_its_job)
{
	mesh_case_each_combination(run_on_tensix);
}

TEST(every_combination_does_its_job_on_ethernet_tiles)
{
	mesh_case_each_combination(run_on_ethernet);
}

static void check_entry(const struct registry *registry, size_t index)
{
	const struct registry_entry *entry = registry->entry(index);

	assert_true(strlen(entry->name) > 0 && strlen(entry->description) > 10);
	assert_true(strlen(entry->section) > 0 && strlen(entry->resources) > 0);
	for (size_t i = 0; i < index; i++) {
		assert_string_not_equal(entry->name, registry->entry(i)->name);
		assert_string_not_equal(entry->description, registry->entry(i)->description);
	}
}

TEST(rows_describe_themselves)
{
	for (size_t r = 0; registry_at(r) != NULL; r++) {
		assert_non_null(registry_at(r)->entry(0));
		for (size_t i = 0; registry_at(r)->entry(i) != NULL; i++)
			check_entry(registry_at(r), i);
	}
}

TEST(rows_are_found_by_their_names)
{
	for (size_t i = 0; forward_row(i) != NULL; i++)
		assert_ptr_equal(forward_find(forward_name(i)), forward_row(i));
	for (size_t i = 0; completion_row(i) != NULL; i++)
		assert_ptr_equal(completion_find(completion_name(i)), completion_row(i));
	for (size_t i = 0; threads_row(i) != NULL; i++)
		assert_ptr_equal(threads_find(threads_name(i)), threads_row(i));
	for (size_t i = 0; ordering_row(i) != NULL; i++)
		assert_ptr_equal(ordering_find(ordering_row(i)->entry.name), ordering_row(i));
	for (size_t i = 0; go_row(i) != NULL; i++)
		assert_ptr_equal(go_find(go_name(i)), go_row(i));
	for (size_t i = 0; dispatcher_row(i) != NULL; i++)
		assert_ptr_equal(dispatcher_find(dispatcher_name(i)), dispatcher_row(i));
	for (size_t i = 0; lowering_row(i) != NULL; i++)
		assert_ptr_equal(lowering_find(lowering_name(i)), lowering_row(i));
	for (size_t i = 0; feed_row(i) != NULL; i++)
		assert_ptr_equal(feed_find(feed_name(i)), feed_row(i));
	for (size_t i = 0; packetizer_row(i) != NULL; i++)
		assert_ptr_equal(packetizer_find(packetizer_row(i)->entry.name), packetizer_row(i));
	for (size_t i = 0; route_row(i) != NULL; i++)
		assert_ptr_equal(route_find(route_name(i)), route_row(i));
	for (size_t i = 0; channels_row(i) != NULL; i++)
		assert_ptr_equal(channels_find(channels_name(i)), channels_row(i));
	for (size_t i = 0; credits_row(i) != NULL; i++)
		assert_ptr_equal(credits_find(credits_row(i)->entry.name), credits_row(i));
	for (size_t i = 0; queues_row(i) != NULL; i++)
		assert_ptr_equal(queues_find(queues_name(i)), queues_row(i));
	for (size_t i = 0; pin_row(i) != NULL; i++)
		assert_ptr_equal(pin_find(pin_name(i)), pin_row(i));
	for (size_t i = 0; readers_row(i) != NULL; i++)
		assert_ptr_equal(readers_find(readers_name(i)), readers_row(i));
	for (size_t i = 0; create_row(i) != NULL; i++)
		assert_ptr_equal(create_find(create_name(i)), create_row(i));
	for (size_t i = 0; initiators_row(i) != NULL; i++)
		assert_ptr_equal(initiators_find(initiators_name(i)), initiators_row(i));
	assert_null(forward_find("multicast"));
}

/* Checks the lists of idle keys of design choices. A key is idle for a variant of a choice if only
 * other variants of this choice use the key. So a variant must not use the keys in its list. No key
 * may be twice in a list. */
TEST(keys_are_idle_with_rows_that_do_not_have_them)
{
	const struct registry_entry *row;
	const char *key;

	for (size_t r = 0; registry_at(r) != NULL; r++)
		for (size_t i = 0; (row = registry_at(r)->entry(i)) != NULL; i++)
			for (size_t k = 0; (key = registry_idle_key(registry_at(r), row, k)); k++) {
				assert_false(registry_entry_has_key(row, key));
				for (size_t n = 0; n < k; n++)
					assert_string_not_equal(
						key, registry_idle_key(registry_at(r), row, n));
			}
}

TEST_MAIN(NULL, NULL)
