/* Groups of cores of a program: which cores are configured alike, how their configuration lies in
 * L1, and their binaries. Refuses what exceeds the config ring. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/refuse.h"
#include "base/hash.h"
#include "config_ring.h"
#include "program_private.h"
#include "sizes.h"

/* What makes two cores alike. */
struct likeness {
	uint16_t kernel[PROCESSOR_COUNT];
	uint32_t buffers, semaphores;
};

static struct likeness likeness_of(const struct program *program, uint32_t core)
{
	struct likeness like = {{0}, 0, 0};

	for (uint32_t i = 0; i < program->kernel_count; i++)
		if (core_set_has(&program->kernels[i].cores, core))
			like.kernel[program->kernels[i].config.processor] = (uint16_t)(i + 1);
	for (uint32_t i = 0; i < program->buffer_count; i++)
		like.buffers |= (uint32_t)core_set_has(&program->buffers[i].cores, core) << i;
	for (uint32_t i = 0; i < program->semaphore_count; i++)
		like.semaphores |= (uint32_t)core_set_has(&program->semaphores[i].cores, core) << i;
	return like;
}

static bool has_kernel(const struct likeness *like)
{
	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (like->kernel[i] != 0)
			return true;
	return false;
}

static struct program_group *group_of(struct program *program, const struct likeness *like)
{
	struct program_group *group;

	for (uint32_t i = 0; i < program->group_count; i++) {
		group = &program->groups[i];
		if (memcmp(group->kernel, like->kernel, sizeof(like->kernel)) == 0 &&
			group->buffers == like->buffers && group->semaphores == like->semaphores)
			return group;
	}
	program->groups =
		realloc(program->groups, (program->group_count + 1) * sizeof(*program->groups));
	ensure(program->groups != NULL, "no memory for %u groups", program->group_count + 1);
	group = &program->groups[program->group_count++];
	memset(group, 0, sizeof(*group));
	memcpy(group->kernel, like->kernel, sizeof(like->kernel));
	group->buffers = like->buffers;
	group->semaphores = like->semaphores;
	return group;
}

/* The group's kernels, in order of processors; returns how many. */
static uint32_t group_kernels(const struct program *program, const struct program_group *group,
	struct kernel kernels[PROCESSOR_COUNT])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++) {
		const struct kernel_config *config;

		if (group->kernel[i] == 0)
			continue;
		config = &program->kernels[group->kernel[i] - 1].config;
		kernels[count++] = (struct kernel){.processor = config->processor,
			.flags = config->copied ? KERNEL_COPIED : 0,
			.steps = config->steps,
			.cycles = config->cycles,
			.text_bytes = config->bytes};
	}
	return count;
}

static uint64_t group_seed(const struct program *program, const struct program_group *group)
{
	uint64_t hash = hash_more(HASH_EMPTY, program->name, strlen(program->name));

	return hash_mix(hash_more(hash, group->kernel, sizeof(group->kernel)));
}

static void lay_out(const struct program *program, struct program_group *group)
{
	const struct chip_geometry *geometry = program->mesh->geometry;
	struct kernel kernels[PROCESSOR_COUNT];
	uint32_t count = group_kernels(program, group, kernels);
	struct launch_sizes sizes = {
		.circular_buffers = (uint8_t)__builtin_popcount(group->buffers),
		.semaphores = (uint8_t)__builtin_popcount(group->semaphores)};

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (group->kernel[i] != 0) {
			const struct kernel_config *config =
				&program->kernels[group->kernel[i] - 1].config;

			sizes.common_bytes += 4 * config->common_args;
			sizes.unique_bytes += 4 * config->unique_args;
		}
	memset(&group->message, 0, sizeof(group->message));
	group->message.program = program->id;
	group->config_bytes = launch_lay_out(&sizes, &group->message);
	group->image_bytes = kernel_image_bytes(kernels, count);
	group->rect_count = core_set_rects(
		&group->cores, geometry->worker_columns, geometry->worker_rows, group->rect);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Sizes of a launch as a whole, and pages of the images. */
static enum status sum_up(struct program *program, struct text *why)
{
	uint32_t page_bytes = sizes_binary_page(&program->mesh->config);
	uint32_t ring_bytes = program->mesh->plan.config_ring_bytes;
	uint64_t needed;

	program->config_bytes = program->image_bytes = program->binary_pages = 0;
	for (uint32_t i = 0; i < program->group_count; i++) {
		struct program_group *group = &program->groups[i];

		lay_out(program, group);
		program->config_bytes = larger(program->config_bytes, group->config_bytes);
		program->image_bytes = larger(program->image_bytes, group->image_bytes);
		group->image_page = program->binary_pages;
		program->binary_pages += (group->image_bytes + page_bytes - 1) / page_bytes;
	}
	needed = (uint64_t)program->config_bytes + program->image_bytes + CONFIG_RING_ALIGN;
	if (needed > ring_bytes)
		return refuse(why, STATUS_NO_SPACE,
			"program %s needs %u B of configuration and %u B of kernels on a core, the "
			"config ring has %u B",
			program->name, program->config_bytes, program->image_bytes, ring_bytes);
	return STATUS_OK;
}

enum status program_group_cores(struct program *program, struct text *why)
{
	const struct chip_geometry *geometry = program->mesh->geometry;
	uint32_t cores = (uint32_t)geometry->worker_columns * geometry->worker_rows;

	program->group_count = 0;
	for (uint32_t core = 0; core < cores; core++) {
		struct likeness like = likeness_of(program, core);
		struct program_group *group;

		if (!has_kernel(&like))
			continue;
		group = group_of(program, &like);
		group->core[group->core_count++] = (uint8_t)core;
		core_set_add(&group->cores, core);
	}
	return sum_up(program, why);
}

void program_seal(struct program *program, uint32_t page_bytes, uint8_t *out)
{
	for (uint32_t i = 0; i < program->group_count; i++) {
		struct program_group *group = &program->groups[i];
		struct kernel kernels[PROCESSOR_COUNT];
		uint32_t count = group_kernels(program, group, kernels);

		kernel_image_write(kernels, count, group_seed(program, group),
			out + (size_t)group->image_page * page_bytes,
			program->sealed ? NULL : &group->message);
	}
	program->sealed = true;
}
