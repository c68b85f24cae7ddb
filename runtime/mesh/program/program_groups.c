/* Groups the cores of a program by their configuration. Lays out the configurations in L1 and the
 * pages of the binaries. Checks that the program fits into the config ring. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/hash.h"
#include "base/refuse.h"
#include "mesh/device/config_ring.h"
#include "mesh/program/program.h"

/* The configuration of a core. Cores with equal configurations form a group. */
struct likeness {
	uint16_t kernel[PROCESSOR_COUNT];
	uint64_t buffers[BUFFER_WORDS];
	uint32_t semaphores;
	uint8_t buffer_count, semaphore_count;
	uint8_t pipeline_pages; /* the same value as in launch messages */
};

/* Returns the maximum number of pages by which one kernel of a pipeline may be ahead of the next
 * kernel. This is the number of pages of the core's smallest circular buffer, but at most
 * PIPELINE_PAGES_MAX. Returns 0 if there is no pipeline or no circular buffer. */
static uint8_t pipeline_pages_of(const struct program *program, const struct likeness *like)
{
	uint32_t least = PIPELINE_PAGES_MAX;
	bool pipelined = false;

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		pipelined |= like->kernel[i] != 0 &&
			     program->kernels[like->kernel[i] - 1].config.steps > 1;
	if (!pipelined || like->buffer_count == 0)
		return 0;
	for (uint32_t i = 0; i < program->buffer_count; i++)
		if (like->buffers[i / 64] >> i % 64 & 1 && program->buffers[i].buffer.pages < least)
			least = program->buffers[i].buffer.pages;
	return (uint8_t)least;
}

static struct likeness likeness_of(const struct program *program, uint32_t core)
{
	struct likeness like = {.semaphores = 0};

	for (uint32_t i = 0; i < program->kernel_count; i++)
		if (core_set_has(&program->kernels[i].cores, core))
			like.kernel[program->kernels[i].config.processor] = (uint16_t)(i + 1);
	for (uint32_t i = 0; i < program->buffer_count; i++)
		if (core_set_has(&program->buffers[i].cores, core)) {
			like.buffers[i / 64] |= UINT64_C(1) << i % 64;
			like.buffer_count++;
		}
	for (uint32_t i = 0; i < program->semaphore_count; i++)
		like.semaphores |= (uint32_t)core_set_has(&program->semaphores[i].cores, core) << i;
	like.semaphore_count = (uint8_t)__builtin_popcount(like.semaphores);
	like.pipeline_pages = pipeline_pages_of(program, &like);
	return like;
}

static bool has_kernel(const struct likeness *like)
{
	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (like->kernel[i] != 0)
			return true;
	return false;
}

static bool has_common(const struct program *program, const struct likeness *like)
{
	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (like->kernel[i] != 0 &&
			program->kernels[like->kernel[i] - 1].config.common_args > 0)
			return true;
	return false;
}

/* Returns the index of the group of cores with this configuration. Adds a group if there is
 * none. */
static uint32_t group_of(struct program *program, const struct likeness *like)
{
	struct program_group *group;

	for (uint32_t i = 0; i < program->group_count; i++) {
		group = &program->groups[i];
		if (memcmp(group->kernel, like->kernel, sizeof(like->kernel)) == 0 &&
			group->buffers == like->buffer_count &&
			group->semaphores == like->semaphore_count &&
			group->pipeline_pages == like->pipeline_pages)
			return i;
	}
	program->groups =
		allocate_more(program->groups, program->group_count + 1, sizeof(*program->groups));
	group = &program->groups[program->group_count];
	memset(group, 0, sizeof(*group));
	memcpy(group->kernel, like->kernel, sizeof(like->kernel));
	group->buffers = like->buffer_count;
	group->semaphores = like->semaphore_count;
	group->pipeline_pages = like->pipeline_pages;
	return program->group_count++;
}

/* Returns the share (struct program_share) of the cores that have the configuration `like` and
 * belong to group `group`. Adds a share if there is none. Returns NULL if these cores have no
 * common arguments, circular buffers or semaphores. */
static struct program_share *share_of(
	struct program *program, const struct likeness *like, uint32_t group)
{
	bool common = has_common(program, like);
	struct program_share *share;

	if (!common && like->buffer_count == 0 && like->semaphore_count == 0)
		return NULL;
	for (uint32_t i = 0; i < program->share_count; i++) {
		share = &program->shares[i];
		if (share->semaphores == like->semaphores && share->common == common &&
			(!common || share->group == group) &&
			memcmp(share->buffers, like->buffers, sizeof(like->buffers)) == 0)
			return share;
	}
	program->shares =
		allocate_more(program->shares, program->share_count + 1, sizeof(*program->shares));
	share = &program->shares[program->share_count++];
	memset(share, 0, sizeof(*share));
	share->group = group;
	share->common = common;
	share->semaphores = like->semaphores;
	memcpy(share->buffers, like->buffers, sizeof(like->buffers));
	return share;
}

/* Fills in `kernels` with the group's kernels in order of processors, and returns their number. */
static uint32_t group_kernels(const struct program *program, const struct program_group *group,
	struct kernel kernels[PROCESSOR_COUNT])
{
	uint32_t count = 0, unique = 0, common = 0;

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++) {
		const struct kernel_config *config;
		struct kernel *kernel = &kernels[count];

		if (group->kernel[i] == 0)
			continue;
		config = &program->kernels[group->kernel[i] - 1].config;
		count++;
		*kernel = (struct kernel){.processor = config->processor,
			.flags = config->copied ? KERNEL_COPIED : 0,
			.steps = config->steps,
			.cycles = config->cycles,
			.text_bytes = config->bytes};
		if (config->text != NULL) {
			kernel->flags |= KERNEL_PROGRAM;
			kernel->text = config->text;
			kernel->first_argument = (uint16_t)unique;
			kernel->first_common = (uint16_t)common;
		}
		unique += config->unique_args;
		common += config->common_args;
	}
	return count;
}

static uint64_t group_seed(const struct program *program, const struct program_group *group)
{
	uint64_t hash = hash_more(HASH_EMPTY, program->name, strlen(program->name));

	return hash_mix(hash_more(hash, group->kernel, sizeof(group->kernel)));
}

static struct launch_sizes group_sizes(
	const struct program *program, const struct program_group *group)
{
	struct launch_sizes sizes = {
		.circular_buffers = group->buffers, .semaphores = group->semaphores};

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (group->kernel[i] != 0) {
			const struct kernel_config *config =
				&program->kernels[group->kernel[i] - 1].config;

			sizes.common_bytes += 4 * config->common_args;
			sizes.unique_bytes += 4 * config->unique_args;
		}
	return sizes;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Gives all groups the same layout, so that shared parts have the same address in all groups. Each
 * part of the layout is as large as the largest such part of a group. */
static void lay_out_all(struct program *program)
{
	struct launch_sizes sizes = {.common_bytes = 0};
	struct launch_message layout;

	for (uint32_t i = 0; i < program->group_count; i++) {
		struct launch_sizes own = group_sizes(program, &program->groups[i]);

		sizes.common_bytes = larger(sizes.common_bytes, own.common_bytes);
		sizes.unique_bytes = larger(sizes.unique_bytes, own.unique_bytes);
		sizes.circular_buffers =
			(uint8_t)larger(sizes.circular_buffers, own.circular_buffers);
		sizes.semaphores = (uint8_t)larger(sizes.semaphores, own.semaphores);
	}
	memset(&layout, 0, sizeof(layout));
	layout.program = program->id;
	program->config_bytes = launch_lay_out(&sizes, &layout);
	for (uint32_t i = 0; i < program->group_count; i++) {
		struct program_group *group = &program->groups[i];
		struct launch_sizes own = group_sizes(program, group);

		group->message = layout;
		group->message.common_bytes = own.common_bytes;
		group->message.unique_bytes = own.unique_bytes;
		group->message.circular_buffers = own.circular_buffers;
		group->message.semaphores = own.semaphores;
		group->message.pipeline_pages = group->pipeline_pages;
	}
}

/* Sets `target` to the targets that reach a set of cores, and returns their number. The targets are
 * the rectangles that cover the set's workers, and each Ethernet core of the set. */
static uint32_t targets_of(
	const struct program *program, const struct core_set *set, struct launch_target *target)
{
	const struct program_site *site = program->site;
	uint32_t columns = site->limits.worker_columns, rows = site->limits.worker_rows;
	struct worker_rect rects[CORES_MAX];
	uint32_t count = core_set_rects(set, columns, rows, rects);

	for (uint32_t i = 0; i < count; i++)
		target[i] = (struct launch_target){.rect = rects[i]};
	for (uint32_t i = 0; i < site->limits.ethernet_cores; i++)
		if (core_set_has(set, columns * rows + i))
			target[count++] = (struct launch_target){.ethernet = true,
				.tile = site->mesh != NULL ? site->ethernet_tiles[i] : 0};
	return count;
}

/* Fills in the targets of groups, of shares, and of all cores together. */
static void find_targets(struct program *program)
{
	struct core_set all = {{0}};

	for (uint32_t i = 0; i < program->group_count; i++) {
		struct program_group *group = &program->groups[i];

		group->target_count = targets_of(program, &group->cores, group->target);
		for (uint32_t word = 0; word < CORES_MAX / 64; word++)
			all.bits[word] |= group->cores.bits[word];
	}
	for (uint32_t i = 0; i < program->share_count; i++) {
		struct program_share *share = &program->shares[i];

		share->target_count = targets_of(program, &share->cores, share->target);
	}
	program->target_count = targets_of(program, &all, program->target);
}

/* Computes the sizes and pages of the images. Groups with the same kernels share one image. */
static void place_images(struct program *program)
{
	uint32_t page_bytes = program->site->limits.binary_page_bytes;

	program->image_bytes = program->binary_pages = 0;
	for (uint32_t i = 0; i < program->group_count; i++) {
		struct program_group *group = &program->groups[i];
		const struct program_group *same = program->groups;
		struct kernel kernels[PROCESSOR_COUNT];
		uint32_t count = group_kernels(program, group, kernels);

		group->image_bytes = kernel_image_bytes(kernels, count);
		program->image_bytes = larger(program->image_bytes, group->image_bytes);
		while (memcmp(same->kernel, group->kernel, sizeof(same->kernel)) != 0)
			same++;
		group->image_page = same < group ? same->image_page : program->binary_pages;
		if (same == group)
			program->binary_pages += (group->image_bytes + page_bytes - 1) / page_bytes;
	}
}

static enum status check_ring(const struct program *program, struct text *why)
{
	uint32_t ring_bytes = program->site->limits.config_ring_bytes;
	uint64_t needed =
		(uint64_t)program->config_bytes + program->image_bytes + CONFIG_RING_ALIGN;

	if (needed > ring_bytes)
		return refuse(why, STATUS_NO_SPACE,
			"%u B of configuration and %u B of kernels on a core, but the config ring "
			"has %u B",
			program->config_bytes, program->image_bytes, ring_bytes);
	return STATUS_OK;
}

/* Checks the size of unique arguments. All unique arguments of a core must fit into one half of a
 * dispatcher's ring: the dispatcher reads all of them at once, and meanwhile the other half of the
 * ring is filled. */
static enum status check_arguments(const struct program *program, struct text *why)
{
	uint32_t most = program->site->limits.packed_bytes;

	for (uint32_t i = 0; i < program->group_count; i++) {
		uint32_t bytes = command_padded(program->groups[i].message.unique_bytes);

		if (bytes > most)
			return refuse(why, STATUS_NO_SPACE,
				"program %s has %u B of arguments of its own for a core, half a "
				"dispatcher's ring has %u B",
				program->name, bytes, most);
	}
	return STATUS_OK;
}

enum status program_group_cores(struct program *program, struct text *why)
{
	uint32_t cores = site_cores(program->site);
	enum status status;

	program->group_count = program->share_count = 0;
	for (uint32_t core = 0; core < cores; core++) {
		struct likeness like = likeness_of(program, core);
		struct program_group *group;
		struct program_share *share;
		uint32_t index;

		if (!has_kernel(&like))
			continue;
		index = group_of(program, &like);
		group = &program->groups[index];
		group->core[group->core_count++] = (uint8_t)core;
		core_set_add(&group->cores, core);
		share = share_of(program, &like, index);
		if (share != NULL)
			core_set_add(&share->cores, core);
	}
	lay_out_all(program);
	find_targets(program);
	place_images(program);
	status = check_ring(program, why);
	return status == STATUS_OK ? check_arguments(program, why) : status;
}

void program_seal(struct program *program, uint8_t *out, uint64_t bytes)
{
	uint64_t page_bytes = program->site->limits.binary_page_bytes;

	for (uint32_t i = 0; i < program->group_count; i++) {
		struct program_group *group = &program->groups[i];
		struct kernel kernels[PROCESSOR_COUNT];
		uint32_t count = group_kernels(program, group, kernels);
		uint64_t at = group->image_page * page_bytes;

		ensure(at + group->image_bytes <= bytes,
			"program %s: binaries of %u B at %llu of %llu B", program->name,
			group->image_bytes, (unsigned long long)at, (unsigned long long)bytes);
		kernel_image_write(kernels, count, group_seed(program, group), out + at,
			program->imaged ? NULL : &group->message);
	}
	program->sealed = program->imaged = true;
}
