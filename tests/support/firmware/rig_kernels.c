/* Launches of kernels with instructions (see rig_kernels.h). */
#include "rig_kernels.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig_private.h"

static uint32_t worker_count(const struct rig_chip *chip)
{
	return worker_rect_count(rig_all_workers(chip));
}

void rig_start_processors(const struct rig_chip *chip)
{
	for (uint32_t i = 0; i < worker_count(chip); i++)
		for (int k = 0; k < PROCESSOR_COUNT; k++)
			device_row->stage_start(chip->device,
				worker_processor_make(chip->workers, i, (enum processor)k));
}

static uint32_t make_kernels(const struct rig_launch *launch, struct kernel *kernels)
{
	uint32_t count = 0;

	for (int i = 0; i < PROCESSOR_COUNT; i++) {
		struct kernel kernel = {
			.processor = (enum processor)i, .steps = 1, .cycles = launch->filler[i]};

		if (launch->text[i] == NULL && launch->filler[i] == 0)
			continue;
		if (launch->text[i] != NULL) {
			kernel.flags = KERNEL_PROGRAM;
			kernel.text = launch->text[i]->bytes;
			kernel.text_bytes = launch->text[i]->length;
		}
		kernels[count++] = kernel;
	}
	return count;
}

static void append_kernels(struct command_stream *stream, const struct rig_chip *chip,
	const struct rig_launch *launch, struct launch_message *message)
{
	struct kernel kernels[PROCESSOR_COUNT];
	uint32_t count = make_kernels(launch, kernels);
	uint32_t length = kernel_image_bytes(kernels, count);
	uint8_t *image = malloc(length);

	kernel_image_write(kernels, count, launch->id, image, message);
	rig_append_multicast(stream, chip, message->kernel_base, image, length);
	free(image);
}

/* Appends a write that gives each worker its own number. */
static void append_numbers(
	struct command_stream *stream, const struct rig_chip *chip, uint32_t address)
{
	uint32_t count = worker_count(chip);
	struct dispatch_command write = {
		.kind = DISPATCH_WRITE_PACKED,
		.write_packed = {.count = (uint16_t)count,
			.address = address,
			.stride = COMMAND_ALIGN},
	};
	uint8_t bytes[COMMAND_ALIGN] = {0};

	command_stream_dispatch(stream, &write);
	for (uint32_t i = 0; i < count; i++) {
		bytes_put16(bytes, chip->geometry->worker_tiles[i]);
		command_stream_bytes(stream, bytes, 2);
	}
	command_stream_pad(stream);
	for (uint32_t i = 0; i < count; i++) {
		bytes_put32(bytes, i);
		command_stream_bytes(stream, bytes, sizeof bytes);
	}
}

static void append_configuration(struct command_stream *stream, const struct rig_chip *chip,
	const struct rig_launch *launch, const struct launch_message *message)
{
	uint8_t bytes[512] = {0}, words[SEMAPHORES_MAX * 4];
	uint32_t slot = (message->config_base - RIG_CONFIG) / 0x1000;

	for (uint32_t i = 0; i < launch->common_count; i++)
		bytes_put32(bytes + message->common_offset + 4 * i, launch->common[i]);
	for (uint32_t i = 0; i < launch->buffer_count; i++)
		circular_buffer_encode(&launch->buffers[i],
			bytes + message->circular_buffer_offset + i * CIRCULAR_BUFFER_BYTES);
	if (message->unique_offset > 0)
		rig_append_multicast(
			stream, chip, message->config_base, bytes, message->unique_offset);
	append_numbers(stream, chip, message->config_base + message->unique_offset);
	for (uint32_t i = 0; i < launch->semaphore_count; i++)
		bytes_put32(words + 4 * i, launch->semaphores[i]);
	if (launch->semaphore_count > 0)
		rig_append_multicast(stream, chip, RIG_SEMAPHORE_WORDS + slot * SEMAPHORES_MAX * 4,
			words, 4 * launch->semaphore_count);
}

void rig_append_launch(struct command_stream *stream, const struct rig_chip *chip,
	const struct rig_launch *launch, uint8_t slot)
{
	struct launch_sizes sizes = {.common_bytes = 4 * launch->common_count,
		.unique_bytes = 4,
		.circular_buffers = (uint8_t)launch->buffer_count};
	struct launch_message message = {.program = launch->id,
		.config_base = RIG_CONFIG + slot * 0x1000u,
		.kernel_base = RIG_KERNELS + slot * 0x4000u};
	struct dispatch_command wait = {.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS};
	struct dispatch_command go = {
		.kind = DISPATCH_GO, .go = {.slot = slot, .rect = rig_all_workers(chip)}};
	uint8_t bytes[LAUNCH_BYTES];

	launch_lay_out(&sizes, &message);
	append_configuration(stream, chip, launch, &message);
	append_kernels(stream, chip, launch, &message);
	launch_encode(&message, bytes);
	rig_append_multicast(
		stream, chip, RIG_LAUNCH_RING + slot * (uint32_t)LAUNCH_BYTES, bytes, sizeof bytes);
	wait.flags |= DISPATCH_BARRIER;
	command_stream_dispatch(stream, &wait);
	command_stream_dispatch(stream, &go);
}

static const struct firmware_fault *fault_of(
	const struct rig *rig, const char *stage, uint16_t tile)
{
	uint32_t count = __atomic_load_n(&rig->fault_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < count && i < RIG_FAULTS; i++)
		if (strcmp(rig->faults[i].stage, stage) == 0 && rig->faults[i].tile == tile)
			return &rig->faults[i];
	return NULL;
}

void rig_check_program_fault(
	struct rig *rig, const char *stage, uint16_t tile, uint32_t instruction, const char *detail)
{
	int64_t deadline_ns = world->now_ns() + RIG_PATIENCE_NS;
	const struct firmware_fault *fault;

	while (fault_of(rig, stage, tile) == NULL && world->now_ns() < deadline_ns)
		world->sleep_until(world->now_ns() + 1000000);
	fault = fault_of(rig, stage, tile);
	check(fault != NULL, "no fault of %s on tile %u", stage, tile);
	check(fault->kind == FAULT_PROGRAM, "fault is %s: %s", fault_kind_name(fault->kind),
		fault->detail);
	check(strcmp(fault->detail + strlen("halted: "), detail) == 0,
		"%s halted with '%s', expected '%s'", stage, fault->detail, detail);
	check(fault->instruction == instruction, "%s halted at instruction %u, expected %u: %s",
		stage, fault->instruction, instruction, detail);
}
