/* Frees a placement, and checks it independently of the search. */
#include <stdlib.h>

#include "place_private.h"

void mesh_placement_free(struct mesh_placement *placement)
{
	if (!placement)
		return;
	text_fini(&placement->why);
	arena_fini(&placement->arena);
	free(placement);
}

bool scope_check(const struct scope *scope, const uint32_t *image, struct text *why)
{
	struct arena arena = {0};
	struct solve_problem problem = problem_make(scope, &arena);
	bool good = solve_check(&problem, image, why);

	arena_fini(&arena);
	return good;
}

bool mesh_placement_check(const struct logical *logical, const struct machine *machine,
	const struct place_options *options, const uint32_t *image, struct text *why)
{
	const struct scope scope = {.logical = logical,
		.machine = machine,
		.options = options,
		.mesh_count = logical->mesh_count,
		.asked = ASKED_LEAST};

	return scope_check(&scope, image, why);
}
