/* Experiments on the fabric for which there are no reference figures: the slots of a sender. */
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "decision.h"

const struct experiment_param decision_injection_params[] = {
	{"slots", "#", "8"},
	{"devices", "#", "8"},
	{"topology", "line|ring", "ring"},
	{0},
};

/* Returns the row of an all-gather in the form of a reference figure. */
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

/* Writes the scenario of a collective, with another number of slots in a router's sender. This
 * number is a constant of the platform. The scenario of the collective already sets the key
 * `fabric` of the platform; the constant is inserted before this key. */
void decision_injection_scenario(const struct reference_row *row, struct text *yaml)
{
	static const char before[] = "  fabric: {packet";
	struct reference_row gather = gather_of(row, row->system);
	const char *all, *place;
	struct text text;

	text_init(&text);
	experiment_find("collective")->scenario(&gather, &text);
	all = text_string(&text);
	place = strstr(all, before);
	ensure(place != NULL, "the scenario of a collective has no platform of its own");
	text_append_bytes(yaml, all, (size_t)(place - all));
	text_printf(yaml, "  chip: {router_sender_slots: {value: %s}}\n",
		reference_text(row, "slots", "8"));
	text_append(yaml, place);
	text_fini(&text);
}

double decision_injection_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	struct reference_row gather = gather_of(row, row->system);

	return experiment_find("collective")->figure(&gather, ops, count);
}
