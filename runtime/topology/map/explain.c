/* Finds reasons why a mesh graph cannot be placed, in the user's terms: impossible sizes, or a mesh
 * that does not fit even if it is placed alone. Also guesses where channels may be missing, by
 * searching on a machine with additional channels. The caller checks the guess. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "place_private.h"

enum { SMALL = 64, HOPS = 3, EXPLAIN_BUDGET = 1500000, SLACK_MAX = 4 };

void place_mesh_name(const struct logical *logical, uint32_t mesh, struct text *out)
{
	const struct logical_mesh *at = &logical->meshes[mesh];

	text_printf(out, "%s %u (%ux%u %s x %s)", at->is_switch ? "switch" : "mesh", at->id,
		at->rows, at->columns, at->ring[0] ? "RING" : "LINE",
		at->ring[1] ? "RING" : "LINE");
}

/* --- missing links ---------------------------------------------------------------------------- */

struct pairs {
	struct wired_edge *at;
	size_t count, capacity;
};

static void add_pair(struct pairs *pairs, uint32_t a, uint32_t b, uint32_t channels)
{
	if (pairs->count == pairs->capacity) {
		pairs->capacity = pairs->capacity ? 2 * pairs->capacity : 256;
		pairs->at = allocate_more(pairs->at, pairs->capacity, sizeof(*pairs->at));
	}
	pairs->at[pairs->count++] = (struct wired_edge){a, b, channels};
}

/* Adds a pair for each chip to which a cable from `root` may be missing. Such a chip has a higher
 * number than `root`, is no neighbour of it, is at most HOPS links away, and has fewer than `most`
 * links. */
static void add_near(struct pairs *pairs, const struct wired *host, uint32_t root, uint32_t most,
	uint32_t *seen, uint32_t *queue)
{
	uint32_t head = 0, tail = 1, hops = 0, end = 1;

	queue[0] = root;
	seen[root] = root + 1;
	while (head < tail && hops < HOPS) {
		for (; head < end; head++)
			for (uint32_t i = host->first[queue[head]];
				i < host->first[queue[head] + 1]; i++) {
				uint32_t to = host->to[i];

				if (seen[to] == root + 1)
					continue;
				seen[to] = root + 1;
				queue[tail++] = to;
				if (hops > 0 && root < to && wired_degree(host, to) < most)
					add_pair(pairs, root, to, 0);
			}
		end = tail;
		hops++;
	}
}

/* Returns the host graph, with a link of 0 channels at each place where a cable may be missing. */
static const struct wired *with_missing(const struct wired *host, struct arena *arena)
{
	uint32_t *seen = arena_array(arena, (size_t)host->count + 1, sizeof(*seen));
	uint32_t *queue = arena_array(arena, (size_t)host->count + 1, sizeof(*queue));
	struct pairs pairs = {0};
	const struct wired *wired;
	uint32_t most = 0;

	for (uint32_t a = 0; a < host->count; a++) {
		most = wired_degree(host, a) > most ? wired_degree(host, a) : most;
		for (uint32_t i = host->first[a]; i < host->first[a + 1]; i++)
			if (a < host->to[i])
				add_pair(&pairs, a, host->to[i], host->channels[i]);
	}
	for (uint32_t a = 0; a < host->count; a++) {
		if (host->count > SMALL && wired_degree(host, a) < most)
			add_near(&pairs, host, a, most, seen, queue);
		for (uint32_t b = a + 1; host->count <= SMALL && b < host->count; b++)
			if (!wired_channels(host, a, b))
				add_pair(&pairs, a, b, 0);
	}
	wired = wired_new(arena, host->count, pairs.at, pairs.count);
	free(pairs.at);
	return wired;
}

/* --- lacks ------------------------------------------------------------------------------------ */

/* Tries with an increasing number of missing links. Returns true if a mapping is found. */
static bool find_missing(const struct scope *scope, struct mesh_placement *placement)
{
	struct solve_problem problem = problem_make(scope, &placement->arena);
	const struct wired *host = problem.host;

	problem.budget = EXPLAIN_BUDGET;
	problem.host = with_missing(host, &placement->arena);
	for (problem.slack = 1; problem.slack <= SLACK_MAX; problem.slack++) {
		struct solve_result result = solve(&problem, &placement->arena);

		placement->steps += result.steps;
		if (result.verdict != SOLVE_FOUND)
			continue;
		problem.host = host;
		note_lacks(scope, &problem, result.image, placement);
		return placement->lack_count > 0;
	}
	return false;
}

/* Searches for a mapping in which every link has at least one channel. If there is such a mapping,
 * the machine lacks no link; some of its links only have too few channels. */
static bool find_thin(const struct scope *scope, struct mesh_placement *placement)
{
	struct place_options options = *scope->options;
	struct scope relaxed = *scope;
	struct solve_problem problem, strict;
	struct solve_result result;

	options.relaxed = true;
	relaxed.options = &options;
	problem = problem_make(&relaxed, &placement->arena);
	problem.budget = EXPLAIN_BUDGET;
	result = solve(&problem, &placement->arena);
	placement->steps += result.steps;
	if (result.verdict != SOLVE_FOUND)
		return false;
	strict = problem_make(scope, &placement->arena);
	note_lacks(scope, &strict, result.image, placement);
	return true;
}

/* --- which mesh ------------------------------------------------------------------------------ */

/* Returns the largest number of chips on one host, and sets *name to the name of this host. */
static uint32_t largest_host(const struct machine *machine, const char **name)
{
	uint32_t best = 0;

	*name = "";
	for (uint32_t h = 0; h < machine->host_count; h++) {
		uint32_t count = 0;

		for (uint32_t i = 0; i < machine->chip_count; i++)
			count += machine->chips[i].host == h;
		if (count > best) {
			best = count;
			*name = machine->hosts[h].name;
		}
	}
	return best;
}

/* Adds reasons that concern impossible sizes. */
static void say_sizes(const struct scope *scope, struct mesh_placement *placement)
{
	const struct logical *logical = scope->logical;
	const struct machine *machine = scope->machine;
	uint32_t needed = 0;
	const char *host;

	for (uint32_t i = 0; i < scope->mesh_count; i++) {
		const struct logical_mesh *mesh = &logical->meshes[scope->first_mesh + i];
		uint32_t per_host = mesh->count / (mesh->host_rows * mesh->host_columns);

		needed += mesh->count;
		if (scope->options->any_host || per_host <= largest_host(machine, &host) ||
			mesh->count > machine->chip_count)
			continue;
		place_mesh_name(logical, scope->first_mesh + i, &placement->why);
		text_printf(&placement->why,
			" is larger than a host: each of its %ux%u hosts needs %u chips, the "
			"largest, "
			"%s, has %u\n",
			mesh->host_rows, mesh->host_columns, per_host, host,
			largest_host(machine, &host));
		return;
	}
	if (needed > machine->chip_count)
		text_printf(&placement->why,
			"it is larger than the machine: %u chips needed, %u found\n", needed,
			machine->chip_count);
}

static enum solve_verdict try_alone(const struct scope *scope, uint32_t mesh,
	struct mesh_placement *placement, const char **how)
{
	struct scope alone = *scope;
	struct solve_problem problem;
	struct solve_result result;

	alone.first_mesh = mesh;
	alone.mesh_count = 1;
	problem = problem_make(&alone, &placement->arena);
	problem.budget = EXPLAIN_BUDGET;
	result = solve(&problem, &placement->arena);
	placement->steps += result.steps;
	*how = result.how;
	return result.verdict;
}

/* Finds the first mesh that does not fit even if it is placed alone. If several meshes have the
 * same descriptor, tries only the first of them, unless there are pins or ranks. */
static bool explain_alone(const struct scope *scope, struct mesh_placement *placement)
{
	const struct logical *logical = scope->logical;

	for (uint32_t m = 0; m < logical->mesh_count; m++) {
		struct scope alone = *scope;
		enum solve_verdict verdict;
		const char *how;
		bool known = false;

		for (uint32_t k = 0;
			k < m && !known && !scope->options->pin_count && !scope->options->ranks;
			k++)
			known = logical->meshes[k].descriptor == logical->meshes[m].descriptor;
		if (known)
			continue;
		verdict = try_alone(scope, m, placement, &how);
		if (verdict == SOLVE_FOUND)
			continue;
		place_mesh_name(logical, m, &placement->why);
		text_printf(&placement->why, " %s%s: %s\n",
			verdict == SOLVE_NONE ? "does not fit" : "was not placed",
			logical->mesh_count > 1 ? " alone" : "", how);
		alone.first_mesh = m;
		alone.mesh_count = 1;
		say_sizes(&alone, placement);
		return true;
	}
	return false;
}

void place_explain(const struct scope *scope, struct mesh_placement *placement)
{
	if (explain_alone(scope, placement))
		return;
	if (scope->mesh_count > 1)
		text_append(&placement->why, "each mesh fits alone; together they do not\n");
	say_sizes(scope, placement);
}

bool topology_find_lacks(const struct logical *logical, const struct machine *machine,
	const struct place_options *options, struct mesh_placement *lacking)
{
	struct scope scope = {.logical = logical,
		.machine = machine,
		.options = options,
		.mesh_count = logical->mesh_count,
		.asked = ASKED_LINKS};

	if (find_thin(&scope, lacking) && lacking->lack_count)
		return true;
	scope.asked = ASKED_LEAST;
	return find_missing(&scope, lacking);
}
