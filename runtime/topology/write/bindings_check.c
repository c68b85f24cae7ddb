/* Checks given bindings against a descriptor and a machine: the rank of each binding, and the chips
 * that the binding makes visible to the rank. The mapper then places the rank on these chips. */
#include <stdlib.h>
#include <string.h>

#include "topology/bindings.h"

/* Returns the next rank of a mesh that has no binding, or the number after its last rank. */
static uint32_t bindings_check_next_free(const struct logical_mesh *mesh, const uint32_t *of_rank)
{
	uint32_t rank = mesh->first_rank, end = rank + mesh->host_rows * mesh->host_columns;

	while (rank < end && of_rank[rank] != SOLVE_ANY)
		rank++;
	return rank;
}

static void match_one(const struct bindings *bindings, uint32_t at, const struct logical *logical,
	uint32_t *of_rank, struct diag *diag)
{
	const struct binding *binding = &bindings->bindings[at];
	const struct logical_mesh *mesh = logical_find(logical, binding->mesh);
	uint32_t ranks, rank;

	if (!mesh) {
		diag_error(diag, binding->where, "rank %u: mesh_id %u is not in the descriptor",
			binding->rank, binding->mesh);
		return;
	}
	ranks = mesh->host_rows * mesh->host_columns;
	if (binding->mesh_host_rank >= (int64_t)ranks) {
		diag_error(diag, binding->where,
			"rank %u: mesh_host_rank %u, but mesh %u has %u host%s", binding->rank,
			(unsigned)binding->mesh_host_rank, mesh->id, ranks, ranks == 1 ? "" : "s");
		return;
	}
	rank = binding->mesh_host_rank >= 0 ? mesh->first_rank + (uint32_t)binding->mesh_host_rank
					    : bindings_check_next_free(mesh, of_rank);
	if (rank == mesh->first_rank + ranks) {
		diag_error(diag, binding->where, "rank %u: mesh %u has %u host%s, all bound",
			binding->rank, mesh->id, ranks, ranks == 1 ? "" : "s");
	} else if (of_rank[rank] != SOLVE_ANY) {
		diag_error(diag, binding->where, "rank %u: host %u of mesh %u is bound to rank %u",
			binding->rank, rank - mesh->first_rank, mesh->id,
			bindings->bindings[of_rank[rank]].rank);
	} else {
		of_rank[rank] = at;
	}
}

bool bindings_match(const struct bindings *bindings, const struct logical *logical,
	uint32_t *of_rank, struct diag *diag)
{
	size_t errors = diag_errors(diag);

	memset(of_rank, 0xff, logical->rank_count * sizeof(*of_rank));
	/* bindings that name their host rank come first; the others take the remaining ranks */
	for (uint32_t i = 0; i < bindings->count; i++)
		if (bindings->bindings[i].mesh_host_rank >= 0)
			match_one(bindings, i, logical, of_rank, diag);
	for (uint32_t i = 0; i < bindings->count; i++)
		if (bindings->bindings[i].mesh_host_rank < 0)
			match_one(bindings, i, logical, of_rank, diag);
	for (uint32_t rank = 0; rank < logical->rank_count && diag_errors(diag) == errors; rank++) {
		const struct logical_mesh *mesh =
			&logical->meshes[logical_mesh_of_rank(logical, rank)];

		if (of_rank[rank] == SOLVE_ANY)
			diag_error(diag, bindings->where, "no rank is bound to host %u of mesh %u",
				rank - mesh->first_rank, mesh->id);
	}
	return diag_errors(diag) == errors;
}

static const struct rankfile_line *line_of(const struct rankfile *rankfile, uint32_t rank)
{
	for (uint32_t i = 0; rankfile && i < rankfile->count; i++)
		if (rankfile->lines[i].rank == rank)
			return &rankfile->lines[i];
	return NULL;
}

static bool sees(const struct binding *binding, const struct machine_chip *chip)
{
	for (uint32_t i = 0; i < binding->device_count; i++)
		if (binding->devices[i] == chip->device)
			return true;
	return !binding->has_devices;
}

/* Reports devices that a binding names and that do not exist. */
static void check_devices(const struct binding *binding, const struct machine *machine,
	uint32_t host, struct diag *diag)
{
	for (uint32_t i = 0; i < binding->device_count; i++) {
		bool there = false;

		for (uint32_t c = 0; c < machine->chip_count && !there; c++)
			there = machine->chips[c].device == binding->devices[i] &&
				(host == MACHINE_NONE || machine->chips[c].host == host);
		if (!there)
			diag_error(diag, binding->where, "rank %u: no device %u%s%s", binding->rank,
				binding->devices[i], host == MACHINE_NONE ? "" : " on ",
				host == MACHINE_NONE ? "" : machine->hosts[host].name);
	}
}

bool bindings_domains(const struct bindings *bindings, const struct rankfile *rankfile,
	const uint32_t *of_rank, const struct logical *logical, const struct machine *machine,
	struct solve_domain *ranks, struct arena *arena, struct diag *diag)
{
	size_t errors = diag_errors(diag);

	for (uint32_t rank = 0; rank < logical->rank_count; rank++) {
		const struct binding *binding = &bindings->bindings[of_rank[rank]];
		const struct rankfile_line *line = line_of(rankfile, binding->rank);
		uint32_t *chips =
			arena_array(arena, (size_t)machine->chip_count + 1, sizeof(*chips));
		uint32_t host = MACHINE_NONE, count = 0;

		if (rankfile && !line) {
			diag_error(diag, binding->where, "rank %u is not in the rank file",
				binding->rank);
			continue;
		}
		for (uint32_t h = 0; line && h < machine->host_count; h++)
			if (strcmp(machine->hosts[h].name, line->host) == 0)
				host = h;
		if (line && host == MACHINE_NONE) {
			diag_error(diag, line->where, "rank %u: no host '%s' in the machine",
				line->rank, line->host);
			continue;
		}
		check_devices(binding, machine, host, diag);
		for (uint32_t c = 0; c < machine->chip_count; c++)
			if ((host == MACHINE_NONE || machine->chips[c].host == host) &&
				sees(binding, &machine->chips[c]))
				chips[count++] = c;
		ranks[rank] = (struct solve_domain){chips, count};
	}
	return diag_errors(diag) == errors;
}
