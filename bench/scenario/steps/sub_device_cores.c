/* The cores of a scenario's sub-devices on a grid of workers, and the sub-device of a program. The
 * runtime makes the same checks when a mesh is divided or a program is created. */
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
	for (uint32_t i = 0; i < keys->sub_device_count; i++)
		if (strcmp(keys->sub_devices[i].name, name) == 0)
			return i + 1;
	return 0;
}

/* ---- the grid ---- */

static bool overlap(struct worker_rect a, struct worker_rect b)
{
	return a.column0 <= b.column1 && b.column0 <= a.column1 && a.row0 <= b.row1 &&
	       b.row0 <= a.row1;
}

/* Checks a sub-device, also against those before it. */
static void check_one(const struct run_plan *run, uint32_t index,
	const struct chip_geometry *geometry, struct diag *diag)
{
	const struct sub_device_keys *all = run->scenario->runtime.sub_devices, *of = &all[index];
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

	for (uint32_t i = 0; i < keys->sub_device_count; i++)
		check_one(run, i, geometry, diag);
	if (keys->sub_device_l1_bytes > 0 && keys->sub_device_count == 0)
		diag_warning(diag, tree_where(tree_root(run->tree), "runtime.sub_device_l1_bytes"),
			"sub_device_l1_bytes has no effect without sub_devices");
	return diag_errors(diag) == errors;
}

struct sub_devices_config step_sub_devices(
	const struct scenario *scenario, struct sub_device_config *each)
{
	const struct runtime_keys *keys = &scenario->runtime;

	for (uint32_t i = 0; i < keys->sub_device_count; i++) {
		each[i] = (struct sub_device_config){.ethernet = keys->sub_devices[i].ethernet};
		each[i].cores.kind = CORES_RECTANGLE;
		each[i].cores.rect = sub_device_rect(&keys->sub_devices[i]);
	}
	return (struct sub_devices_config){each, keys->sub_device_count, keys->sub_device_l1_bytes};
}

/* ---- programs ---- */

static bool has_workers(const struct program_keys *program)
{
	bool workers = false;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		workers |= program->processors[i];
	return workers;
}

static bool has_core(const struct cores *cores, uint32_t column, uint32_t row, uint32_t columns)
{
	if (cores->kind == CORES_COUNT)
		return row * columns + column < cores->count;
	return cores->kind == CORES_ALL ||
	       (column >= cores->rect.column0 && column <= cores->rect.column1 &&
		       row >= cores->rect.row0 && row <= cores->rect.row1);
}

/* The sub-device of a core, counted from 1; 0: none. */
static uint32_t of_core(const struct scenario *scenario, uint32_t column, uint32_t row)
{
	for (uint32_t i = 0; i < scenario->runtime.sub_device_count; i++) {
		struct worker_rect own = sub_device_rect(&scenario->runtime.sub_devices[i]);

		if (column >= own.column0 && column <= own.column1 && row >= own.row0 &&
			row <= own.row1)
			return i + 1;
	}
	return 0;
}

static uint32_t of_ethernet(const struct scenario *scenario)
{
	for (uint32_t i = 0; i < scenario->runtime.sub_device_count; i++)
		if (scenario->runtime.sub_devices[i].ethernet)
			return i + 1;
	return 0;
}

/* Returns a bitmap of the sub-devices that contain cores of the program. Bit i stands for
 * sub-device i, and bit 0 for cores outside of all sub-devices. */
static uint32_t sub_device_cores_touched(const struct scenario *scenario,
	const struct chip_geometry *geometry, const struct program_keys *program)
{
	uint32_t bits = 0;

	if (program->processors[STEP_ETHERNET])
		bits |= 1u << of_ethernet(scenario);
	for (uint32_t row = 0; has_workers(program) && row < geometry->worker_rows; row++)
		for (uint32_t column = 0; column < geometry->worker_columns; column++)
			if (has_core(&program->cores, column, row, geometry->worker_columns))
				bits |= 1u << of_core(scenario, column, row);
	return bits;
}

uint32_t program_sub_device(const struct scenario *scenario, const struct chip_geometry *geometry,
	const struct program_keys *program)
{
	uint32_t bits = sub_device_cores_touched(scenario, geometry, program);

	return scenario->runtime.sub_device_count > 0 && __builtin_popcount(bits) == 1
		       ? (uint32_t)__builtin_ctz(bits)
		       : 0;
}

void check_sub_device(const struct scenario *scenario, const struct chip_geometry *geometry,
	const struct program_keys *program, struct location where, struct diag *diag)
{
	const struct sub_device_keys *all = scenario->runtime.sub_devices;
	uint32_t bits = sub_device_cores_touched(scenario, geometry, program), first;

	if (program->sub_device && sub_device_number(&scenario->runtime, program->sub_device) == 0)
		return; /* already reported */
	if (program->sub_device || program->cores_where.source)
		where = program->sub_device ? program->sub_device_where : program->cores_where;
	if (scenario->runtime.sub_device_count == 0 || (bits & ~1u) == 0) {
		if (scenario->runtime.sub_device_count > 0)
			diag_error(diag, where, "program '%s': its cores are of no sub-device",
				program->program);
		return;
	}
	first = (uint32_t)__builtin_ctz(bits & ~1u);
	bits &= ~(1u << first);
	if (bits == 1)
		diag_error(diag, where,
			"program '%s' has cores of sub-device '%s', and some that no sub-device "
			"has",
			program->program, all[first - 1].name);
	else if (bits != 0)
		diag_error(diag, where,
			"program '%s' has cores of sub-devices '%s' and '%s': a program is of one",
			program->program, all[first - 1].name,
			all[__builtin_ctz(bits & ~1u) - 1].name);
}
