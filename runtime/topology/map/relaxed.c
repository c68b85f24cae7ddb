/* Finds mappings under policy RELAXED. Each step requires less than the one before. The first step
 * requires all channels. The second requires one channel of each link and connection. The third
 * requires no connections between meshes, as mappers of 2026 and later do; it then tries to add the
 * missing connections one after another. A link within a mesh always needs a channel, because
 * routes within the mesh use the link. */
#include "place_private.h"

enum { WISH_BUDGET = 200000, KEPT_TRIES_MAX = 64 };

/* Says which steps would require less than the step before. */
struct steps {
	bool channels;	  /* there are RELAXED links or connections with several channels */
	bool connections; /* there are RELAXED connections */
};

static struct steps find_steps(const struct scope *scope)
{
	const struct logical *logical = scope->logical;
	bool relaxed = scope->options->relaxed;
	struct steps steps = {false, false};

	for (uint32_t i = 0; i < logical->link_count && !steps.channels; i++)
		steps.channels =
			(relaxed || logical->links[i].relaxed) && logical->links[i].channels > 1;
	for (uint32_t i = 0; i < logical->connection_count; i++) {
		const struct logical_connection *one = &logical->connections[i];

		steps.connections |= scope_is_relaxed(scope, one);
		steps.channels |= scope_is_relaxed(scope, one) && one->channels > 1;
	}
	return steps;
}

/* Places the meshes once: on the sets of chips in options->sets, or anywhere if there are no such
 * sets. Sets `verdict`, `image`, `set` and `how` of the placement, and adds the number of search
 * steps to `steps`. */
static void place_once(const struct scope *scope, struct mesh_placement *placement)
{
	struct solve_problem problem;
	struct solve_result result;

	if (scope->options->sets) {
		place_on_sets(scope, placement);
		return;
	}
	problem = problem_make(scope, &placement->arena);
	result = solve(&problem, &placement->arena);
	placement->verdict = result.verdict;
	placement->image = result.image;
	placement->steps += result.steps;
	placement->how = result.how;
}

/* Places with a small budget. If no mapping is found, keeps the previous placement. */
static bool wish(struct scope scope, struct mesh_placement *placement)
{
	struct mesh_placement before = *placement;
	struct place_options options = *scope.options;

	if (!options.budget || options.budget > WISH_BUDGET)
		options.budget = WISH_BUDGET;
	scope.options = &options;
	place_once(&scope, placement);
	if (placement->verdict == SOLVE_FOUND)
		return true;
	before.arena = placement->arena;
	before.steps = placement->steps;
	*placement = before;
	return false;
}

/* Sets kept[i] of each connection i: true if the connection has a channel in the mapping. Returns
 * the number of connections that have no channel. */
static uint32_t mark_kept(const struct scope *least, const uint32_t *image, bool *kept)
{
	const struct logical *logical = least->logical;
	struct mesh_placement links = {0};
	struct arena arena = {0};
	struct scope scope = *least;
	struct solve_problem problem;
	uint32_t missing = 0;

	scope.asked = ASKED_LINKS;
	problem = problem_make(&scope, &arena);
	note_lacks(&scope, &problem, image, &links);
	for (uint32_t i = 0; i < logical->connection_count; i++) {
		kept[i] = true;
		for (uint32_t k = 0; k < links.lack_count && kept[i]; k++)
			kept[i] = !same_ends(links.lacks[k].connection, &logical->connections[i]);
		missing += !kept[i];
	}
	arena_fini(&links.arena);
	arena_fini(&arena);
	return missing;
}

/* The placement gives no channel to some connections. Tries to require a channel for each of these
 * connections, one after the other. Keeps the requirement if a mapping is found with it. Stops
 * after KEPT_TRIES_MAX tries. */
static void keep_more(const struct scope *least, struct mesh_placement *placement)
{
	const struct logical *logical = least->logical;
	struct arena arena = {0};
	bool *kept = arena_array(&arena, logical->connection_count, sizeof(*kept));
	struct scope scope = *least;
	uint32_t tries = 0;

	scope.kept = kept;
	if (mark_kept(least, placement->image, kept) > 0)
		for (uint32_t i = 0; i < logical->connection_count && tries < KEPT_TRIES_MAX; i++) {
			if (kept[i])
				continue;
			tries++;
			kept[i] = true;
			kept[i] = wish(scope, placement);
		}
	arena_fini(&arena);
}

/* Records the channels that are missing in the mapping. */
static void note_relaxed(const struct scope *scope, struct mesh_placement *placement)
{
	struct scope all = *scope;
	struct arena arena = {0};
	struct solve_problem problem;

	all.asked = ASKED_ALL;
	problem = problem_make(&all, &arena);
	note_lacks(&all, &problem, placement->image, placement);
	arena_fini(&arena);
}

void place_relaxed(const struct scope *scope, struct mesh_placement *placement)
{
	const struct steps steps = find_steps(scope);
	struct scope step = *scope;

	step.asked = ASKED_ALL;
	if (steps.channels && wish(step, placement))
		return;
	step.asked = ASKED_LINKS;
	place_once(&step, placement);
	if (placement->verdict != SOLVE_FOUND && steps.connections) {
		step.asked = ASKED_LEAST;
		place_once(&step, placement);
		if (placement->verdict == SOLVE_FOUND)
			keep_more(&step, placement);
	}
	if (placement->verdict == SOLVE_FOUND && (steps.channels || steps.connections))
		note_relaxed(scope, placement);
}
