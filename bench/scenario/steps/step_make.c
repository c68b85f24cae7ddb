/* Makes programs with filler kernels, programs of the library, and programs whose kernels are in
 * the scenario. If the runtime rejects a value of a filler kernel, continues with a valid value, so
 * that one call finds all errors of a program. */
#include "bench/scenario/step_make.h"

#include <string.h>

#include "base/ensure.h"
#include "command/kernel_text.h"
#include "platform/platform.h"

/* A program under construction. */
struct making {
	const struct step_maker *maker;
	const struct step *step;
	const struct program_keys *keys;
	struct program *program;
	struct text why;
	bool good; /* no error so far */
};

/* ---- errors ---- */

/* Returns true if `status` is OK. Otherwise reports an error with the text `why`, and empties
 * `why`. The error cites `where`. If this location is empty because the key was not given, the
 * error cites the program or its step. */
static bool making_check(struct making *making, enum status status, struct location where)
{
	if (status == STATUS_OK)
		return true;
	if (!where.source) /* a default has no location */
		where = making->keys->where;
	if (!where.source)
		where = making->step->where;
	diag_error(making->maker->diag, where, "program '%s': %s", making->keys->program,
		making->why.length ? text_string(&making->why) : status_message(status));
	text_fini(&making->why);
	making->good = false;
	return false;
}

void step_refuse_workload(const struct step *step, const struct text *why, struct diag *diag)
{
	uint32_t count;
	const struct program_keys *keys = step_programs(step, &count);

	diag_error(diag, keys->kernel_bytes_where.source ? keys->kernel_bytes_where : step->where,
		"program '%s': %s", keys->program,
		why->length ? text_string(why) : status_message(STATUS_NO_SPACE));
}

/* ---- cores ---- */

static bool has_workers(const struct program_keys *keys)
{
	bool workers = keys->library > 0 || keys->kernel_count > 0;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		workers |= keys->processors[i];
	return workers;
}

/* Checks that the program's sub-device has the cores `cores`. */
static bool check_sub_device(struct making *making, struct cores cores)
{
	enum status status = program_check_cores(making->program, cores, &making->why);

	if (status == STATUS_INVALID)
		text_append(&making->why, " (runtime.sub_devices, from 0)");
	return making_check(making, status,
		making->keys->sub_device ? making->keys->sub_device_where
					 : making->keys->cores_where);
}

static bool check_cores(struct making *making)
{
	struct cores cores = making->keys->cores;

	return making_check(making, cores_check(making->maker->limits, cores, &making->why),
		       making->keys->cores_where) &&
	       (!has_workers(making->keys) || check_sub_device(making, cores));
}

/* Returns group `part` of the step's cores, which are divided into `parts` groups. */
static struct cores part_of(const struct program_keys *keys, uint32_t part, uint32_t parts)
{
	struct cores cores = keys->cores;

	cores.part = (uint16_t)part;
	cores.parts = (uint16_t)parts;
	return cores;
}

static void check_groups(struct making *making, uint32_t *groups, struct location where)
{
	struct cores cores = part_of(making->keys, 0, *groups);

	if (!making_check(making, cores_check(making->maker->limits, cores, &making->why), where))
		*groups = 1;
}

static bool step_make_check_ethernet(struct making *making)
{
	const struct program_keys *keys = making->keys;
	enum status status = cores_check(making->maker->limits, keys->ethernet_cores, &making->why);

	return making_check(making, status,
		       keys->ethernet_cores_where.source ? keys->ethernet_cores_where
							 : keys->processors_where) &&
	       check_sub_device(making, keys->ethernet_cores);
}

/* ---- filler ---- */

uint32_t step_circular_buffer_pages(const struct run_plan *run, const struct program_keys *keys)
{
	if (keys->circular_buffer_pages > 0)
		return keys->circular_buffer_pages;
	return keys->pages == 1
		       ? 1
		       : (uint32_t)platform_real(run->platform, "firmware.circular_buffer_pages");
}

bool step_has_arguments(const struct program_keys *keys, enum processor processor)
{
	for (uint32_t i = PROCESSOR_TRISC0; i < (uint32_t)processor; i++)
		if (keys->processors[i])
			return false;
	return keys->processors[processor];
}

uint64_t step_run_cycles(const struct run_plan *run, uint64_t run_ns)
{
	double hz = platform_real(run->platform, "chip.aiclk");

	return (uint64_t)((double)run_ns * hz * 1e-9 + 0.5);
}

static uint64_t run_cycles(const struct making *making)
{
	return step_run_cycles(making->maker->run, making->keys->run_ns);
}

/* Adds a kernel. If the runtime returns an error, reports it at the key that caused it. Then sets
 * this key in `keys` to a valid value, so that later kernels do not fail for the same reason. */
static void put_kernel(
	struct making *making, struct program_keys *keys, struct kernel_config config)
{
	uint32_t kernel;
	enum status status = program_add_kernel(making->program, &config, &making->why, &kernel);

	if (status == STATUS_OUT_OF_RANGE) {
		(void)making_check(making, status, keys->runtime_args_where);
		config.unique_args = config.common_args = 0;
		status = program_add_kernel(making->program, &config, &making->why, &kernel);
		keys->runtime_args = keys->common_runtime_args = 0;
	}
	if (!making_check(making, status, keys->kernel_bytes_where)) {
		keys->runtime_args = keys->common_runtime_args = 0;
		keys->kernel_bytes = 16;
		memset(keys->processor_bytes, 0, sizeof keys->processor_bytes);
	}
}

static uint32_t kernel_bytes(const struct program_keys *keys, unsigned processor)
{
	uint32_t own = keys->processor_bytes[processor];

	return own > 0 ? own : keys->kernel_bytes;
}

/* Adds a kernel on every group of cores, each with a binary of its own. */
static void add_worker_kernels(
	struct making *making, struct program_keys *keys, enum processor processor)
{
	for (uint32_t i = 0; i < keys->kernel_groups; i++) {
		struct kernel_config config = {
			.processor = processor,
			.cores = part_of(keys, i, keys->kernel_groups),
			.bytes = kernel_bytes(keys, processor),
			.copied = processor == PROCESSOR_NCRISC,
			.steps = (uint16_t)keys->pages,
			.cycles = run_cycles(making),
		};

		if (step_has_arguments(keys, processor)) {
			config.unique_args = keys->runtime_args;
			config.common_args = keys->common_runtime_args;
		}
		put_kernel(making, keys, config);
	}
}

/* Adds one kernel on all Ethernet cores of the program. */
static void add_ethernet_kernel(struct making *making, struct program_keys *keys)
{
	struct kernel_config config = {
		.processor = PROCESSOR_BRISC,
		.cores = keys->ethernet_cores,
		.bytes = kernel_bytes(keys, STEP_ETHERNET),
		.cycles = run_cycles(making) * keys->pages,
		.unique_args = keys->runtime_args,
		.common_args = keys->common_runtime_args,
	};

	if (keys->processors[STEP_ETHERNET] && step_make_check_ethernet(making))
		put_kernel(making, keys, config);
}

/* Adds the same number of circular buffers on each group of cores. The buffers of each group have
 * one page more than those of the group before. */
static bool add_circular_buffers(struct making *making, const struct program_keys *keys)
{
	for (uint32_t i = 0; i < keys->circular_buffer_groups; i++)
		for (uint32_t k = 0; k < keys->circular_buffers; k++)
			if (!making_check(making,
				    program_add_circular_buffer(making->program,
					    part_of(keys, i, keys->circular_buffer_groups),
					    i + step_circular_buffer_pages(
							making->maker->run, keys),
					    keys->circular_buffer_bytes, &making->why),
				    keys->circular_buffers_where))
				return false;
	return true;
}

static bool add_semaphore(struct making *making, struct cores cores, uint32_t initial)
{
	uint32_t index;

	return making_check(making,
		program_add_semaphore(making->program, cores, initial, &making->why, &index),
		making->keys->where);
}

static bool add_semaphores(struct making *making, const struct program_keys *keys)
{
	for (uint32_t i = 0; i < keys->semaphores; i++)
		if (!add_semaphore(making, keys->cores, i) ||
			(keys->processors[STEP_ETHERNET] &&
				!add_semaphore(making, keys->ethernet_cores, i)))
			return false;
	return true;
}

static bool add_filler(struct making *making)
{
	struct program_keys keys = *making->keys;

	check_groups(making, &keys.kernel_groups, keys.kernel_groups_where);
	check_groups(making, &keys.circular_buffer_groups, keys.circular_buffer_groups_where);
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		if (keys.processors[i])
			add_worker_kernels(making, &keys, (enum processor)i);
	add_ethernet_kernel(making, &keys);
	return making->good && add_circular_buffers(making, &keys) && add_semaphores(making, &keys);
}

/* ---- programs of the library ---- */

static bool step_make_add_library(struct making *making)
{
	const struct program_keys *keys = making->keys;
	struct library_blame blame = {0};
	struct library_use use;
	enum status status;

	step_library_use(making->maker, keys, &use);
	use.blame = &blame;
	status = library_row(keys->library - 1)->build(making->program, &use, &making->why);
	return making_check(making, status, step_library_blame(keys, &blame, status));
}

/* ---- kernels of the scenario ---- */

enum { WORDS_MAX = LIBRARY_PORTS_MAX * PAGES_WORDS_MAX };

/* The common arguments of a kernel: the descriptions of all buffers, one after the other. */
struct described {
	uint32_t words[WORDS_MAX], count;
	uint32_t at[LIBRARY_PORTS_MAX];
};

static bool describe(struct making *making, struct described *described)
{
	const struct program_keys *keys = making->keys;

	described->count = 0;
	for (uint32_t i = 0; i < keys->buffer_count; i++) {
		struct library_buffer known =
			making->maker->buffer(making->maker->context, keys->buffers[i].buffer);
		uint32_t words = pages_describe(&known, described->words + described->count);

		if (words == 0) {
			text_printf(&making->why,
				"buffer '%s' has a layout that kernels do not know",
				keys->buffers[i].buffer);
			return making_check(making, STATUS_UNSUPPORTED, keys->library_where);
		}
		described->at[i] = described->count;
		described->count += words;
	}
	return true;
}

/* Adds the routes among the arguments of a kernel, and writes their numbers into `words`. */
static bool add_routes(struct making *making, const struct kernel_keys *kernel, uint32_t *words)
{
	struct device_range range = devices_range(making->keys->devices, making->maker->shape);
	uint32_t own = (uint32_t)range.row0 * making->maker->shape.columns + range.column0;
	bool alone = range.row0 == range.row1 && range.column0 == range.column1;

	for (uint32_t i = 0; i < kernel->argument_count; i++) {
		const struct route_keys *keys = &kernel->arguments[i].route;
		enum status status = STATUS_OUT_OF_RANGE;

		words[i] = kernel->arguments[i].value;
		if (keys->count == 0)
			continue;
		if (!alone || keys->devices[0] != own)
			text_append(&making->why,
				"a route begins at the one device that runs the program");
		else
			status = program_add_route(making->program,
				&(struct route_config){.devices = keys->devices,
					.count = keys->count,
					.each = keys->each,
					.round = keys->ring,
					.link = (uint8_t)keys->link},
				&making->why, &words[i]);
		if (!making_check(making, status, kernel->arguments[i].where))
			return false;
	}
	return true;
}

static void set_arguments(struct making *making, const struct kernel_keys *kernel, uint32_t number)
{
	const struct program_limits *limits = making->maker->limits;
	uint32_t words[BOUND_ARGUMENTS], rank = 0;
	enum status status = STATUS_OK;

	if (!add_routes(making, kernel, words))
		return;
	for (uint32_t core = 0; core < (uint32_t)limits->worker_columns * limits->worker_rows &&
				status == STATUS_OK && kernel->argument_count > 0;
		core++) {
		if (!cores_have(&making->keys->cores, limits->worker_columns, core))
			continue;
		for (uint32_t i = 0; i < kernel->argument_count; i++)
			words[i] = kernel->arguments[i].core ? rank : words[i];
		if (kernel_runs_on(making->keys, kernel, limits->worker_columns, core))
			status = program_set_args(
				making->program, number, core, words, kernel->argument_count);
		rank++;
	}
	ensure(status == STATUS_OK, "arguments of a kernel: %s", status_message(status));
}

/* Sets *cores to the cores that run a kernel: all cores of the program, or the one that the kernel
 * names. Returns false with an error if the program does not use this core. */
static bool find_cores(struct making *making, const struct kernel_keys *kernel, struct cores *cores)
{
	const struct step_maker *maker = making->maker;
	uint32_t columns = maker->limits->worker_columns;

	*cores = making->keys->cores;
	if (kernel->core_count == 0)
		return true;
	*cores = (struct cores){.kind = CORES_RECTANGLE,
		.rect = {kernel->core[0], kernel->core[1], kernel->core[0], kernel->core[1]}};
	if (!making_check(
		    making, cores_check(maker->limits, *cores, &making->why), kernel->core_where))
		return false;
	if (kernel_runs_on(
		    making->keys, kernel, columns, kernel->core[1] * columns + kernel->core[0]))
		return true;
	text_printf(&making->why, "core [%u, %u] is not among its cores (`cores`)", kernel->core[0],
		kernel->core[1]);
	return making_check(making, STATUS_OUT_OF_RANGE, kernel->core_where);
}

static void put_acting(struct making *making, const struct kernel_keys *kernel,
	const struct described *described, const struct kernel_text *text)
{
	struct kernel_config config = {.processor = (enum processor)kernel->processor,
		.copied = kernel->processor == PROCESSOR_NCRISC,
		.unique_args = kernel->argument_count,
		.common_args = described->count,
		.text = text->bytes,
		.bytes = text->length};
	enum status status;
	uint32_t number;

	if (!find_cores(making, kernel, &config.cores))
		return;
	status = program_add_kernel(making->program, &config, &making->why, &number);
	if (!making_check(making, status,
		    status == STATUS_EXISTS ? kernel->where : making->keys->library_where))
		return;
	if (described->count > 0)
		(void)program_set_common_args(
			making->program, number, described->words, described->count);
	set_arguments(making, kernel, number);
}

static void add_acting_kernel(
	struct making *making, const struct kernel_keys *kernel, const struct described *described)
{
	struct kernel_text text;

	if (program_kernel_text(making->keys, kernel, described->at, making->maker->diag, &text))
		put_acting(making, kernel, described, &text);
	else
		making->good = false;
	kernel_text_fini(&text);
}

static bool add_kernels(struct making *making)
{
	const struct program_keys *keys = making->keys;
	struct described described;
	uint32_t index;

	if (!describe(making, &described))
		return false;
	for (uint32_t i = 0; i < keys->kernel_count; i++)
		add_acting_kernel(making, &keys->kernels[i], &described);
	for (uint32_t i = 0; i < keys->circular_buffers && making->good; i++)
		(void)making_check(making,
			program_add_circular_buffer(making->program, keys->cores,
				step_circular_buffer_pages(making->maker->run, keys),
				keys->circular_buffer_bytes, &making->why),
			keys->library_where);
	for (uint32_t i = 0; i < keys->semaphores && making->good; i++)
		(void)making_check(making,
			program_add_semaphore(
				making->program, keys->cores, 0, &making->why, &index),
			keys->library_where);
	return making->good;
}

/* ---- programs ---- */

static void add_to_workload(struct making *making, struct workload *workload)
{
	const struct program_keys *keys = making->keys;
	enum status status = workload_add(workload, making->program,
		devices_range(keys->devices, making->maker->shape), &making->why);

	if (making->good || status != STATUS_INVALID) /* otherwise the cause was already reported */
		(void)making_check(making, status, keys->devices_where);
}

bool step_make_program(const struct step_maker *maker, const struct step *step,
	const struct program_keys *keys, struct program *program, struct workload *workload)
{
	struct making making = {
		.maker = maker, .step = step, .keys = keys, .program = program, .good = true};

	if (check_cores(&making))
		(void)(keys->library > 0	 ? step_make_add_library(&making)
			: keys->kernel_count > 0 ? add_kernels(&making)
						 : add_filler(&making));
	add_to_workload(&making, workload);
	text_fini(&making.why);
	return making.good;
}
