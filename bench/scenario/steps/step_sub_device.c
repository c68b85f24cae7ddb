/* Finds the sub-devices on which the programs, buffers and traces of steps are. Reports unknown
 * names, cores and shards that are not within one sub-device, and traces with programs on two
 * sub-devices. */
#include <string.h>

#include "base/nearest.h"
#include "bench/results/results.h"
#include "check.h"

struct finding {
	const struct scenario *scenario;
	struct diag *diag;
};

/* ---- names ---- */

/* Returns the number, from 1, of the sub-device with this name. Returns 0 after an error. */
static uint32_t step_sub_device_find_named(
	const struct finding *finding, const char *name, struct location where)
{
	const struct runtime_keys *keys = &finding->scenario->runtime;
	uint32_t number = sub_device_number(keys, name);
	struct nearest nearest;

	if (number > 0)
		return number;
	if (sub_devices_all(keys) == 0) {
		diag_error(finding->diag, where,
			"sub-device '%s', but devices are whole: runtime.sub_devices gives names",
			name);
		return 0;
	}
	nearest_start(&nearest, name);
	for (uint32_t i = 1; i <= sub_devices_all(keys); i++)
		nearest_offer(&nearest, sub_device_at(keys, i)->name);
	diag_error(finding->diag, where,
		nearest.best ? "unknown sub-device '%s', did you mean '%s'?"
			     : "unknown sub-device '%s'",
		name, nearest.best);
	return 0;
}

/* Converts cores relative to a sub-device to the whole grid. */
static void place_program(const struct finding *finding, struct program_keys *program)
{
	const struct sub_device_keys *of;
	struct cores *cores = &program->cores;
	struct worker_rect own;
	uint32_t number;

	if (!program->sub_device)
		return;
	number =
		step_sub_device_find_named(finding, program->sub_device, program->sub_device_where);
	if (number == 0)
		return;
	of = sub_device_at(&finding->scenario->runtime, number);
	own = sub_device_rect(of);
	if (cores->kind == CORES_COUNT)
		diag_error(finding->diag, program->cores_where,
			"cores: %u, but those of a sub-device are `all` or [columns, rows]",
			cores->count);
	if (cores->kind == CORES_RECTANGLE &&
		(cores->rect.column1 >= of->cores[0] || cores->rect.row1 >= of->cores[1])) {
		diag_error(finding->diag, program->cores_where,
			"%u x %u cores, but sub-device '%s' has %u x %u", cores->rect.column1 + 1u,
			cores->rect.row1 + 1u, of->name, of->cores[0], of->cores[1]);
	} else if (cores->kind == CORES_RECTANGLE) {
		own.column1 = (uint8_t)(own.column0 + cores->rect.column1);
		own.row1 = (uint8_t)(own.row0 + cores->rect.row1);
	}
	*cores = (struct cores){.kind = CORES_RECTANGLE, .rect = own};
}

static void place_buffer(const struct finding *finding, struct write_step *write)
{
	if (!write->sub_device)
		return;
	write->sub_device_number =
		step_sub_device_find_named(finding, write->sub_device, write->sub_device_where);
	write->sub_device_index =
		sub_device_index(&finding->scenario->runtime, write->sub_device_number);
	if (write->sub_device_number > 0)
		write->sub_device_cores = sub_device_rect(
			sub_device_at(&finding->scenario->runtime, write->sub_device_number));
}

static void place_steps(const struct finding *finding, struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct step *step = &steps[i];
		const struct repeat_step *body = step_body(step);

		if (body)
			place_steps(finding, body->steps, body->step_count);
		if (step->kind == STEP_WRITE_BUFFER)
			place_buffer(finding, &step->write);
		if (step->kind == STEP_FINISH && step->finish.sub_device)
			step->finish.sub_device_number = step_sub_device_find_named(
				finding, step->finish.sub_device, step->finish.sub_device_where);
		if (step->kind != STEP_ENQUEUE_WORKLOAD)
			continue;
		for (uint32_t k = 0; k < step->workload.program_count; k++)
			place_program(finding, &step->workload.programs[k]);
		if (step->workload.program_count == 0)
			place_program(finding, &step->workload.own);
	}
}

void steps_find_sub_devices(const struct scenario *scenario, struct diag *diag)
{
	const struct runtime_keys *keys = &scenario->runtime;
	struct finding finding = {scenario, diag};

	for (uint32_t i = 1; i <= sub_devices_all(keys); i++) {
		const struct sub_device_keys *of = sub_device_at(keys, i);

		if (!of->name[0] || strlen(of->name) >= MESH_NAME_BYTES)
			diag_error(diag, of->where,
				"a sub-device's name has 1 to %d bytes, not %zu",
				MESH_NAME_BYTES - 1, strlen(of->name));
	}
	place_steps(&finding, scenario->steps, scenario->step_count);
}

void check_trace_sub_device(struct check *check, const struct step *step)
{
	const struct runtime_keys *keys = &check->run->scenario->runtime;
	uint32_t count, *first = &check->trace_sub_device;
	const struct program_keys *programs = step_programs(step, &count);

	for (uint32_t i = 0; check->trace && i < count; i++) {
		uint32_t own = programs[i].sub_device_number;

		if (*first != 0 && own != 0 && own != *first)
			diag_error(check->diag, step->where,
				"program '%s' of sub-device '%s' in a trace of sub-device '%s': a "
				"trace is of one",
				programs[i].program, sub_device_at(keys, own)->name,
				sub_device_at(keys, *first)->name);
		*first = *first != 0 ? *first : own;
	}
}
