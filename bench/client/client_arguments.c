/* Computes the argument values of the client's programs. The values change with each generation of
 * the arguments, that is, each time they are set anew. With the key `arguments_per`, they also
 * differ between rows, columns or devices. */
#include "client_private.h"

/* The number of a range of devices is stored in the bits above the generation. */
enum { GENERATION_BITS = 20 };
_Static_assert(SCENARIO_OPERATIONS_MAX < 1 << GENERATION_BITS, "ranges count from here");

uint32_t client_generation(
	const struct client_program *program, uint32_t generation, uint16_t row, uint16_t column)
{
	uint32_t down = (uint32_t)row - program->range.row0, number = 0;
	uint32_t across = (uint32_t)column - program->range.column0;
	uint32_t width = program->range.column1 - program->range.column0 + 1u;

	if (program->keys->arguments_per == ARGUMENTS_ROW)
		number = 1 + down;
	else if (program->keys->arguments_per == ARGUMENTS_COLUMN)
		number = 1 + across;
	else if (program->keys->arguments_per == ARGUMENTS_DEVICE)
		number = 1 + down * width + across;
	return generation + (number << GENERATION_BITS);
}

static bool has_arguments(const struct client_program *program)
{
	return program->keys->runtime_args + program->keys->common_runtime_args > 0;
}

/* Returns the devices with the same arguments as the device at `row`, `column`. This device must be
 * the first of them. */
static struct device_range alike(
	const struct client_program *program, uint16_t row, uint16_t column)
{
	struct device_range range = {row, column, row, column};

	if (program->keys->arguments_per == ARGUMENTS_ROW)
		range.column1 = program->range.column1;
	if (program->keys->arguments_per == ARGUMENTS_COLUMN)
		range.row1 = program->range.row1;
	return range;
}

bool client_refresh(
	struct client *client, struct workload *workload, struct client_program *program)
{
	const struct device_range *all = &program->range;
	enum status status = STATUS_OK;
	struct device_range range;

	program->generation++;
	if (program_acts(program->keys)) { /* arguments with a meaning never change */
		program->generation = 1;
		return true;
	}
	if (program->keys->arguments_per == ARGUMENTS_PROGRAM || !has_arguments(program)) {
		program_refresh_args(program->program, program->generation);
		return true;
	}
	for (uint32_t row = all->row0; row <= all->row1; row = range.row1 + 1u)
		for (uint32_t column = all->column0; column <= all->column1 && status == STATUS_OK;
			column = range.column1 + 1u) {
			range = alike(program, (uint16_t)row, (uint16_t)column);
			status = workload_refresh_args(workload, range,
				client_generation(
					program, program->generation, range.row0, range.column0),
				NULL);
		}
	return status == STATUS_OK || client_fail(client, "arguments of program '%s': %s",
					      program->keys->program, status_message(status));
}

bool client_takes_part(const struct client *client, const struct cores *cores, uint32_t core)
{
	return cores_have(cores, client->program_limits->worker_columns, core);
}
