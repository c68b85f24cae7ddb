/* Numbers the states of packets, an arc and a VC each (bring_up/control_plane.h). The numbers of a
 * mesh are a block: those of rows on the first VC, of rows on the second, of columns in the same
 * way, of up-down routes, and of the arcs that leave the mesh. Blocks follow one another in the
 * order in which routes pass meshes: up to the root, then down from it. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "plane_private.h"

enum { PHASES = 2 /* up and down between meshes */ };

/* Returns how many VCs a scheme needs in a mesh. */
static uint32_t vcs_of(const struct plane_mesh *mesh, enum control_scheme scheme)
{
	uint32_t rings = (mesh->ring[0] && mesh->rows > 2) || (mesh->ring[1] && mesh->columns > 2);

	switch (scheme) {
	case CONTROL_ORDER:
		return 1 + rings;
	case CONTROL_LAYERS:
		return 2 + rings;
	default:
		return 1;
	}
}

static enum status choose_schemes(struct control_plane *plane, uint32_t vcs_max, struct text *why)
{
	uint32_t phases = 1;

	for (uint32_t i = 0; i < plane->arc_count; i++)
		if (plane->arcs[i].exit)
			phases = PHASES;
	if (phases > vcs_max)
		return refuse(why, STATUS_NO_SPACE,
			"routes between meshes need %u virtual channels, %u allowed", phases,
			vcs_max);
	plane->phase_vcs = 1;
	for (uint32_t m = 0; m < plane->mesh_count; m++) {
		struct plane_mesh *mesh = &plane->meshes[m];
		uint32_t vcs;

		mesh->scheme = mesh->whole ? CONTROL_ORDER : CONTROL_LAYERS;
		if (phases * vcs_of(mesh, mesh->scheme) > vcs_max)
			mesh->scheme = CONTROL_UPDOWN;
		vcs = vcs_of(mesh, mesh->scheme);
		plane->phase_vcs = vcs > plane->phase_vcs ? vcs : plane->phase_vcs;
	}
	plane->vcs = phases * plane->phase_vcs;
	return STATUS_OK;
}

/* Returns how many numbers the block of a mesh has. */
static uint32_t block_of(const struct plane_mesh *mesh)
{
	return 2 * (mesh->columns + mesh->rows + mesh->count) + 1;
}

/* Returns the number of an arc within its mesh on a VC of `order`; TABLES_NONE if it has none.
 * Along each direction, numbers grow from one end of the row or column to the other. */
static uint32_t number_in_order(
	const struct plane_mesh *mesh, const struct plane_arc *arc, uint32_t vc)
{
	uint32_t chip = arc->from - mesh->first, columns = mesh->columns, rows = mesh->rows;

	switch (arc->direction) {
	case ROUTER_EAST:
		return vc * columns + chip % columns;
	case ROUTER_WEST:
		return vc * columns + columns - 1 - chip % columns;
	case ROUTER_SOUTH:
		return 2 * columns + vc * rows + chip / columns;
	case ROUTER_NORTH:
		return 2 * columns + vc * rows + rows - 1 - chip / columns;
	default:
		return TABLES_NONE;
	}
}

/* Returns the number of an arc within its mesh on up-down routes. */
static uint32_t number_up_down(const struct control_plane *plane, const struct plane_mesh *mesh,
	const struct plane_arc *arc)
{
	uint32_t from = plane->above[arc->from], to = plane->above[arc->to];

	return 2 * (mesh->columns + mesh->rows) +
	       (to < from ? mesh->count - from : mesh->count + from);
}

/* Returns the number of an arc within the block of its mesh, on a VC counted from 0 in each phase.
 */
static uint32_t plane_number_of(
	const struct control_plane *plane, const struct plane_arc *arc, uint32_t vc)
{
	const struct plane_mesh *mesh = &plane->meshes[plane->mesh_of[arc->from]];
	uint32_t vcs = vcs_of(mesh, mesh->scheme);

	if (vc >= vcs)
		return TABLES_NONE;
	if (mesh->scheme == CONTROL_UPDOWN || (mesh->scheme == CONTROL_LAYERS && vc + 1 == vcs))
		return number_up_down(plane, mesh, arc);
	return number_in_order(mesh, arc, vc);
}

/* Sets base[phase * meshes + mesh] to the first number of each block. */
static void place_blocks(const struct control_plane *plane, uint32_t *base)
{
	uint32_t meshes = plane->mesh_count, next = 0;
	uint32_t *by_rank = allocate((size_t)meshes + 1, sizeof(*by_rank));

	for (uint32_t m = 0; m < meshes; m++)
		by_rank[plane->meshes[m].rank] = m;
	for (uint32_t k = meshes; k-- > 0;) {
		base[by_rank[k]] = next;
		next += block_of(&plane->meshes[by_rank[k]]);
	}
	for (uint32_t k = 0; k < meshes; k++) {
		base[meshes + by_rank[k]] = next;
		next += block_of(&plane->meshes[by_rank[k]]);
	}
	free(by_rank);
}

static void number_exit(struct control_plane *plane, uint32_t arc, const uint32_t *base)
{
	uint32_t mesh = plane->mesh_of[plane->arcs[arc].from];
	const struct plane_mesh *from = &plane->meshes[mesh];
	bool down = plane->meshes[plane->mesh_of[plane->arcs[arc].to]].rank > from->rank;
	uint32_t vc = down ? plane->phase_vcs : 0;

	plane->number[arc * plane->vcs + vc] =
		base[down * plane->mesh_count + mesh] + block_of(from) - 1;
}

enum status plane_number_make(struct control_plane *plane, uint32_t vcs_max, struct text *why)
{
	enum status status = choose_schemes(plane, vcs_max, why);
	uint32_t *base;

	if (status != STATUS_OK)
		return status;
	base = allocate(2 * (size_t)plane->mesh_count + 1, sizeof(*base));
	place_blocks(plane, base);
	plane->number = arena_array(
		&plane->arena, (size_t)plane->arc_count * plane->vcs + 1, sizeof(uint32_t));
	for (uint32_t state = 0; state < plane->arc_count * plane->vcs; state++)
		plane->number[state] = TABLES_NONE;
	for (uint32_t i = 0; i < plane->arc_count; i++) {
		const struct plane_arc *arc = &plane->arcs[i];
		uint32_t mesh = plane->mesh_of[arc->from];

		if (arc->exit) {
			number_exit(plane, i, base);
			continue;
		}
		for (uint32_t vc = 0; vc < plane->vcs; vc++) {
			uint32_t number = plane_number_of(plane, arc, vc % plane->phase_vcs);

			if (number != TABLES_NONE)
				plane->number[i * plane->vcs + vc] =
					number +
					base[vc / plane->phase_vcs * plane->mesh_count + mesh];
		}
	}
	free(base);
	return STATUS_OK;
}
