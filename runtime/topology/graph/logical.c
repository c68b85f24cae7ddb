/* Makes the logical graph of a mesh graph descriptor. First adds all meshes, in depth-first order
 * of the graphs that contain them. Then adds the connections of these graphs. It is an error if the
 * descriptor has more instances than the bounds below allow. */
#include "topology/logical.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"

enum { INSTANCES_MAX = 65536, CONNECTIONS_MAX = 1 << 20 };

struct maker {
	const struct mesh_graph *graph;
	struct logical *logical;
	uint32_t mesh_capacity, instance_capacity, connection_capacity;
	struct diag *diag;
	bool stopped;
};

/* Makes room for one more element at the end of an array of the arena. */
static void *more(struct maker *maker, void *array, uint32_t count, uint32_t *capacity, size_t size)
{
	void *grown;

	if (count < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : 16;
	grown = arena_array(&maker->logical->arena, *capacity, size);
	if (count)
		memcpy(grown, array, count * size);
	return grown;
}

static void logical_stop(struct maker *maker, struct location where, const char *what, int most)
{
	if (!maker->stopped)
		diag_error(maker->diag, where, "more than %d %s", most, what);
	maker->stopped = true;
}

static void make_mesh(struct maker *maker, const struct mgd_mesh *descriptor, bool is_switch,
	uint32_t id, uint32_t instance)
{
	struct logical *logical = maker->logical;
	const struct mgd_topology *devices = &descriptor->devices, *hosts = &descriptor->hosts;
	bool flat = devices->dim_count == 1;
	struct logical_mesh mesh = {.descriptor = descriptor,
		.local_id = id,
		.instance = instance,
		.first = logical->device_count,
		.rows = flat ? 1 : (uint32_t)devices->dims[0],
		.columns = (uint32_t)devices->dims[flat ? 0 : 1],
		.host_rows = 1,
		.host_columns = 1,
		.first_rank = logical->rank_count,
		.is_switch = is_switch};

	mesh.ring[0] = !flat && mgd_dim_type(devices, 0) == DIM_RING;
	mesh.ring[1] = mgd_dim_type(devices, flat ? 0 : 1) == DIM_RING;
	if (!is_switch) {
		mesh.host_rows = flat ? 1 : (uint32_t)hosts->dims[0];
		mesh.host_columns = (uint32_t)hosts->dims[flat ? 0 : 1];
	}
	mesh.count = mesh.rows * mesh.columns;
	if (mesh.count > TOPOLOGY_DEVICES_MAX - logical->device_count) {
		logical_stop(maker, descriptor->where, "devices", TOPOLOGY_DEVICES_MAX);
		return;
	}
	logical->device_count += mesh.count;
	logical->rank_count += mesh.host_rows * mesh.host_columns;
	logical->meshes = more(
		maker, logical->meshes, logical->mesh_count, &maker->mesh_capacity, sizeof(mesh));
	logical->meshes[logical->mesh_count++] = mesh;
}

static void make_ref(struct maker *maker, const struct mgd_ref *ref, uint32_t parent)
{
	struct logical *logical = maker->logical;
	struct logical_instance instance = {.parent = parent, .first_mesh = logical->mesh_count};
	uint32_t number = logical->instance_count;

	if (ref->mesh)
		make_mesh(maker, mesh_graph_mesh(maker->graph, ref->mesh->descriptor), false,
			(uint32_t)ref->mesh->id, parent);
	if (ref->device_switch)
		make_mesh(maker, mesh_graph_switch(maker->graph, ref->device_switch->descriptor),
			true, (uint32_t)ref->device_switch->id, parent);
	if (!ref->graph || maker->stopped)
		return;
	if (number == INSTANCES_MAX) {
		logical_stop(maker, ref->where, "instances of graphs", INSTANCES_MAX);
		return;
	}
	instance.descriptor = mesh_graph_graph(maker->graph, ref->graph->descriptor);
	instance.id = (uint32_t)ref->graph->id;
	logical->instances = more(
		maker, logical->instances, number, &maker->instance_capacity, sizeof(instance));
	logical->instances[number] = instance;
	logical->instance_count++;
	for (uint32_t i = 0; i < instance.descriptor->instance_count && !maker->stopped; i++)
		make_ref(maker, &instance.descriptor->instances[i], number);
	logical->instances[number].mesh_count = logical->mesh_count - instance.first_mesh;
}

/* Finds the end of a connection that a reference in graph `number` names. */
static struct logical_end logical_resolve(
	const struct logical *logical, uint32_t number, const struct mgd_ref *ref)
{
	const struct logical_instance *graph = &logical->instances[number];
	const struct mgd_mesh_ref *one = ref->mesh ? ref->mesh : ref->device_switch;
	struct logical_end end = {.device = LOGICAL_NONE, .mesh_count = 1};

	for (uint32_t i = 0; one && i < graph->mesh_count; i++) {
		const struct logical_mesh *mesh = &logical->meshes[graph->first_mesh + i];

		if (mesh->instance != number || mesh->local_id != (uint32_t)one->id)
			continue;
		end.first_mesh = graph->first_mesh + i;
		if (one->device >= 0)
			end.device = mesh->first + (uint32_t)one->device;
		return end;
	}
	for (uint32_t i = number + 1; !one && i < logical->instance_count; i++) {
		const struct logical_instance *below = &logical->instances[i];

		if (below->parent != number || below->id != (uint32_t)ref->graph->id)
			continue;
		if (ref->graph->sub)
			return logical_resolve(logical, i, ref->graph->sub);
		end.first_mesh = below->first_mesh;
		end.mesh_count = below->mesh_count;
		return end;
	}
	ensure(false, "a connection of %s was checked", graph->descriptor->name);
	return end;
}

static void connect_ends(struct maker *maker, struct logical_connection connection)
{
	struct logical *logical = maker->logical;

	if (logical->connection_count == CONNECTIONS_MAX) {
		logical_stop(maker, connection.where, "connections", CONNECTIONS_MAX);
		return;
	}
	logical->connections = more(maker, logical->connections, logical->connection_count,
		&maker->connection_capacity, sizeof(connection));
	location_keep(&logical->arena, connection.where);
	logical->connections[logical->connection_count++] = connection;
}

/* Lists the ends of the instances of a graph, in the order of the graph. */
static struct logical_end *list_ends(struct maker *maker, uint32_t number)
{
	const struct mgd_graph *graph = maker->logical->instances[number].descriptor;
	struct logical_end *ends =
		arena_array(&maker->logical->arena, graph->instance_count, sizeof(*ends));

	for (uint32_t i = 0; i < graph->instance_count; i++)
		ends[i] = logical_resolve(maker->logical, number, &graph->instances[i]);
	return ends;
}

static void connect_layout(struct maker *maker, uint32_t number)
{
	const struct mgd_graph *graph = maker->logical->instances[number].descriptor;
	const struct mgd_layout *layout = graph->layout;
	const struct logical_end *ends = list_ends(maker, number);
	uint32_t count = graph->instance_count;
	struct logical_connection connection = {.instance = number,
		.channels = (uint32_t)layout->channels.count,
		.relaxed = layout->channels.policy == POLICY_RELAXED,
		.z = layout->z,
		.where = layout->where};

	for (uint32_t i = 0; i < count && !maker->stopped; i++) {
		uint32_t from = layout->type == LAYOUT_RING ? i + 1 : 0;
		uint32_t to = layout->type == LAYOUT_RING ? i + 2 : i;

		/* a ring of two members has one connection, not two */
		if (layout->type == LAYOUT_RING && (count < 2 || (count == 2 && i == 1)))
			break;
		for (uint32_t j = from; j < to && !maker->stopped; j++) {
			connection.a = ends[i];
			connection.b = ends[j % count];
			connect_ends(maker, connection);
		}
	}
}

static void connect_graph(struct maker *maker, uint32_t number)
{
	const struct mgd_graph *graph = maker->logical->instances[number].descriptor;

	if (graph->layout)
		connect_layout(maker, number);
	for (uint32_t i = 0; i < graph->connection_count && !maker->stopped; i++) {
		const struct mgd_connection *from = &graph->connections[i];
		struct logical_connection connection = {.instance = number,
			.channels = (uint32_t)from->channels.count,
			.relaxed = from->channels.policy == POLICY_RELAXED,
			.z = from->z,
			.where = from->where};

		for (uint32_t a = 0; a < from->node_count; a++)
			for (uint32_t b = a + 1; b < from->node_count && !maker->stopped; b++) {
				connection.a =
					logical_resolve(maker->logical, number, &from->nodes[a]);
				connection.b =
					logical_resolve(maker->logical, number, &from->nodes[b]);
				connect_ends(maker, connection);
			}
	}
}

/* Gives each mesh the id from the descriptor, if these ids are unique. */
static void number_meshes(struct logical *logical)
{
	bool unique = true;

	for (uint32_t i = 0; i < logical->mesh_count; i++) {
		logical->meshes[i].id = logical->meshes[i].local_id;
		for (uint32_t j = 0; unique && j < i; j++)
			unique = logical->meshes[i].id != logical->meshes[j].id;
	}
	for (uint32_t i = 0; !unique && i < logical->mesh_count; i++)
		logical->meshes[i].id = i;
}

struct logical *logical_new(const struct mesh_graph *graph, struct diag *diag)
{
	struct logical *logical = allocate(1, sizeof(*logical));
	struct maker maker = {.graph = graph, .logical = logical, .diag = diag};

	make_ref(&maker, graph->top, LOGICAL_NONE);
	if (!maker.stopped)
		number_meshes(logical);
	for (uint32_t i = 0; i < logical->instance_count && !maker.stopped; i++)
		connect_graph(&maker, i);
	if (!maker.stopped && !logical_pins_make(logical, graph, diag))
		maker.stopped = true;
	if (!maker.stopped) {
		logical_links_make(logical);
		return logical;
	}
	logical_free(logical);
	return NULL;
}

void logical_free(struct logical *logical)
{
	if (!logical)
		return;
	arena_fini(&logical->arena);
	free(logical);
}
