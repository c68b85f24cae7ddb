/* Programs: adds kernels, circular buffers and semaphores to programs, and sets arguments.
 * program_groups.c groups the cores of a program, and launch_body.c builds its commands. */
#include "mesh/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/hash.h"
#include "base/refuse.h"
#include "command/kernel_program.h"
#include "mesh/program/program.h"
#include "mesh/program/routes.h"
#include "mesh/program/sub_devices.h"
#include "world/bounds.h"

enum { BUFFER_ALIGN = 32 };

static struct program_args *args_new(uint32_t count)
{
	struct program_args *args = allocate(1, sizeof(*args) + count * sizeof(args->words[0]));

	args->references = 1;
	args->count = count;
	return args;
}

void args_hold(struct program_args *args)
{
	__atomic_fetch_add(&args->references, 1, __ATOMIC_RELAXED);
}

void args_release(struct program_args *args)
{
	if (args != NULL && __atomic_sub_fetch(&args->references, 1, __ATOMIC_ACQ_REL) == 0)
		free(args);
}

struct program_args *args_copy(const struct program_args *args)
{
	struct program_args *copy = args_new(args->count);

	memcpy(copy->words, args->words, args->count * sizeof(args->words[0]));
	copy->generation = args->generation;
	copy->run = args->run;
	return copy;
}

/* If the arguments are shared, replaces them by a copy, so that the caller may change them. */
static struct program_args *args_own(struct program_args **at)
{
	struct program_args *args = *at;

	if (__atomic_load_n(&args->references, __ATOMIC_ACQUIRE) > 1) {
		*at = args_copy(args);
		args_release(args);
	}
	return *at;
}

static uint32_t *args_edit(struct program_args **at)
{
	args_own(at)->generation++;
	return (*at)->words;
}

void program_set_run(struct program *program, uint64_t cycles, uint16_t spread)
{
	ensure(cycles < LAUNCH_RUN_MAX, "a kernel that runs %llu cycles",
		(unsigned long long)cycles);
	args_own(&program->args)->run = launch_run(cycles + 1, spread);
}

struct program *program_new_at(struct program_site *site, const char *name, uint32_t id)
{
	struct program *program = allocate(1, sizeof(*program));

	program->name = allocate_text(name);
	program->site = site;
	program->id = id != 0 ? id : ++site->next_program;
	program->division = site->loaded;
	program->sub_device = site->divided ? SUB_DEVICE_NONE : 0;
	site->programs++;
	program->args = args_new(0);
	program->buffers_end = site->limits.buffers_base;
	for (uint32_t core = 0; core < CORES_MAX; core++)
		program->core_end[core] = site->limits.buffers_base;
	world->work(WORK_API_CALL, 1);
	world->work(WORK_CREATE_OPERATION, 1);
	return program;
}

struct program *program_new(struct mesh_device *mesh, const char *name)
{
	return program_new_at(&mesh->site, name, 0);
}

void program_release(struct program *program)
{
	ensure(program->holders == 0, "program %s is held by %u workloads", program->name,
		program->holders);
	program->site->programs--;
	program_drop_standing_semaphores(program);
	args_release(program->args);
	for (uint32_t i = 0; i < program->kernel_count; i++)
		free(program->kernels[i].text);
	free(program->given);
	free(program->groups);
	free(program->shares);
	free(program->buffers);
	free(program->kernels);
	free(program->name);
	free(program);
}

/* Sets *set to the cores that `cores` describes, and *sub_device to the sub-device of these cores.
 * When the caller has added the cores to the program, it must copy *sub_device to
 * program->sub_device. */
static enum status program_cores_of(const struct program *program, struct cores cores,
	struct text *why, struct core_set *set, uint8_t *sub_device)
{
	const struct program_limits *limits = &program->site->limits;
	enum status status;

	*sub_device = program->sub_device;

	if (program->sealed)
		return refuse(
			why, STATUS_INVALID, "program %s has been enqueued already", program->name);
	status = core_set_of(set, cores, limits->worker_columns, limits->worker_rows,
		limits->ethernet_cores, why);
	if (status != STATUS_OK || program->division == DIVISION_WHOLE)
		return status;
	return sub_device_of_cores(
		program->site, program->division, set, program->sub_device, sub_device, why);
}

enum status program_check_cores(const struct program *program, struct cores cores, struct text *why)
{
	struct core_set set;
	uint8_t sub_device;

	return program_cores_of(program, cores, why, &set, &sub_device);
}

static enum status check_text(const struct kernel_config *config, struct text *why)
{
	if (config->cycles != 0 || config->steps > 1)
		return refuse(why, STATUS_INVALID,
			"a kernel that acts has no cycles of its own, and one step");
	return kernel_program_check(config->text, config->bytes, why);
}

static enum status check_kernel(const struct program *program, const struct kernel_config *config,
	const struct core_set *cores, struct text *why)
{
	const uint32_t most = config->table ? BOUND_TABLE_WORDS : BOUND_ARGUMENTS;

	if (config->processor >= PROCESSOR_COUNT)
		return refuse(why, STATUS_INVALID, "processor %d", (int)config->processor);
	if (config->cores.ethernet && (config->processor != PROCESSOR_BRISC || config->steps > 1))
		return refuse(why, STATUS_INVALID,
			"an Ethernet core has one processor, and no pipelines");
	if (config->bytes == 0 || config->bytes > KERNEL_TEXT_MAX)
		return refuse(why, STATUS_INVALID, "a kernel of %u B, but a kernel has 1 to %d B",
			config->bytes, KERNEL_TEXT_MAX);
	if (config->cycles >> 48 != 0)
		return refuse(why, STATUS_INVALID, "a kernel that runs %llu cycles",
			(unsigned long long)config->cycles);
	if (config->text != NULL && check_text(config, why) != STATUS_OK)
		return check_text(config, NULL);
	if ((uint64_t)config->unique_args + config->common_args > most)
		return refuse(why, STATUS_OUT_OF_RANGE,
			"a kernel with %u unique and %u common arguments, at most %u together",
			config->unique_args, config->common_args, most);
	for (uint32_t i = 0; i < program->kernel_count; i++) {
		const struct program_kernel *other = &program->kernels[i];

		if (other->config.processor != config->processor)
			continue;
		for (uint32_t word = 0; word < CORES_MAX / 64; word++)
			if (other->cores.bits[word] & cores->bits[word])
				return refuse(why, STATUS_EXISTS,
					"kernels %u and %u share a processor of a core", i,
					program->kernel_count);
	}
	return STATUS_OK;
}

/* Adds a kernel, and room for its arguments after the arguments of the other kernels. */
static void append_kernel(
	struct program *program, const struct kernel_config *config, const struct core_set *cores)
{
	uint32_t count = program->kernel_count, words = program->args->count;
	struct program_args *args =
		args_new(words + config->common_args + config->unique_args * core_set_count(cores));

	program->kernels = allocate_more(program->kernels, count + 1, sizeof(*program->kernels));
	program->kernels[count] =
		(struct program_kernel){*config, *cores, words + config->common_args, words, NULL};
	if (config->text != NULL) {
		program->kernels[count].text = allocate(config->bytes, 1);
		memcpy(program->kernels[count].text, config->text, config->bytes);
		program->kernels[count].config.text = program->kernels[count].text;
	}
	if (config->steps == 0)
		program->kernels[count].config.steps = 1;
	memcpy(args->words, program->args->words, words * sizeof(args->words[0]));
	args->generation = program->args->generation;
	args->run = program->args->run;
	args_release(program->args);
	program->args = args;
	program->kernel_count++;
}

/* Groups the cores again after a kernel, circular buffer or semaphore was added to the program. The
 * new element is the last of the *count elements of its kind. If grouping fails, removes the
 * element. */
static enum status group_with(struct program *program, uint32_t *count, struct text *why)
{
	enum status status = program_group_cores(program, why);

	if (status == STATUS_OK) {
		program->changes++;
		return STATUS_OK;
	}
	--*count;
	(void)program_group_cores(program, NULL);
	return status;
}

enum status program_add_kernel(struct program *program, const struct kernel_config *config,
	struct text *why, uint32_t *kernel)
{
	struct core_set cores;
	uint8_t sub_device;
	enum status status = program_cores_of(program, config->cores, why, &cores, &sub_device);

	world->work(WORK_API_CALL, 1);
	if (status == STATUS_OK)
		status = check_kernel(program, config, &cores, why);
	if (status != STATUS_OK)
		return status;
	append_kernel(program, config, &cores);
	status = group_with(program, &program->kernel_count, why);
	if (status != STATUS_OK) {
		free(program->kernels[program->kernel_count].text);
		return status;
	}
	program->acts = program->acts || config->text != NULL;
	program->sub_device = sub_device;
	*kernel = program->kernel_count - 1;
	return STATUS_OK;
}

/* ---- circular buffers and semaphores ---- */

/* Returns the address of a new circular buffer on `set`. Sets *most to the largest number of
 * circular buffers that any of these cores has. */
static uint32_t buffer_address(
	const struct program *program, const struct core_set *set, uint32_t *most)
{
	uint32_t address = program->site->limits.buffers_base;

	*most = 0;
	for (uint32_t core = 0; core < CORES_MAX; core++) {
		uint32_t count = 0;

		if (!core_set_has(set, core))
			continue;
		if (program->core_end[core] > address)
			address = program->core_end[core];
		for (uint32_t i = 0; i < program->buffer_count; i++)
			count += core_set_has(&program->buffers[i].cores, core);
		*most = count > *most ? count : *most;
	}
	return address;
}

static enum status program_check_buffer(const struct program *program, const struct core_set *set,
	uint64_t bytes, uint32_t *address, struct text *why)
{
	uint32_t most;

	*address = buffer_address(program, set, &most);
	if (most == CIRCULAR_BUFFERS_MAX || program->buffer_count == PROGRAM_BUFFERS_MAX)
		return refuse(why, STATUS_NO_SPACE,
			"a core has at most %d circular buffers, a program %d",
			CIRCULAR_BUFFERS_MAX, PROGRAM_BUFFERS_MAX);
	if (bytes > program->site->limits.l1_bytes - *address)
		return refuse(why, STATUS_NO_SPACE,
			"circular buffer %u of program %s: %llu B wanted, %u B of L1 are left",
			program->buffer_count, program->name, (unsigned long long)bytes,
			program->site->limits.l1_bytes - *address);
	return STATUS_OK;
}

enum status program_add_circular_buffer(struct program *program, struct cores cores, uint32_t pages,
	uint32_t page_bytes, struct text *why)
{
	uint64_t bytes =
		((uint64_t)pages * page_bytes + BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN;
	uint32_t address, end;
	struct core_set set;
	uint8_t sub_device;
	enum status status = program_cores_of(program, cores, why, &set, &sub_device);

	world->work(WORK_API_CALL, 1);
	if (status == STATUS_OK && cores.ethernet)
		return refuse(why, STATUS_INVALID, "circular buffers on Ethernet cores");
	if (status == STATUS_OK && bytes == 0)
		return refuse(why, STATUS_INVALID, "a circular buffer of %u pages of %u B", pages,
			page_bytes);
	if (status == STATUS_OK)
		status = program_check_buffer(program, &set, bytes, &address, why);
	if (status != STATUS_OK)
		return status;
	program->buffers = allocate_more(
		program->buffers, program->buffer_count + 1, sizeof(*program->buffers));
	program->buffers[program->buffer_count++] =
		(struct program_buffer){{address, pages, page_bytes}, set, cores};
	status = group_with(program, &program->buffer_count, why);
	if (status != STATUS_OK)
		return status;
	program->sub_device = sub_device;
	end = address + (uint32_t)bytes;
	for (uint32_t core = 0; core < CORES_MAX; core++)
		if (core_set_has(&set, core))
			program->core_end[core] = end;
	if (end > program->buffers_end)
		program->buffers_end = end;
	return STATUS_OK;
}

enum status program_add_semaphore(struct program *program, struct cores cores, uint32_t initial,
	struct text *why, uint32_t *index)
{
	struct core_set set;
	uint8_t sub_device;
	enum status status = program_cores_of(program, cores, why, &set, &sub_device);

	world->work(WORK_API_CALL, 1);
	if (status != STATUS_OK)
		return status;
	if (program->semaphore_count == SEMAPHORES_MAX)
		return refuse(why, STATUS_NO_SPACE, "more than %d semaphores", SEMAPHORES_MAX);
	program->semaphores[program->semaphore_count++] =
		(struct program_semaphore){initial, set, cores};
	status = group_with(program, &program->semaphore_count, why);
	if (status != STATUS_OK)
		return status;
	program->sub_device = sub_device;
	*index = program->semaphore_count - 1;
	return STATUS_OK;
}

/* ---- arguments ---- */

enum status args_set(const struct program *program, struct program_args **own, uint32_t kernel,
	uint32_t core, const uint32_t *args, uint32_t count)
{
	const struct program_kernel *at = &program->kernels[kernel];

	if (kernel >= program->kernel_count || core >= CORES_MAX || !core_set_has(&at->cores, core))
		return STATUS_NOT_FOUND;
	if (count != at->config.unique_args)
		return STATUS_INVALID;
	memcpy(args_edit(own) + at->unique_at + core_set_rank(&at->cores, core) * count, args,
		count * sizeof(*args));
	return STATUS_OK;
}

enum status program_set_args(struct program *program, uint32_t kernel, uint32_t core,
	const uint32_t *args, uint32_t count)
{
	world->work(WORK_API_CALL, 1);
	return args_set(program, &program->args, kernel, core, args, count);
}

enum status program_set_common_args(
	struct program *program, uint32_t kernel, const uint32_t *args, uint32_t count)
{
	world->work(WORK_API_CALL, 1);
	if (kernel >= program->kernel_count)
		return STATUS_NOT_FOUND;
	if (count != program->kernels[kernel].config.common_args)
		return STATUS_INVALID;
	memcpy(args_edit(&program->args) + program->kernels[kernel].common_at, args,
		count * sizeof(*args));
	return STATUS_OK;
}

void args_refresh(struct program_args **args, uint32_t generation)
{
	uint32_t *words;

	if ((*args)->count == 0)
		return;
	words = args_edit(args);
	for (uint32_t i = 0; i < (*args)->count; i++)
		words[i] = (uint32_t)hash_mix((uint64_t)generation << 32 | i);
}

enum status args_replace(struct program_args **args, const uint32_t *words, uint32_t count)
{
	if (count != (*args)->count)
		return STATUS_INVALID;
	if (count > 0)
		memcpy(args_edit(args), words, count * sizeof(*words));
	return STATUS_OK;
}

void program_refresh_args(struct program *program, uint32_t generation)
{
	args_refresh(&program->args, generation);
}

static uint8_t *put_words(uint8_t *out, const uint32_t *words, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++, out += 4)
		bytes_put32(out, words[i]);
	return out;
}

void program_unique_args(const struct program *program, const struct program_args *args,
	const struct program_group *group, uint32_t core, uint8_t *out)
{
	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++) {
		const struct program_kernel *kernel;
		uint32_t count;

		if (group->kernel[i] == 0)
			continue;
		kernel = &program->kernels[group->kernel[i] - 1];
		count = kernel->config.unique_args;
		if (count > 0)
			out = put_words(out,
				args->words + kernel->unique_at +
					core_set_rank(&kernel->cores, core) * count,
				count);
	}
}

void program_common_args(const struct program *program, const struct program_args *args,
	const struct program_group *group, uint8_t *out)
{
	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++) {
		const struct program_kernel *kernel;

		if (group->kernel[i] == 0)
			continue;
		kernel = &program->kernels[group->kernel[i] - 1];
		out = put_words(out, args->words + kernel->common_at, kernel->config.common_args);
	}
}

uint32_t program_worker_count(const struct program *program)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < program->group_count; i++)
		count += program->groups[i].core_count;
	return count;
}

bool program_uses_worker(const struct program *program, uint32_t worker)
{
	bool uses = false;

	for (uint32_t i = 0; i < program->kernel_count && worker < CORES_MAX; i++)
		uses |= core_set_has(&program->kernels[i].cores, worker);
	return uses;
}
