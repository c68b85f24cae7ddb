/* Converts meshes and a machine to a problem for the solver: links and the number of channels that
 * each of them needs, pins, ranks, hosts and boards. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "place_private.h"

uint32_t scope_first_device(const struct scope *scope)
{
	return scope->mesh_count ? scope->logical->meshes[scope->first_mesh].first : 0;
}

static uint32_t device_count(const struct scope *scope)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < scope->mesh_count; i++)
		count += scope->logical->meshes[scope->first_mesh + i].count;
	return count;
}

static bool mesh_inside(const struct scope *scope, uint32_t mesh)
{
	return mesh >= scope->first_mesh && mesh - scope->first_mesh < scope->mesh_count;
}

/* Returns true if both ends of a connection lie in the scope. */
static bool connection_inside(const struct scope *scope, const struct logical_connection *one)
{
	return mesh_inside(scope, one->a.first_mesh) && mesh_inside(scope, one->b.first_mesh) &&
	       mesh_inside(scope, one->a.first_mesh + one->a.mesh_count - 1) &&
	       mesh_inside(scope, one->b.first_mesh + one->b.mesh_count - 1);
}

bool scope_is_relaxed(const struct scope *scope, const struct logical_connection *connection)
{
	return connection->relaxed || scope->options->relaxed;
}

/* Returns the number of channels that a link within a mesh needs. Even policy RELAXED needs one
 * channel, because the mesh would have another shape if the link were missing. */
static uint32_t link_need(const struct scope *scope, const struct logical_link *link)
{
	bool relaxed = link->relaxed || scope->options->relaxed;

	return relaxed && scope->asked != ASKED_ALL ? 1 : link->channels;
}

uint32_t scope_connection_need(const struct scope *scope, uint32_t connection)
{
	const struct logical_connection *one = &scope->logical->connections[connection];

	if (!scope_is_relaxed(scope, one) || scope->asked == ASKED_ALL)
		return one->channels;
	return scope->asked == ASKED_LINKS || (scope->kept && scope->kept[connection]) ? 1 : 0;
}

static const struct wired *make_target(const struct scope *scope, struct arena *arena)
{
	const struct logical *logical = scope->logical;
	uint32_t first = scope_first_device(scope), count = device_count(scope);
	struct wired_edge *edges = allocate(
		(size_t)logical->link_count + logical->connection_count + 1, sizeof(*edges));
	struct wired *target;
	size_t used = 0;

	for (uint32_t i = 0; i < logical->link_count; i++) {
		const struct logical_link *link = &logical->links[i];

		if (link->a >= first && link->a - first < count)
			edges[used++] = (struct wired_edge){
				link->a - first, link->b - first, link_need(scope, link)};
	}
	for (uint32_t i = 0; i < logical->connection_count; i++) {
		const struct logical_connection *one = &logical->connections[i];
		uint32_t need = scope_connection_need(scope, i);

		if (one->a.device != LOGICAL_NONE && one->b.device != LOGICAL_NONE && need &&
			connection_inside(scope, one))
			edges[used++] = (struct wired_edge){
				one->a.device - first, one->b.device - first, need};
	}
	target = wired_new(arena, count, edges, used);
	free(edges);
	return target;
}

static bool same_join(const struct solve_join *a, const struct solve_join *b)
{
	return a->first_a == b->first_a && a->count_a == b->count_a && a->first_b == b->first_b &&
	       a->count_b == b->count_b;
}

/* Makes the joins of a problem from the connections between meshes. A join requires channels
 * between two meshes, no matter between which chips. Leaves out connections between two given
 * devices, because make_target() makes them into links. If only one end of a connection is a given
 * device, the join uses the whole mesh of this device. Connections between the same two meshes are
 * combined into one join with the sum of their channels, unless there are more than 4096
 * connections. */
static void make_joins(
	const struct scope *scope, struct solve_problem *problem, struct arena *arena)
{
	const struct logical *logical = scope->logical;
	struct solve_join *joins = arena_array(arena, logical->connection_count, sizeof(*joins));

	for (uint32_t i = 0; i < logical->connection_count; i++) {
		const struct logical_connection *one = &logical->connections[i];
		uint32_t channels = scope_connection_need(scope, i), at = 0;
		struct solve_join join = {one->a.first_mesh - scope->first_mesh, one->a.mesh_count,
			one->b.first_mesh - scope->first_mesh, one->b.mesh_count, channels};

		if (!channels || !connection_inside(scope, one) ||
			(one->a.device != LOGICAL_NONE && one->b.device != LOGICAL_NONE))
			continue;
		if (logical->connection_count > 4096)
			at = problem->join_count;
		while (at < problem->join_count && !same_join(&joins[at], &join))
			at++;
		if (at < problem->join_count)
			joins[at].channels += channels;
		else
			joins[problem->join_count++] = join;
	}
	problem->joins = joins;
}

static const struct wired *make_host(
	const struct scope *scope, const uint32_t *keep, struct arena *arena)
{
	const struct machine *machine = scope->machine;
	struct wired_edge *edges = allocate((size_t)machine->link_count + 1, sizeof(*edges));
	struct wired *host;
	size_t used = 0;

	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];

		if (keep[link->a] != SOLVE_ANY && keep[link->b] != SOLVE_ANY)
			edges[used++] =
				(struct wired_edge){keep[link->a], keep[link->b], link->channels};
	}
	host = wired_new(arena, scope->chip_count, edges, used);
	free(edges);
	return host;
}

static bool pin_fits(
	const struct machine *machine, const struct place_pin *pin, const struct machine_chip *chip)
{
	if (pin->by_id)
		return chip->id == pin->id;
	if (pin->host && strcmp(pin->host, machine->hosts[chip->host].name) != 0)
		return false;
	for (uint32_t i = 0; i < pin->other_count; i++)
		if (chip->tray == (uint32_t)pin->others[i].tray &&
			chip->location == (uint32_t)pin->others[i].location)
			return true;
	return chip->tray == pin->tray && chip->location == pin->location;
}

struct place_pin *place_pins_of(const struct logical *logical, struct arena *arena)
{
	struct place_pin *pins = arena_array(arena, (size_t)logical->pin_count + 1, sizeof(*pins));

	for (uint32_t i = 0; i < logical->pin_count; i++) {
		const struct logical_pin *from = &logical->pins[i];

		pins[i] = (struct place_pin){.mesh = from->mesh,
			.chip = from->chip,
			.tray = (uint32_t)from->positions[0].tray,
			.location = (uint32_t)from->positions[0].location,
			.others = from->positions + 1,
			.other_count = from->position_count - 1,
			.where = from->where};
		location_keep(arena, from->where);
	}
	return pins;
}

const uint32_t *pinned_chips(
	const struct scope *scope, uint32_t device, uint32_t *count, struct arena *arena)
{
	const struct logical *logical = scope->logical;
	const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of(logical, device)];
	uint32_t *chips = NULL;

	*count = 0;
	for (uint32_t i = 0; i < scope->options->pin_count; i++) {
		const struct place_pin *pin = &scope->options->pins[i];
		uint32_t kept = 0;

		if (pin->mesh != mesh->id || pin->chip != device - mesh->first)
			continue;
		for (uint32_t c = 0; !chips && c < scope->machine->chip_count; c++)
			*count += pin_fits(scope->machine, pin, &scope->machine->chips[c]);
		if (!chips) {
			chips = arena_array(arena, *count, sizeof(*chips));
			for (uint32_t c = 0; c < scope->machine->chip_count; c++)
				if (pin_fits(scope->machine, pin, &scope->machine->chips[c]))
					chips[kept++] = c;
			continue;
		}
		/* if a device has a second pin, both pins must allow the chip */
		for (uint32_t c = 0; c < *count; c++)
			if (pin_fits(scope->machine, pin, &scope->machine->chips[chips[c]]))
				chips[kept++] = chips[c];
		*count = kept;
	}
	return chips;
}

/* Converts the numbers of `chips` to numbers within the scope. Leaves out chips outside the
 * scope. */
static struct solve_domain renumber(
	const uint32_t *chips, uint32_t count, const uint32_t *keep, struct arena *arena)
{
	uint32_t *kept = arena_array(arena, (size_t)count + 1, sizeof(*kept));
	struct solve_domain domain = {.chips = kept};

	for (uint32_t i = 0; i < count; i++)
		if (keep[chips[i]] != SOLVE_ANY)
			kept[domain.count++] = keep[chips[i]];
	return domain;
}

static void make_domains(const struct scope *scope, struct solve_problem *problem,
	const uint32_t *keep, struct arena *arena)
{
	uint32_t first = scope_first_device(scope);
	struct solve_domain *domains =
		arena_array(arena, (size_t)problem->target->count + 1, sizeof(*domains));
	const struct solve_domain *ranks = scope->options->ranks;
	bool any = false;

	for (uint32_t i = 0; ranks && i < problem->target->count; i++) {
		const struct solve_domain *rank =
			&ranks[logical_rank_of(scope->logical, first + i)];

		if (rank->chips) {
			domains[i] = renumber(rank->chips, rank->count, keep, arena);
			any = true;
		}
	}
	for (uint32_t p = 0; p < scope->options->pin_count; p++) {
		const struct place_pin *pin = &scope->options->pins[p];
		const struct logical_mesh *mesh = logical_find(scope->logical, pin->mesh);
		const uint32_t *chips;
		uint32_t count;

		if (!mesh || !mesh_inside(scope, (uint32_t)(mesh - scope->logical->meshes)) ||
			pin->chip >= mesh->count)
			continue;
		chips = pinned_chips(scope, mesh->first + pin->chip, &count, arena);
		domains[mesh->first + pin->chip - first] = renumber(chips, count, keep, arena);
		any = true;
	}
	if (any)
		problem->domains = domains;
}

/* Sets ranks, hosts and boards. */
static void make_units(const struct scope *scope, struct solve_problem *problem,
	const uint32_t *chips, struct arena *arena)
{
	const struct logical *logical = scope->logical;
	const struct machine *machine = scope->machine;
	uint32_t first = scope_first_device(scope), count = problem->target->count;
	uint32_t *unit = arena_array(arena, (size_t)count + 1, sizeof(uint32_t));
	uint32_t *hosts = arena_array(arena, (size_t)scope->chip_count + 1, sizeof(uint32_t));
	uint32_t *boards = arena_array(arena, (size_t)scope->chip_count + 1, sizeof(uint32_t));
	uint32_t base = logical->meshes[scope->first_mesh].first_rank;
	bool any_board = false;

	for (uint32_t i = 0; i < count; i++) {
		unit[i] = logical_rank_of(logical, first + i) - base;
		problem->unit_count =
			unit[i] >= problem->unit_count ? unit[i] + 1 : problem->unit_count;
	}
	for (uint32_t i = 0; i < scope->chip_count; i++) {
		hosts[i] = machine->chips[chips[i]].host;
		boards[i] = machine->chips[chips[i]].board;
		any_board |= boards[i] != SOLVE_ANY;
	}
	problem->unit = unit;
	if (!scope->options->any_host && machine->host_count > 1) {
		problem->machine = hosts;
		problem->machine_count = machine->host_count;
	}
	if (!scope->options->split_boards && any_board && problem->unit_count > 1) {
		problem->board = boards;
		problem->board_count = machine->board_count;
	}
}

struct solve_problem problem_make(const struct scope *scope, struct arena *arena)
{
	struct solve_problem problem = {.budget = scope->options->budget};
	const struct machine *machine = scope->machine;
	uint32_t *keep = arena_array(arena, (size_t)machine->chip_count + 1, sizeof(*keep));
	uint32_t *chips = arena_array(arena, (size_t)machine->chip_count + 1, sizeof(*chips));
	struct scope whole = *scope;
	uint32_t *part;

	if (!scope->chips)
		whole.chip_count = machine->chip_count;
	memset(keep, 0xff, machine->chip_count * sizeof(*keep));
	for (uint32_t i = 0; i < whole.chip_count; i++) {
		chips[i] = scope->chips ? scope->chips[i] : i;
		keep[chips[i]] = i;
	}
	problem.target = make_target(&whole, arena);
	problem.host = make_host(&whole, keep, arena);
	part = arena_array(arena, (size_t)problem.target->count + 1, sizeof(*part));
	for (uint32_t m = 0, at = 0; m < scope->mesh_count; m++)
		for (uint32_t i = 0; i < scope->logical->meshes[scope->first_mesh + m].count; i++)
			part[at++] = m;
	problem.part = part;
	problem.part_count = scope->mesh_count;
	make_joins(&whole, &problem, arena);
	make_domains(&whole, &problem, keep, arena);
	make_units(&whole, &problem, chips, arena);
	return problem;
}
