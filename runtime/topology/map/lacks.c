/* Finds the links and connections that have fewer channels than required. Counts the channels that
 * a mapping uses, and names the links in the user's terms. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "place_private.h"

static void add_lack(struct mesh_placement *placement, struct place_lack lack)
{
	if (placement->lack_count == placement->lack_capacity) {
		struct place_lack *grown;

		placement->lack_capacity = 2 * placement->lack_capacity + 16;
		grown = arena_array(&placement->arena, placement->lack_capacity, sizeof(*grown));
		if (placement->lack_count)
			memcpy(grown, placement->lacks, placement->lack_count * sizeof(*grown));
		placement->lacks = grown;
	}
	placement->lacks[placement->lack_count++] = lack;
}

static bool same_end(const struct logical_end *a, const struct logical_end *b)
{
	return a->device == b->device && a->first_mesh == b->first_mesh &&
	       a->mesh_count == b->mesh_count;
}

bool same_ends(const struct logical_connection *a, const struct logical_connection *b)
{
	return (same_end(&a->a, &b->a) && same_end(&a->b, &b->b)) ||
	       (same_end(&a->a, &b->b) && same_end(&a->b, &b->a));
}

/* Finds the first connection between two devices. */
static const struct logical_connection *find_of_devices(
	const struct logical *logical, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < logical->connection_count; i++) {
		const struct logical_connection *one = &logical->connections[i];

		if ((one->a.device == a && one->b.device == b) ||
			(one->a.device == b && one->b.device == a))
			return one;
	}
	return NULL;
}

/* Finds the first connection from which a join was made. */
static const struct logical_connection *find_of_join(
	const struct scope *scope, const struct solve_join *join)
{
	const struct logical *logical = scope->logical;

	for (uint32_t i = 0; i < logical->connection_count; i++) {
		const struct logical_connection *one = &logical->connections[i];

		if ((one->a.device == LOGICAL_NONE || one->b.device == LOGICAL_NONE) &&
			one->a.first_mesh == scope->first_mesh + join->first_a &&
			one->a.mesh_count == join->count_a &&
			one->b.first_mesh == scope->first_mesh + join->first_b &&
			one->b.mesh_count == join->count_b)
			return one;
	}
	return NULL;
}

static void note_links(const struct scope *scope, const struct solve_problem *problem,
	const uint32_t *image, struct mesh_placement *placement)
{
	const struct wired *target = problem->target;
	uint32_t first = scope_first_device(scope);

	for (uint32_t a = 0; a < target->count; a++)
		for (uint32_t i = target->first[a]; i < target->first[a + 1]; i++) {
			uint32_t b = target->to[i];
			uint32_t found = wired_channels(problem->host, image[a], image[b]);
			bool apart = problem->part[a] != problem->part[b];

			if (a > b || found >= target->channels[i])
				continue;
			add_lack(placement, (struct place_lack){false, first + a, first + b,
						    image[a], image[b], target->channels[i], found,
						    apart ? find_of_devices(scope->logical,
								    first + a, first + b)
							  : NULL});
		}
}

static bool is_in(uint32_t part, uint32_t first, uint32_t count)
{
	return part != SOLVE_ANY && part - first < count;
}

/* Counts the channels between the chips of the two ends of a join, and returns a struct place_lack
 * with this number. The struct also names an example of two chips with a link between the ends. If
 * there is no such link, it names any chip of each end. */
static struct place_lack count_join(const struct solve_problem *problem,
	const struct solve_join *join, const uint32_t *image, const uint32_t *part)
{
	const struct wired *host = problem->host;
	struct place_lack lack = {
		true, join->first_a, join->first_b, SOLVE_ANY, SOLVE_ANY, join->channels, 0, NULL};
	uint32_t any_a = SOLVE_ANY, any_b = SOLVE_ANY;

	for (uint32_t i = 0; i < problem->target->count; i++) {
		uint32_t chip = image[i];

		any_b = is_in(part[chip], join->first_b, join->count_b) ? chip : any_b;
		if (!is_in(part[chip], join->first_a, join->count_a))
			continue;
		any_a = chip;
		for (uint32_t k = host->first[chip]; k < host->first[chip + 1]; k++) {
			if (!is_in(part[host->to[k]], join->first_b, join->count_b))
				continue;
			lack.found += host->channels[k];
			lack.chip_a = chip;
			lack.chip_b = host->to[k];
		}
	}
	if (lack.chip_a == SOLVE_ANY) {
		lack.chip_a = any_a;
		lack.chip_b = any_b;
	}
	return lack;
}

void note_lacks(const struct scope *scope, const struct solve_problem *problem,
	const uint32_t *image, struct mesh_placement *placement)
{
	uint32_t *part = allocate((size_t)problem->host->count + 1, sizeof(*part));

	note_links(scope, problem, image, placement);
	memset(part, 0xff, problem->host->count * sizeof(*part));
	for (uint32_t i = 0; i < problem->target->count; i++)
		part[image[i]] = problem->part[i];
	for (uint32_t j = 0; j < problem->join_count; j++) {
		struct place_lack lack = count_join(problem, &problem->joins[j], image, part);

		if (lack.found >= lack.needed)
			continue;
		lack.a += scope->first_mesh;
		lack.b += scope->first_mesh;
		lack.connection = find_of_join(scope, &problem->joins[j]);
		add_lack(placement, lack);
	}
	free(part);
}

void place_lack_ends(const struct logical *logical, const struct place_lack *lack, struct text *out)
{
	uint32_t mesh, other;

	if (lack->is_join) {
		text_printf(out, "connection of mesh %u and mesh %u", logical->meshes[lack->a].id,
			logical->meshes[lack->b].id);
		return;
	}
	mesh = logical_mesh_of(logical, lack->a);
	other = logical_mesh_of(logical, lack->b);
	text_printf(out, "%s of mesh %u chip %u and ", lack->connection ? "connection" : "link",
		logical->meshes[mesh].id, lack->a - logical->meshes[mesh].first);
	if (other != mesh)
		text_printf(out, "mesh %u ", logical->meshes[other].id);
	text_printf(out, "chip %u", lack->b - logical->meshes[other].first);
}

void place_lack_say(const struct logical *logical, const struct machine *machine,
	const struct place_lack *lack, const char *asked, struct text *out)
{
	const char *host_a = machine->hosts[machine->chips[lack->chip_a].host].name;
	const char *host_b = machine->hosts[machine->chips[lack->chip_b].host].name;
	bool one_host = strcmp(host_a, host_b) == 0;

	place_lack_ends(logical, lack, out);
	text_printf(out, ": %u channel%s %s, %u found ", lack->needed, lack->needed == 1 ? "" : "s",
		asked, lack->found);
	if (lack->is_join) {
		text_printf(
			out, one_host ? "on host %s" : "between hosts %s and %s", host_a, host_b);
		return;
	}
	text_append(out, "between ");
	machine_chip_name(machine, lack->chip_a, out);
	text_append(out, " and ");
	machine_chip_name(machine, lack->chip_b, out);
	if (lack->found == 0 && !one_host)
		text_printf(out, ": a cable between %s and %s is missing", host_a, host_b);
}
