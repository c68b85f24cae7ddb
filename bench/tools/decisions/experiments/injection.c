/* Experiments on the fabric that reference figures have not: the room of a worker's injection. */
#include "base/text.h"
#include "experiments.h"

const struct experiment_param decision_injection_params[] = {
	{"slots", "#", "8"},
	{"devices", "#", "8"},
	{"topology", "line|ring", "ring"},
	{0},
};

/* The all-gather that reference figures have, as a row of theirs. */
static struct reference_row gather_of(const struct reference_row *row, const char *system)
{
	struct reference_row gather = {.family = "collective",
		.system = system,
		.param_count = 4,
		.params = {{.key = "op", .value = "all_gather"},
			{.key = "size_bytes", .value = "536870912"},
			{.key = "devices", .value = reference_text(row, "devices", "8")},
			{.key = "topology", .value = reference_text(row, "topology", "ring")}}};

	return gather;
}

/* The slots of a sender are a constant of the platform, which the scenario extends. */
void decision_injection_scenario(const struct reference_row *row, struct text *yaml)
{
	struct reference_row gather;
	struct text system;

	text_init(&system);
	text_printf(&system, "%s\n  chip: {router_sender_slots: {value: %s}}", row->system,
		reference_text(row, "slots", "8"));
	gather = gather_of(row, text_string(&system));
	experiment_find("collective")->scenario(&gather, yaml);
	text_fini(&system);
}

double decision_injection_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	struct reference_row gather = gather_of(row, row->system);

	return experiment_find("collective")->figure(&gather, ops, count);
}
