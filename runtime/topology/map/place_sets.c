/* Places meshes on sets of chips, one set for each mesh. The sets must be disjoint, have the
 * required channels between them, and lie in the groups that the graphs of the meshes require. Then
 * the devices of each mesh are placed within its set. This is computed only once for each mesh and
 * set. The number of tries is bounded. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ensure.h"
#include "place_private.h"

enum fit { FIT_UNKNOWN, FIT_YES, FIT_NO, FIT_BUDGET };

enum { TRIES_MAX = 1000000, INNER_BUDGET = 2000000 };

struct inner {
	enum fit fit;
	uint32_t *image; /* chips of the devices, if the mesh fits */
};

struct outer {
	const struct scope *scope;
	struct mesh_placement *placement;
	const struct place_set *sets;
	uint32_t set_count;
	const struct wired *host;
	uint32_t *kind;	     /* [mesh] number of the first mesh that is equal to it */
	struct inner *inner; /* results for each kind of mesh and each set */
	/* `order`: the meshes, in the order in which they get sets. `chosen[mesh]`: the mesh's set;
	 * SOLVE_ANY: none yet. `at[mesh]`: the next set to try for the mesh. */
	uint32_t *order, *chosen, *at;
	uint32_t *owner; /* [chip] number of its mesh + 1 */
	uint64_t tries;
	bool budget; /* the budget was exhausted before a result was decided */
};

/* Returns true if two meshes have the same inner requirements. */
static bool alike(const struct outer *outer, uint32_t a, uint32_t b)
{
	const struct logical_mesh *meshes = outer->scope->logical->meshes;

	for (uint32_t i = 0; i < outer->scope->options->pin_count; i++)
		if (outer->scope->options->pins[i].mesh == meshes[a].id ||
			outer->scope->options->pins[i].mesh == meshes[b].id)
			return a == b;
	return a == b ||
	       (meshes[a].descriptor == meshes[b].descriptor && !outer->scope->options->ranks);
}

/* Solves a mesh within a set. Solves it only once for all equal meshes. */
static struct inner *fit_inner(struct outer *outer, uint32_t mesh, uint32_t set)
{
	struct inner *inner = &outer->inner[(size_t)outer->kind[mesh] * outer->set_count + set];
	struct mesh_placement *placement = outer->placement;
	struct place_options options = *outer->scope->options;
	struct scope scope = *outer->scope;
	struct arena arena = {0};
	struct solve_problem problem;
	struct solve_result result;

	if (inner->fit != FIT_UNKNOWN)
		return inner;
	options.budget = options.budget ? options.budget : INNER_BUDGET;
	scope.options = &options;
	scope.first_mesh = outer->kind[mesh];
	scope.mesh_count = 1;
	scope.chips = outer->sets[set].chips;
	scope.chip_count = outer->sets[set].count;
	problem = problem_make(&scope, &arena);
	result = solve(&problem, &arena);
	placement->steps += result.steps;
	inner->fit = result.verdict == SOLVE_FOUND  ? FIT_YES
		     : result.verdict == SOLVE_NONE ? FIT_NO
						    : FIT_BUDGET;
	outer->budget |= inner->fit == FIT_BUDGET;
	if (inner->fit == FIT_YES) {
		inner->image = arena_array(
			&placement->arena, problem.target->count, sizeof(*inner->image));
		for (uint32_t i = 0; i < problem.target->count; i++)
			inner->image[i] = scope.chips[result.image[i]];
	}
	arena_fini(&arena);
	return inner;
}

static bool all_chosen(const struct outer *outer, const struct logical_end *end)
{
	for (uint32_t i = 0; i < end->mesh_count; i++)
		if (outer->chosen[end->first_mesh + i] == SOLVE_ANY)
			return false;
	return true;
}

/* Returns the number of channels between the chips of the mesh of `a` and the chips of the mesh of
 * `b`. The sets of chips for both meshes must have been chosen. */
static uint32_t channels_between(
	const struct outer *outer, const struct logical_end *a, const struct logical_end *b)
{
	const struct wired *host = outer->host;
	uint32_t found = 0;

	for (uint32_t m = 0; m < a->mesh_count; m++) {
		const struct place_set *set = &outer->sets[outer->chosen[a->first_mesh + m]];

		for (uint32_t i = 0; i < set->count; i++)
			for (uint32_t k = host->first[set->chips[i]];
				k < host->first[set->chips[i] + 1]; k++) {
				uint32_t owner = outer->owner[host->to[k]];

				if (owner && owner - 1 - b->first_mesh < b->mesh_count)
					found += host->channels[k];
			}
	}
	return found;
}

static bool touches(const struct logical_end *end, uint32_t mesh)
{
	return mesh - end->first_mesh < end->mesh_count;
}

/* Checks the channels of every connection whose last end is this mesh. */
static bool check_connections(const struct outer *outer, uint32_t mesh)
{
	const struct logical *logical = outer->scope->logical;

	for (uint32_t i = 0; i < logical->connection_count; i++) {
		const struct logical_connection *one = &logical->connections[i];
		uint32_t need = scope_connection_need(outer->scope, i);

		if ((!touches(&one->a, mesh) && !touches(&one->b, mesh)) ||
			!all_chosen(outer, &one->a) || !all_chosen(outer, &one->b))
			continue;
		if (need && channels_between(outer, &one->a, &one->b) < need)
			return false;
	}
	return true;
}

static bool is_level(const struct logical_instance *instance, enum place_level level)
{
	static const char *const names[] = {"POD", "SUPERPOD", "CLUSTER"};

	return strcasecmp(instance->descriptor->type, names[level]) == 0;
}

/* Returns true if the mesh may use this set. A graph of the descriptor may have one of the types
 * pod, superpod and cluster. If the groupings define groups of sets for this type, all meshes of
 * the graph must use sets of one group. So the set must be in the same group as the sets that were
 * chosen for the graph's other meshes. */
static bool take_groups(struct outer *outer, uint32_t mesh, const struct place_set *set)
{
	const struct logical *logical = outer->scope->logical;
	uint32_t at = logical->meshes[mesh].instance;

	for (; at != LOGICAL_NONE; at = logical->instances[at].parent)
		for (int level = 0; level < PLACE_LEVELS; level++) {
			if (!outer->scope->options->has_level[level] ||
				!is_level(&logical->instances[at], (enum place_level)level))
				continue;
			if (set->above[level] == SOLVE_ANY)
				return false;
			for (uint32_t i = 0; i < logical->mesh_count; i++) {
				uint32_t chosen = outer->chosen[i];
				bool below = i - logical->instances[at].first_mesh <
					     logical->instances[at].mesh_count;

				if (i == mesh || chosen == SOLVE_ANY)
					continue;
				if (below && outer->sets[chosen].above[level] != set->above[level])
					return false;
			}
		}
	return true;
}

static void place_sets_give(struct outer *outer, uint32_t mesh, uint32_t set, bool take)
{
	const struct place_set *from = &outer->sets[set];

	for (uint32_t i = 0; i < from->count; i++)
		outer->owner[from->chips[i]] = take ? mesh + 1 : 0;
	outer->chosen[mesh] = take ? set : SOLVE_ANY;
}

static bool is_apart(const struct outer *outer, const struct place_set *set)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (outer->owner[set->chips[i]])
			return false;
	return true;
}

static bool is_spent(const struct outer *outer)
{
	uint64_t most = outer->scope->options->most_steps;

	return outer->tries >= TRIES_MAX || (most && outer->placement->steps >= most);
}

/* Moves a mesh to its next set. Returns false if no set is left. */
static bool place_sets_advance(struct outer *outer, uint32_t mesh)
{
	const struct logical_mesh *meshes = outer->scope->logical->meshes;

	if (outer->chosen[mesh] != SOLVE_ANY)
		place_sets_give(outer, mesh, outer->chosen[mesh], false);
	while (outer->at[mesh] < outer->set_count) {
		uint32_t set = outer->at[mesh]++;

		if (is_spent(outer)) {
			outer->budget = true;
			return false;
		}
		outer->tries++;
		if (outer->sets[set].count < meshes[mesh].count ||
			!is_apart(outer, &outer->sets[set]) ||
			!take_groups(outer, mesh, &outer->sets[set]))
			continue;
		place_sets_give(outer, mesh, set, true);
		if (check_connections(outer, mesh) && fit_inner(outer, mesh, set)->fit == FIT_YES)
			return true;
		place_sets_give(outer, mesh, set, false);
	}
	return false;
}

/* Solves all meshes at once. Each device is restricted to the set of its mesh. */
static bool solve_linked(struct outer *outer)
{
	const struct scope *scope = outer->scope;
	const struct logical *logical = scope->logical;
	struct mesh_placement *placement = outer->placement;
	struct solve_problem problem = problem_make(scope, &placement->arena);
	struct solve_domain *domains =
		arena_array(&placement->arena, logical->device_count, sizeof(*domains));
	struct solve_result result;

	for (uint32_t i = 0; i < logical->device_count; i++) {
		const struct place_set *set =
			&outer->sets[outer->chosen[logical_mesh_of(logical, i)]];

		domains[i] = (struct solve_domain){set->chips, set->count};
		if (problem.domains && problem.domains[i].chips)
			domains[i] = problem.domains[i];
	}
	problem.domains = domains;
	result = solve(&problem, &placement->arena);
	placement->steps += result.steps;
	outer->budget |= result.verdict == SOLVE_BUDGET;
	if (result.verdict == SOLVE_FOUND)
		placement->image = result.image;
	return result.verdict == SOLVE_FOUND;
}

/* Called when a set of chips was chosen for each mesh. Combines the images of the meshes (the chips
 * of their devices). If the combined placement violates a requirement, searches for a placement of
 * all meshes together on the chosen sets. Returns false if this search also fails. */
static bool place_sets_finish(struct outer *outer)
{
	const struct logical *logical = outer->scope->logical;
	struct mesh_placement *placement = outer->placement;
	uint32_t *image = arena_array(&placement->arena, logical->device_count, sizeof(*image));

	for (uint32_t m = 0; m < logical->mesh_count; m++) {
		const struct inner *inner = fit_inner(outer, m, outer->chosen[m]);

		for (uint32_t i = 0; i < logical->meshes[m].count; i++)
			image[logical->meshes[m].first + i] = inner->image[i];
	}
	if (scope_check(outer->scope, image, NULL)) {
		placement->image = image;
		return true;
	}
	return solve_linked(outer);
}

/* Orders the meshes. The next mesh is the one with the most connections to earlier meshes. */
static void order_meshes(struct outer *outer, struct arena *arena)
{
	const struct logical *logical = outer->scope->logical;
	uint32_t *tied = arena_array(arena, logical->mesh_count, sizeof(*tied));

	for (uint32_t i = 0; i < logical->mesh_count; i++) {
		uint32_t best = SOLVE_ANY;

		for (uint32_t m = 0; m < logical->mesh_count; m++)
			if (tied[m] != SOLVE_ANY && (best == SOLVE_ANY || tied[m] > tied[best]))
				best = m;
		outer->order[i] = best;
		tied[best] = SOLVE_ANY;
		for (uint32_t c = 0; c < logical->connection_count; c++) {
			const struct logical_connection *one = &logical->connections[c];
			const struct logical_end *other = touches(&one->a, best)   ? &one->b
							  : touches(&one->b, best) ? &one->a
										   : NULL;

			for (uint32_t m = 0; other && m < other->mesh_count; m++)
				if (tied[other->first_mesh + m] != SOLVE_ANY)
					tied[other->first_mesh + m]++;
		}
	}
}

static void place_sets_start(struct outer *outer, struct arena *arena)
{
	const struct logical *logical = outer->scope->logical;
	uint32_t count = logical->mesh_count;

	outer->kind = arena_array(arena, count, sizeof(uint32_t));
	outer->order = arena_array(arena, count, sizeof(uint32_t));
	outer->chosen = arena_array(arena, count, sizeof(uint32_t));
	outer->at = arena_array(arena, count, sizeof(uint32_t));
	outer->owner = arena_array(arena, outer->scope->machine->chip_count, sizeof(uint32_t));
	outer->inner = arena_array(arena, (size_t)count * outer->set_count, sizeof(*outer->inner));
	memset(outer->chosen, 0xff, count * sizeof(uint32_t));
	outer->host = problem_make(outer->scope, arena).host;
	for (uint32_t i = 0; i < count; i++)
		while (!alike(outer, outer->kind[i], i))
			outer->kind[i]++;
	order_meshes(outer, arena);
}

void place_on_sets(const struct scope *scope, struct mesh_placement *placement)
{
	struct outer outer = {.scope = scope,
		.placement = placement,
		.sets = scope->options->sets,
		.set_count = scope->options->set_count};
	uint32_t depth = 0, count = scope->logical->mesh_count;
	struct arena arena = {0};

	place_sets_start(&outer, &arena);
	placement->verdict = SOLVE_NONE;
	placement->how = "meshes onto groups of chips";
	for (;;) {
		if (place_sets_advance(&outer, outer.order[depth])) {
			if (depth + 1 < count) {
				outer.at[outer.order[++depth]] = 0;
			} else if (place_sets_finish(&outer)) {
				placement->verdict = SOLVE_FOUND;
				placement->set = arena_array(
					&placement->arena, count, sizeof(*placement->set));
				memcpy(placement->set, outer.chosen, count * sizeof(uint32_t));
				break;
			}
		} else if (depth == 0 || is_spent(&outer)) {
			break;
		} else {
			depth--;
		}
	}
	if (placement->verdict == SOLVE_NONE && outer.budget)
		placement->verdict = SOLVE_BUDGET;
	arena_fini(&arena);
}
