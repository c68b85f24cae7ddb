/* label: full
 * Fuzzes the readers of fabric files. Any input gives either errors with their places, or objects
 * from which graphs can be built, placed on a machine and written. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "topology/bindings.h"
#include "topology/groupings.h"
#include "topology/place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLACED_MAX = 64, BUDGET = 2000 };

/* Makes a machine of eight chips in a square on two hosts. Graphs are placed on it if the input
 * contains no machine. */
static struct machine *make_machine(void)
{
	struct machine *machine = machine_new();

	for (uint32_t i = 0; i < 8; i++)
		machine_add_chip(machine, (struct machine_chip){.id = 100 + i,
						  .host = machine_host(machine, i < 4 ? "a" : "b"),
						  .tray = i / 2,
						  .location = i % 2,
						  .board = MACHINE_NONE});
	for (uint32_t i = 0; i < 8; i++) {
		machine_add_channel(machine, i, 0, (i + 1) % 8, 1);
		machine_add_channel(machine, i, 2, (i + 3) % 8, 3);
	}
	machine_finish(machine);
	return machine;
}

static void place_on(
	const struct logical *logical, const struct machine *machine, struct place_options options)
{
	struct mesh_placement *placement;
	struct text text = {0};

	if (logical->device_count > PLACED_MAX || machine->chip_count > PLACED_MAX)
		return;
	options.budget = BUDGET;
	options.quick = true;
	placement = topology_place(logical, machine, &options);
	if (placement->verdict == SOLVE_FOUND) {
		struct diag *diag = diag_new();
		struct bindings *bindings;

		bindings_write(logical, machine, placement->image, "x", &text);
		bindings = bindings_read(
			tree_read_text("written", text_string(&text), text.length, diag), true,
			diag);
		ensure(bindings && bindings->count == logical->rank_count, "written: %s",
			text_string(&text));
		bindings_free(bindings);
		diag_free(diag);
	}
	text_fini(&text);
	mesh_placement_free(placement);
}

static void try_meshes(const char *text, size_t size, struct diag *diag)
{
	struct mesh_graph *graph =
		mesh_graph_read(tree_read_text_format("mgd", text, size, diag), false, diag);
	struct logical *logical = graph ? logical_new(graph, diag) : NULL;
	struct machine *machine = make_machine();

	ensure(logical || diag_errors(diag) > 0, "neither meshes nor an error");
	if (logical)
		place_on(logical, machine, (struct place_options){0});
	machine_free(machine);
	logical_free(logical);
	mesh_graph_free(graph);
}

static void try_machines(const char *text, size_t size, struct diag *diag)
{
	machine_free(machine_read_psd(tree_read_text_format("psd", text, size, diag), false, diag));
	machine_free(machine_read_cluster_text("cluster", text, size, false, diag));
}

static void try_groupings(const char *text, size_t size, bool yaml, struct diag *diag)
{
	struct groupings *groupings =
		groupings_read_text("groupings", yaml, text, size, false, diag);
	struct machine *machine = make_machine();
	struct place_options options = {0};
	struct arena arena = {0};

	if (groupings && groupings->count < 8)
		groupings_sets(groupings, machine, 1, &options, &arena, diag);
	arena_fini(&arena);
	machine_free(machine);
	groupings_free(groupings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct diag *diag = diag_new();

	try_meshes(text, size, diag);
	try_machines(text, size, diag);
	try_groupings(text, size, false, diag);
	try_groupings(text, size, true, diag);
	bindings_free(bindings_read(tree_read_text("bindings", text, size, diag), false, diag));
	rankfile_free(rankfile_read_text("rankfile", text, size, diag));
	diag_free(diag);
	return 0;
}
