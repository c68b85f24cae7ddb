/* timeout: 300
 * Tests features that only a distributed device has, in the native world: events of which only
 * executors are notified, shards that each executor loads itself, and system memory of which each
 * host has a copy. Also tests the errors for features that only a device on a single host has. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hosts_case.h"

enum { BYTES = 1 << 14, LOADS_MAX = 64 };

static const struct hosts_choice choice = {.transport = "unix",
	.codec = "packed",
	.resolution = "mixed",
	.pipeline = "stages",
	.executor_threads = true,
	.hosts = 2,
	.axis = HOSTS_IN_COLUMNS,
	.rows = 2,
	.columns = 4};

static struct hosts_case hosts;
static const struct handle_ops *ops;

static const struct mesh_layout shards = {.sharded = true,
	.size_bytes = BYTES,
	.global_height = 8,
	.global_width = BYTES / 8,
	.shard_height = 4,
	.shard_width = BYTES / 8 / 4};

static struct handle_buffer *buffer_new(void)
{
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	struct handle_buffer *buffer;

	check_status(ops->buffer_new(hosts.handle, &shards, &config, NULL, &buffer), STATUS_OK);
	return buffer;
}

/* ---- loading ---- */

/* What an executor has loaded. */
struct store {
	uint8_t data[BYTES];
	uint64_t loaded;
};

static enum status load(void *context, const char *name, uint64_t offset, uint64_t bytes,
	void *data, struct text *why)
{
	struct store *store = context;

	if (strcmp(name, "weights") != 0) {
		text_printf(why, "no tensor %s", name);
		return STATUS_NOT_FOUND;
	}
	check(offset + bytes <= BYTES, "%llu B at %llu", (unsigned long long)bytes,
		(unsigned long long)offset);
	memcpy(data, store->data + offset, bytes);
	store->loaded += bytes;
	return STATUS_OK;
}

TEST(each_executor_loads_its_own_shards)
{
	const struct handle_call later = {.queue = 0}, now = {.queue = 0, .blocking = true};
	static struct store stores[2];
	static uint8_t back[BYTES];
	struct handle_buffer *buffer;

	hosts_case_init(&hosts, choice);
	for (uint32_t i = 0; i < 2; i++) {
		mesh_case_fill(stores[i].data, BYTES, 8);
		hosts.executors[i].settings.loader = (struct shard_loader){&stores[i], load};
	}
	hosts_case_open(&hosts);
	ops = hosts.handle->ops;
	buffer = buffer_new();
	check_status(distributed_load(hosts.handle, later, buffer, "weights"), STATUS_OK);
	check_status(ops->read(hosts.handle, now, buffer, back), STATUS_OK);
	check(memcmp(back, stores[0].data, BYTES) == 0, "other bytes than were loaded");
	check_equal(stores[0].loaded, BYTES / 2);
	check_equal(stores[1].loaded, BYTES / 2);
	check_status(distributed_load(hosts.handle, now, buffer, "noise"), STATUS_NOT_FOUND);
	check(strstr(controller_why(hosts.controller), "no tensor noise"), "%s",
		controller_why(hosts.controller));
	ops->buffer_free(buffer);
	hosts_case_close(&hosts, STATUS_OK);
}

/* ---- events ---- */

TEST(executors_wait_for_an_event_without_the_controller)
{
	const struct handle_call first = {.queue = 0}, second = {.queue = 1},
				 now = {.queue = 1, .blocking = true};
	static uint8_t data[BYTES], back[BYTES];
	struct device_range all;
	struct handle_buffer *buffer;
	struct handle_event event;

	hosts_case_init(&hosts, choice);
	hosts_case_open(&hosts);
	ops = hosts.handle->ops;
	all = device_range_all(ops->shape(hosts.handle));
	buffer = buffer_new();
	mesh_case_fill(data, BYTES, 4);
	check_status(ops->write(hosts.handle, first, buffer, data), STATUS_OK);
	check_status(distributed_record_to_executors(hosts.handle, first, all, &event), STATUS_OK);
	/* executors have waited for the event, so reads through any queue come after it */
	check_status(distributed_synchronize_executors(hosts.handle, &event), STATUS_OK);
	check_status(ops->read(hosts.handle, now, buffer, back), STATUS_OK);
	check(memcmp(back, data, BYTES) == 0, "what was written before has not been read");
	check_status(ops->synchronize(hosts.handle, &event, DEADLINE_NEVER), STATUS_INVALID);
	check_status(ops->wait(hosts.handle, second, &event), STATUS_OK);
	check_status(ops->finish(hosts.handle, 1, 0, DEADLINE_NEVER), STATUS_OK);
	ops->buffer_free(buffer);
	hosts_case_close(&hosts, STATUS_OK);
}

TEST(a_deadline_that_passes_is_no_fault)
{
	const struct handle_call first = {.queue = 0};
	struct kernel_config kernel = {.cores = {.kind = CORES_ALL}, .bytes = 64, .cycles = 10};
	struct device_range all;
	struct handle_event event;
	struct program *program;
	struct workload *workload;
	uint32_t index;

	hosts_case_init(&hosts, choice);
	hosts_case_open(&hosts);
	ops = hosts.handle->ops;
	all = device_range_all(ops->shape(hosts.handle));
	program = ops->program_new(hosts.handle, "late");
	workload = ops->workload_new(hosts.handle);
	check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	check_status(workload_add(workload, program, all, NULL), STATUS_OK);
	check_status(ops->run(hosts.handle, first, workload), STATUS_OK);
	check_status(ops->record(hosts.handle, first, all, true, &event), STATUS_OK);
	(void)ops->synchronize(hosts.handle, &event, world->now_ns());
	check_status(ops->synchronize(hosts.handle, &event, DEADLINE_NEVER), STATUS_OK);
	check_status(ops->synchronize(hosts.handle, &event, DEADLINE_NEVER), STATUS_OK);
	check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), STATUS_OK);
	ops->workload_free(hosts.handle, workload);
	ops->program_free(hosts.handle, program);
	hosts_case_close(&hosts, STATUS_OK);
}

/* ---- inspection ---- */

/* Runs a program twice on all devices of all hosts, then asks executors for the results. */
TEST(what_devices_count_and_keep_is_asked_of_their_hosts)
{
	const struct handle_call now = {.queue = 1, .blocking = true};
	struct kernel_config kernel = {.cores = {.kind = CORES_ALL}, .bytes = 64, .cycles = 10};
	struct launch_result result;
	struct mesh_counters counters;
	struct program *program;
	struct mesh_shape shape;
	uint32_t index;

	hosts_case_init(&hosts, choice);
	hosts_case_open(&hosts);
	ops = hosts.handle->ops;
	shape = ops->shape(hosts.handle);
	program = ops->program_new(hosts.handle, "alone");
	check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	check_status(ops->run_program(hosts.handle, now, program), STATUS_OK);
	ops->counters(hosts.handle, &counters);
	index = (uint32_t)counters.doorbells;
	check_less(0, index);
	check_status(ops->run_program(hosts.handle, now, program), STATUS_OK);
	check_status(ops->rest(hosts.handle, DEADLINE_NEVER), STATUS_OK);
	ops->counters(hosts.handle, &counters);
	check_less(index, counters.doorbells);
	for (uint16_t i = 0; i < mesh_shape_count(shape); i++) {
		check_status(ops->core_result(hosts.handle, i / shape.columns, i % shape.columns, 3,
				     &result),
			STATUS_OK);
		check_equal(result.launches, 2);
	}
	check_status(ops->core_result(hosts.handle, 0, 0, 5000, &result), STATUS_OUT_OF_RANGE);
	check_status(
		ops->core_result(hosts.handle, shape.rows, 0, 0, &result), STATUS_OUT_OF_RANGE);
	check_equal(ops->limits(hosts.handle)->worker_columns,
		ops->geometry(hosts.handle)->worker_columns);
	check_less(0, ops->memory_usage(hosts.handle, BUFFER_DRAM).free_bytes);
	check_less(
		ops->resources(hosts.handle)->workers, ops->resources(hosts.handle)->total_tiles);
	ops->program_free(hosts.handle, program);
	hosts_case_close(&hosts, STATUS_OK);
}

/* ---- system memory ---- */

static void open_with_system_memory(uint64_t bytes)
{
	hosts_case_init(&hosts, choice);
	hosts.one.config.sizes.system_memory_bytes = bytes;
	hosts_case_open(&hosts);
	ops = hosts.handle->ops;
}

TEST(a_buffer_in_system_memory_is_read_as_it_was_written_last)
{
	const struct handle_call later = {.queue = 0}, now = {.queue = 0, .blocking = true};
	const struct mesh_layout whole = {.size_bytes = BYTES};
	const struct buffer_config config = {.type = BUFFER_SYSTEM, .page_bytes = 256};
	static uint8_t data[2][BYTES], back[2][BYTES];
	struct handle_buffer *buffers[2];

	open_with_system_memory(2 * BYTES);
	for (int i = 0; i < 2; i++) {
		check_status(ops->buffer_new(hosts.handle, &whole, &config, NULL, &buffers[i]),
			STATUS_OK);
		mesh_case_fill(data[i], BYTES, (uint32_t)i + 4);
		check_status(ops->write(hosts.handle, later, buffers[i], data[1 - i]), STATUS_OK);
		check_status(
			ops->write(hosts.handle, i ? now : later, buffers[i], data[i]), STATUS_OK);
	}
	check_equal(ops->memory_usage(hosts.handle, BUFFER_SYSTEM).free_bytes, 0);
	check_status(ops->read(hosts.handle, later, buffers[0], back[0]), STATUS_OK);
	check_status(ops->read(hosts.handle, now, buffers[1], back[1]), STATUS_OK);
	check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), STATUS_OK);
	for (int i = 0; i < 2; i++) {
		check(memcmp(back[i], data[i], BYTES) == 0, "other bytes in buffer %d", i);
		ops->buffer_free(buffers[i]);
	}
	hosts_case_close(&hosts, STATUS_OK);
}

TEST(system_memory_takes_no_shards_no_single_devices_and_no_traces)
{
	const struct handle_call now = {.queue = 0, .blocking = true}, later = {.queue = 0};
	const struct mesh_layout whole = {.size_bytes = BYTES};
	const struct buffer_config config = {.type = BUFFER_SYSTEM, .page_bytes = 256};
	static uint8_t data[BYTES];
	struct handle_buffer *buffer, *refused;
	struct handle_trace *trace;

	open_with_system_memory(BYTES);
	check_status(
		ops->buffer_new(hosts.handle, &shards, &config, NULL, &refused), STATUS_INVALID);
	check_status(ops->buffer_new(hosts.handle, &whole, &config, NULL, &buffer), STATUS_OK);
	check_status(
		ops->buffer_new(hosts.handle, &whole, &config, NULL, &refused), STATUS_NO_SPACE);
	check_status(ops->write_shard(hosts.handle, now, buffer, 0, 1, data), STATUS_UNSUPPORTED);
	check_status(ops->read_shard(hosts.handle, now, buffer, 0, 1, data), STATUS_UNSUPPORTED);
	check_status(ops->trace_begin(hosts.handle, 0, NULL), STATUS_OK);
	check_status(ops->write(hosts.handle, later, buffer, data), STATUS_UNSUPPORTED);
	check_status(ops->read(hosts.handle, later, buffer, data), STATUS_UNSUPPORTED);
	(void)ops->trace_end(hosts.handle, 0, NULL, &trace);
	check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), STATUS_OK);
	ops->trace_free(trace);
	ops->buffer_free(buffer);
	hosts_case_close(&hosts, STATUS_OK);
}

/* ---- refusals ---- */

TEST(what_one_host_alone_has_is_refused)
{
	const struct handle_call now = {.queue = 0, .blocking = true};
	const struct buffer_config trace_region = {.type = BUFFER_TRACE, .page_bytes = 256};
	static uint8_t back[BYTES];
	struct host_memory *memory;
	struct handle_buffer *buffer, *refused;
	struct handle_trace *trace;
	struct text why = {0};

	hosts_case_init(&hosts, choice);
	hosts_case_open(&hosts);
	ops = hosts.handle->ops;
	buffer = buffer_new();
	check_status(ops->host_memory_new(hosts.handle, BYTES, &why, &memory), STATUS_UNSUPPORTED);
	check(why.length > 0, "no sentence");
	check_status(ops->write_pinned(hosts.handle, now, buffer, NULL, 0), STATUS_UNSUPPORTED);
	check_status(ops->buffer_new(hosts.handle, &shards, &trace_region, NULL, &refused),
		STATUS_UNSUPPORTED);
	check_status(ops->trace_begin(hosts.handle, 0, NULL), STATUS_OK);
	check_status(ops->trace_begin(hosts.handle, 0, NULL), STATUS_EXISTS);
	check_status(ops->read(hosts.handle, now, buffer, back), STATUS_INVALID);
	check_status(ops->trace_end(hosts.handle, 0, NULL, &trace), STATUS_INVALID);
	check_status(ops->trace_end(hosts.handle, 0, NULL, &trace), STATUS_INVALID);
	check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), STATUS_OK);
	text_fini(&why);
	ops->buffer_free(buffer);
	hosts_case_close(&hosts, STATUS_OK);
}

/* The part of the buffer on each device has 3 GiB, and may be as large as the DRAM. One command
 * cannot carry so much data, and the size of the whole buffer (24 GiB) does not fit into 32 bits.
 */
TEST(a_part_of_a_device_may_exceed_1_gib)
{
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1 << 16};
	struct mesh_layout layout = {.size_bytes = UINT64_C(3) << 30};
	struct handle_buffer *replicated, *divided;

	hosts_case_init(&hosts, choice);
	hosts_case_open(&hosts);
	ops = hosts.handle->ops;
	check_status(ops->buffer_new(hosts.handle, &layout, &config, NULL, &replicated), STATUS_OK);
	check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), STATUS_OK);
	ops->buffer_free(replicated);
	layout = (struct mesh_layout){.sharded = true,
		.size_bytes = UINT64_C(24) << 30,
		.global_height = 2,
		.global_width = UINT64_C(12) << 30,
		.shard_height = 1,
		.shard_width = UINT64_C(3) << 30};
	check_status(ops->buffer_new(hosts.handle, &layout, &config, NULL, &divided), STATUS_OK);
	check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), STATUS_OK);
	ops->buffer_free(divided);
	layout = (struct mesh_layout){.size_bytes = UINT64_C(5) << 30};
	check_status(
		ops->buffer_new(hosts.handle, &layout, &config, NULL, &divided), STATUS_NO_SPACE);
	hosts_case_close(&hosts, STATUS_OK);
}

TEST_MAIN(NULL, NULL)
