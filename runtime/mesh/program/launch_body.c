/* The commands of one launch on one device (spec 3.10.2, 3.10.3). The first commands write the
 * configuration, the binaries and the launch messages. Then the dispatcher waits until the written
 * data have arrived, and sends the go signal. Addresses in worker L1 are relative to offsets that
 * the preamble sets. So a cached stream can be used again, even if the next launch uses other
 * places in the rings. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "command/dispatch.h"
#include "mesh/program/launches.h"
#include "mesh/program/program.h"

enum { LAUNCH_GO_SLOT = 3 }; /* position in bytes of the slot number in a GO command */

/* The arguments of all steps of building a launch. */
struct build {
	struct launch_body *body;
	struct command_stream *stream;
	const struct program *program;
	const struct program_args *args;
	const struct binary_place *binaries;
	const struct launch_goes *goes;
	const struct launch_place *place;
	uint32_t operation;
	bool traced; /* true if each command is relayed separately */
	bool kept;   /* the config ring already holds the binaries */
};

static uint32_t launch_body_put(struct build *build, const struct dispatch_command *command)
{
	if (build->traced)
		command_stream_break(build->stream);
	return (uint32_t)command_stream_dispatch(build->stream, command);
}

static void launch_body_write_to(struct build *build, const struct launch_target *target,
	uint32_t length, uint32_t offset, uint8_t parts)
{
	struct dispatch_command command = {.kind = DISPATCH_WRITE_MULTICAST};

	if (target->ethernet) {
		command.kind = DISPATCH_WRITE_LINEAR;
		command.write_linear.tile = target->tile;
		command.write_linear.length = length;
		command.write_linear.offset = offset;
	} else {
		command.write_multicast.rect = target->rect;
		command.write_multicast.length = length;
		command.write_multicast.offset = offset;
		command.write_multicast.parts = parts;
	}
	launch_body_put(build, &command);
}

static void put_message(struct build *build, const struct program_group *group,
	const struct launch_target *target, uint32_t at)
{
	struct launch_message message = group->message;
	uint8_t bytes[LAUNCH_BYTES];

	message.operation = build->operation;
	message.config_base = build->place->config_base;
	message.kernel_base = build->place->kernel_base;
	launch_encode(&message, bytes);
	bytes_put64(bytes + LAUNCH_RUN, build->args->run);
	launch_body_write_to(build, target, LAUNCH_BYTES, LAUNCH_OFFSET_SLOT, 0);
	build->body->launch_at[at] =
		(uint32_t)command_stream_bytes(build->stream, bytes, sizeof(bytes));
}

/* Writes to `out` the part of a configuration that is the same for all cores of a share: common
 * arguments, circular buffers and semaphores. */
static void write_shared(const struct build *build, const struct program_share *share, uint8_t *out)
{
	const struct program *program = build->program;
	const struct program_group *group = &program->groups[share->group];
	uint8_t *buffer = out + group->message.circular_buffer_offset;
	uint8_t *semaphore = out + group->message.semaphore_offset;

	program_common_args(program, build->args, group, out + group->message.common_offset);
	for (uint32_t i = 0; i < program->buffer_count; i++)
		if (share->buffers[i / 64] >> i % 64 & 1) {
			circular_buffer_encode(&program->buffers[i].buffer, buffer);
			buffer += CIRCULAR_BUFFER_BYTES;
		}
	for (uint32_t i = 0; i < program->semaphore_count; i++)
		if (share->semaphores >> i & 1) {
			bytes_put32(semaphore, program->semaphores[i].initial);
			semaphore += SEMAPHORE_BYTES;
		}
}

static void put_shared(struct build *build, const struct program_share *share, uint32_t at)
{
	const struct launch_message *message = &build->program->groups[share->group].message;
	uint32_t length = message->unique_offset;
	uint8_t *bytes = allocate(length, 1);

	write_shared(build, share, bytes);
	for (uint32_t i = 0; i < share->target_count; i++) {
		uint32_t offset;

		launch_body_write_to(build, &share->target[i], length, LAUNCH_OFFSET_CONFIG, 0);
		offset = (uint32_t)command_stream_bytes(build->stream, bytes, length);
		build->body->common_at[at + i] = offset + message->common_offset;
	}
	free(bytes);
}

static uint32_t unique_stride(const struct program_group *group)
{
	return command_padded(group->message.unique_bytes);
}

/* Writes the unique arguments of all cores of a group to `out`, one core after the other. */
static void write_unique(const struct program *program, const struct program_args *args,
	const struct program_group *group, uint8_t *out)
{
	for (uint32_t i = 0; i < group->core_count; i++)
		program_unique_args(
			program, args, group, group->core[i], out + i * unique_stride(group));
}

/* Returns the tile number of a core, as commands of this stream contain it. */
static uint16_t tile_of(const struct build *build, uint32_t core)
{
	const struct program_site *site = build->program->site;
	uint32_t workers = site_workers(site);

	uint16_t tile = core < workers ? site->geometry->worker_tiles[core]
				       : site->ethernet_tiles[core - workers];

	return build->stream->physical == NULL ? tile
					       : tile_to_physical(build->stream->physical, tile);
}

static void put_unique(struct build *build, const struct program_group *group, uint32_t index)
{
	struct dispatch_command command = {.kind = DISPATCH_WRITE_PACKED};
	uint32_t list = command_padded(2 * group->core_count);
	uint32_t length = list + group->core_count * unique_stride(group);
	uint8_t *bytes;

	if (group->message.unique_bytes == 0)
		return;
	bytes = allocate(length, 1);
	for (uint32_t i = 0; i < group->core_count; i++)
		bytes_put16(bytes + 2 * i, tile_of(build, group->core[i]));
	write_unique(build->program, build->args, group, bytes + list);
	command.write_packed.count = (uint16_t)group->core_count;
	command.write_packed.address = group->message.unique_offset;
	command.write_packed.stride = unique_stride(group);
	command.write_packed.offset = LAUNCH_OFFSET_CONFIG;
	launch_body_put(build, &command);
	build->body->unique_at[index] =
		(uint32_t)command_stream_bytes(build->stream, bytes, length) + list;
	free(bytes);
}

/* If the binaries are read through the kernel cache, appends the command that fills the cache. This
 * is the first command, so that the cache is filled while the configuration is being sent. */
static void put_fill(struct build *build)
{
	struct prefetch_command fill;

	if (!build->binaries->cached)
		return;
	fill = launch_fill(build->program, build->binaries);
	build->body->fill_at = (uint32_t)command_stream_prefetch(build->stream, &fill);
}

static uint8_t kernels_of(const struct program_group *group)
{
	uint8_t count = 0;

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (group->kernel[i] != 0)
			count++;
	return count;
}

static void put_images(struct build *build)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < build->program->group_count; i++) {
		const struct program_group *group = &build->program->groups[i];
		struct prefetch_command relay = launch_relay(group, build->binaries);

		for (uint32_t k = 0; k < group->target_count; k++) {
			launch_body_write_to(build, &group->target[k], group->image_bytes,
				LAUNCH_OFFSET_KERNEL, kernels_of(group));
			build->body->relay_at[at++] =
				(uint32_t)command_stream_prefetch(build->stream, &relay);
		}
	}
}

static void put_goes(struct build *build)
{
	for (uint32_t i = 0; i < build->goes->count; i++) {
		struct dispatch_command go = launch_go(build->goes, i, build->place->slot);

		build->body->go_at[i] = launch_body_put(build, &go);
	}
}

/* Appends a wait until all earlier writes have arrived, and then the go signals. Appends nothing if
 * the launch has no go signals. A target may contain cores of several groups: they all start at the
 * same go signal, because the launch message of each core names its kernels. */
static void put_start(struct build *build)
{
	struct dispatch_command wait = {.kind = DISPATCH_WAIT, .flags = DISPATCH_BARRIER};

	if (build->goes->count == 0)
		return;
	launch_body_put(build, &wait);
	put_goes(build);
}

/* Allocates one array that holds all offsets. */
void launch_body_alloc(struct launch_body *body, const struct program *program, uint32_t goes)
{
	uint32_t shares = 0;

	body->launches = 0;
	for (uint32_t i = 0; i < program->group_count; i++)
		body->launches += program->groups[i].target_count;
	for (uint32_t i = 0; i < program->share_count; i++)
		shares += program->shares[i].target_count;
	body->goes = goes;
	body->launch_at = allocate(2 * body->launches + body->goes + shares + program->group_count +
					   program->target_count + 1,
		sizeof(*body->launch_at));
	body->relay_at = body->launch_at + body->launches;
	body->go_at = body->relay_at + body->launches;
	body->common_at = body->go_at + body->goes;
	body->unique_at = body->common_at + shares;
	body->semaphore_at = body->unique_at + program->group_count;
}

/* Appends the unique arguments of all groups, except with LAUNCH_REST. Then appends the
 * configurations of shares: with LAUNCH_ARGUMENTS those with common arguments, with LAUNCH_REST
 * those without, otherwise all. */
static void put_configuration(struct build *build)
{
	const struct program *program = build->program;
	enum launch_content content = build->body->content;
	uint32_t at = 0;

	for (uint32_t i = 0; i < program->group_count && content != LAUNCH_REST; i++)
		put_unique(build, &program->groups[i], i);
	for (uint32_t i = 0; i < program->share_count; i++) {
		bool common = program->shares[i].common;

		if (content == LAUNCH_WHOLE || common == (content == LAUNCH_ARGUMENTS))
			put_shared(build, &program->shares[i], at);
		at += program->shares[i].target_count;
	}
}

static void put_messages(struct build *build)
{
	const struct program *program = build->program;
	uint32_t at = 0;

	for (uint32_t i = 0; i < program->group_count; i++) {
		const struct program_group *group = &program->groups[i];

		for (uint32_t k = 0; k < group->target_count; k++)
			put_message(build, group, &group->target[k], at++);
	}
}

struct command_stream *launch_body_stream(struct launch_body *body, enum launch_section section)
{
	return &body->streams[body->sections != 0 ? section : 0];
}

static bool has_stream(const struct launch_body *body, uint32_t section)
{
	return body->sections != 0 ? body->sections >> section & 1 : section == 0;
}

/* Makes build->stream the stream of a section. Returns false if the body does not contain the
 * section. */
static bool enter(struct build *build, enum launch_section section)
{
	if (build->body->sections != 0)
		build->stream = launch_body_stream(build->body, section);
	return build->body->sections == 0 || has_stream(build->body, section);
}

static void put_launch(struct build *build)
{
	if (build->body->content == LAUNCH_ARGUMENTS) {
		put_configuration(build);
		build->body->launches = build->body->goes = 0;
		return;
	}
	if (enter(build, LAUNCH_CONFIGURATION)) {
		if (!build->kept)
			put_fill(build);
		put_configuration(build);
	}
	if (enter(build, LAUNCH_BINARIES) && !build->kept)
		put_images(build);
	if (enter(build, LAUNCH_MESSAGES)) {
		launch_semaphores_put(build->stream, build->traced, build->program,
			build->place->slot, build->body->semaphore_at);
		put_messages(build);
		put_start(build);
	}
}

/* Ends a section of the commands. A section may be sent as a transaction, and a transaction must
 * have a dispatch command. So a section without dispatch commands gets a WAIT that waits for
 * nothing. */
static void section_finish(struct command_stream *stream)
{
	struct dispatch_command nothing = {.kind = DISPATCH_WAIT};

	if (stream->last_dispatch == STREAM_NOWHERE)
		command_stream_dispatch(stream, &nothing);
	command_stream_finish(stream);
}

void launch_body_build(struct launch_body *body, uint32_t device, const struct program *program,
	const struct program_args *args, const struct binary_place *binaries,
	const struct launch_goes *goes, const struct launch_place *place, uint32_t operation)
{
	struct build build = {
		body, body->streams, program, args, binaries, goes, place, operation, false, false};

	ensure(!body->built, "a launch is built twice");
	launch_body_alloc(body, program, goes->count);
	for (uint32_t i = 0; i < LAUNCH_SECTIONS; i++)
		if (has_stream(body, i)) {
			command_stream_init(&body->streams[i], operation);
			if (program->site->mesh != NULL)
				stream_place(program->site->mesh, &body->streams[i], device);
		}
	put_launch(&build);
	for (uint32_t i = 0; i < LAUNCH_SECTIONS; i++)
		if (has_stream(body, i))
			section_finish(&body->streams[i]);
	body->generation = args->generation;
	body->binaries = *binaries;
	body->built = true;
}

void launch_append(struct command_stream *stream, const struct program *program,
	const struct program_args *args, const struct binary_place *binaries,
	const struct launch_goes *goes, const struct launch_entry *entry)
{
	struct dispatch_command offsets = launch_set_offsets(&entry->place, entry->slot_address);
	struct dispatch_command wait = launch_wait(goes->sub_device, entry->behind);
	struct launch_body unpatched = {.built = false};
	struct build build = {&unpatched, stream, program, args, binaries, goes, &entry->place,
		entry->operation, true, entry->kept};

	launch_body_alloc(&unpatched, program, goes->count);
	stream->operation = entry->operation;
	launch_body_put(&build, &offsets);
	if (entry->behind < DISPATCH_BEHIND_MAX)
		launch_body_put(&build, &wait);
	put_launch(&build);
	command_stream_break(stream);
	launch_body_fini(&unpatched);
}

void launch_append_goes(struct command_stream *stream, const struct launch_goes *goes,
	const struct launch_entry *entry)
{
	stream->operation = entry->operation;
	for (uint32_t i = 0; i < goes->count; i++) {
		struct dispatch_command go = launch_go(goes, i, entry->place.slot);

		command_stream_break(stream);
		command_stream_dispatch(stream, &go);
	}
	command_stream_break(stream);
}

static void patch_common(struct launch_body *body, const struct program *program,
	const struct program_args *args, const struct program_share *share, uint32_t at)
{
	const struct program_group *group = &program->groups[share->group];
	uint32_t bytes = group->message.common_bytes;

	for (uint32_t i = 0; i < share->target_count && bytes > 0; i++)
		program_common_args(program, args, group,
			command_stream_edit(launch_body_stream(body, LAUNCH_CONFIGURATION),
				body->common_at[at + i], bytes));
	world->work(WORK_PATCH_ARGUMENT, share->target_count * (bytes / 4));
}

void launch_body_arguments(
	struct launch_body *body, const struct program *program, const struct program_args *args)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < program->group_count; i++) {
		const struct program_group *group = &program->groups[i];

		if (group->message.unique_bytes > 0)
			write_unique(program, args, group,
				command_stream_edit(launch_body_stream(body, LAUNCH_CONFIGURATION),
					body->unique_at[i],
					group->core_count * unique_stride(group)));
		world->work(
			WORK_PATCH_ARGUMENT, group->core_count * (group->message.unique_bytes / 4));
	}
	for (uint32_t i = 0; i < program->share_count; i++) {
		patch_common(body, program, args, &program->shares[i], at);
		at += program->shares[i].target_count;
	}
	body->generation = args->generation;
}

/* Patches those commands of a built launch that use the kernel cache: sets where the binaries are
 * in the cache, and whether the cache already holds them. */
static void patch_cache(struct launch_body *body, const struct program *program,
	const struct binary_place *binaries)
{
	struct prefetch_command command = launch_fill(program, binaries);
	bool moved = body->binaries.cache_offset != binaries->cache_offset;
	uint32_t at = 0;

	ensure(body->binaries.cached && binaries->cached, "binaries leave or enter the cache");
	prefetch_encode(
		&command, command_stream_edit(launch_body_stream(body, LAUNCH_CONFIGURATION),
				  body->fill_at, COMMAND_BYTES));
	for (uint32_t i = 0; i < program->group_count && moved; i++) {
		const struct program_group *group = &program->groups[i];

		command = launch_relay(group, binaries);
		for (uint32_t k = 0; k < group->target_count; k++)
			prefetch_encode(&command,
				command_stream_edit(launch_body_stream(body, LAUNCH_BINARIES),
					body->relay_at[at++], COMMAND_BYTES));
	}
	world->work(WORK_PATCH_ARGUMENT, 1 + at);
	body->binaries = *binaries;
}

void launch_body_patch(struct launch_body *body, const struct program *program,
	const struct program_args *args, const struct binary_place *binaries,
	const struct launch_place *place, uint32_t operation)
{
	struct command_stream *stream = launch_body_stream(body, LAUNCH_MESSAGES);

	for (uint32_t i = 0; i < LAUNCH_SECTIONS; i++)
		if (has_stream(body, i))
			command_stream_set_operation(&body->streams[i], operation);
	for (uint32_t i = 0; i < body->launches; i++) {
		uint8_t *message = command_stream_edit(stream, body->launch_at[i], LAUNCH_BYTES);

		bytes_put32(message + LAUNCH_OPERATION, operation);
		bytes_put32(message + LAUNCH_CONFIG_BASE, place->config_base);
		bytes_put32(message + LAUNCH_KERNEL_BASE, place->kernel_base);
		bytes_put64(message + LAUNCH_RUN, args->run);
	}
	for (uint32_t i = 0; i < body->goes; i++)
		*command_stream_edit(stream, body->go_at[i] + LAUNCH_GO_SLOT, 1) = place->slot;
	world->work(WORK_PATCH_ARGUMENT, 3 * body->launches + body->goes);
	if (body->launches > 0)
		launch_semaphores_patch(stream, program, place->slot, body->semaphore_at);
	if (!body->given && body->content != LAUNCH_REST && body->generation != args->generation)
		launch_body_arguments(body, program, args);
	if (body->binaries.filled != binaries->filled ||
		body->binaries.cache_offset != binaries->cache_offset)
		patch_cache(body, program, binaries);
}

void launch_body_fini(struct launch_body *body)
{
	for (uint32_t i = 0; body->built && i < LAUNCH_SECTIONS; i++)
		if (has_stream(body, i))
			command_stream_fini(&body->streams[i]);
	free(body->launch_at);
	*body = (struct launch_body){.built = false};
}
