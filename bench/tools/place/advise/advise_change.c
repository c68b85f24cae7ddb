/* Tries placements with other options or files. Changes copies of the files in memory, and makes
 * the same checks on the copies as when files are read. */
#include <stdlib.h>
#include <string.h>

#include "advise.h"
#include "base/allocate.h"

/* The largest number of Ethernet channels of any chip. It is the number of a Wormhole chip. */
enum { CHIP_CHANNELS_MAX = 16 };

/* The cost of setting up a trial, in search steps for each chip, device and link. */
enum { SETTING_UP = 4 };

/* The input of one trial. */
struct trial_files {
	struct place_command command;
	struct place_files files;
	struct mesh_graph graph;
	struct mgd_mesh *meshes, *switches; /* writable copies of the descriptors in `graph` */
	struct mgd_graph *graphs;
	struct machine machine;
	bool changes_graph;
	bool bad; /* a change is not possible */
};

/* --- the descriptor -------------------------------------------------------------------------- */

static void *copy(struct arena *arena, const void *from, size_t count, size_t size)
{
	void *to = arena_array(arena, count + 1, size);

	if (count)
		memcpy(to, from, count * size);
	return to;
}

/* Gives the trial a writable copy of the graph. */
static void own_graph(struct trial_files *trial)
{
	struct mesh_graph *graph = &trial->graph;
	struct arena *arena = &trial->files.arena;

	if (trial->changes_graph)
		return;
	trial->changes_graph = true;
	*graph = *trial->files.mesh_graph;
	trial->meshes = copy(arena, graph->meshes, graph->mesh_count, sizeof(*graph->meshes));
	trial->switches =
		copy(arena, graph->switches, graph->switch_count, sizeof(*graph->switches));
	trial->graphs = copy(arena, graph->graphs, graph->graph_count, sizeof(*graph->graphs));
	graph->meshes = trial->meshes;
	graph->switches = trial->switches;
	graph->graphs = trial->graphs;
	trial->files.mesh_graph = graph;
}

/* Returns the writable mesh or switch descriptor that a change names. */
static struct mgd_mesh *own_mesh(struct trial_files *trial, const struct change *change)
{
	const struct mgd_mesh *mesh;

	own_graph(trial);
	mesh = mesh_graph_mesh(&trial->graph, change->descriptor);
	if (mesh)
		return &trial->meshes[mesh - trial->meshes];
	mesh = mesh_graph_switch(&trial->graph, change->descriptor);
	return &trial->switches[mesh - trial->switches];
}

static struct mgd_graph *own_joined(struct trial_files *trial, const struct change *change)
{
	own_graph(trial);
	return &trial->graphs[mesh_graph_graph(&trial->graph, change->descriptor) - trial->graphs];
}

static struct mgd_channels *own_channels(struct trial_files *trial, const struct change *change)
{
	struct arena *arena = &trial->files.arena;
	struct mgd_connection *connections;
	struct mgd_graph *joined;

	if (change->connection == NOT_OF_A_GRAPH)
		return &own_mesh(trial, change)->channels;
	joined = own_joined(trial, change);
	if (change->connection == OF_THE_LAYOUT) {
		joined->layout = copy(arena, joined->layout, 1, sizeof(*joined->layout));
		return &joined->layout->channels;
	}
	connections = copy(
		arena, joined->connections, joined->connection_count, sizeof(*joined->connections));
	joined->connections = connections;
	return &connections[change->connection].channels;
}

static void change_shape(struct trial_files *trial, const struct change *change)
{
	struct mgd_mesh *mesh = own_mesh(trial, change);
	bool hosts = change->kind == CHANGE_HOSTS;
	struct mgd_topology *topology = hosts ? &mesh->hosts : &mesh->devices;

	topology->dims = change->dims;
	topology->dim_count = change->dim_count;
	if (hosts)
		return;
	topology->types = change->types;
	topology->type_count = change->dim_count;
	topology->old_type_count = 0;
}

static bool is_same(const struct mgd_ref *a, const struct mgd_ref *b)
{
	if (a->graph && b->graph)
		return a->graph->id == b->graph->id;
	if (a->mesh && b->mesh)
		return a->mesh->id == b->mesh->id;
	return a->device_switch && b->device_switch && a->device_switch->id == b->device_switch->id;
}

/* True if all nodes of a connection are instances of the graph. */
static bool is_within(const struct mgd_graph *graph, const struct mgd_connection *connection)
{
	for (uint32_t i = 0; i < connection->node_count; i++) {
		bool there = false;

		for (uint32_t k = 0; k < graph->instance_count && !there; k++)
			there = is_same(&graph->instances[k], &connection->nodes[i]);
		if (!there)
			return false;
	}
	return true;
}

static void keep_instances(struct trial_files *trial, const struct change *change)
{
	struct mgd_graph *graph = own_joined(trial, change);
	struct mgd_connection *kept = arena_array(
		&trial->files.arena, graph->connection_count + (size_t)1, sizeof(*kept));
	uint32_t count = 0;

	graph->instance_count = (uint32_t)change->count;
	for (uint32_t i = 0; i < graph->connection_count; i++)
		if (is_within(graph, &graph->connections[i]))
			kept[count++] = graph->connections[i];
	graph->connections = kept;
	graph->connection_count = count;
}

/* --- the machine ----------------------------------------------------------------------------- */

static int compare_links(const void *left, const void *right)
{
	const struct machine_link *a = left, *b = right;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

/* True if both ends of every added cable have a free channel. */
static bool advise_change_has_room(
	const struct machine *machine, const struct place_lack *lacks, uint32_t count)
{
	uint32_t *channels = allocate((size_t)machine->chip_count + 1, sizeof(*channels));
	bool good = true;

	for (uint32_t i = 0; i < machine->link_count; i++) {
		channels[machine->links[i].a] += machine->links[i].channels;
		channels[machine->links[i].b] += machine->links[i].channels;
	}
	for (uint32_t i = 0; i < count; i++)
		good &= channels[lacks[i].chip_a] <= CHIP_CHANNELS_MAX &&
			channels[lacks[i].chip_b] <= CHIP_CHANNELS_MAX;
	free(channels);
	return good;
}

static void advise_change_add_channels(struct trial_files *trial, const struct change *change)
{
	struct machine *machine = &trial->machine;
	struct machine_link *links;

	*machine = *trial->files.machine;
	links = arena_array(&trial->files.arena, (size_t)machine->link_count + change->lack_count,
		sizeof(*links));
	memcpy(links, machine->links, machine->link_count * sizeof(*links));
	for (uint32_t i = 0; i < change->lack_count; i++) {
		const struct place_lack *lack = &change->lacks[i];
		uint32_t a = lack->chip_a < lack->chip_b ? lack->chip_a : lack->chip_b;
		uint32_t b = lack->chip_a < lack->chip_b ? lack->chip_b : lack->chip_a, at = 0;

		while (at < machine->link_count && (links[at].a != a || links[at].b != b))
			at++;
		if (at == machine->link_count)
			links[machine->link_count++] = (struct machine_link){.a = a, .b = b};
		links[at].channels += lack->needed - lack->found;
	}
	qsort(links, machine->link_count, sizeof(*links), compare_links);
	machine->links = links;
	machine->cables = NULL; /* what is added has no numbers of channels */
	trial->files.grouped = (struct place_options){0};
	trial->files.machine = machine;
	trial->bad |= !advise_change_has_room(machine, change->lacks, change->lack_count);
}

/* --- all together ---------------------------------------------------------------------------- */

static void set_option(struct place_command *command, const char *option)
{
	command->relaxed |= strcmp(option, "--relaxed") == 0;
	command->split_boards |= strcmp(option, "--split-boards") == 0;
	command->any_host |= strcmp(option, "--any-host") == 0;
}

static void apply(struct trial_files *trial, const struct change *change)
{
	switch (change->kind) {
	case CHANGE_OPTION:
		set_option(&trial->command, change->option);
		break;
	case CHANGE_WITHOUT:
		if (strcmp(change->option, "--check") == 0)
			trial->files.bindings = NULL;
		else
			trial->files.groupings = NULL;
		break;
	case CHANGE_POLICY:
		own_channels(trial, change)->policy = POLICY_RELAXED;
		break;
	case CHANGE_COUNT:
		own_channels(trial, change)->count = change->count;
		break;
	case CHANGE_SHAPE:
	case CHANGE_HOSTS:
		change_shape(trial, change);
		break;
	case CHANGE_INSTANCES:
		keep_instances(trial, change);
		break;
	case CHANGE_CHANNELS:
		advise_change_add_channels(trial, change);
		break;
	case CHANGE_UNPIN:
		break; /* drop_pins() does this when the pins of the descriptor are known */
	}
}

/* Removes the pins that the changes name. Pins are numbered: first the pins of the descriptor, then
 * the pins of the command line (see join_pins()). */
static void drop_pins(
	struct place_files *files, const struct change *changes, uint32_t change_count)
{
	struct place_pin *kept =
		arena_array(&files->arena, (size_t)files->options.pin_count + 1, sizeof(*kept));
	uint32_t count = 0;

	for (uint32_t i = 0; i < files->options.pin_count; i++) {
		bool drop = false;

		for (uint32_t k = 0; k < change_count; k++)
			drop |= changes[k].kind == CHANGE_UNPIN && changes[k].pin == i;
		if (!drop)
			kept[count++] = files->options.pins[i];
	}
	files->options.pins = kept;
	files->options.pin_count = count;
}

/* Prepares the files of a trial. Returns false if the command would report an error. */
static bool advise_change_prepare(
	struct trial_files *trial, const struct change *changes, uint32_t count)
{
	struct place_files *files = &trial->files;

	for (uint32_t i = 0; i < count; i++)
		apply(trial, &changes[i]);
	if (trial->changes_graph)
		files->logical = NULL;
	if (trial->bad || (trial->changes_graph && !mesh_graph_valid(&trial->graph, files->diag)))
		return false;
	if (trial->changes_graph)
		files->logical = logical_new(&trial->graph, files->diag);
	if (!files->logical || !place_files_prepare(files, &trial->command))
		return false;
	drop_pins(files, changes, count);
	return true;
}

enum solve_verdict place_changed(const struct place_files *files,
	const struct place_command *command, const struct change *changes, uint32_t count,
	uint64_t budget, uint64_t most, uint64_t *steps)
{
	struct trial_files trial = {.command = *command, .files = *files};
	enum solve_verdict verdict = SOLVE_NONE;

	trial.files.arena = (struct arena){0};
	trial.files.options = (struct place_options){0};
	trial.files.diag = diag_new();
	if (advise_change_prepare(&trial, changes, count)) {
		struct place_options options = trial.files.options;
		struct mesh_placement *placement;

		options.quick = true;
		options.most_steps = most;
		if (budget)
			options.budget = budget;
		placement = topology_place(trial.files.logical, trial.files.machine, &options);
		verdict = placement->verdict;
		*steps += placement->steps;
		mesh_placement_free(placement);
	}
	*steps += SETTING_UP *
		  ((uint64_t)trial.files.machine->chip_count + trial.files.machine->link_count +
			  files->logical->device_count + files->logical->link_count);
	if (trial.changes_graph)
		logical_free(trial.files.logical);
	arena_fini(&trial.files.arena);
	diag_free(trial.files.diag);
	return verdict;
}
