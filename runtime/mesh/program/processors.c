/* Starts the processors of cores with a kernel that executes a text. Other kernels need no running
 * processor. */
#include "mesh/device/bringup.h"
#include "mesh/program/program.h"

static bool processors_acts(const struct program *program, const struct program_group *group)
{
	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (group->kernel[i] != 0 && program->kernels[group->kernel[i] - 1].text != NULL)
			return true;
	return false;
}

static void start(struct mesh_device *mesh, uint32_t device, const struct program_group *group)
{
	for (uint32_t i = 0; i < group->core_count; i++)
		bringup_processors(mesh, device, group->core[i], group->message.processors);
}

void program_start_processors(const struct program *program, struct device_range range)
{
	struct mesh_device *mesh = program->site->mesh;

	for (uint32_t i = 0; program->acts && i < device_range_count(range); i++)
		for (uint32_t k = 0; k < program->group_count; k++)
			if (processors_acts(program, &program->groups[k]))
				start(mesh, range_device(mesh, range, i), &program->groups[k]);
}
