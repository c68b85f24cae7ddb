/* Verifies workers at the end of a run. The workers to verify are drawn from the run's seed. A
 * worker counts its launches, and at every launch adds a checksum of its arguments to a sum. The
 * count and the sum are compared with their expected values. Also checks that all credits of
 * broadcasts were given back. */
#include "client_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/hash.h"
#include "base/stream.h"
#include "command/bytes.h"
#include "command/launch.h"
#include "world/bounds.h"

/* The arguments of one worker. */
struct given {
	uint8_t unique[4 * BOUND_ARGUMENTS * PROCESSOR_COUNT],
		common[4 * BOUND_ARGUMENTS * PROCESSOR_COUNT];
	uint32_t unique_bytes, common_bytes;
};

/* Returns word `index` of the arguments of a generation, as program_refresh_args() sets it. */
static uint32_t argument(uint32_t generation, uint32_t index)
{
	return (uint32_t)hash_mix((uint64_t)generation << 32 | index);
}

static uint32_t columns_of(const struct client *client)
{
	return client->program_limits->worker_columns;
}

static uint32_t workers(const struct client *client)
{
	return columns_of(client) * client->program_limits->worker_rows;
}

/* Return the first column of a program's cores, and the number of columns. */
static uint32_t first_of(const struct cores *cores)
{
	return cores->kind == CORES_RECTANGLE ? cores->rect.column0 : 0;
}

static uint32_t client_verify_width_of(const struct client *client, const struct cores *cores)
{
	uint32_t columns = columns_of(client);

	if (cores->kind == CORES_RECTANGLE)
		return cores->rect.column1 - cores->rect.column0 + 1u;
	return cores->kind == CORES_COUNT && cores->count < columns ? cores->count : columns;
}

/* Counts the cores below `core`, in row-major order, that are in columns `from` to `to` - 1. */
static uint32_t cores_below(uint32_t core, uint32_t columns, uint32_t from, uint32_t to)
{
	uint32_t column = core % columns, part = 0;

	if (column > from)
		part = (column < to ? column : to) - from;
	return core / columns * (to - from) + part;
}

/* Counts the cores of a program that are in columns `from` to `to` - 1 and precede `core` in
 * row-major order. If `core` is greater than all core numbers, counts all cores of the program in
 * these columns. */
static uint32_t rank_in(const struct client *client, const struct cores *cores, uint32_t core,
	uint32_t from, uint32_t to)
{
	const struct worker_rect *rect = &cores->rect;
	uint32_t columns = columns_of(client), first = 0, end = workers(client);

	if (cores->kind == CORES_COUNT && cores->count < end)
		end = cores->count;
	if (cores->kind == CORES_RECTANGLE) {
		first = rect->row0 * columns;
		end = (rect->row1 + 1u) * columns;
		from = from > rect->column0 ? from : rect->column0;
		to = to < rect->column1 + 1u ? to : rect->column1 + 1u;
	}
	core = core < end ? core : end;
	if (from >= to || core <= first)
		return 0;
	return cores_below(core, columns, from, to) - cores_below(first, columns, from, to);
}

/* Appends to *arguments the arguments that core `core` gets from one kernel description. The
 * program's columns form groups, each with arguments of its own. All arguments of all groups are
 * numbered, from `at` on. Returns how many there are. */
static uint32_t kernel_arguments(const struct client *client, const struct program_keys *keys,
	uint32_t generation, uint32_t core, uint32_t at, struct given *arguments)
{
	uint32_t first = first_of(&keys->cores),
		 width = client_verify_width_of(client, &keys->cores), begin = at;
	uint32_t column = core % columns_of(client);

	for (uint32_t group = 0; group < keys->kernel_groups; group++) {
		uint32_t from = first + group * width / keys->kernel_groups;
		uint32_t to = first + (group + 1) * width / keys->kernel_groups;
		uint32_t own = at + keys->common_runtime_args +
			       rank_in(client, &keys->cores, core, from, to) * keys->runtime_args;

		for (uint32_t i = 0; i < keys->common_runtime_args && column >= from && column < to;
			i++, arguments->common_bytes += 4)
			bytes_put32(arguments->common + arguments->common_bytes,
				argument(generation, at + i));
		for (uint32_t i = 0; i < keys->runtime_args && column >= from && column < to;
			i++, arguments->unique_bytes += 4)
			bytes_put32(arguments->unique + arguments->unique_bytes,
				argument(generation, own + i));
		at += keys->common_runtime_args +
		      rank_in(client, &keys->cores, UINT32_MAX, from, to) * keys->runtime_args;
	}
	return at - begin;
}

/* Appends to *arguments the arguments of worker `core`. Arguments are numbered kernel by kernel:
 * first the kernel's common arguments, then its cores' unique arguments, core by core. */
static void worker_arguments(const struct client *client, const struct program_keys *keys,
	uint32_t generation, uint32_t core, struct given *arguments)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (step_has_arguments(keys, (enum processor)i))
			at += kernel_arguments(client, keys, generation, core, at, arguments);
}

/* Like worker_arguments(), for an Ethernet core. Its kernel comes after the kernels of workers. */
static void ethernet_arguments(const struct client *client, const struct program_keys *keys,
	uint32_t generation, uint32_t core, struct given *arguments)
{
	struct given skipped = {.unique_bytes = 0, .common_bytes = 0};
	uint32_t at = 0, own;

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (keys->processors[i])
			at += kernel_arguments(client, keys, generation, 0, at, &skipped);
	own = at + keys->common_runtime_args + (core - workers(client)) * keys->runtime_args;
	for (uint32_t i = 0; i < keys->common_runtime_args; i++, arguments->common_bytes += 4)
		bytes_put32(arguments->common + 4 * i, argument(generation, at + i));
	for (uint32_t i = 0; i < keys->runtime_args; i++, arguments->unique_bytes += 4)
		bytes_put32(arguments->unique + 4 * i, argument(generation, own + i));
}

/* Returns the sum of the checksums of a core's arguments over all launches. If there are several
 * generations of arguments, each of them was launched equally often: once, or once in each replay
 * of a trace. */
static uint32_t expected_sum(const struct client *client, const struct client_program *program,
	uint32_t launches, uint16_t row, uint16_t column, uint32_t core)
{
	uint32_t sum = 0;

	ensure(launches % program->generation == 0, "%u launches of %u generations", launches,
		program->generation);
	for (uint32_t generation = 1; generation <= program->generation; generation++) {
		struct given arguments; /* not cleared for each worker, because it is large */
		uint32_t values = client_generation(program, generation, row, column);

		arguments.unique_bytes = arguments.common_bytes = 0;
		if (core < workers(client))
			worker_arguments(client, program->keys, values, core, &arguments);
		else
			ethernet_arguments(client, program->keys, values, core, &arguments);
		sum += launch_checksum(arguments.unique, arguments.unique_bytes, arguments.common,
			arguments.common_bytes);
	}
	return sum * (launches / program->generation);
}

/* Returns true if a program has a kernel on core `core`. Cores are numbered: first the workers,
 * then the Ethernet cores. */
static bool runs_on(const struct client *client, const struct program_keys *keys, uint32_t core)
{
	const struct cores *ethernet = &keys->ethernet_cores;
	bool used = false;

	if (core >= workers(client))
		return keys->processors[STEP_ETHERNET] &&
		       (ethernet->kind == CORES_ALL || core - workers(client) < ethernet->count);
	for (uint32_t i = 0; i < keys->kernel_count; i++)
		used |= kernel_runs_on(
			keys, &keys->kernels[i], client->program_limits->worker_columns, core);
	for (uint32_t i = 0; i < PROCESSOR_COUNT && keys->kernel_count == 0; i++)
		used |= keys->processors[i];
	return used && client_takes_part(client, &keys->cores, core);
}

static bool covers(const struct client *client, const struct client_program *program, uint16_t row,
	uint16_t column, uint32_t core)
{
	bool here = device_range_has(program->range, row, column);

	/* A library program uses only as many of its allowed cores as it needs. */
	if (here && program->acting && core < workers(client))
		return program_uses_worker(program->program, core);
	return here && runs_on(client, program->keys, core);
}

/* Adds to *launches how often programs were launched on `core`, and to *sum the expected checksums
 * of the arguments of these launches. Returns false if these checksums are unknown, because the
 * core ran a collective, a gather, a model, or a program whose kernels execute instructions
 * (program_acts()). */
static bool count_launches(const struct client *client, uint16_t row, uint16_t column,
	uint32_t core, uint32_t *launches, uint32_t *sum)
{
	bool known = true;

	if (core < workers(client))
		*launches = client_collective_launches(client, row, column, core) +
			    client_gather_launches(client, core) +
			    client_model_launches(client, row, column, core);
	known = *launches == 0;
	for (const struct client_workload *w = client->workloads; w; w = w->next)
		for (uint32_t i = 0; w->launches > 0 && i < w->program_count; i++) {
			if (!covers(client, &w->programs[i], row, column, core))
				continue;
			*launches += w->launches;
			if (program_acts(w->programs[i].keys))
				known = false;
			else
				*sum += expected_sum(
					client, &w->programs[i], w->launches, row, column, core);
		}
	return known;
}

/* Compares what a worker has counted with the launches of all programs on this worker: the number
 * of launches, and the sum of the checksums of their arguments. The order of the launches does not
 * matter for these. */
static bool check_worker(
	struct client *client, uint16_t row, uint16_t column, uint32_t core, bool *launched)
{
	uint32_t launches = 0, sum = 0;
	struct launch_result result;
	bool known;
	enum status status =
		client->device->ops->core_result(client->device, row, column, core, &result);

	if (status == STATUS_UNSUPPORTED)
		return client_refuse(client, tree_where(tree_root(client->plan->tree), "measure"),
			"cores of these devices cannot be read: 'verify' must be false");
	if (status != STATUS_OK)
		return client_fail(client, "verification failed: L1 of core %u of device %u,%u: %s",
			core, row, column, status_message(status));
	known = count_launches(client, row, column, core, &launches, &sum);
	if (result.launches != launches)
		return client_fail(client,
			"verification failed: core %u of device %u,%u was launched %u times, not "
			"%u",
			core, row, column, result.launches, launches);
	if (known && result.sum != sum)
		return client_fail(client,
			"verification failed: the arguments of all launches of core %u of device "
			"%u,%u sum to 0x%08x, those given to it to 0x%08x",
			core, row, column, result.sum, sum);
	*launched = launches > 0;
	return true;
}

/* What is known of a core. A core may be drawn for several programs, but is checked only once,
 * because a check counts the launches of all programs. */
enum checked { CORE_UNKNOWN, CORE_IDLE, CORE_LAUNCHED };

/* The cores of all devices of a mesh, row by row. */
struct checked_cores {
	uint8_t *at;
	uint32_t columns, cores; /* columns of devices; cores of a device */
};

/* Checks a core, and counts it if it was launched. */
static bool check_core(struct client *client, const struct checked_cores *checked, uint16_t row,
	uint16_t column, uint32_t core)
{
	uint8_t *known =
		&checked->at[((size_t)row * checked->columns + column) * checked->cores + core];
	bool launched = false;

	if (*known == CORE_UNKNOWN) {
		if (!check_worker(client, row, column, core, &launched))
			return false;
		*known = launched ? CORE_LAUNCHED : CORE_IDLE;
	}
	client->verified += *known == CORE_LAUNCHED;
	return true;
}

static bool client_verify_check_program(struct client *client, const struct checked_cores *checked,
	const struct client_program *program, uint32_t number)
{
	struct stream stream;
	char role[64];

	snprintf(role, sizeof role, "verify/program-%u", number);
	stream_init(&stream, client->plan->scenario->seed, role);
	for (uint32_t i = 0; i < client->plan->scenario->measure.verify_cores; i++) {
		const struct device_range *range = &program->range;
		uint16_t row = (uint16_t)(range->row0 +
					  stream_below(&stream, range->row1 - range->row0 + 1u));
		uint16_t column =
			(uint16_t)(range->column0 +
				   stream_below(&stream, range->column1 - range->column0 + 1u));
		uint32_t core = (uint32_t)stream_below(&stream, checked->cores);

		if (!check_core(client, checked, row, column, core))
			return false;
	}
	return true;
}

static bool check_credits(struct client *client)
{
	struct mesh_counters counters;

	client->device->ops->counters(client->device, &counters);
	if (counters.credits_due == counters.credits_taken)
		return true;
	return client_fail(client,
		"verification failed: broadcasts took %" PRIu64
		" credits of their receivers, which give back %" PRIu64,
		counters.credits_taken, counters.credits_due);
}

/* Checks cores of every program. */
static bool check_programs(struct client *client)
{
	struct device_range all = client_all_devices(client);
	struct checked_cores checked = {.columns = all.column1 + 1u,
		.cores = workers(client) + client->program_limits->ethernet_cores};
	bool good = true;

	checked.at = allocate((all.row1 + 1u) * (size_t)checked.columns, checked.cores);
	for (const struct client_workload *w = client->workloads; w && good; w = w->next)
		for (uint32_t i = 0; i < w->program_count && good; i++)
			good = client_verify_check_program(
				client, &checked, &w->programs[i], w->step->number);
	free(checked.at);
	return good;
}

bool client_verify(struct client *client)
{
	enum status status;

	if (!client->device)
		return true; /* a closed mesh was verified before it was closed */
	status = client->device->ops->rest(client->device, DEADLINE_NEVER);
	if (status != STATUS_OK)
		return client_fail(client, "rest: %s", status_message(status));
	return check_credits(client) && check_programs(client) && client_collectives_verify(client);
}
