/* Builds the commands of a launch that read its binaries, and the commands that write its
 * semaphores; see program.h. */
#include "mesh/program/program.h"

/* Returns the DRAM pages that hold `bytes` bytes of binaries, beginning with page `page`. */
static struct prefetch_pages binary_pages(
	const struct binary_place *binaries, uint32_t page, uint32_t bytes)
{
	uint32_t pages = (bytes + binaries->page_bytes - 1) / binaries->page_bytes;

	return (struct prefetch_pages){
		.start_page = (uint16_t)(page % binaries->banks),
		.base = binaries->address + page / binaries->banks * binaries->page_bytes,
		.page_bytes = binaries->page_bytes,
		.pages = pages,
		.trim_bytes = pages * binaries->page_bytes - bytes,
	};
}

struct prefetch_command launch_fill(
	const struct program *program, const struct binary_place *binaries)
{
	uint32_t bytes = binaries->filled ? 0 : program->binary_pages * binaries->page_bytes;
	struct prefetch_command fill = {.kind = PREFETCH_FILL_CACHE};

	fill.fill_cache.pages = binary_pages(binaries, 0, bytes);
	fill.fill_cache.offset = binaries->cache_offset;
	return fill;
}

struct prefetch_command launch_relay(
	const struct program_group *group, const struct binary_place *binaries)
{
	struct prefetch_command relay = {.kind = PREFETCH_RELAY_PAGED};

	if (binaries->cached) {
		relay.kind = PREFETCH_RELAY_CACHE;
		relay.relay_cache.offset =
			binaries->cache_offset + group->image_page * binaries->page_bytes;
		relay.relay_cache.length = group->image_bytes;
	} else {
		relay.relay_paged = binary_pages(binaries, group->image_page, group->image_bytes);
	}
	return relay;
}

/* ---- semaphores ---- */

/* byte offset of the address in the header of both kinds of writes (command/dispatch.def) */
enum { ADDRESS_OF_WRITE = 4 };

static bool has_semaphores(const struct program *program)
{
	return program->acts && program->semaphore_count > 0;
}

static uint32_t semaphore_address(const struct program *program, uint8_t slot)
{
	const struct mesh_device *mesh = program->site->mesh;

	/* without a mesh, the launch is for other hosts, which patch the address */
	return mesh != NULL ? mesh->plan.words.semaphores + slot * SEMAPHORES_MAX * 4u : 0;
}

static struct dispatch_command launch_parts_write_to(
	const struct launch_target *target, uint32_t address, uint32_t length)
{
	struct dispatch_command command = {.kind = DISPATCH_WRITE_MULTICAST};

	if (target->ethernet) {
		command.kind = DISPATCH_WRITE_LINEAR;
		command.write_linear.tile = target->tile;
		command.write_linear.address = address;
		command.write_linear.length = length;
	} else {
		command.write_multicast.rect = target->rect;
		command.write_multicast.address = address;
		command.write_multicast.length = length;
	}
	return command;
}

void launch_semaphores_put(struct command_stream *stream, bool traced,
	const struct program *program, uint8_t slot, uint32_t *at)
{
	uint8_t words[4 * SEMAPHORES_MAX];
	uint32_t length = 4 * program->semaphore_count;

	if (!has_semaphores(program))
		return;
	for (uint32_t i = 0; i < program->semaphore_count; i++)
		bytes_put32(words + 4 * i, program->semaphores[i].initial);
	for (uint32_t i = 0; i < program->target_count; i++) {
		struct dispatch_command command = launch_parts_write_to(
			&program->target[i], semaphore_address(program, slot), length);

		if (traced)
			command_stream_break(stream);
		at[i] = (uint32_t)command_stream_dispatch(stream, &command);
		command_stream_bytes(stream, words, length);
	}
}

void launch_semaphores_patch(struct command_stream *stream, const struct program *program,
	uint8_t slot, const uint32_t *at)
{
	if (!has_semaphores(program))
		return;
	for (uint32_t i = 0; i < program->target_count; i++)
		bytes_put32(command_stream_edit(stream, at[i] + ADDRESS_OF_WRITE, 4),
			semaphore_address(program, slot));
	world->work(WORK_PATCH_ARGUMENT, program->target_count);
}
