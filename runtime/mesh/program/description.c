/* Functions that return the contents of programs and workloads, so that another host can rebuild
 * these programs and workloads (mesh/description.h). Also makes sites for programs without a mesh
 * device. */
#include "mesh/description.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/plan/plan.h"
#include "mesh/program/routes.h"
#include "mesh/program/workload.h"

/* ---- sites ---- */

struct program_site *program_site_new(const struct program_limits *limits, struct mesh_shape shape)
{
	struct program_site *site = allocate(1, sizeof(*site));

	ensure((uint32_t)limits->worker_columns * limits->worker_rows + limits->ethernet_cores <=
			CORES_MAX,
		"a device of %u x %u workers and %u Ethernet cores", limits->worker_columns,
		limits->worker_rows, limits->ethernet_cores);
	site->limits = *limits;
	site->shape = shape;
	site->sub_devices = 1;
	return site;
}

void program_site_free(struct program_site *site)
{
	if (site == NULL)
		return;
	ensure(site->mesh == NULL && site->programs == 0 && site->workloads == 0,
		"a site with %u programs and %u workloads is freed", site->programs,
		site->workloads);
	site_routes_free(site->routes);
	site_forget_divisions(site);
	free(site);
}

struct program_site *mesh_program_site(struct mesh_device *mesh)
{
	return &mesh->site;
}

const struct program_limits *program_site_limits(const struct program_site *site)
{
	return &site->limits;
}

/* ---- programs ---- */

static void check_index(
	const struct program *program, const char *what, uint32_t index, uint32_t count)
{
	ensure(index < count, "%s %u of program %s, which has %u", what, index, program->name,
		count);
}

const char *program_name(const struct program *program)
{
	return program->name;
}

uint32_t program_id(const struct program *program)
{
	return program->id;
}

uint32_t program_kernel_count(const struct program *program)
{
	return program->kernel_count;
}

const struct kernel_config *program_kernel(const struct program *program, uint32_t index)
{
	check_index(program, "kernel", index, program->kernel_count);
	return &program->kernels[index].config;
}

uint32_t program_circular_buffer_count(const struct program *program)
{
	return program->buffer_count;
}

struct circular_buffer_config program_circular_buffer(const struct program *program, uint32_t index)
{
	const struct program_buffer *buffer = &program->buffers[index];

	check_index(program, "circular buffer", index, program->buffer_count);
	return (struct circular_buffer_config){
		buffer->named, buffer->buffer.pages, buffer->buffer.page_bytes};
}

uint32_t program_semaphore_count(const struct program *program)
{
	return program->semaphore_count;
}

struct semaphore_config program_semaphore(const struct program *program, uint32_t index)
{
	check_index(program, "semaphore", index, program->semaphore_count);
	return (struct semaphore_config){
		program->semaphores[index].named, program->semaphores[index].initial};
}

uint32_t program_of_sub_device(const struct program *program)
{
	return program->sub_device;
}

uint32_t program_buffers_end(const struct program *program)
{
	return program->buffers_end;
}

/* ---- arguments ---- */

static struct arguments arguments_of(const struct program_args *args)
{
	return (struct arguments){args->words, args->count, args->generation};
}

struct arguments program_arguments(const struct program *program)
{
	return arguments_of(program->args);
}

enum status program_set_arguments(struct program *program, const uint32_t *words, uint32_t count)
{
	world->work(WORK_API_CALL, 1);
	return args_replace(&program->args, words, count);
}

struct argument_span program_argument_span(
	const struct program *program, uint32_t kernel, uint32_t core)
{
	const struct program_kernel *at = &program->kernels[kernel];

	check_index(program, "kernel", kernel, program->kernel_count);
	if (core == ARGUMENTS_COMMON)
		return (struct argument_span){at->common_at, at->config.common_args};
	if (core >= CORES_MAX || !core_set_has(&at->cores, core))
		return (struct argument_span){at->unique_at, 0};
	return (struct argument_span){
		at->unique_at + core_set_rank(&at->cores, core) * at->config.unique_args,
		at->config.unique_args};
}

/* ---- workloads ---- */

uint32_t workload_id(const struct workload *workload)
{
	return workload->id;
}

uint32_t workload_program_count(const struct workload *workload)
{
	return workload->part_count;
}

static const struct part *part_at(const struct workload *workload, uint32_t index)
{
	ensure(index < workload->part_count, "program %u of a workload of %u", index,
		workload->part_count);
	return &workload->parts[index];
}

struct workload_program workload_program(const struct workload *workload, uint32_t index)
{
	const struct part *part = part_at(workload, index);

	return (struct workload_program){part->program, part->range, part_own_ranges(part)};
}

struct workload_arguments workload_arguments(
	const struct workload *workload, uint32_t index, uint32_t range)
{
	const struct part *part = part_at(workload, index);

	ensure(range < part_own_ranges(part), "range %u of %u", range, part_own_ranges(part));
	return (struct workload_arguments){
		part->ranges[range].range, arguments_of(part->ranges[range].own)};
}

uint64_t workload_generation(const struct workload *workload)
{
	uint64_t generation = workload->changes;

	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct part *part = &workload->parts[i];
		uint32_t own = part_own_ranges(part);

		generation += (uint64_t)part->program->changes + part->program->args->generation;
		for (uint32_t k = 0; k < own; k++)
			generation += part->ranges[k].own->generation;
	}
	return generation;
}

/* ---- binaries ---- */

uint32_t workload_binary_pages(const struct workload *workload)
{
	uint32_t pages = 1;

	for (uint32_t i = 0; i < workload->part_count; i++)
		if (workload->parts[i].program->binary_pages > pages)
			pages = workload->parts[i].program->binary_pages;
	return pages;
}

uint64_t binary_slot_bytes(
	const struct mesh_config *config, const struct chip_geometry *geometry, uint32_t pages)
{
	uint32_t page_bytes = sizes_binary_page(config);
	const struct buffer_config buffer = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = page_bytes};
	struct placement placement;
	enum status status = placement_init(&placement, &buffer, (uint64_t)pages * page_bytes,
		geometry, sizes_page_alignment(config, BUFFER_DRAM), NULL);

	ensure(status == STATUS_OK, "%u pages of binaries: %s", pages, status_message(status));
	return placement_slot_bytes(&placement);
}

uint64_t program_binary_bytes(const struct program *program)
{
	return (uint64_t)program->binary_pages * program->site->limits.binary_page_bytes;
}

void program_binaries(struct program *program, uint8_t *out)
{
	uint64_t bytes = program_binary_bytes(program);

	memset(out, 0, bytes);
	program_seal(program, out, bytes);
}

void workload_place_binaries(struct workload *workload, uint32_t address)
{
	ensure(workload->binaries == NULL, "binaries that lie somewhere are placed");
	workload->address = address;
	workload->placed = true;
}

void program_give_binaries(struct program *program, const uint8_t *bytes)
{
	uint64_t count = program_binary_bytes(program);

	free(program->given);
	program->given = allocate(count, 1);
	memcpy(program->given, bytes, count);
}

void workload_seal(struct workload *workload)
{
	workload->sealed = true;
	for (uint32_t i = 0; i < workload->part_count; i++)
		workload->parts[i].program->sealed = true;
}
