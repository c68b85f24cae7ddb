/* Streams of commands for rigs, and functions that examine what the commands have done. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig_private.h"

/* Writes bytes [offset, offset + length) of the stream to `address`. */
static void stream_write(struct issue_queue *queue, const struct command_stream *stream,
	uint32_t offset, uint32_t length, uint64_t address, uint32_t *piece)
{
	while (length > 0) {
		const struct command_piece *from = &stream->pieces[*piece];
		uint32_t at = (uint32_t)(offset - from->offset), part = from->span.length - at;

		if (part > length)
			part = length;
		if (part > 0)
			issue_queue_write(
				queue, address, span_part(from->span, at, part), from->from);
		offset += part;
		address += part;
		length -= part;
		if (at + part == from->span.length)
			(*piece)++;
	}
}

void rig_submit(struct issue_queue *queue, struct command_stream *stream)
{
	const struct rig *rig = rig_init(NULL);
	uint32_t most = rig->limits.fetch_entry_bytes, operation = stream->operation;
	uint32_t number = 0, piece = 0, part;

	while (rig->queues[number] != queue)
		number++;
	command_stream_finish(stream);
	for (uint32_t offset = 0; offset < stream->bytes; offset += part) {
		bool last = stream->bytes - offset <= most;
		uint64_t address;

		part = last ? (uint32_t)(stream->bytes - offset) : most;
		check_status(issue_queue_reserve(
				     queue, part, world->now_ns() + RIG_PATIENCE_NS, &address),
			STATUS_OK);
		stream_write(queue, stream, offset, part, address, &piece);
		if (last && operation != 0)
			world->mark(operation, MARK_COPIED, rig->queue_chips[number]);
		issue_queue_post(queue, operation, last && operation != 0);
	}
	if (operation != 0)
		world->mark(operation, MARK_DOORBELL, rig->queue_chips[number]);
	command_stream_fini(stream);
}

uint32_t rig_route_open(struct command_stream *stream, uint16_t tree, struct grid_rect rect)
{
	struct prefetch_command command = {.kind = PREFETCH_ROUTE,
		.route = {.tree = tree, .rect = rect, .length = COMMAND_ALIGN}};

	return (uint32_t)command_stream_prefetch(stream, &command);
}

void rig_route_close(struct command_stream *stream, uint32_t route)
{
	command_stream_break(stream);
	command_stream_patch_word(
		stream, route + 4, (uint32_t)(stream->bytes - route - COMMAND_BYTES));
}

struct rig_chip *rig_start_local(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);

	rig_start(rig);
	return rig_local(rig, 0);
}

void rig_wait_event(const struct rig_chip *chip, uint32_t event)
{
	check_status(device_row->window_wait(chip->rig->cluster, chip->event_slot, event,
			     world->now_ns() + RIG_PATIENCE_NS, WAIT_SPIN, "an event"),
		STATUS_OK);
}

struct completion_record rig_next_record(const struct rig_chip *chip)
{
	struct completion_record record;

	check_status(
		completion_queue_next(chip->completion, world->now_ns() + RIG_PATIENCE_NS, &record),
		STATUS_OK);
	return record;
}

void rig_run(const struct rig_chip *chip, struct command_stream *stream, uint32_t event)
{
	rig_append_event(stream, event, true);
	rig_submit(chip->issue, stream);
	rig_wait_event(chip, event);
	rig_drain(chip->rig);
}

void rig_drain(struct rig *rig)
{
	check_status(device_row->drain(rig->cluster, world->now_ns() + RIG_PATIENCE_NS), STATUS_OK);
	for (uint32_t i = 0; i < rig->fault_count && i < RIG_FAULTS; i++)
		check(false, "fault %s of %s on chip %u: %s", fault_kind_name(rig->faults[i].kind),
			rig->faults[i].stage, rig->faults[i].chip, rig->faults[i].detail);
}

void rig_inspect(
	const struct rig_chip *chip, uint16_t tile, uint32_t address, uint32_t length, void *out)
{
	check_status(device_row->inspect(chip->device, tile, address, length, out), STATUS_OK);
}

uint32_t rig_inspect_word(const struct rig_chip *chip, uint16_t tile, uint32_t address)
{
	uint8_t bytes[4];

	rig_inspect(chip, tile, address, sizeof(bytes), bytes);
	return bytes_get32(bytes);
}

struct launch_result rig_result(const struct rig_chip *chip, uint32_t worker)
{
	uint8_t bytes[LAUNCH_RESULT_BYTES];
	struct launch_result result;

	rig_inspect(
		chip, chip->geometry->worker_tiles[worker], RIG_RESULT_WORDS, sizeof(bytes), bytes);
	launch_result_decode(bytes, &result);
	return result;
}

/* ---- bytes ---- */

void rig_fill(void *bytes, uint32_t length, uint32_t seed)
{
	uint8_t *out = bytes;
	uint32_t state = seed * 2654435761u + 1;

	for (uint32_t i = 0; i < length; i++) {
		state = state * 1664525u + 1013904223u;
		out[i] = (uint8_t)(state >> 24);
	}
}

void rig_check_bytes(const struct rig_chip *chip, uint16_t tile, uint32_t address, uint32_t length,
	uint32_t seed)
{
	uint8_t *seen = malloc(length), *expected = malloc(length);

	rig_inspect(chip, tile, address, length, seen);
	rig_fill(expected, length, seed);
	for (uint32_t i = 0; i < length; i++)
		check(seen[i] == expected[i], "chip %u, tile %u: byte %u is %02x, expected %02x",
			chip->chip, tile, i, seen[i], expected[i]);
	free(expected);
	free(seen);
}

void rig_append_write(struct command_stream *stream, uint16_t tile, uint32_t address,
	uint32_t length, uint32_t seed)
{
	struct dispatch_command write = {
		.kind = DISPATCH_WRITE_LINEAR,
		.write_linear = {.tile = tile, .address = address, .length = length},
	};
	struct extent *extent = extent_new(length);

	rig_fill(extent->bytes, length, seed);
	command_stream_dispatch(stream, &write);
	command_stream_data(stream, span_of(extent), MEMORY_CACHED);
	extent_release(extent);
}

/* ---- programs ---- */

struct worker_rect rig_all_workers(const struct rig_chip *chip)
{
	return (struct worker_rect){0, 0, (uint8_t)(chip->geometry->worker_columns - 1),
		(uint8_t)(chip->geometry->worker_rows - 1)};
}

static uint32_t worker_count(const struct rig_chip *chip)
{
	return worker_rect_count(rig_all_workers(chip));
}

void rig_append_multicast(struct command_stream *stream, const struct rig_chip *chip,
	uint32_t address, const void *bytes, uint32_t length)
{
	struct dispatch_command write = {
		.kind = DISPATCH_WRITE_MULTICAST,
		.write_multicast = {.rect = rig_all_workers(chip),
			.address = address,
			.length = length},
	};

	command_stream_dispatch(stream, &write);
	command_stream_bytes(stream, bytes, length);
}

static void append_unique(struct command_stream *stream, const struct rig_chip *chip,
	const struct rig_program *program, uint32_t address)
{
	uint32_t count = worker_count(chip), length = 4 * program->unique_args;
	uint32_t stride = command_padded(length);
	struct dispatch_command write = {
		.kind = DISPATCH_WRITE_PACKED,
		.write_packed = {.count = (uint16_t)count, .address = address, .stride = stride},
	};
	uint8_t *bytes = calloc(1, stride), tile[2];

	command_stream_dispatch(stream, &write);
	for (uint32_t i = 0; i < count; i++) {
		bytes_put16(tile, chip->geometry->worker_tiles[i]);
		command_stream_bytes(stream, tile, sizeof(tile));
	}
	command_stream_pad(stream);
	for (uint32_t i = 0; i < count; i++) {
		rig_fill(bytes, length, program->seed + i);
		command_stream_bytes(stream, bytes, stride);
	}
	free(bytes);
}

static void make_kernels(const struct rig_program *program, struct kernel *kernels)
{
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		kernels[i] = (struct kernel){
			.processor = (enum processor)i,
			.flags = i == PROCESSOR_NCRISC ? KERNEL_COPIED : 0,
			.steps = program->steps ? program->steps : 1,
			.cycles = program->cycles + program->seed * 10u % 7 * (unsigned)i,
			.text_bytes = program->kernel_bytes,
		};
}

static void append_kernels(struct command_stream *stream, const struct rig_chip *chip,
	const struct rig_program *program, struct launch_message *message)
{
	struct kernel kernels[PROCESSOR_COUNT];
	uint32_t length;
	uint8_t *image;

	make_kernels(program, kernels);
	length = kernel_image_bytes(kernels, PROCESSOR_COUNT);
	image = malloc(length);
	kernel_image_write(kernels, PROCESSOR_COUNT, program->seed, image, message);
	rig_append_multicast(stream, chip, RIG_KERNELS, image, length);
	free(image);
}

uint64_t rig_launch_cycles(const struct rig_chip *chip, const struct rig_program *program)
{
	struct launch_message message = {0};
	struct kernel kernels[PROCESSOR_COUNT];
	int64_t setup, total;

	make_kernels(program, kernels);
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		kernels[i].text_bytes = command_padded(kernels[i].text_bytes);
	worker_launch_cycles(
		chip->rig->firmware, 1000, &message, kernels, PROCESSOR_COUNT, &setup, &total);
	return (uint64_t)total;
}

void rig_append_program(struct command_stream *stream, const struct rig_chip *chip,
	const struct rig_program *program, uint8_t slot)
{
	struct launch_sizes sizes = {
		.common_bytes = 4 * program->common_args, .unique_bytes = 4 * program->unique_args};
	struct launch_message message = {
		.program = program->id, .config_base = RIG_CONFIG, .kernel_base = RIG_KERNELS};
	struct dispatch_command wait = {.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS};
	struct dispatch_command go = {
		.kind = DISPATCH_GO, .go = {.slot = slot, .rect = rig_all_workers(chip)}};
	uint8_t launch[LAUNCH_BYTES], *common = calloc(1, sizes.common_bytes + 1);

	launch_lay_out(&sizes, &message);
	rig_fill(common, sizes.common_bytes, ~program->seed);
	/* The arguments of this program overwrite the arguments of the previous program, so the
	 * stream first waits until the previous program is done. */
	command_stream_dispatch(stream, &wait);
	if (sizes.common_bytes > 0)
		rig_append_multicast(stream, chip, RIG_CONFIG, common, sizes.common_bytes);
	if (sizes.unique_bytes > 0)
		append_unique(stream, chip, program, RIG_CONFIG + message.unique_offset);
	append_kernels(stream, chip, program, &message);
	launch_encode(&message, launch);
	rig_append_multicast(stream, chip, RIG_LAUNCH_RING + slot * (uint32_t)LAUNCH_BYTES, launch,
		sizeof(launch));
	command_stream_dispatch(stream, &wait);
	command_stream_dispatch(stream, &go);
	free(common);
}

uint32_t rig_checksum(const struct rig_program *program, uint32_t worker)
{
	uint32_t unique_bytes = 4 * program->unique_args, common_bytes = 4 * program->common_args;
	uint8_t *unique = calloc(1, unique_bytes + 1), *common = calloc(1, common_bytes + 1);
	uint32_t checksum;

	rig_fill(unique, unique_bytes, program->seed + worker);
	rig_fill(common, common_bytes, ~program->seed);
	checksum = launch_checksum(unique, unique_bytes, common, common_bytes);
	free(common);
	free(unique);
	return checksum;
}

void rig_append_event(struct command_stream *stream, uint32_t event, bool table)
{
	struct dispatch_command wait = {
		.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS | DISPATCH_BARRIER};
	struct dispatch_command notify = {.kind = DISPATCH_NOTIFY_HOST,
		.flags = table ? DISPATCH_TABLE : 0,
		.notify_host = {.event = event}};

	command_stream_dispatch(stream, &wait);
	command_stream_dispatch(stream, &notify);
}
