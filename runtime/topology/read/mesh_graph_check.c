/* Checks the meshes and switches of a mesh graph descriptor. A message names the mesh or switch,
 * and uses the field names of descriptor files. */
#include <string.h>

#include "read_private.h"

/* The descriptor that messages name, for example "(Mesh: M0)". */
struct subject {
	const char *kind, *name;
	struct location where;
	struct diag *diag;
};

static void refuse_subject(const struct subject *subject, const char *problem)
{
	diag_error(subject->diag, subject->where, "%s (%s: %s)", problem, subject->kind,
		subject->name);
}

static bool is_positive(const struct mgd_topology *topology)
{
	for (uint32_t i = 0; i < topology->dim_count; i++)
		if (topology->dims[i] < 1 || topology->dims[i] > TOPOLOGY_DEVICES_MAX)
			return false;
	return topology->dim_count > 0;
}

static int64_t devices_of(const struct mgd_topology *topology)
{
	int64_t devices = 1;

	for (uint32_t i = 0; i < topology->dim_count; i++)
		devices *= topology->dims[i];
	return devices;
}

/* Checks the sizes and types of the dimensions. Returns true if the sizes are valid. */
static bool check_dims(const struct mgd_mesh *mesh, const struct subject *subject)
{
	const struct mgd_topology *devices = &mesh->devices;
	uint32_t types = devices->type_count + devices->old_type_count;

	if (devices->dim_count > TOPOLOGY_DIMS_MAX) {
		diag_error(subject->diag, subject->where,
			"Architecture devices allow a maximum of %d dimensions, but %u were "
			"provided (%s: %s)",
			TOPOLOGY_DIMS_MAX, devices->dim_count, subject->kind, subject->name);
		return false;
	}
	if (!is_positive(devices) || devices_of(devices) > TOPOLOGY_DEVICES_MAX) {
		diag_error(subject->diag, subject->where,
			"Device topology dimensions must be positive, and at most %d devices "
			"together (%s: %s)",
			TOPOLOGY_DEVICES_MAX, subject->kind, subject->name);
		return false;
	}
	if (devices->type_count && devices->old_type_count)
		refuse_subject(subject, "Give dim_types or, as of old, types: not both");
	else if (types && types != devices->dim_count)
		refuse_subject(
			subject, "Device topology dimensions and types must be the same size");
	for (uint32_t i = 0; i < devices->dim_count; i++)
		if (mgd_dim_type(devices, i) == DIM_INVALID)
			refuse_subject(subject, "A type of a dimension is LINE or RING");
	return true;
}

static void check_hosts(const struct mgd_mesh *mesh, const struct subject *subject)
{
	const struct mgd_topology *devices = &mesh->devices, *hosts = &mesh->hosts;

	if (hosts->dim_count != devices->dim_count) {
		diag_error(subject->diag, subject->where,
			"Device topology and host topology must have the same number of "
			"dimensions: %u and %u (%s: %s)",
			devices->dim_count, hosts->dim_count, subject->kind, subject->name);
		return;
	}
	if (!is_positive(hosts)) {
		refuse_subject(subject, "Host topology dimensions must be positive");
		return;
	}
	for (uint32_t i = 0; i < devices->dim_count; i++)
		if (devices->dims[i] % hosts->dims[i] != 0)
			diag_error(subject->diag, subject->where,
				"Device topology dimensions must be divisible by host topology "
				"dimensions: %d by %d (%s: %s)",
				devices->dims[i], hosts->dims[i], subject->kind, subject->name);
}

static void check_express(const struct mgd_mesh *mesh, const struct subject *subject)
{
	int64_t devices = devices_of(&mesh->devices);

	for (uint32_t i = 0; i < mesh->express_count; i++) {
		const struct mgd_express *express = &mesh->express[i];
		bool source = express->src < 0 || express->src >= devices;

		if (source || express->dst < 0 || express->dst >= devices)
			diag_error(subject->diag, express->where,
				"Express connection %s is out of bounds: device %d of %d (%s: %s)",
				source ? "source" : "destination",
				source ? express->src : express->dst, (int)devices, subject->kind,
				subject->name);
		else if (express->src == express->dst)
			diag_error(subject->diag, express->where,
				"Express connection joins device %d with itself (%s: %s)",
				express->src, subject->kind, subject->name);
	}
	for (uint32_t i = 0; i < mesh->express_link_count; i++) {
		const struct mgd_express_links *links = &mesh->express_links[i];
		bool known = links->dim >= 0 && links->dim < (int32_t)mesh->devices.dim_count;

		if (!known)
			diag_error(subject->diag, links->where,
				"Express links of dimension %d are out of bounds (%s: %s)",
				links->dim, subject->kind, subject->name);
		else if (links->pattern.start < 0 || links->pattern.step < 2 ||
			 links->pattern.start >= mesh->devices.dims[links->dim] ||
			 links->pattern.step > mesh->devices.dims[links->dim])
			diag_error(subject->diag, links->where,
				"Express links: start %d and step %d are out of bounds of %d "
				"devices (%s: %s)",
				links->pattern.start, links->pattern.step,
				mesh->devices.dims[links->dim], subject->kind, subject->name);
	}
}

static void check_mesh(const struct mgd_mesh *mesh, bool is_switch, struct diag *diag)
{
	const struct subject subject = {
		is_switch ? "Switch" : "Mesh", mesh->name, mesh->where, diag};

	if (mesh->arch == ARCH_INVALID)
		refuse_subject(&subject, "The architecture is missing: WORMHOLE_B0 or BLACKHOLE");
	if (mesh->channels.count < 1)
		refuse_subject(&subject, "Channel count must be positive");
	if (!check_dims(mesh, &subject))
		return;
	if (!is_switch || mesh->hosts.dim_count)
		check_hosts(mesh, &subject);
	for (uint32_t i = 0; is_switch && i < mesh->hosts.dim_count; i++)
		if (mesh->hosts.dims[i] > 1)
			refuse_subject(&subject, "A switch belongs to one host: host_topology");
	check_express(mesh, &subject);
}

/* Checks for missing and duplicate names. Returns true if no name is missing. */
static bool check_names(const struct mgd_mesh *meshes, uint32_t count, const char *kind,
	const char *low, struct diag *diag)
{
	bool good = true;

	for (uint32_t i = 0; i < count; i++) {
		if (!meshes[i].name || !*meshes[i].name) {
			diag_error(
				diag, meshes[i].where, "%s descriptor %u has no name", kind, i + 1);
			good = false;
		}
		for (uint32_t j = 0; good && j < i; j++)
			if (strcmp(meshes[i].name, meshes[j].name) == 0)
				diag_error(diag, meshes[i].where,
					"%s descriptor name is not unique, first in line %u (%s: "
					"%s)",
					kind, meshes[j].where.line, low, meshes[i].name);
	}
	return good;
}

static void check_arch(const struct mesh_graph *graph, struct diag *diag)
{
	const struct mgd_mesh *first = graph->mesh_count ? graph->meshes : graph->switches;

	for (uint32_t i = 0; i < graph->mesh_count + graph->switch_count; i++) {
		const struct mgd_mesh *mesh = i < graph->mesh_count
						      ? &graph->meshes[i]
						      : &graph->switches[i - graph->mesh_count];

		if (mesh->arch && first->arch && mesh->arch != first->arch)
			diag_error(diag, mesh->where,
				"All mesh descriptors must have the same architecture: %s has %s, "
				"%s has %s",
				first->name, topology_arch_name(first->arch), mesh->name,
				topology_arch_name(mesh->arch));
	}
}

void mesh_graph_check(const struct mesh_graph *graph, struct diag *diag)
{
	struct location file = location_at(graph->where.source, 0, 0);
	size_t errors = diag_errors(diag);

	if (graph->mesh_count + graph->switch_count == 0)
		diag_error(diag, file, "There must be at least one mesh descriptor, or switch");
	if (!graph->top)
		diag_error(diag, file, "There must be a top_level_instance");
	check_names(graph->meshes, graph->mesh_count, "Mesh", "Mesh", diag);
	check_names(graph->switches, graph->switch_count, "Switch", "Switch", diag);
	for (uint32_t i = 0; diag_errors(diag) == errors && i < graph->mesh_count; i++)
		if (mesh_graph_switch(graph, graph->meshes[i].name))
			diag_error(diag, graph->meshes[i].where,
				"A mesh and a switch have one name (Mesh: %s)",
				graph->meshes[i].name);
	for (uint32_t i = 0; i < graph->mesh_count; i++)
		if (graph->meshes[i].name)
			check_mesh(&graph->meshes[i], false, diag);
	for (uint32_t i = 0; i < graph->switch_count; i++)
		if (graph->switches[i].name)
			check_mesh(&graph->switches[i], true, diag);
	if (diag_errors(diag) == errors)
		check_arch(graph, diag);
}
