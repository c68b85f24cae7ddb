/* The division of a site into sub-devices (spec 3.3.4): checks the division, and records the
 * sub-device of each core. Works for any site, with or without a mesh. */
#include <string.h>

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

void site_divide(struct program_site *site, const struct core_set *cores, uint32_t count)
{
	memset(site->sub_device_of, SUB_DEVICE_NONE, sizeof(site->sub_device_of));
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t core = 0; core < CORES_MAX; core++)
			if (core_set_has(&cores[i], core))
				site->sub_device_of[core] = (uint8_t)i;
	site->sub_devices = count;
}

enum status program_site_divide(
	struct program_site *site, const struct sub_devices_config *config, struct text *why)
{
	struct core_set sets[SUB_DEVICES_MAX];
	enum status status;

	if (site->divided)
		return refuse(why, STATUS_EXISTS, "the mesh has a sub-device manager already");
	status = sub_devices_sets(site, config, sets, why);
	if (status != STATUS_OK)
		return status;
	if (site->programs > 0)
		return refuse(why, STATUS_INVALID, "%u programs are there", site->programs);
	site_divide(site, sets, config->count);
	site->divided = true;
	return STATUS_OK;
}

enum status program_site_make_whole(struct program_site *site, struct text *why)
{
	if (!site->divided)
		return refuse(why, STATUS_NOT_FOUND, "the mesh has no sub-device manager");
	if (site->programs > 0)
		return refuse(why, STATUS_INVALID, "%u programs are there", site->programs);
	memset(site->sub_device_of, 0, sizeof(site->sub_device_of));
	site->sub_devices = 1;
	site->divided = false;
	return STATUS_OK;
}

/* ---- queries ---- */

bool program_site_is_divided(const struct program_site *site)
{
	return site->divided;
}

enum status sub_device_of_cores(const struct program_site *site, const struct core_set *cores,
	uint8_t program, uint8_t *sub_device, struct text *why)
{
	uint32_t columns = site->limits.worker_columns;

	*sub_device = program;
	for (uint32_t core = 0; core < CORES_MAX; core++) {
		uint8_t of = site->sub_device_of[core];

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
