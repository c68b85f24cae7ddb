/* Divides the devices of a program site (struct program_site) into sub-devices (spec 3.3.4).
 * Checks a division, and records the sub-device of each core. The site need not have a mesh. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/plan/plan.h"
#include "mesh/program/program.h"
#include "mesh/program/sub_devices.h"

/* ---- checks ---- */

static bool overlap(const struct core_set *a, const struct core_set *b)
{
	for (uint32_t i = 0; i < CORES_MAX / 64; i++)
		if (a->bits[i] & b->bits[i])
			return true;
	return false;
}

/* Sets sets[index] to the cores of sub-device `index`, and checks that no earlier sub-device shares
 * any of these cores. */
static enum status division_cores_of(const struct sub_devices_config *config, uint32_t index,
	uint32_t columns, uint32_t rows, struct core_set *sets, struct text *why)
{
	const struct sub_device_config *sub_device = &config->sub_devices[index];
	enum status status;

	if (sub_device->cores.ethernet)
		return refuse(why, STATUS_INVALID, "Ethernet cores in place of workers");
	status = core_set_of(&sets[index], sub_device->cores, columns, rows, 0, why);
	for (uint32_t i = 0; status == STATUS_OK && i < index; i++) {
		if (overlap(&sets[i], &sets[index]))
			return refuse(
				why, STATUS_EXISTS, "sub-devices %u and %u share a core", i, index);
		if (sub_device->ethernet && config->sub_devices[i].ethernet)
			return refuse(why, STATUS_EXISTS,
				"sub-devices %u and %u share the Ethernet cores", i, index);
	}
	return status;
}

static enum status sets_of(const struct sub_devices_config *config, uint32_t columns, uint32_t rows,
	struct core_set *sets, uint32_t *failed, struct text *why)
{
	enum status status = STATUS_OK;

	*failed = 0;
	if (config->count == 0 || config->count > SUB_DEVICES_MAX)
		return refuse(why, STATUS_INVALID, "%u sub-devices, of 1 to %d", config->count,
			SUB_DEVICES_MAX);
	for (uint32_t i = 0; status == STATUS_OK && i < config->count; i++) {
		*failed = i;
		status = division_cores_of(config, i, columns, rows, sets, why);
	}
	return status;
}

enum status sub_devices_check(const struct sub_devices_config *config, uint32_t columns,
	uint32_t rows, uint32_t *failed, struct text *why)
{
	struct core_set sets[SUB_DEVICES_MAX];

	return sets_of(config, columns, rows, sets, failed, why);
}

enum status sub_devices_sets(const struct program_site *site,
	const struct sub_devices_config *config, struct core_set *sets, struct text *why)
{
	const struct program_limits *limits = &site->limits;
	uint32_t failed;
	enum status status =
		sets_of(config, limits->worker_columns, limits->worker_rows, sets, &failed, why);

	for (uint32_t i = 0; status == STATUS_OK && i < config->count; i++)
		for (uint32_t k = 0; config->sub_devices[i].ethernet && k < limits->ethernet_cores;
			k++)
			core_set_add(&sets[i], site_workers(site) + k);
	return status;
}

enum status sub_devices_check_local(const struct sub_devices_config *config,
	const struct mesh_config *mesh, uint64_t l1_bytes, struct text *why)
{
	uint32_t alignment = sizes_page_alignment(mesh, BUFFER_L1);

	if (config->local_l1_bytes % alignment != 0)
		return refuse(why, STATUS_INVALID, "%u B of L1 for a sub-device, pages of %u B",
			config->local_l1_bytes, alignment);
	if (config->local_l1_bytes > l1_bytes)
		return refuse(why, STATUS_NO_SPACE,
			"%u B of L1 for a sub-device, workers have %llu B for buffers",
			config->local_l1_bytes, (unsigned long long)l1_bytes);
	return STATUS_OK;
}

/* ---- the division ---- */

enum status site_add_division(struct program_site *site, const struct core_set *cores,
	uint32_t count, uint32_t local_l1_bytes, uint32_t *number, struct text *why)
{
	struct division *made;

	*number = 1;
	while (*number <= DIVISIONS_MAX && site->divisions[*number] != NULL)
		(*number)++;
	if (*number > DIVISIONS_MAX)
		return refuse(why, STATUS_NO_SPACE, "more than %d divisions", DIVISIONS_MAX);
	made = allocate(1, sizeof(*made));
	made->sub_devices = count;
	made->local_l1_bytes = local_l1_bytes;
	memset(made->sub_device_of, SUB_DEVICE_NONE, sizeof(made->sub_device_of));
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t core = 0; core < CORES_MAX; core++)
			if (core_set_has(&cores[i], core))
				made->sub_device_of[core] = (uint8_t)i;
	site->divisions[*number] = made;
	return STATUS_OK;
}

void site_load_division(struct program_site *site, uint32_t number)
{
	site->loaded = number;
	site->divided = number != DIVISION_WHOLE;
	site->sub_devices = site->divided ? site->divisions[number]->sub_devices : 1;
}

void site_forget_division(struct program_site *site, uint32_t number)
{
	free(site->divisions[number]);
	site->divisions[number] = NULL;
}

void site_forget_divisions(struct program_site *site)
{
	for (uint32_t i = 1; i <= DIVISIONS_MAX; i++)
		site_forget_division(site, i);
}

enum status program_site_divide(
	struct program_site *site, const struct sub_devices_config *config, struct text *why)
{
	struct core_set sets[SUB_DEVICES_MAX];
	uint32_t number;
	enum status status;

	if (site->divided)
		return refuse(why, STATUS_EXISTS, "the mesh has a sub-device manager already");
	status = sub_devices_sets(site, config, sets, why);
	if (status != STATUS_OK)
		return status;
	if (site->programs > 0)
		return refuse(why, STATUS_INVALID, "%u programs are there", site->programs);
	status = site_add_division(site, sets, config->count, config->local_l1_bytes, &number, why);
	if (status == STATUS_OK)
		site_load_division(site, number);
	return status;
}

enum status program_site_make_whole(struct program_site *site, struct text *why)
{
	if (!site->divided)
		return refuse(why, STATUS_NOT_FOUND, "the mesh has no sub-device manager");
	if (site->programs > 0)
		return refuse(why, STATUS_INVALID, "%u programs are there", site->programs);
	site_forget_division(site, site->loaded);
	site_load_division(site, DIVISION_WHOLE);
	return STATUS_OK;
}

enum status program_site_add_division(struct program_site *site,
	const struct sub_devices_config *config, uint32_t *division, struct text *why)
{
	struct core_set sets[SUB_DEVICES_MAX];
	enum status status = sub_devices_sets(site, config, sets, why);

	if (status != STATUS_OK)
		return status;
	return site_add_division(site, sets, config->count, config->local_l1_bytes, division, why);
}

enum status program_site_check_division(
	const struct program_site *site, uint32_t division, struct text *why)
{
	if (division <= DIVISIONS_MAX &&
		(division == DIVISION_WHOLE || site->divisions[division] != NULL))
		return STATUS_OK;
	return refuse(why, STATUS_NOT_FOUND, "the mesh has no division %u", division);
}

void program_site_load_division(struct program_site *site, uint32_t division)
{
	site_load_division(site, division);
}

uint32_t program_site_division(const struct program_site *site)
{
	return site->loaded;
}

uint32_t program_site_local_bytes(const struct program_site *site, uint32_t division)
{
	return division == DIVISION_WHOLE ? 0 : site->divisions[division]->local_l1_bytes;
}

uint32_t program_site_sub_devices(const struct program_site *site, uint32_t division)
{
	return division == DIVISION_WHOLE ? 0 : site->divisions[division]->sub_devices;
}

enum status program_check_division(const struct program *program, struct text *why)
{
	uint32_t loaded = program->site->loaded;

	if (program->division == loaded)
		return STATUS_OK;
	return refuse(why, STATUS_INVALID,
		"program %s was made for division %u of the mesh, and %u is loaded", program->name,
		program->division, loaded);
}

enum status program_for_division(struct program *program, uint32_t division, struct text *why)
{
	enum status status = program_site_check_division(program->site, division, why);

	if (status != STATUS_OK)
		return status;
	if (program->kernel_count > 0)
		return refuse(why, STATUS_INVALID, "program %s has cores already", program->name);
	program->division = division;
	program->sub_device = division != DIVISION_WHOLE ? SUB_DEVICE_NONE : 0;
	return STATUS_OK;
}

/* ---- queries ---- */

bool program_site_is_divided(const struct program_site *site)
{
	return site->divided;
}

enum status sub_device_of_cores(const struct program_site *site, uint32_t division,
	const struct core_set *cores, uint8_t program, uint8_t *sub_device, struct text *why)
{
	uint32_t columns = site->limits.worker_columns;

	*sub_device = program;
	for (uint32_t core = 0; core < CORES_MAX; core++) {
		uint8_t of = site->divisions[division]->sub_device_of[core];

		if (!core_set_has(cores, core))
			continue;
		if (of == SUB_DEVICE_NONE && core < site_workers(site))
			return refuse(why, STATUS_OUT_OF_RANGE, "core %u,%u is of no sub-device",
				core % columns, core / columns);
		if (of == SUB_DEVICE_NONE)
			return refuse(why, STATUS_OUT_OF_RANGE,
				"the Ethernet cores are of no sub-device");
		if (*sub_device != SUB_DEVICE_NONE && *sub_device != of)
			return refuse(why, STATUS_INVALID, "its cores are of sub-devices %u and %u",
				*sub_device, of);
		*sub_device = of;
	}
	return STATUS_OK;
}
