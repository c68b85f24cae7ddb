/* Finds the place of each chip of a machine in a mesh. A mesh with missing chips is found only if
 * the files say where the chips are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "cables_private.h"
#include "platform/platform.h"
#include "topology/place.h"

enum { SHAPE_BUDGET = 200000, SHAPES_MAX = 400 };

static void place_none(
	const struct machine *machine, struct cables_mesh *placed, struct arena *arena)
{
	placed->at = arena_array(arena, machine->chip_count, sizeof(*placed->at));
	for (uint32_t i = 0; i < machine->chip_count; i++)
		placed->at[i][0] = placed->at[i][1] = -1;
}

/* Copies the places of devices from one mesh of a placement. */
static void take_image(
	const struct logical_mesh *mesh, const uint32_t *image, struct cables_mesh *placed)
{
	placed->rows = mesh->rows;
	placed->columns = mesh->columns;
	for (uint32_t i = 0; i < mesh->count; i++) {
		placed->at[image[mesh->first + i]][0] = (int32_t)(i / mesh->columns);
		placed->at[image[mesh->first + i]][1] = (int32_t)(i % mesh->columns);
	}
}

/* ---- by a descriptor ---- */

/* Returns the mesh that the platform asks for, or NULL after an error. */
static const struct logical_mesh *choose_mesh(const struct logical *logical,
	const struct tree_node *mgd, const struct tree_node *id, struct diag *diag)
{
	const struct logical_mesh *mesh = &logical->meshes[0];
	int64_t number = 0;

	if (id) {
		mesh = NULL;
		if (id->kind == TREE_SCALAR && tree_integer(id, &number) == STATUS_OK &&
			number >= 0 && number <= UINT16_MAX)
			mesh = logical_find(logical, (uint32_t)number);
		if (!mesh || mesh->is_switch)
			diag_error(diag, id->where, "the descriptor has no mesh of that id");
		return mesh && !mesh->is_switch ? mesh : NULL;
	}
	if (logical->mesh_count == 1 && !mesh->is_switch)
		return mesh;
	diag_error(diag, mgd->where, "the descriptor has %u meshes: say with 'mesh' the id of one",
		logical->mesh_count);
	return NULL;
}

/* Appends several lines as one, separated by semicolons. */
static void append_line(struct text *out, const struct text *lines)
{
	const char *at = lines->length > 0 ? text_string(lines) : "";

	for (; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (*at != '\n')
			text_printf(out, "%s%.*s", out->length > 0 ? "; " : "",
				(int)strcspn(at, "\n"), at);
}

static bool place_on(const struct machine *machine, const struct logical *logical,
	const struct logical_mesh *mesh, struct location where, struct cables_mesh *placed,
	struct diag *diag)
{
	struct arena arena = {0};
	const struct place_options options = {
		.pins = place_pins_of(logical, &arena), .pin_count = logical->pin_count};
	struct mesh_placement *placement = topology_place(logical, machine, &options);
	bool found = placement->verdict == SOLVE_FOUND;
	struct text why;

	text_init(&why);
	append_line(&why, &placement->why);
	if (found)
		take_image(mesh, placement->image, placed);
	else
		diag_error(diag, where,
			"the descriptor does not fit the machine: %s; "
			"'meshsim place' says what would",
			text_string(&why));
	text_fini(&why);
	mesh_placement_free(placement);
	arena_fini(&arena);
	return found;
}

static bool place_by_descriptor(const struct machine *machine, const struct tree_node *mgd,
	const struct tree_node *id, struct cables_mesh *placed, struct arena *arena,
	struct diag *diag)
{
	const struct logical_mesh *mesh = NULL;
	struct mesh_graph *graph = NULL;
	struct logical *logical = NULL;
	bool good = false;

	if (mgd->kind == TREE_SCALAR)
		graph = mesh_graph_read_file(
			platform_named_file(arena, mgd, NULL, diag), false, diag);
	else
		diag_error(diag, mgd->where, "expected the path of a file");
	if (graph)
		logical = logical_new(graph, diag);
	if (logical)
		mesh = choose_mesh(logical, mgd, id, diag);
	if (mesh)
		good = place_on(machine, logical, mesh, mgd->where, placed, diag);
	logical_free(logical);
	mesh_graph_free(graph);
	return good;
}

/* ---- by the places in the file ---- */

/* Takes the places of the chips from the machine's file, where x is the column and y is the row.
 * Returns false if the file does not give the places of all chips, if two chips have the same
 * place, or if chips are on different shelves. */
static bool place_by_file(const struct machine *machine, struct cables_mesh *placed)
{
	int32_t least[2] = {INT32_MAX, INT32_MAX}, most[2] = {-1, -1};

	for (uint32_t i = 0; i < machine->chip_count; i++) {
		const int32_t *place = machine->chips[i].place;

		for (int k = 0; k < 2; k++) {
			least[k] = place[k] < least[k] ? place[k] : least[k];
			most[k] = place[k] > most[k] ? place[k] : most[k];
		}
		for (uint32_t other = 0; other < i; other++)
			if (memcmp(place, machine->chips[other].place,
				    sizeof(machine->chips[0].place)) == 0)
				return false;
		if (place[0] < 0 || place[2] != machine->chips[0].place[2] ||
			place[3] != machine->chips[0].place[3])
			return false;
	}
	if (most[0] - least[0] > 1023 || most[1] - least[1] > 1023)
		return false;
	placed->rows = (uint32_t)(most[1] - least[1]) + 1;
	placed->columns = (uint32_t)(most[0] - least[0]) + 1;
	for (uint32_t i = 0; i < machine->chip_count; i++) {
		placed->at[i][0] = machine->chips[i].place[1] - least[1];
		placed->at[i][1] = machine->chips[i].place[0] - least[0];
	}
	return true;
}

/* ---- by search ---- */

struct shape {
	uint32_t rows, columns;
};

/* Sorts rectangles before lines, then by size (large before small), then by how square they are. */
static int compare_shapes(const void *a, const void *b)
{
	const struct shape *x = a, *y = b;
	uint32_t one = x->rows * x->columns, other = y->rows * y->columns;

	if ((x->rows > 1) != (y->rows > 1))
		return x->rows > 1 ? -1 : 1;
	if (one != other)
		return one > other ? -1 : 1;
	return x->rows > y->rows ? -1 : x->rows < y->rows;
}

static bool try_shape(const struct machine *machine, struct shape shape, struct cables_mesh *placed)
{
	struct place_options options = {.relaxed = true,
		.split_boards = true,
		.any_host = true,
		.quick = true,
		.budget = SHAPE_BUDGET};
	struct diag *diag = diag_new();
	struct mesh_placement *placement;
	struct mesh_graph *graph;
	struct logical *logical;
	char text[512];
	bool found;

	snprintf(text, sizeof(text),
		"mesh_descriptors { name: \"M\" arch: WORMHOLE_B0 device_topology { dims: [%u, %u] "
		"} host_topology { dims: [1, 1] } channels { count: 1 policy: RELAXED } }\n"
		"top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n",
		shape.rows, shape.columns);
	graph = mesh_graph_read(
		tree_read_text_format("mesh", text, strlen(text), diag), false, diag);
	logical = graph ? logical_new(graph, diag) : NULL;
	ensure(logical != NULL, "a mesh of %u x %u is none", shape.rows, shape.columns);
	placement = topology_place(logical, machine, &options);
	found = placement->verdict == SOLVE_FOUND;
	if (found)
		take_image(&logical->meshes[0], placement->image, placed);
	mesh_placement_free(placement);
	logical_free(logical);
	mesh_graph_free(graph);
	diag_free(diag);
	return found;
}

/* Searches for the largest rectangle of connected chips. A single chip is a mesh, too. */
static void place_largest(const struct machine *machine, struct cables_mesh *placed)
{
	uint32_t chips = machine->chip_count, count = 0;
	struct shape *shapes = allocate((size_t)chips * 32, sizeof(*shapes));

	for (uint32_t rows = 1; rows <= 32; rows++)
		for (uint32_t columns = rows; rows * columns <= chips; columns++)
			shapes[count++] = (struct shape){rows, columns};
	qsort(shapes, count, sizeof(*shapes), compare_shapes);
	for (uint32_t i = 0; i < count && i < SHAPES_MAX; i++)
		if (try_shape(machine, shapes[i], placed))
			break;
	free(shapes);
}

bool cables_place(const struct machine *machine, const struct tree_node *mgd,
	const struct tree_node *mesh, struct cables_mesh *placed, struct arena *arena,
	struct diag *diag)
{
	*placed = (struct cables_mesh){0};
	place_none(machine, placed, arena);
	if (mgd)
		return place_by_descriptor(machine, mgd, mesh, placed, arena, diag);
	if (mesh) {
		diag_error(diag, mesh->where, "'mesh' needs 'mgd', which is not given");
		return false;
	}
	if (!place_by_file(machine, placed))
		place_largest(machine, placed);
	return true;
}
