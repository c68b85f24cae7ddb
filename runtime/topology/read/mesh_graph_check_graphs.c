/* Checks the graphs of a mesh graph descriptor. It is an error if an instance is unknown, if a
 * connection has an unknown end, or if a graph contains itself. A message names the graph. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "read_private.h"

enum { GRAPHS_MAX = 4096 };

struct graphs {
	const struct mesh_graph *file;
	struct diag *diag;
};

static const char *ref_name(const struct mgd_ref *ref)
{
	return ref->mesh    ? ref->mesh->descriptor
	       : ref->graph ? ref->graph->descriptor
			    : ref->device_switch->descriptor;
}

static const char *ref_kind(const struct mgd_ref *ref)
{
	return ref->mesh ? "Mesh" : ref->graph ? "Graph" : "Switch";
}

static int32_t ref_id(const struct mgd_ref *ref)
{
	return ref->mesh ? ref->mesh->id : ref->graph ? ref->graph->id : ref->device_switch->id;
}

/* Returns the mesh or switch that a reference names; NULL if there is none. */
static const struct mgd_mesh *mesh_graph_check_graphs_mesh_of(
	const struct mesh_graph *file, const struct mgd_ref *ref)
{
	if (ref->graph)
		return NULL;
	return ref->mesh ? mesh_graph_mesh(file, ref->mesh->descriptor)
			 : mesh_graph_switch(file, ref->device_switch->descriptor);
}

/* Returns true if the descriptor that a reference names exists. */
static bool check_exists(const struct graphs *graphs, const struct mgd_ref *ref)
{
	if (ref->graph ? mesh_graph_graph(graphs->file, ref->graph->descriptor) != NULL
		       : mesh_graph_check_graphs_mesh_of(graphs->file, ref) != NULL)
		return true;
	diag_error(graphs->diag, ref->where, "%s descriptor %s not found in instance",
		ref_kind(ref), ref_name(ref));
	return false;
}

static bool same_ref(const struct mgd_ref *a, const struct mgd_ref *b)
{
	return !a->mesh == !b->mesh && !a->graph == !b->graph && ref_id(a) == ref_id(b) &&
	       strcmp(ref_name(a), ref_name(b)) == 0;
}

/* Finds the instance of `graph` that a reference names. Returns NULL after an error. */
static const struct mgd_ref *find_instance(
	const struct graphs *graphs, const struct mgd_graph *graph, const struct mgd_ref *ref)
{
	for (uint32_t i = 0; i < graph->instance_count; i++)
		if (same_ref(&graph->instances[i], ref))
			return &graph->instances[i];
	for (uint32_t i = 0; i < graph->instance_count; i++)
		if (ref_id(&graph->instances[i]) == ref_id(ref)) {
			diag_error(graphs->diag, ref->where,
				"%s descriptor %s does not match referenced instance %s (Graph: "
				"%s)",
				ref_kind(ref), ref_name(ref), ref_name(&graph->instances[i]),
				graph->name);
			return NULL;
		}
	diag_error(graphs->diag, ref->where, "No instance %s with id %d (Graph: %s)", ref_name(ref),
		ref_id(ref), graph->name);
	return NULL;
}

static void check_node(
	const struct graphs *graphs, const struct mgd_graph *graph, const struct mgd_ref *ref)
{
	const struct mgd_mesh *mesh = mesh_graph_check_graphs_mesh_of(graphs->file, ref);
	const struct mgd_mesh_ref *device = ref->mesh ? ref->mesh : ref->device_switch;
	int64_t devices = 1;

	if (!check_exists(graphs, ref) || !find_instance(graphs, graph, ref))
		return;
	if (ref->graph && ref->graph->sub) {
		check_node(graphs, mesh_graph_graph(graphs->file, ref->graph->descriptor),
			ref->graph->sub);
		return;
	}
	if (!mesh || device->device == -1)
		return;
	for (uint32_t i = 0; i < mesh->devices.dim_count; i++)
		devices *= mesh->devices.dims[i];
	if (device->device < 0 || device->device >= devices)
		diag_error(graphs->diag, ref->where,
			"Connection to device %d is out of bounds: %s has %d (Graph: %s)",
			device->device, mesh->name, (int)devices, graph->name);
}

/* Returns the mesh or switch that contains a node of a connection; NULL for a whole graph. */
static const struct mgd_ref *mesh_ref_of(const struct mgd_ref *ref)
{
	while (ref && ref->graph)
		ref = ref->graph->sub;
	return ref;
}

static bool is_device(const struct mgd_ref *ref)
{
	return (ref->mesh ? ref->mesh : ref->device_switch)->device >= 0;
}

/* Checks the ends of a connection: either all of them must be whole meshes or switches, or all must
 * be devices of these. */
static void check_endpoints(const struct graphs *graphs, const struct mgd_graph *graph,
	const struct mgd_connection *connection)
{
	const struct mgd_ref *first = NULL;

	for (uint32_t i = 0; i < connection->node_count; i++) {
		const struct mgd_ref *one = mesh_ref_of(&connection->nodes[i]);
		const struct mgd_ref *device, *whole;

		first = first ? first : one;
		if (!one || is_device(first) == is_device(one))
			continue;
		device = is_device(first) ? first : one;
		whole = is_device(first) ? one : first;
		diag_error(graphs->diag, connection->where,
			"Connection has mixed endpoints: a device of %s %d, and %s %d as a whole "
			"(Graph: %s)",
			device->mesh ? "mesh" : "switch", ref_id(device),
			whole->mesh ? "mesh" : "switch", ref_id(whole), graph->name);
		return;
	}
}

static void check_connection(const struct graphs *graphs, const struct mgd_graph *graph,
	const struct mgd_connection *connection)
{
	if (connection->node_count < 2)
		diag_error(graphs->diag, connection->where,
			"Connection must have at least two nodes (Graph: %s)", graph->name);
	if (connection->channels.count < 1)
		diag_error(graphs->diag, connection->where,
			"Connection channel count must be positive (Graph: %s)", graph->name);
	if (connection->directional)
		diag_error(graphs->diag, connection->where,
			"A directional inter-mesh connection is not fully supported, see tt-metal "
			"issue 50292 (Graph: %s)",
			graph->name);
	check_endpoints(graphs, graph, connection);
	for (uint32_t i = 0; i < connection->node_count; i++)
		check_node(graphs, graph, &connection->nodes[i]);
	for (uint32_t i = 1; i < connection->node_count; i++)
		for (uint32_t j = 0; j < i && i < 64; j++)
			if (connection->nodes[i].mesh && connection->nodes[j].mesh &&
				connection->nodes[i].mesh->id == connection->nodes[j].mesh->id)
				diag_error(graphs->diag, connection->where,
					"Connection of mesh %d with itself (Graph: %s)",
					connection->nodes[i].mesh->id, graph->name);
}

static void check_instances(const struct graphs *graphs, const struct mgd_graph *graph)
{
	const struct mgd_ref *first = graph->instances, *one;
	const struct mgd_graph *a, *b;

	for (uint32_t i = 0; i < graph->instance_count; i++) {
		one = &graph->instances[i];
		if (!check_exists(graphs, one))
			continue;
		if (ref_id(one) < 0)
			diag_error(graphs->diag, one->where,
				"Instance id %d is negative (Graph: %s)", ref_id(one), graph->name);
		for (uint32_t j = 0; j < i; j++)
			if (ref_id(one) == ref_id(&graph->instances[j])) {
				diag_error(graphs->diag, one->where,
					"Duplicate instance id %d (Graph: %s)", ref_id(one),
					graph->name);
				break;
			}
		a = first->graph ? mesh_graph_graph(graphs->file, first->graph->descriptor) : NULL;
		b = one->graph ? mesh_graph_graph(graphs->file, one->graph->descriptor) : NULL;
		if (!a != !b || (a && a->type && b->type && strcmp(a->type, b->type) != 0))
			diag_error(graphs->diag, one->where,
				"Graph instances must all be of the same type: %s is of another "
				"than %s (Graph: %s)",
				ref_name(one), ref_name(first), graph->name);
	}
}

static void check_layout(const struct graphs *graphs, const struct mgd_graph *graph)
{
	if (!graph->layout)
		return;
	if (graph->layout->type == LAYOUT_NONE)
		diag_error(graphs->diag, graph->layout->where,
			"Graph topology must be ALL_TO_ALL or RING (Graph: %s)", graph->name);
	if (graph->layout->channels.count < 1)
		diag_error(graphs->diag, graph->layout->where,
			"Graph topology channel count must be positive (Graph: %s)", graph->name);
}

static void check_graph(const struct graphs *graphs, const struct mgd_graph *graph)
{
	if (!graph->type || !*graph->type)
		diag_error(graphs->diag, graph->where,
			"Graph descriptor must have a type specified (Graph: %s)", graph->name);
	if (graph->instance_count == 0) {
		diag_error(graphs->diag, graph->where,
			"Graph descriptor must have at least one instance (Graph: %s)",
			graph->name);
		return;
	}
	check_instances(graphs, graph);
	check_layout(graphs, graph);
	for (uint32_t i = 0; i < graph->connection_count; i++)
		check_connection(graphs, graph, &graph->connections[i]);
}

/* Visits the graphs below graph `at`, and marks them in `seen`. Reports an error if one of them has
 * the same type as graph `top`. */
static void check_below(const struct graphs *graphs, uint32_t top, uint32_t at, bool *seen)
{
	const struct mesh_graph *file = graphs->file;
	const struct mgd_graph *graph = &file->graphs[at], *below;

	for (uint32_t i = 0; i < graph->instance_count; i++) {
		if (!graph->instances[i].graph)
			continue;
		below = mesh_graph_graph(file, graph->instances[i].graph->descriptor);
		if (!below || seen[below - file->graphs])
			continue;
		seen[below - file->graphs] = true;
		if (below->type && file->graphs[top].type &&
			strcmp(below->type, file->graphs[top].type) == 0) {
			diag_error(graphs->diag, graph->instances[i].where,
				"Graph descriptor type '%s' already exists in hierarchy (Graph: "
				"%s)",
				below->type, below->name);
			return;
		}
		check_below(graphs, top, (uint32_t)(below - file->graphs), seen);
	}
}

/* Checks the number of graphs, and checks for missing and duplicate names. Returns true if there
 * are not too many graphs and no name is missing. */
static bool check_graph_names(const struct graphs *graphs)
{
	const struct mesh_graph *file = graphs->file;
	bool good = true;

	if (file->graph_count > GRAPHS_MAX) {
		diag_error(graphs->diag, file->graphs[GRAPHS_MAX].where,
			"More than %d graph descriptors", GRAPHS_MAX);
		return false;
	}
	for (uint32_t i = 0; i < file->graph_count; i++) {
		if (!file->graphs[i].name || !*file->graphs[i].name) {
			diag_error(graphs->diag, file->graphs[i].where,
				"Graph descriptor %u has no name", i + 1);
			good = false;
		}
		for (uint32_t j = 0; good && j < i; j++)
			if (strcmp(file->graphs[i].name, file->graphs[j].name) == 0) {
				diag_error(graphs->diag, file->graphs[i].where,
					"Graph descriptor name is not unique (Graph: %s)",
					file->graphs[i].name);
				break;
			}
	}
	return good;
}

void mesh_graph_check_graphs(const struct mesh_graph *graph, struct diag *diag)
{
	const struct graphs graphs = {graph, diag};
	size_t errors = diag_errors(diag);

	if (!check_graph_names(&graphs))
		return;
	if (graph->top)
		check_exists(&graphs, graph->top);
	for (uint32_t i = 0; i < graph->graph_count; i++)
		check_graph(&graphs, &graph->graphs[i]);
	for (uint32_t i = 0; i < graph->graph_count && diag_errors(diag) == errors; i++) {
		bool *seen = allocate(graph->graph_count, sizeof(*seen));

		check_below(&graphs, i, i, seen);
		free(seen);
	}
}
