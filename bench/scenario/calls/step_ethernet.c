/* Finds out whether steps run programs on Ethernet cores. */
#include "bench/scenario/scenario.h"

static bool uses_ethernet(const struct step *step)
{
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);

	while (count > 0)
		if (programs[--count].processors[STEP_ETHERNET])
			return true;
	return false;
}

bool steps_use_ethernet(const struct step *steps, uint32_t count)
{
	bool use = false;

	for (uint32_t i = 0; i < count && !use; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		use = body ? steps_use_ethernet(body->steps, body->step_count)
			   : steps[i].kind == STEP_ENQUEUE_WORKLOAD && uses_ethernet(&steps[i]);
	}
	return use;
}
