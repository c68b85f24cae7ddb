/* Checks the cores of a scenario's sub-devices against the grid of workers. The runtime makes the
 * same checks when a mesh is divided, but reports only the first error, without the names of
 * sub-devices. */
#include <string.h>

#include "bench/scenario/step_layout.h"
#include "check.h"
#include "mesh/sub_device.h"

struct worker_rect sub_device_rect(const struct sub_device_keys *keys)
{
	return (struct worker_rect){keys->offset[0], keys->offset[1],
		(uint8_t)(keys->offset[0] + keys->cores[0] - 1),
		(uint8_t)(keys->offset[1] + keys->cores[1] - 1)};
}

uint32_t sub_device_number(const struct runtime_keys *keys, const char *name)
{
	for (uint32_t i = 1; i <= sub_devices_all(keys); i++)
		if (strcmp(sub_device_at(keys, i)->name, name) == 0)
			return i;
	return 0;
}

/* ---- the grid ---- */

static bool overlap(struct worker_rect a, struct worker_rect b)
{
	return a.column0 <= b.column1 && b.column0 <= a.column1 && a.row0 <= b.row1 &&
	       b.row0 <= a.row1;
}

/* Checks that the cores of a sub-device are on the grid and belong to no earlier sub-device. */
static void check_one(const struct sub_device_keys *all, uint32_t index,
	const struct chip_geometry *geometry, struct diag *diag)
{
	const struct sub_device_keys *of = &all[index];
	struct worker_rect cores = sub_device_rect(of);
	char cited[LOCATION_CITE_BYTES];

	if (of->offset[0] + of->cores[0] > geometry->worker_columns ||
		of->offset[1] + of->cores[1] > geometry->worker_rows)
		diag_error(diag, of->cores_where,
			"sub-device '%s' of %u x %u cores from column %u, row %u on reaches "
			"outside "
			"the worker grid of %u x %u",
			of->name, of->cores[0], of->cores[1], of->offset[0], of->offset[1],
			geometry->worker_columns, geometry->worker_rows);
	for (uint32_t i = 0; i < index; i++) {
		if (overlap(cores, sub_device_rect(&all[i])))
			diag_error(diag, of->cores_where,
				"sub-devices '%s' and '%s' share a core (%s)", of->name,
				all[i].name,
				location_cite(all[i].cores_where, cited, sizeof cited));
		if (of->ethernet && all[i].ethernet)
			diag_error(diag, of->where,
				"sub-devices '%s' and '%s' share the Ethernet cores (%s)", of->name,
				all[i].name, location_cite(all[i].where, cited, sizeof cited));
	}
}

bool check_sub_devices(
	const struct run_plan *run, const struct chip_geometry *geometry, struct diag *diag)
{
	const struct runtime_keys *keys = &run->scenario->runtime;
	size_t errors = diag_errors(diag);

	for (uint32_t i = 1; i <= divisions_count(keys); i++) {
		struct division_keys division = division_at(keys, i);

		for (uint32_t k = 0; k < division.sub_device_count; k++)
			check_one(division.sub_devices, k, geometry, diag);
	}
	if (keys->sub_device_l1_bytes > 0 && keys->sub_device_count == 0)
		diag_warning(diag, tree_where(tree_root(run->tree), "runtime.sub_device_l1_bytes"),
			"sub_device_l1_bytes has no effect without sub_devices");
	return diag_errors(diag) == errors;
}

struct sub_devices_config step_sub_devices(
	const struct scenario *scenario, uint32_t division, struct sub_device_config *each)
{
	const struct division_keys keys = division_at(&scenario->runtime, division);

	for (uint32_t i = 0; i < keys.sub_device_count; i++) {
		each[i] = (struct sub_device_config){.ethernet = keys.sub_devices[i].ethernet};
		each[i].cores.kind = CORES_RECTANGLE;
		each[i].cores.rect = sub_device_rect(&keys.sub_devices[i]);
	}
	return (struct sub_devices_config){each, keys.sub_device_count, keys.l1_bytes};
}
