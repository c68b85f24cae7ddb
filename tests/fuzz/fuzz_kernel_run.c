/* label: full, timeout: 600
 * Fuzzes kernels: runs any input as the text of a kernel on an emulated core. Within its budget,
 * the kernel must end, halt on a fault, or wait. The emulator ends the process if the kernel
 * accesses an address outside a tile's memory. The runtime's own data in the core's L1 must not
 * change. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "command/kernel_program.h"
#include "firmware/worker/worker.h"
#include "test_cluster.h"
#include "world/native/native.h"
#include "world/world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	GO_WORD = 0x10,
	RESULT_WORDS = 0x20,
	PROCESSOR_WORDS = 0x100,
	SEMAPHORE_WORDS = 0x400,
	LAUNCH_RING = 0x8000,
	CONFIG = 0x10000,
	KERNELS = 0x20000,
	DATA = 0x80000,
	WORD_BYTES = 16 << 10, /* test_cluster.c */
	TEXT_MAX = 4096,
	RUNS_OF_A_CLUSTER = 1000,
	STEPS_MAX = 1 << 20,
	STAGES = PROCESSOR_COUNT + 1,
};

static struct cluster_info *info;
static struct cluster *cluster; /* replaced from time to time, since it keeps what kernels write */
static const struct chip_geometry *geometry;
static struct firmware *firmware;

static void report(void *context, const struct firmware_fault *fault)
{
	(void)context;
	ensure(strncmp(fault->detail, "halted: ", 8) == 0, "a fault says '%s'", fault->detail);
}

static void start(void)
{
	static const struct test_cluster one = {
		.rows = 1, .columns = 1, .worker_columns = 2, .worker_rows = 1};
	static struct firmware_costs costs;
	static struct firmware_limits limits;
	static const struct firmware_faults faults = {NULL, report, NULL};
	double *cost = (double *)&costs;

	for (size_t i = 0; i < sizeof costs / sizeof *cost; i++)
		cost[i] = 1;
	firmware_limits_plain(&limits);
	limits.kernel_instructions = 20; /* thousands */
	world = &native_world;
	device_row = &native_device;
	native_world_start(NULL);
	info = test_cluster_info_new(&one);
	firmware = firmware_new(&costs, &limits, &faults);
}

/* Writes the L1 contents for the launch: the runtime's data, and data for the kernel to read. */
static void lay_out(struct stage *worker, enum processor processor, const uint8_t *text,
	uint32_t bytes, uint8_t *image, uint32_t *image_bytes)
{
	const struct circular_buffer buffer = {DATA, 2, 2048};
	struct launch_sizes sizes = {.common_bytes = 16, .unique_bytes = 4, .circular_buffers = 1};
	struct launch_message message = {
		.program = 1, .config_base = CONFIG, .kernel_base = KERNELS};
	struct kernel kernel = {.processor = processor,
		.flags = KERNEL_PROGRAM,
		.steps = 1,
		.text = text,
		.text_bytes = bytes};
	uint8_t config[512] = {0}, launch[LAUNCH_BYTES];

	launch_lay_out(&sizes, &message);
	bytes_put32(config + message.common_offset, DATA);
	bytes_put32(config + message.common_offset + 4, geometry->worker_tiles[0]);
	bytes_put32(config + message.common_offset + 8, geometry->dram_tiles[0]);
	circular_buffer_encode(&buffer, config + message.circular_buffer_offset);
	*image_bytes = kernel_image_bytes(&kernel, 1);
	kernel_image_write(&kernel, 1, 1, image, &message);
	launch_encode(&message, launch);
	device_row->store(worker, CONFIG, config, sizeof config);
	device_row->store(worker, KERNELS, image, *image_bytes);
	device_row->store(worker, LAUNCH_RING, launch, sizeof launch);
}

/* Runs the stages in turn until none of them has work. */
static void run(struct stage *const *stages)
{
	uint32_t steps = 0;
	bool goes_on = true;

	while (goes_on) {
		goes_on = false;
		for (uint32_t i = 0; i < STAGES; i++) {
			struct stage_wait wait = {0};

			if (stages[i]->ops->begin(stages[i], &wait) < 0)
				continue;
			stages[i]->ops->commit(stages[i]);
			goes_on = true;
			ensure(steps++ < STEPS_MAX, "a kernel of %u steps", steps);
		}
	}
}

static void run_on(enum processor processor, const uint8_t *text, uint32_t bytes)
{
	static uint8_t image[TEXT_MAX + 256], after[TEXT_MAX + 256];
	static const uint8_t zeros[4 << 10];
	const struct worker_group_config config = {.device = device_row->chip(cluster, 0),
		.words = {GO_WORD, RESULT_WORDS, PROCESSOR_WORDS, SEMAPHORE_WORDS},
		.data_base = DATA,
		.launch_ring = LAUNCH_RING};
	struct worker_group *group = worker_group_new(firmware, &config, geometry->worker_tiles, 2);
	struct stage *worker = worker_group_stage(group, 0), *stages[STAGES] = {worker};
	uint32_t image_bytes,
		go = go_encode((struct go){.run = 1, .tile = (uint8_t)geometry->dispatch_tiles[0]});

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		stages[i + 1] = worker_processor_make(group, 0, (enum processor)i);
	for (uint32_t address = 0; address < WORD_BYTES; address += 4)
		if (device_row->word(worker, address) != 0)
			device_row->set_word(worker, address, 0);
	device_row->store(worker, DATA, zeros, sizeof zeros); /* data of the previous kernel */
	run(stages); /* processors register on their first poll */
	lay_out(worker, processor, text, bytes, image, &image_bytes);
	device_row->set_word(worker, GO_WORD, go);
	run(stages);
	ensure(device_row->word(worker, GO_WORD) == go, "the go word changed");
	ensure(device_row->load(worker, KERNELS, image_bytes, after) == STATUS_OK &&
			memcmp(after, image, image_bytes) == 0,
		"the text changed");
	worker_group_free(group);
}

/* The last byte selects the processor. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t runs;
	uint32_t bytes = (uint32_t)size / KERNEL_INSTRUCTION_BYTES * KERNEL_INSTRUCTION_BYTES;

	if (firmware == NULL)
		start();
	if (runs++ % RUNS_OF_A_CLUSTER == 0) {
		native_cluster_free(cluster);
		cluster = native_cluster_new(info);
		geometry = info->chips[0].geometry;
	}
	if (bytes > 0 && bytes <= TEXT_MAX)
		run_on((enum processor)(data[size - 1] % PROCESSOR_COUNT), data, bytes);
	return 0;
}
