/* Binaries of workloads (spec 3.11.1): compiles the kernels, checks whether the binaries fit into
 * DRAM, and writes them into the DRAM of the devices. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/compile/compile.h"
#include "mesh/description.h"
#include "mesh/plan/plan.h"
#include "mesh/program/sub_devices.h"
#include "mesh/program/workload.h"
#include "mesh/queue/transfer.h"

static struct allocator *binary_memory(const struct mesh_device *mesh)
{
	return mesh->binary_region ? mesh->binary_region : mesh->memory[BUFFER_DRAM];
}

/* Allocates a buffer that is large enough for every part, at the same address on all devices. */
static enum status allocate_binaries(struct workload *workload)
{
	struct mesh_device *mesh = workload->mesh;
	uint32_t page_bytes = sizes_binary_page(&mesh->config);
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = page_bytes};
	struct mesh_layout layout = {.sharded = false};

	layout.size_bytes = (uint64_t)workload_binary_pages(workload) * page_bytes;
	if (workload->placed)
		return mesh_buffer_new_at(
			mesh, &layout, &config, workload->address, NULL, &workload->binaries);
	return mesh_buffer_take(
		mesh, binary_memory(mesh), &layout, &config, NULL, &workload->binaries);
}

static uint32_t kernel_count(const struct workload *workload)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < workload->part_count; i++)
		count += workload->parts[i].program->kernel_count;
	return count;
}

/* Compiles the kernels of every part whose binaries no other host has made. */
static void compile_kernels(const struct workload *workload)
{
	struct compile_job *jobs = allocate(workload->part_count, sizeof(*jobs));
	const struct kernel_config **kernels =
		allocate(kernel_count(workload) + 1, sizeof(*kernels));
	uint32_t count = 0, at = 0;

	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct part *part = &workload->parts[i];
		const struct program *program = part->program;

		if (program->given != NULL)
			continue;
		jobs[count++] = (struct compile_job){
			program->name, part->range, &kernels[at], program->kernel_count};
		for (uint32_t k = 0; k < program->kernel_count; k++)
			kernels[at++] = &program->kernels[k].config;
	}
	mesh_compile(workload->mesh, jobs, count);
	free(kernels);
	free(jobs);
}

enum status workload_put_binaries(struct workload *workload, struct command_queue *queue)
{
	uint64_t bytes;
	enum status status;
	uint8_t *images;

	if (workload->binaries != NULL)
		return STATUS_OK;
	compile_kernels(workload);
	status = allocate_binaries(workload);
	if (status != STATUS_OK)
		return status;
	workload->sealed = true;
	workload_find_everywhere(workload);
	/* if all programs belong to one sub-device, only its workers read the binaries */
	if (__builtin_popcount(workload->sub_devices) == 1)
		workload->binaries->sub_device = (uint8_t)__builtin_ctz(workload->sub_devices);
	bytes = mesh_buffer_bytes(workload->binaries);
	for (uint32_t i = 0; i < workload->part_count; i++) {
		struct part *part = &workload->parts[i];

		images = allocate(bytes, 1);
		program_seal(part->program, images, bytes);
		if (part->program->given != NULL)
			memcpy(images, part->program->given, program_binary_bytes(part->program));
		program_start_processors(part->program, part->range);
		write_binaries(queue, workload->binaries, part->range, images);
	}
	workload->epoch = ++queue->mesh->epoch;
	return STATUS_OK;
}

/* ---- checks ---- */

/* Checks that the programs were made for the division that is loaded. */
static enum status workload_check_division(const struct workload *workload, struct text *why)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < workload->part_count && status == STATUS_OK; i++)
		status = program_check_division(workload->parts[i].program, why);
	return status;
}

/* Checks that circular buffers do not overlap buffers in L1. Circular buffers are allocated upwards
 * from low addresses; buffers are allocated downwards from high addresses. */
static enum status workload_check_l1(const struct workload *workload, struct text *why)
{
	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct program *program = workload->parts[i].program;
		uint64_t lowest = sub_device_lowest(workload->mesh, program->sub_device);

		if (program->buffers_end > lowest)
			return refuse(why, STATUS_NO_SPACE,
				"the circular buffers of program %s end at %u of L1, where a "
				"buffer begins at %llu",
				program->name, program->buffers_end, (unsigned long long)lowest);
	}
	return STATUS_OK;
}

static enum status check_dram(const struct workload *workload, struct text *why)
{
	const struct mesh_device *mesh = workload->mesh;
	uint64_t page_bytes = sizes_binary_page(&mesh->config),
		 banks = mesh->geometry->dram_bank_count;
	uint64_t largest = allocator_usage(binary_memory(mesh)).largest_free_bytes;

	for (uint32_t i = 0; workload->binaries == NULL && i < workload->part_count; i++) {
		const struct program *program = workload->parts[i].program;
		uint64_t bytes = (program->binary_pages + banks - 1) / banks * page_bytes;

		if (bytes > largest)
			return refuse(why, STATUS_NO_SPACE,
				"the binaries of program %s take %llu B of every DRAM bank, the "
				"largest free block has %llu B",
				program->name, (unsigned long long)bytes,
				(unsigned long long)largest);
	}
	return STATUS_OK;
}

enum status workload_check(const struct workload *workload, struct text *why)
{
	enum status status;

	if (workload->part_count == 0)
		return refuse(why, STATUS_INVALID, "a workload without programs");
	if (workload->mesh == NULL) /* without devices, the use of memory is not known */
		return STATUS_OK;
	status = workload_check_division(workload, why);
	if (status == STATUS_OK)
		status = workload_check_l1(workload, why);
	return status == STATUS_OK ? check_dram(workload, why) : status;
}
