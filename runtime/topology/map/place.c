/* The top level of the mapper. It checks pins, places meshes on sets of chips or anywhere, and
 * finds reasons if no mapping is found. Every mapping is checked independently of the search. A
 * mapping that fails this check is never returned. */
#include "topology/place.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "place_private.h"

/* Returns true if the pins are consistent. Returns false, with reasons in the placement, if a pin
 * names an unknown device or position, or if two pins contradict each other. */
static bool check_pins(const struct scope *scope, struct mesh_placement *placement)
{
	const struct place_options *options = scope->options;

	for (uint32_t i = 0; i < options->pin_count; i++) {
		const struct place_pin *pin = &options->pins[i];
		const struct logical_mesh *mesh = logical_find(scope->logical, pin->mesh);
		uint32_t left, pins = 0;

		if (!mesh || pin->chip >= mesh->count) {
			text_printf(&placement->why,
				"the pinned device is not found: chip %u of mesh %u\n", pin->chip,
				pin->mesh);
			return false;
		}
		for (uint32_t k = 0; k < options->pin_count; k++)
			pins += options->pins[k].mesh == pin->mesh &&
				options->pins[k].chip == pin->chip;
		pinned_chips(scope, mesh->first + pin->chip, &left, &placement->arena);
		if (left)
			continue;
		if (pins > 1)
			text_printf(&placement->why,
				"chip %u of mesh %u is pinned to multiple chips\n", pin->chip,
				pin->mesh);
		else if (pin->by_id)
			text_printf(&placement->why,
				"chip %u of mesh %u is pinned to ASIC %llu: not found\n", pin->chip,
				pin->mesh, (unsigned long long)pin->id);
		else
			text_printf(&placement->why,
				"chip %u of mesh %u is pinned to %s%stray %u asic %u%s: not "
				"found\n",
				pin->chip, pin->mesh, pin->host ? pin->host : "",
				pin->host ? " " : "", pin->tray, pin->location,
				pin->other_count ? " or others" : "");
		return false;
	}
	return true;
}

/* Finds reasons. Names groups as the reason only if a mapping without groups exists. */
static void explain(const struct scope *scope, struct mesh_placement *placement)
{
	struct place_options anywhere = *scope->options;
	struct scope free_scope = *scope;
	struct mesh_placement *inner;

	if (!anywhere.sets) {
		place_explain(scope, placement);
		return;
	}
	anywhere.sets = NULL;
	free_scope.options = &anywhere;
	inner = allocate(1, sizeof(*inner));
	place_relaxed(&free_scope, inner);
	if (inner->verdict == SOLVE_FOUND)
		text_append(&placement->why,
			"it fits the chips, but not the groups of the groupings file\n");
	else
		place_explain(&free_scope, placement);
	mesh_placement_free(inner);
}

struct mesh_placement *topology_place(const struct logical *logical, const struct machine *machine,
	const struct place_options *options)
{
	struct mesh_placement *placement = allocate(1, sizeof(*placement));
	const struct scope scope = {.logical = logical,
		.machine = machine,
		.options = options,
		.mesh_count = logical->mesh_count,
		.asked = ASKED_LEAST};

	placement->verdict = SOLVE_NONE;
	placement->how = "pins";
	if (!check_pins(&scope, placement))
		return placement;
	place_relaxed(&scope, placement);
	if (placement->verdict == SOLVE_FOUND) {
		struct text why = {0};

		ensure(mesh_placement_check(logical, machine, options, placement->image, &why),
			"a placement is none: %s", text_string(&why));
		text_fini(&why);
	} else if (!options->quick) {
		explain(&scope, placement);
	}
	return placement;
}
