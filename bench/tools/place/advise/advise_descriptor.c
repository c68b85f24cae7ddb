/* Advice that changes the mesh graph descriptor. It may relax the policy of a set of channels, or
 * request fewer channels. It may divide a mesh over other hosts, or give it a smaller shape or
 * fewer rings. It may request fewer meshes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise.h"

enum { TARGETS_MAX = 32, HOSTS_TRIES_MAX = 12, SHAPES_MAX = 65536, SHAPE_TRIES_MAX = 24 };

/* Returns descriptor `number`. Meshes come first, then switches. */
static const struct mgd_mesh *descriptor_at(const struct mesh_graph *graph, uint32_t number)
{
	return number < graph->mesh_count ? &graph->meshes[number]
					  : &graph->switches[number - graph->mesh_count];
}

static uint32_t descriptor_count(const struct mesh_graph *graph)
{
	return graph->mesh_count + graph->switch_count;
}

/* Returns the number of meshes that use a descriptor. */
static uint32_t instances_of(const struct logical *logical, const struct mgd_mesh *descriptor)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < logical->mesh_count; i++)
		count += logical->meshes[i].descriptor == descriptor;
	return count;
}

/* --- channels -------------------------------------------------------------------------------- */

/* Finds the largest number of channels that is smaller than `count` and fits. */
static void try_counts(struct adviser *adviser, struct change change, int32_t count)
{
	change.kind = CHANGE_COUNT;
	for (change.count = count - 1; change.count > 0; change.count--)
		if (advise_try(adviser, &change, 1) == TRIAL_FITS) {
			advise_add(adviser, "channels", &change, 1);
			return;
		}
}

static void try_channels(struct adviser *adviser, const struct mgd_channels *channels,
	struct change change, uint32_t *tries)
{
	if (channels->policy == POLICY_RELAXED || *tries >= TARGETS_MAX)
		return;
	++*tries;
	change.kind = CHANGE_POLICY;
	if (advise_try(adviser, &change, 1) != TRIAL_FITS)
		return;
	advise_add(adviser, "policy", &change, 1);
	try_counts(adviser, change, channels->count);
}

static bool fits_relaxed(const struct adviser *adviser)
{
	for (uint32_t i = 0; i < adviser->out->count; i++)
		if (adviser->out->at[i].changes[0].kind == CHANGE_OPTION &&
			strcmp(adviser->out->at[i].changes[0].option, "--relaxed") == 0)
			return true;
	return false;
}

void advise_channels(struct adviser *adviser)
{
	const struct mesh_graph *graph = adviser->files->mesh_graph;
	uint32_t tries = 0;

	/* if relaxing all policies is not enough, relaxing one is not enough, either */
	if (!fits_relaxed(adviser))
		return;
	advise_begin(adviser, "policies and counts of channels one by one");
	for (uint32_t i = 0; i < descriptor_count(graph); i++) {
		const struct mgd_mesh *mesh = descriptor_at(graph, i);

		if (instances_of(adviser->files->logical, mesh))
			try_channels(adviser, &mesh->channels,
				(struct change){
					.descriptor = mesh->name, .connection = NOT_OF_A_GRAPH},
				&tries);
	}
	for (uint32_t i = 0; i < graph->graph_count; i++) {
		const struct mgd_graph *one = &graph->graphs[i];
		struct change change = {.descriptor = one->name,
			.connection = OF_THE_LAYOUT,
			.line = one->where.line};

		if (one->layout)
			try_channels(adviser, &one->layout->channels, change, &tries);
		for (uint32_t k = 0; k < one->connection_count; k++) {
			change.connection = (int32_t)k;
			change.line = one->connections[k].where.line;
			try_channels(adviser, &one->connections[k].channels, change, &tries);
		}
	}
	if (tries >= TARGETS_MAX)
		advise_not_tried(adviser, "not tried", ", beyond the first 32");
}

/* --- hosts ----------------------------------------------------------------------------------- */

static struct change change_dims(enum change_kind kind, const struct mgd_mesh *mesh)
{
	struct change change = {.kind = kind,
		.descriptor = mesh->name,
		.connection = NOT_OF_A_GRAPH,
		.dim_count = mesh->devices.dim_count};

	for (uint32_t i = 0; i < change.dim_count; i++) {
		change.dims[i] = mesh->devices.dims[i];
		change.types[i] = mgd_dim_type(&mesh->devices, i);
	}
	return change;
}

/* Tries other splits of a mesh into hosts, with the fewest hosts first. */
static void try_hosts(struct adviser *adviser, const struct mgd_mesh *mesh)
{
	struct change change = change_dims(CHANGE_HOSTS, mesh);
	int32_t rows = mesh->devices.dims[0], most = (int32_t)adviser->files->machine->host_count;
	int32_t columns = change.dim_count > 1 ? mesh->devices.dims[1] : 1;
	uint32_t tries = 0;

	for (int32_t hosts = 1; hosts <= most; hosts++)
		for (int32_t down = 1; down <= hosts && down <= rows; down++) {
			int32_t along = hosts / down;

			if (hosts % down || rows % down || columns % along)
				continue;
			if (tries++ == HOSTS_TRIES_MAX) {
				advise_not_tried(
					adviser, "not tried", ", beyond the first 12 of a mesh");
				return;
			}
			change.dims[0] = down;
			change.dims[1] = along;
			if (advise_try(adviser, &change, 1) == TRIAL_FITS) {
				advise_add(adviser, "hosts", &change, 1);
				return;
			}
		}
}

void advise_hosts(struct adviser *adviser)
{
	const struct mesh_graph *graph = adviser->files->mesh_graph;

	advise_begin(adviser, "other parts of meshes for hosts");
	for (uint32_t i = 0; i < graph->mesh_count && i < TARGETS_MAX; i++)
		if (instances_of(adviser->files->logical, &graph->meshes[i]))
			try_hosts(adviser, &graph->meshes[i]);
}

/* --- shapes ---------------------------------------------------------------------------------- */

/* Sorts by the number of chips, then the number of rings, then rows. Larger numbers come first. */
static int advise_descriptor_compare(const void *left, const void *right)
{
	const struct change *a = left, *b = right;
	int32_t one = a->dims[0] * a->dims[1], two = b->dims[0] * b->dims[1];
	int rings = (b->types[0] == DIM_RING) + (b->types[1] == DIM_RING) -
		    (a->types[0] == DIM_RING) - (a->types[1] == DIM_RING);

	if (one != two)
		return one < two ? 1 : -1;
	if (rings)
		return rings;
	if (a->dims[0] != b->dims[0])
		return a->dims[0] < b->dims[0] ? 1 : -1;
	return (b->types[0] == DIM_RING) - (a->types[0] == DIM_RING);
}

/* Limits for the shapes of a mesh descriptor. `host` is the number of chips of the largest host.
 * `instances` is the number of instances of the descriptor. `mesh` is the number of chips for all
 * these instances together, without the chips that other descriptors need. */
struct room {
	uint32_t host, mesh, instances;
};

static struct room find_room(const struct adviser *adviser, const struct mgd_mesh *mesh)
{
	const struct logical *logical = adviser->files->logical;
	const struct machine *machine = adviser->files->machine;
	struct room room = {.mesh = machine->chip_count};
	struct arena arena = {0};
	uint32_t *chips = arena_array(&arena, (size_t)machine->host_count + 1, sizeof(*chips));

	for (uint32_t i = 0; i < machine->chip_count; i++) {
		uint32_t count = ++chips[machine->chips[i].host];

		room.host = count > room.host ? count : room.host;
	}
	for (uint32_t i = 0; i < logical->mesh_count; i++) {
		uint32_t count = logical->meshes[i].count;

		if (logical->meshes[i].descriptor == mesh)
			room.instances++;
		else
			room.mesh -= count < room.mesh ? count : room.mesh;
	}
	if (adviser->files->options.any_host)
		room.host = machine->chip_count;
	arena_fini(&arena);
	return room;
}

static bool may_fit(
	const struct room *room, const struct mgd_mesh *mesh, const struct change *shape)
{
	uint32_t chips = 1, hosts = 1;

	for (uint32_t i = 0; i < shape->dim_count; i++) {
		chips *= (uint32_t)shape->dims[i];
		hosts *= i < mesh->hosts.dim_count ? (uint32_t)mesh->hosts.dims[i] : 1;
	}
	return (uint64_t)chips * room->instances <= room->mesh && chips / hosts <= room->host;
}

static bool is_ring(const struct mgd_mesh *mesh, uint32_t dim)
{
	return dim < mesh->devices.dim_count && mgd_dim_type(&mesh->devices, dim) == DIM_RING;
}

/* Lists all shapes that are smaller than the shape of `mesh`, and those of the same size with
 * fewer rings. A one-dimensional mesh counts as a mesh with one column. */
static uint32_t list_shapes(
	const struct adviser *adviser, const struct mgd_mesh *mesh, struct change *out)
{
	const struct mgd_topology *devices = &mesh->devices, *hosts = &mesh->hosts;
	const struct room room = find_room(adviser, mesh);
	bool flat = devices->dim_count == 1;
	int32_t step_0 = hosts->dim_count ? hosts->dims[0] : 1;
	int32_t step_1 = hosts->dim_count > 1 ? hosts->dims[1] : 1;
	uint32_t count = 0;

	for (int32_t rows = devices->dims[0]; rows > 0; rows -= step_0)
		for (int32_t columns = flat ? 1 : devices->dims[1]; columns > 0;
			columns -= flat ? 1 : step_1)
			for (int rings = 0; rings < 4 && count < SHAPES_MAX; rings++) {
				bool down = rings & 1, along = rings & 2;
				struct change shape = change_dims(CHANGE_SHAPE, mesh);

				/* skip shapes with rings of fewer than three chips or with rings
				 * that the mesh does not have, and the shape that the mesh has
				 * now */
				if ((down && (!is_ring(mesh, 0) || rows < 3)) ||
					(along && (!is_ring(mesh, 1) || columns < 3)) ||
					(rows == devices->dims[0] &&
						columns == (flat ? 1 : devices->dims[1]) &&
						down == is_ring(mesh, 0) &&
						along == is_ring(mesh, 1)))
					continue;
				shape.dims[0] = rows;
				shape.dims[1] = columns;
				shape.types[0] = down ? DIM_RING : DIM_LINE;
				shape.types[1] = along ? DIM_RING : DIM_LINE;
				if (may_fit(&room, mesh, &shape))
					out[count++] = shape;
			}
	qsort(out, count, sizeof(*out), advise_descriptor_compare);
	return count;
}

static const char *ring_or_line(enum dim_type type)
{
	return type == DIM_RING ? "RING" : "LINE";
}

static void say_shape(const struct adviser *adviser, const struct change *shape, struct text *out)
{
	const struct mesh_graph *graph = adviser->files->mesh_graph;

	text_append(out, out->length ? "; " : "");
	if (shape->dim_count == 1)
		text_printf(
			out, "1x%d LINE x %s fits", shape->dims[0], ring_or_line(shape->types[0]));
	else
		text_printf(out, "%dx%d %s x %s fits", shape->dims[0], shape->dims[1],
			ring_or_line(shape->types[0]), ring_or_line(shape->types[1]));
	if (graph->mesh_count + graph->switch_count > 1)
		text_printf(out, " as %s", shape->descriptor);
}

/* Fills `out` with the indices of shapes without rings, beginning with the largest. Each shape
 * contains the next one, so if a shape fits, all following shapes fit, too. Returns the number of
 * indices. */
static uint32_t list_within(const struct change *shapes, uint32_t count, uint32_t *out)
{
	const struct change *last = NULL;
	uint32_t within = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct change *shape = &shapes[i];

		if (shape->types[0] == DIM_RING || shape->types[1] == DIM_RING ||
			(last &&
				(shape->dims[0] > last->dims[0] || shape->dims[1] > last->dims[1])))
			continue;
		out[within++] = i;
		last = shape;
	}
	return within;
}

/* Finds the largest shape without rings that fits, by bisection in the list that list_within()
 * makes. Returns the index of this shape in `shapes`, or `count` if no shape fits. */
static uint32_t find_within(
	struct adviser *adviser, const struct change *shapes, uint32_t count, uint32_t *within)
{
	uint32_t low = 0, high = list_within(shapes, count, within), end = high;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (advise_try(adviser, &shapes[within[middle]], 1) == TRIAL_FITS)
			high = middle;
		else
			low = middle + 1;
	}
	return high < end ? within[high] : count;
}

/* Finds the largest shape that fits, and returns its index, or `count` if it finds none. Tries the
 * SHAPE_TRIES_MAX largest shapes one by one. Searches the smaller shapes by bisection, but only
 * those without rings. */
static uint32_t find_shape(
	struct adviser *adviser, const struct change *shapes, uint32_t count, uint32_t *within)
{
	uint32_t best = count;

	if (count > SHAPE_TRIES_MAX)
		best = find_within(adviser, shapes, count, within);
	for (uint32_t i = 0; i < best && i < SHAPE_TRIES_MAX; i++)
		if (advise_try(adviser, &shapes[i], 1) == TRIAL_FITS)
			return i;
	if (best > SHAPE_TRIES_MAX)
		advise_not_tried(
			adviser, "not tried", " one by one, beyond the 24 largest of a mesh");
	return best;
}

static void try_shapes(struct adviser *adviser, const struct mgd_mesh *mesh)
{
	struct arena arena = {0};
	struct change *shapes = arena_array(&arena, SHAPES_MAX, sizeof(*shapes));
	uint32_t count = list_shapes(adviser, mesh, shapes);
	uint32_t *within = arena_array(&arena, (size_t)count + 1, sizeof(*within));
	uint32_t at = find_shape(adviser, shapes, count, within);

	if (at < count) {
		advise_add(adviser, "shape", &shapes[at], 1);
		say_shape(adviser, &shapes[at], &adviser->out->nearest);
	}
	arena_fini(&arena);
}

void advise_shapes(struct adviser *adviser)
{
	const struct mesh_graph *graph = adviser->files->mesh_graph;

	advise_begin(adviser, "smaller shapes");
	for (uint32_t i = 0; i < descriptor_count(graph) && i < TARGETS_MAX; i++)
		if (instances_of(adviser->files->logical, descriptor_at(graph, i)))
			try_shapes(adviser, descriptor_at(graph, i));
}

/* --- fewer meshes ---------------------------------------------------------------------------- */

/* Returns the topmost graph with more than one instance. */
static const struct mgd_graph *find_several(const struct mesh_graph *graph)
{
	const struct mgd_ref *ref = graph->top;

	while (ref && ref->graph) {
		const struct mgd_graph *one = mesh_graph_graph(graph, ref->graph->descriptor);

		if (one->instance_count > 1)
			return one;
		ref = one->instance_count ? &one->instances[0] : NULL;
	}
	return NULL;
}

void advise_instances(struct adviser *adviser)
{
	const struct mgd_graph *graph = find_several(adviser->files->mesh_graph);
	struct change change = {.kind = CHANGE_INSTANCES, .connection = NOT_OF_A_GRAPH}, best;
	int32_t low = 0, high;

	if (!graph)
		return;
	advise_begin(adviser, "fewer meshes");
	change.descriptor = graph->name;
	for (high = (int32_t)graph->instance_count; high - low > 1;) {
		change.count = low + (high - low) / 2;
		if (advise_try(adviser, &change, 1) == TRIAL_FITS) {
			low = change.count;
			best = change;
		} else {
			high = change.count;
		}
	}
	if (!low)
		return;
	advise_add(adviser, "meshes", &best, 1);
	text_printf(&adviser->out->nearest,
		"%sthe first %d of %u instances of graph %s fit together",
		adviser->out->nearest.length ? "; " : "", low, graph->instance_count, graph->name);
}
