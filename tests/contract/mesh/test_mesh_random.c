/* label: full  timeout: 300
 * Runs random operations on random meshes, in the native world, and compares the results with a
 * model. If a seed fails, prints this seed. With a seed as argument, runs only this seed. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "mesh/sub_device.h"
#include "mesh_case.h"
#include "spread_scatter.h"

enum {
	SEEDS = 60,
	STEPS = 60,
	BUFFERS = 3,
	PROGRAMS = 3,
	DEVICES_MAX = 9,
	CORES = 12,
	ARGS = 5,
	READS_MAX = 64,
	OFFSET = 3 * HOST_MEMORY_ALIGN,
	COLUMNS = 4,
	LOCAL_BYTES = 128 << 10,
};

struct model_buffer {
	struct mesh_buffer *buffer;
	uint8_t *device[DEVICES_MAX]; /* the contents of each */
	uint64_t device_bytes, bytes;
};

struct model_program {
	struct program *program;
	struct workload *workload;
	struct device_range range;
	struct cores cores;
	bool runs[CORES];
};

struct pending_read {
	uint8_t *back, *expected;
	uint64_t bytes;
	struct host_memory *pinned; /* data come from OFFSET in it; or NULL */
};

struct random_case {
	struct mesh_case test;
	struct stream stream;
	struct mesh_shape shape;
	struct worker_rect sub_devices[2];
	struct model_buffer buffers[BUFFERS];
	struct model_program programs[PROGRAMS];
	uint32_t launches[DEVICES_MAX][CORES], generation[DEVICES_MAX][CORES];
	struct pending_read reads[READS_MAX];
	uint32_t read_count, queue, next_generation, divided;
};

static uint32_t below(struct random_case *random, uint32_t bound)
{
	return (uint32_t)stream_below(&random->stream, bound);
}

static struct command_queue *queue_of(struct random_case *random)
{
	return mesh_queue(random->test.mesh, random->queue);
}

static uint32_t devices(const struct random_case *random)
{
	return mesh_shape_count(random->shape);
}

/* ---- setup ---- */

/* A random row of a registry. */
static const char *any(struct random_case *random, const char *(*name)(size_t index))
{
	uint32_t count = 0;

	while (name(count) != NULL)
		count++;
	return name(below(random, count));
}

static void choose_mesh(struct random_case *random)
{
	struct mesh_case *test = &random->test;
	enum test_pcie pcie = (enum test_pcie)below(random, 3);
	uint32_t initiators;

	random->shape.rows = (uint16_t)(1 + below(random, 3));
	random->shape.columns = (uint16_t)(1 + below(random, 3));
	mesh_case_init(test, random->shape.rows, random->shape.columns, pcie);
	initiators =
		1 + below(random, pcie == TEST_PCIE_ALL ? devices(random) : random->shape.rows);
	mesh_case_choose(test, any(random, forward_name), initiators, any(random, sound_name),
		any(random, threads_name));
	test->cluster_config.dispatch_tiles = 10;
	test->config.host.count = 3;
	test->config.host.readers = readers_find(any(random, readers_name));
	if (test->config.host.readers->offloads)
		test->config.host.threads = threads_find("pool");
	test->config.host.pollers = 1 + below(random, 3);
	test->config.host.create = create_find(any(random, create_name));
	test->config.host.pool_tasks = tasks_find(any(random, tasks_name));
	test->config.host.queues = queues_find(
		test->config.host.pool_tasks->asynchronous ? "own" : any(random, queues_name));
	test->config.host.batch_devices = 1 + below(random, 4);
	test->config.forward.trace_hold = trace_hold_find(any(random, trace_hold_name));
	test->config.forward.go = go_find(any(random, go_name));
	test->config.lowering = lowering_find(any(random, lowering_name));
	test->config.forward.dispatcher = dispatcher_find(any(random, dispatcher_name));
	test->config.forward.ordering =
		test->config.forward.dispatcher->dedicated || below(random, 2)
			? ordering_find("event")
			: ordering_find("counter");
	test->config.command_cache = below(random, 2);
	test->config.sizes.config_ring_bytes = below(random, 2) ? 8192 : 0;
	test->config.sizes.completion_queue_bytes = below(random, 2) ? 16384 : 0;
	test->config.sizes.direct_run_bytes = 1 + below(random, 2000);
	test->config.host.compile = compilation_row(test->config.sizes.direct_run_bytes % 4);
	test->config.sizes.binary_page_bytes = below(random, 2) ? 16 + below(random, 3000) : 0;
	test->config.sizes.page_alignment_bytes = below(random, 2) ? 16u << below(random, 9) : 0;
	mesh_case_open(test);
}

/* Divides half of the meshes into two sub-devices of whole columns. */
static void divide(struct random_case *random)
{
	uint8_t split = (uint8_t)(1 + below(random, COLUMNS - 1)), last = CORES / COLUMNS - 1;
	struct worker_rect rects[] = {{0, 0, split - 1, last}, {split, 0, COLUMNS - 1, last}};
	struct sub_device_config each[2] = {{{.kind = CORES_RECTANGLE, .rect = rects[0]}, false},
		{{.kind = CORES_RECTANGLE, .rect = rects[1]}, false}};
	struct sub_devices_config config = {each, 2, LOCAL_BYTES};

	memcpy(random->sub_devices, rects, sizeof(rects));
	if ((random->divided = below(random, 2)))
		assert_int_equal(sub_devices_load(random->test.mesh, &config, NULL), STATUS_OK);
}

/* Chooses how each device divides its pages into shards: by rows, by columns, or by blocks of a
 * matrix of pages. There are four banks or cores. If there are more shards, the fifth shard is
 * again on the first bank or core, and so on. */
static void choose_shards(struct random_case *random, uint32_t pages, struct buffer_config *config)
{
	struct shard_parameters *shard = &config->shard;
	uint32_t wide = 1 + below(random, 6);

	*shard = (struct shard_parameters){.cores = {1, 1, 2, 2},
		.orientation = (enum orientation)below(random, 2),
		.round_robin = true};
	shard->pages_wide = pages % wide == 0 ? wide : 1;
	shard->pages_high = pages / shard->pages_wide;
	shard->shard_pages_wide = 1 + below(random, shard->pages_wide + 1);
	shard->shard_pages_high = 1 + below(random, shard->pages_high + 1);
	config->layout = LAYOUT_BLOCK_SHARDED;
	if (below(random, 2)) {
		config->layout = LAYOUT_HEIGHT_SHARDED;
		shard->shard_pages_wide = shard->pages_wide;
	} else if (below(random, 2)) {
		config->layout = LAYOUT_WIDTH_SHARDED;
		shard->shard_pages_high = shard->pages_high;
	}
}

static void make_buffer(struct random_case *random, struct model_buffer *model)
{
	uint32_t page = below(random, 2) ? 16 + below(random, 600) : 32 * (1 + below(random, 20));
	uint32_t pages = 1 + below(random, 60);
	struct buffer_config config = {.type = (enum buffer_type)below(random, 2),
		.page_bytes = page,
		.bottom_up = below(random, 2)};
	struct mesh_layout layout = {.size_bytes = (uint64_t)page * pages};

	if (config.type == BUFFER_L1)
		config.bottom_up = false; /* circular buffers are at that end */
	if (below(random, 2)) { /* shard the buffer over the mesh; each device gets `pages` rows of
				 * `page` bytes */
		layout.sharded = true;
		layout.global_height = pages * random->shape.rows;
		layout.global_width = page * random->shape.columns;
		layout.size_bytes = (uint64_t)layout.global_height * layout.global_width;
		layout.shard_height = pages;
		layout.shard_width = page;
		layout.orientation = (enum orientation)below(random, 2);
	}
	if (below(random, 2))
		choose_shards(random, pages, &config);
	if (random->divided && config.type == BUFFER_L1 && below(random, 2)) {
		config.sub_device = (uint8_t)(1 + below(random, 2));
		config.shard.cores = random->sub_devices[config.sub_device - 1];
	}
	assert_int_equal(mesh_buffer_new(random->test.mesh, &layout, &config, NULL, &model->buffer),
		STATUS_OK);
	model->bytes = mesh_buffer_bytes(model->buffer);
	model->device_bytes = mesh_buffer_device_bytes(model->buffer);
	for (uint32_t i = 0; i < devices(random); i++)
		model->device[i] = calloc(model->device_bytes, 1);
}

static struct device_range random_range(struct random_case *random)
{
	struct device_range range = device_range_all(random->shape);

	if (below(random, 2))
		return range;
	range.row0 = (uint16_t)below(random, random->shape.rows);
	range.row1 = (uint16_t)(range.row0 + below(random, random->shape.rows - range.row0));
	range.column0 = (uint16_t)below(random, random->shape.columns);
	range.column1 =
		(uint16_t)(range.column0 + below(random, random->shape.columns - range.column0));
	return range;
}

static void choose_cores(struct random_case *random, struct model_program *model)
{
	struct cores *cores = &model->cores;

	*cores = (struct cores){.kind = CORES_COUNT, .count = 1 + below(random, CORES)};
	if (random->divided)
		*cores = (struct cores){
			.kind = CORES_RECTANGLE, .rect = random->sub_devices[below(random, 2)]};
	cores->rect.row0 = (uint8_t)below(random, cores->rect.row1 + 1u);
	for (uint32_t i = 0; i < CORES; i++)
		model->runs[i] = random->divided ? i % COLUMNS >= cores->rect.column0 &&
							   i % COLUMNS <= cores->rect.column1 &&
							   i / COLUMNS >= cores->rect.row0
						 : i < cores->count;
}

static void make_program(struct random_case *random, struct model_program *model, uint32_t number)
{
	const char name[] = {(char)('0' + number), 0};

	choose_cores(random, model);
	model->program =
		mesh_case_program(&random->test, name, model->cores, 1 + below(random, 1000), ARGS);
	model->range = random_range(random);
	model->workload = workload_new(random->test.mesh);
	assert_int_equal(
		workload_add(model->workload, model->program, model->range, NULL), STATUS_OK);
}

/* ---- steps ---- */

/* Pinned memory with a copy of `data` at OFFSET. */
static struct host_memory *pin(struct random_case *random, const void *data, uint64_t bytes)
{
	struct host_memory *memory;

	assert_int_equal(
		host_memory_new(random->test.mesh, bytes + OFFSET, NULL, &memory), STATUS_OK);
	host_memory_store(memory, OFFSET, data, bytes);
	return memory;
}

/* Writes, blocking, since the caller frees the data. */
static void write_data(
	struct random_case *random, const struct model_buffer *model, const uint8_t *data)
{
	struct host_memory *memory;

	if (below(random, 2)) {
		assert_int_equal(
			enqueue_write_buffer(queue_of(random), model->buffer, data, true, 0),
			STATUS_OK);
		return;
	}
	memory = pin(random, data, model->bytes);
	assert_int_equal(
		enqueue_write_pinned(queue_of(random), model->buffer, memory, OFFSET, true, 0),
		STATUS_OK);
	host_memory_free(memory);
}

static void step_write(struct random_case *random)
{
	struct model_buffer *model = &random->buffers[below(random, BUFFERS)];
	const struct mesh_spread *spread = mesh_buffer_spread(model->buffer);
	uint8_t *data = malloc(model->bytes);

	mesh_case_fill(data, model->bytes, stream_next(&random->stream));
	write_data(random, model, data);
	for (uint32_t i = 0; i < devices(random); i++) {
		if (spread->layout.sharded)
			mesh_spread_gather(spread, i / random->shape.columns,
				i % random->shape.columns, data, model->device[i]);
		else
			memcpy(model->device[i], data, model->bytes);
	}
	free(data);
}

static void step_write_shard(struct random_case *random)
{
	struct model_buffer *model = &random->buffers[below(random, BUFFERS)];
	uint32_t device = below(random, devices(random));

	mesh_case_fill(model->device[device], model->device_bytes, stream_next(&random->stream));
	assert_int_equal(
		enqueue_write_shard(queue_of(random), model->buffer,
			(uint16_t)(device / random->shape.columns),
			(uint16_t)(device % random->shape.columns), model->device[device], true, 0),
		STATUS_OK);
}

static struct pending_read *read_new(struct random_case *random, uint64_t bytes)
{
	struct pending_read *read = &random->reads[random->read_count++];

	*read = (struct pending_read){
		.back = calloc(bytes, 1), .expected = calloc(bytes, 1), .bytes = bytes};
	return read;
}

static void check_reads(struct random_case *random)
{
	for (uint32_t i = 0; i < random->read_count; i++) {
		struct pending_read *read = &random->reads[i];

		if (read->pinned != NULL)
			assert_int_equal(
				host_memory_load(read->pinned, OFFSET, read->back, read->bytes),
				STATUS_OK);
		host_memory_free(read->pinned);
		assert_memory_equal(read->back, read->expected, read->bytes);
		free(read->back);
		free(read->expected);
	}
	random->read_count = 0;
}

static void step_read(struct random_case *random)
{
	struct model_buffer *model = &random->buffers[below(random, BUFFERS)];
	const struct mesh_spread *spread = mesh_buffer_spread(model->buffer);
	struct pending_read *read;

	if (!spread->layout.sharded || random->read_count == READS_MAX)
		return;
	read = read_new(random, model->bytes);
	for (uint32_t i = 0; i < devices(random); i++)
		spread_scatter(spread, i / random->shape.columns, i % random->shape.columns,
			model->device[i], read->expected);
	if (below(random, 2)) {
		read->pinned = pin(random, read->back, read->bytes);
		assert_int_equal(enqueue_read_pinned(queue_of(random), model->buffer, read->pinned,
					 OFFSET, below(random, 3) == 0, 0),
			STATUS_OK);
		return;
	}
	assert_int_equal(enqueue_read_buffer(queue_of(random), model->buffer, read->back,
				 below(random, 3) == 0, 0),
		STATUS_OK);
}

static void step_read_shard(struct random_case *random)
{
	struct model_buffer *model = &random->buffers[below(random, BUFFERS)];
	uint32_t device = below(random, devices(random));
	struct pending_read *read;

	if (random->read_count == READS_MAX)
		return;
	read = read_new(random, model->device_bytes);
	memcpy(read->expected, model->device[device], read->bytes);
	assert_int_equal(enqueue_read_shard(queue_of(random), model->buffer,
				 (uint16_t)(device / random->shape.columns),
				 (uint16_t)(device % random->shape.columns), read->back,
				 below(random, 3) == 0, 0),
		STATUS_OK);
}

static void step_launch(struct random_case *random)
{
	struct model_program *model = &random->programs[below(random, PROGRAMS)];
	uint32_t generation = ++random->next_generation;

	mesh_case_set_args(&random->test, model->program, model->cores, ARGS, generation);
	assert_int_equal(
		enqueue_workload(queue_of(random), model->workload, below(random, 6) == 0, 0),
		STATUS_OK);
	for (uint16_t row = model->range.row0; row <= model->range.row1; row++)
		for (uint16_t column = model->range.column0; column <= model->range.column1;
			column++) {
			uint32_t device = (uint32_t)row * random->shape.columns + column;

			for (uint32_t core = 0; core < CORES; core++) {
				if (!model->runs[core])
					continue;
				random->launches[device][core]++;
				random->generation[device][core] = generation;
			}
		}
}

/* Continues on the other queue, but only after everything in this queue is done. For this, records
 * an event on this queue. Either the other queue waits for the event, or the host does. */
static void step_switch(struct random_case *random)
{
	struct device_range all = device_range_all(random->shape);
	struct command_queue *from = queue_of(random);
	bool host = below(random, 3) == 0;
	struct mesh_event event;

	assert_int_equal(enqueue_record_event(from, all, host, 0, &event), STATUS_OK);
	random->queue ^= 1;
	if (host)
		assert_int_equal(event_synchronize(&event, DEADLINE_NEVER), STATUS_OK);
	else
		assert_int_equal(enqueue_wait_event(queue_of(random), &event, 0), STATUS_OK);
}

static void finish(struct random_case *random)
{
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(queue_finish(mesh_queue(random->test.mesh, i), 0, DEADLINE_NEVER),
			STATUS_OK);
	check_reads(random);
}

static void check_workers(struct random_case *random)
{
	for (uint32_t device = 0; device < devices(random); device++)
		for (uint32_t core = 0; core < CORES; core++) {
			struct launch_result result = mesh_case_result(&random->test, device, core);
			uint32_t generation = random->generation[device][core];

			assert_int_equal(result.launches, random->launches[device][core]);
			if (generation > 0)
				assert_int_equal(result.checksum,
					mesh_case_checksum(core, ARGS, generation));
		}
}

/* ---- a run ---- */

static void (*const steps[])(struct random_case *) = {step_write, step_write_shard, step_read,
	step_read_shard, step_read, step_read_shard, step_launch, step_launch, step_launch,
	step_switch, finish};

static void run(uint64_t seed)
{
	struct random_case *random = calloc(1, sizeof(*random));

	stream_init(&random->stream, seed, "test/mesh");
	choose_mesh(random);
	divide(random);
	for (uint32_t i = 0; i < BUFFERS; i++)
		make_buffer(random, &random->buffers[i]);
	for (uint32_t i = 0; i < PROGRAMS; i++)
		make_program(random, &random->programs[i], i);
	for (uint32_t i = 0; i < BUFFERS; i++) { /* the initial contents of memory are undefined */
		struct model_buffer *model = &random->buffers[i];

		for (uint32_t device = 0; device < devices(random); device++)
			assert_int_equal(enqueue_write_shard(queue_of(random), model->buffer,
						 (uint16_t)(device / random->shape.columns),
						 (uint16_t)(device % random->shape.columns),
						 model->device[device], true, 0),
				STATUS_OK);
	}
	for (uint32_t i = 0; i < STEPS; i++)
		steps[below(random, sizeof(steps) / sizeof(steps[0]))](random);
	finish(random);
	check_workers(random);
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		workload_free(random->programs[i].workload);
		program_free(random->programs[i].program);
	}
	for (uint32_t i = 0; i < BUFFERS; i++) {
		mesh_buffer_free(random->buffers[i].buffer);
		for (uint32_t device = 0; device < devices(random); device++)
			free(random->buffers[i].device[device]);
	}
	mesh_case_close(&random->test);
	free(random);
}

static uint64_t first_seed = 1, last_seed = SEEDS;

TEST(random_operations_agree_with_the_model)
{
	for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
		printf("           seed %llu\n", (unsigned long long)seed);
		fflush(stdout);
		run(seed);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		first_seed = last_seed = strtoull(argv[1], NULL, 10);
	return TEST_RUN(NULL, NULL);
}
