/* Reads mesh graph descriptors, with one table for each kind of protobuf message in a descriptor.
 * mesh_graph_check.c makes all checks that involve several fields. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "read_private.h"

static const char *const arch_names[] = {
	"INVALID_ARCHITECTURE", "WORMHOLE_B0", "BLACKHOLE", "QUASAR", NULL};
static const char *const type_names[] = {"INVALID_TYPE", "LINE", "RING", NULL};
static const char *const policy_names[] = {"STRICT", "RELAXED", NULL};
static const char *const layout_names[] = {"INVALID_LAYOUT_TYPE", "ALL_TO_ALL", "RING", NULL};

/* accepts any number of 32 bits; mesh_graph_check.c checks the value and names the mesh */
#define NUMBER(type, member, key, ...)                                                             \
	SCHEMA_INT(type, member, key, .min = INT32_MIN, .max = INT32_MAX, __VA_ARGS__)

static const struct schema_field number_item =
	SCHEMA_ITEM_INT(int32_t, .min = INT32_MIN, .max = INT32_MAX);
static const struct schema_field type_item = SCHEMA_ITEM_ENUM(enum dim_type, type_names);

static const struct schema_field topology_fields[] = {
	SCHEMA_LIST(struct mgd_topology, dims, dim_count, "dims", &number_item),
	SCHEMA_LIST(struct mgd_topology, types, type_count, "dim_types", &type_item),
	SCHEMA_LIST(struct mgd_topology, old_types, old_type_count, "types", &type_item),
};
static const struct schema topology_schema =
	SCHEMA("mgd_topology", struct mgd_topology, topology_fields);

static const struct schema_field channels_fields[] = {
	NUMBER(struct mgd_channels, count, "count"),
	SCHEMA_ENUM(struct mgd_channels, policy, "policy", policy_names),
};
static const struct schema channels_schema =
	SCHEMA("mgd_channels", struct mgd_channels, channels_fields);

static const struct schema_field express_fields[] = {
	NUMBER(struct mgd_express, src, "src"),
	NUMBER(struct mgd_express, dst, "dst"),
};
static const struct schema express_schema = SCHEMA(
	"mgd_express", struct mgd_express, express_fields, SCHEMA_WHERE(struct mgd_express, where));
static const struct schema_field express_item =
	SCHEMA_ITEM_MAP(struct mgd_express, &express_schema);

static const struct schema_field pattern_fields[] = {
	NUMBER(struct mgd_express_pattern, start, "start"),
	NUMBER(struct mgd_express_pattern, step, "step"),
};
static const struct schema pattern_schema =
	SCHEMA("mgd_express_pattern", struct mgd_express_pattern, pattern_fields);
static const struct schema_field express_links_fields[] = {
	NUMBER(struct mgd_express_links, dim, "dim_idx"),
	SCHEMA_MAP(struct mgd_express_links, pattern, "pattern", &pattern_schema),
};
static const struct schema express_links_schema =
	SCHEMA("mgd_express_links", struct mgd_express_links, express_links_fields,
		SCHEMA_WHERE(struct mgd_express_links, where));
static const struct schema_field express_links_item =
	SCHEMA_ITEM_MAP(struct mgd_express_links, &express_links_schema);

#define MESH_FIELDS                                                                                \
	SCHEMA_STRING(struct mgd_mesh, name, "name", .allow_empty = true),                         \
		SCHEMA_ENUM(struct mgd_mesh, arch, "arch", arch_names),                            \
		SCHEMA_MAP(struct mgd_mesh, devices, "device_topology", &topology_schema),         \
		SCHEMA_MAP(struct mgd_mesh, hosts, "host_topology", &topology_schema),             \
		SCHEMA_MAP(struct mgd_mesh, channels, "channels", &channels_schema),               \
		SCHEMA_LIST(struct mgd_mesh, express, express_count, "express_connections",        \
			&express_item),                                                            \
		SCHEMA_LIST(struct mgd_mesh, express_links, express_link_count, "express_links",   \
			&express_links_item)

static const struct schema_field mesh_fields[] = {MESH_FIELDS};
static const struct schema mesh_schema =
	SCHEMA("mgd_mesh", struct mgd_mesh, mesh_fields, SCHEMA_WHERE(struct mgd_mesh, where));
static const struct schema_field mesh_item = SCHEMA_ITEM_MAP(struct mgd_mesh, &mesh_schema);

static const struct schema_field switch_fields[] = {MESH_FIELDS};
static const struct schema switch_schema =
	SCHEMA("mgd_switch", struct mgd_mesh, switch_fields, SCHEMA_WHERE(struct mgd_mesh, where));
static const struct schema_field switch_item = SCHEMA_ITEM_MAP(struct mgd_mesh, &switch_schema);

#define DEVICE NUMBER(struct mgd_mesh_ref, device, "device_id", .fallback = "-1")

static const struct schema_field mesh_ref_fields[] = {
	SCHEMA_STRING(struct mgd_mesh_ref, descriptor, "mesh_descriptor", .required = true),
	NUMBER(struct mgd_mesh_ref, id, "mesh_id"),
	DEVICE,
};
static const struct schema mesh_ref_schema =
	SCHEMA("mgd_mesh_ref", struct mgd_mesh_ref, mesh_ref_fields);

static const struct schema_field switch_ref_fields[] = {
	SCHEMA_STRING(struct mgd_mesh_ref, descriptor, "switch_descriptor", .required = true),
	NUMBER(struct mgd_mesh_ref, id, "switch_id"),
	DEVICE,
};
static const struct schema switch_ref_schema =
	SCHEMA("mgd_switch_ref", struct mgd_mesh_ref, switch_ref_fields);

static const struct schema ref_schema;

static const struct schema_field graph_ref_fields[] = {
	SCHEMA_STRING(struct mgd_graph_ref, descriptor, "graph_descriptor", .required = true),
	NUMBER(struct mgd_graph_ref, id, "graph_id"),
	SCHEMA_MAP_PTR(struct mgd_graph_ref, sub, "sub_ref", &ref_schema),
};
static const struct schema graph_ref_schema =
	SCHEMA("mgd_graph_ref", struct mgd_graph_ref, graph_ref_fields);

static void check_ref(
	void *object, const struct tree_node *node, const struct schema_context *context)
{
	const struct mgd_ref *ref = object;

	if (!ref->mesh + !ref->device_switch + !ref->graph != 2)
		diag_error(context->diag, node->where,
			"expected one of mesh, graph and switch in this reference");
}

static const struct schema_field ref_fields[] = {
	SCHEMA_MAP_PTR(struct mgd_ref, mesh, "mesh", &mesh_ref_schema),
	SCHEMA_MAP_PTR(struct mgd_ref, graph, "graph", &graph_ref_schema),
	SCHEMA_MAP_PTR(struct mgd_ref, device_switch, "switch", &switch_ref_schema),
};
static const struct schema ref_schema = SCHEMA("mgd_ref", struct mgd_ref, ref_fields,
	SCHEMA_WHERE(struct mgd_ref, where), .check = check_ref);
static const struct schema_field ref_item = SCHEMA_ITEM_MAP(struct mgd_ref, &ref_schema);

/* A connection in the form in which the file contains it. `directions` are the names that routers
 * use for the ends of the connection; meshsim does not use these names. */
struct connection_row {
	struct mgd_connection connection;
	const struct tree_node *directions;
};

static const struct schema_field connection_fields[] = {
	SCHEMA_LIST(
		struct connection_row, connection.nodes, connection.node_count, "nodes", &ref_item),
	SCHEMA_MAP(struct connection_row, connection.channels, "channels", &channels_schema),
	SCHEMA_BOOL(struct connection_row, connection.directional, "directional"),
	SCHEMA_BOOL(struct connection_row, connection.z, "assign_z_direction"),
	SCHEMA_NODE(struct connection_row, directions, "routing_direction"),
};
static const struct schema connection_schema = SCHEMA("mgd_connection", struct connection_row,
	connection_fields, SCHEMA_WHERE(struct connection_row, connection.where));

/* Converts a connection of the file, and drops the part that is not used. */
static void bind_connection(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	static const struct schema_field row =
		SCHEMA_ITEM_MAP(struct connection_row, &connection_schema, .name = "connections");
	struct connection_row bound = {0};

	(void)field;
	schema_bind_value(&row, node, &bound, context);
	*(struct mgd_connection *)member = bound.connection;
}

static const struct schema_field connection_item =
	SCHEMA_ITEM_CUSTOM(struct mgd_connection, bind_connection);

static const struct schema_field layout_fields[] = {
	SCHEMA_ENUM(struct mgd_layout, type, "layout_type", layout_names),
	SCHEMA_MAP(struct mgd_layout, channels, "channels", &channels_schema),
	SCHEMA_BOOL(struct mgd_layout, z, "assign_z_direction"),
};
static const struct schema layout_schema = SCHEMA(
	"mgd_layout", struct mgd_layout, layout_fields, SCHEMA_WHERE(struct mgd_layout, where));

static const struct schema_field graph_fields[] = {
	SCHEMA_STRING(struct mgd_graph, name, "name", .allow_empty = true),
	SCHEMA_STRING(struct mgd_graph, type, "type", .allow_empty = true),
	SCHEMA_LIST(struct mgd_graph, instances, instance_count, "instances", &ref_item),
	SCHEMA_MAP_PTR(struct mgd_graph, layout, "graph_topology", &layout_schema),
	SCHEMA_LIST(
		struct mgd_graph, connections, connection_count, "connections", &connection_item),
};
static const struct schema graph_schema =
	SCHEMA("mgd_graph", struct mgd_graph, graph_fields, SCHEMA_WHERE(struct mgd_graph, where));
static const struct schema_field graph_item = SCHEMA_ITEM_MAP(struct mgd_graph, &graph_schema);

static const struct schema_field node_id_fields[] = {
	NUMBER(struct mgd_node_id, mesh, "mesh_id"),
	NUMBER(struct mgd_node_id, chip, "chip_id"),
	SCHEMA_STRING(struct mgd_node_id, mesh_regex, "mesh_id_regex"),
};
static const struct schema_field position_fields[] = {
	NUMBER(struct mgd_position, tray, "tray_id"),
	NUMBER(struct mgd_position, location, "asic_location"),
};

/* Reports unknown fields of a pin. Unknown fields of other messages may be warnings. Unknown fields
 * of a pin are always errors, because the pin could mean something else if a field is ignored. */
static void refuse_unknown(const struct schema_field *fields, size_t count,
	const struct tree_node *node, struct diag *diag)
{
	for (uint32_t i = 0; i < node->count; i++) {
		size_t k = 0;

		while (k < count && strcmp(fields[k].name, node->pairs[i].key) != 0)
			k++;
		if (k == count)
			diag_error(diag, node->pairs[i].where,
				"a pinning is not understood without its '%s'", node->pairs[i].key);
	}
}

static void check_node_id(
	void *object, const struct tree_node *node, const struct schema_context *context)
{
	const struct mgd_node_id *id = object;

	refuse_unknown(node_id_fields, sizeof(node_id_fields) / sizeof(node_id_fields[0]), node,
		context->diag);
	if (id->mesh_regex && tree_get(node, "mesh_id"))
		diag_error(context->diag, id->where, "give mesh_id or mesh_id_regex, not both");
}

static void check_position(
	void *object, const struct tree_node *node, const struct schema_context *context)
{
	(void)object;
	refuse_unknown(position_fields, sizeof(position_fields) / sizeof(position_fields[0]), node,
		context->diag);
}

static const struct schema node_id_schema = SCHEMA("mgd_node_id", struct mgd_node_id,
	node_id_fields, SCHEMA_WHERE(struct mgd_node_id, where), .check = check_node_id);
static const struct schema_field node_id_item =
	SCHEMA_ITEM_MAP(struct mgd_node_id, &node_id_schema);
static const struct schema position_schema =
	SCHEMA("mgd_position", struct mgd_position, position_fields, .check = check_position);
static const struct schema_field position_item =
	SCHEMA_ITEM_MAP(struct mgd_position, &position_schema);

static const struct schema_field pinning_fields[] = {
	SCHEMA_LIST(struct mgd_pinning, nodes, node_count, "logical_fabric_node_id", &node_id_item,
		.min = 1, .max = TOPOLOGY_DEVICES_MAX, .required = true),
	SCHEMA_LIST(struct mgd_pinning, positions, position_count, "physical_asic_position",
		&position_item, .min = 1, .max = TOPOLOGY_DEVICES_MAX, .required = true),
};
static const struct schema pinning_schema = SCHEMA(
	"mgd_pinning", struct mgd_pinning, pinning_fields, SCHEMA_WHERE(struct mgd_pinning, where));
static const struct schema_field pinning_item =
	SCHEMA_ITEM_MAP(struct mgd_pinning, &pinning_schema);

static const struct schema_field file_fields[] = {
	SCHEMA_LIST(struct mesh_graph, meshes, mesh_count, "mesh_descriptors", &mesh_item),
	SCHEMA_LIST(struct mesh_graph, switches, switch_count, "switch_descriptors", &switch_item),
	SCHEMA_LIST(struct mesh_graph, graphs, graph_count, "graph_descriptors", &graph_item),
	SCHEMA_MAP_PTR(struct mesh_graph, top, "top_level_instance", &ref_schema),
	SCHEMA_LIST(struct mesh_graph, pinnings, pinning_count, "pinnings", &pinning_item),
};
static const struct schema file_schema = SCHEMA(
	"mesh_graph", struct mesh_graph, file_fields, SCHEMA_WHERE(struct mesh_graph, where));

bool mesh_graph_valid(const struct mesh_graph *graph, struct diag *diag)
{
	size_t errors = diag_errors(diag);

	mesh_graph_check(graph, diag);
	mesh_graph_check_graphs(graph, diag);
	return diag_errors(diag) == errors;
}

struct mesh_graph *mesh_graph_read(struct tree *tree, bool strict, struct diag *diag)
{
	struct mesh_graph *graph = allocate(1, sizeof(*graph));
	struct arena arena = {0};
	size_t errors = diag_errors(diag);

	if (tree)
		schema_bind_foreign(&file_schema, tree_root(tree), graph, &arena, diag, NULL,
			read_tolerance(strict));
	graph->arena = arena;
	tree_free(tree);
	if (tree && diag_errors(diag) == errors && mesh_graph_valid(graph, diag))
		return graph;
	mesh_graph_free(graph);
	return NULL;
}

/* Returns the number of the line of `text` that begins with this key; 0 if there is none. */
static uint32_t line_of_key(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (uint32_t line = 1; *text; line++) {
		if (strncmp(text, key, length) == 0 &&
			text[length + strspn(text + length, " \t")] == ':')
			return line;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return 0;
}

/* Returns true, and reports an error, if the file is a descriptor in the old format, which is YAML
 * and has other keys. */
static bool refuse_old(const char *path, const struct text *text, struct diag *diag)
{
	static const char *const keys[] = {"ChipSpec", "Board", "Mesh", "RelationalGraph", "Graph"};
	uint32_t found = 0, first = UINT32_MAX;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		uint32_t line = line_of_key(text_string(text), keys[i]);

		found += line > 0;
		first = line && line < first ? line : first;
	}
	if (found > 1)
		diag_error(diag,
			location_at(
				diag_source(diag, path, text_string(text), text->length), first, 1),
			"an old mesh graph descriptor, in YAML: write it anew in text format, as "
			"mesh_descriptors { ... }");
	return found > 1;
}

struct mesh_graph *mesh_graph_read_file(const char *path, bool strict, struct diag *diag)
{
	struct tree *tree = NULL;
	struct text text = {0};

	if (file_read_or_say(path, TREE_TEXT_FORMAT_BYTES_MAX, &text, diag) &&
		!refuse_old(path, &text, diag))
		tree = tree_read_text_format(path, text_string(&text), text.length, diag);
	text_fini(&text);
	return tree ? mesh_graph_read(tree, strict, diag) : NULL;
}

void mesh_graph_free(struct mesh_graph *graph)
{
	if (!graph)
		return;
	arena_fini(&graph->arena);
	free(graph);
}
