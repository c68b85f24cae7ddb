/* Writes the input of tt-run: rank bindings and Open MPI's rank file. The output is
 * deterministic. */
#include <stdlib.h>

#include "topology/bindings.h"

/* Ranks of a logical graph are numbered mesh by mesh and row by row, as in rank_bindings.yaml. */
uint32_t rank_chip(const struct logical *logical, const uint32_t *image, uint32_t rank)
{
	const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of_rank(logical, rank)];
	uint32_t within = rank - mesh->first_rank;
	uint32_t row = within / mesh->host_columns * (mesh->rows / mesh->host_rows);
	uint32_t column = within % mesh->host_columns * (mesh->columns / mesh->host_columns);

	return image[mesh->first + row * mesh->columns + column];
}

static int bindings_write_compare(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

uint32_t rank_devices(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, uint32_t rank, uint32_t *out)
{
	const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of_rank(logical, rank)];
	uint32_t count = 0, kept = 0;

	for (uint32_t i = 0; i < mesh->count; i++) {
		uint32_t device = mesh->first + i;

		if (logical_rank_of(logical, device) == rank &&
			machine->chips[image[device]].device != MACHINE_NONE)
			out[count++] = machine->chips[image[device]].device;
	}
	qsort(out, count, sizeof(*out), bindings_write_compare);
	for (uint32_t i = 0; i < count; i++)
		if (!kept || out[kept - 1] != out[i])
			out[kept++] = out[i];
	return kept;
}

void bindings_write(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, const char *mesh_graph, struct text *out)
{
	struct arena arena = {0};
	uint32_t *devices = arena_array(&arena, logical->device_count, sizeof(*devices));

	text_append(out, "# Written by meshsim place.\nrank_bindings:\n");
	for (uint32_t rank = 0; rank < logical->rank_count; rank++) {
		const struct logical_mesh *mesh =
			&logical->meshes[logical_mesh_of_rank(logical, rank)];
		uint32_t count = rank_devices(logical, machine, image, rank, devices);

		text_printf(out, "  - rank: %u\n    mesh_id: %u\n    mesh_host_rank: %u\n", rank,
			mesh->id, rank - mesh->first_rank);
		if (!count)
			continue;
		text_append(out, "    env_overrides:\n      TT_VISIBLE_DEVICES: \"");
		for (uint32_t i = 0; i < count; i++)
			text_printf(out, "%s%u", i ? "," : "", devices[i]);
		text_append(out, "\"\n");
	}
	text_append(out, "mesh_graph_desc_path: ");
	/* a JSON string is also a valid double-quoted string in YAML */
	text_append_json(out, mesh_graph);
	text_append_char(out, '\n');
	arena_fini(&arena);
}

void rankfile_write(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, struct text *out)
{
	struct arena arena = {0};
	uint32_t *slots = arena_array(&arena, machine->host_count, sizeof(*slots));

	for (uint32_t rank = 0; rank < logical->rank_count; rank++) {
		uint32_t host = machine->chips[rank_chip(logical, image, rank)].host;

		text_printf(out, "rank %u=%s slot=%u\n", rank, machine->hosts[host].name,
			slots[host]++);
	}
	arena_fini(&arena);
}
