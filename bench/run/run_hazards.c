/* Names the hazards by design of a run (run_world.h). */
#include "run_world.h"

#include "mesh/choice.h"

static void name_hazard(
	const struct registry *registry, const struct registry_entry *row, struct text *why)
{
	if (row->hazard)
		text_printf(why, "%s%s: %s is a hazard by design: %s", why->length ? "; " : "",
			registry->key, row->name, row->hazard);
}

void run_hazards(const struct scenario *scenario, struct text *why)
{
	const struct runtime_keys *keys = &scenario->runtime;

	fault_describe(&scenario->model.fault, why);
	name_hazard(&completion_registry, &completion_row(keys->completion)->entry, why);
	if (!forward_row(keys->forward.path)->broadcasts)
		return;
	name_hazard(&ordering_registry, &ordering_row(keys->forward.ordering)->entry, why);
	name_hazard(&credits_registry, &credits_row(keys->forward.credits)->entry, why);
}
