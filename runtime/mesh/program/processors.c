/* Starts the processors of cores whose kernels execute instructions. A filler kernel needs no
 * processor, because it only takes time. */
#include "mesh/device/device.h"
#include "mesh/program/program.h"

static bool processors_acts(const struct program *program, const struct program_group *group)
{
	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++)
		if (group->kernel[i] != 0 && program->kernels[group->kernel[i] - 1].text != NULL)
			return true;
	return false;
}

/* Starts those processors of a core that are set in `processors` (bit i: processor i), so that they
 * can execute kernels. Processors that already run are not changed. A started processor behaves as
 * if its firmware had waited for work since bring-up. Called by the enqueuing thread. Takes no
 * simulated time. */
static void start_core(struct mesh_device *mesh, uint32_t device, uint32_t core, uint8_t processors)
{
	uint32_t workers = worker_group_count(mesh->workers[2 * device]);
	struct worker_group *group = mesh->workers[2 * device + (core >= workers)];

	for (uint32_t i = 0; i < PROCESSOR_COUNT; i++) {
		struct stage *stage = NULL;

		if (processors >> i & 1)
			stage = worker_processor_make(group, core % workers, (enum processor)i);
		if (stage != NULL)
			device_row->stage_start(stage->device, stage);
	}
}

static void start(struct mesh_device *mesh, uint32_t device, const struct program_group *group)
{
	for (uint32_t i = 0; i < group->core_count; i++)
		start_core(mesh, device, group->core[i], group->message.processors);
}

void program_start_processors(const struct program *program, struct device_range range)
{
	struct mesh_device *mesh = program->site->mesh;

	for (uint32_t i = 0; program->acts && i < device_range_count(range); i++)
		for (uint32_t k = 0; k < program->group_count; k++)
			if (processors_acts(program, &program->groups[k]) &&
				mesh_is_near(mesh, range_device(mesh, range, i)))
				start(mesh, range_device(mesh, range, i), &program->groups[k]);
}
