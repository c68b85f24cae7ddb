/* Reads physical groupings in protobuf's text format, v1 and v2; groupings_yaml.c reads them in
 * YAML. References to unknown groupings, empty groupings, groupings that mix ASICs and groupings,
 * and circles of references are errors. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "read_private.h"

struct ref {
	const char *name, *preset, *custom;
	int64_t count;
};

/* An ASIC, given by its location in a tray. The location, the tray or both may be missing. */
struct spot {
	const struct tree_node *location, *tray;
	struct location where;
};

struct item {
	int64_t id;
	const struct tree_node *location;
	struct spot *spot;
	struct ref *ref;
	struct location where;
};

struct mesh_layout {
	const uint32_t *dims;
	uint32_t dim_count;
	const struct tree_node *types;
};

struct edge {
	uint32_t src, dst;
};

struct custom_layout {
	const struct edge *edges;
	uint32_t count;
};

struct row {
	const char *name, *preset, *custom_type;
	const struct item *items, *instances;
	uint32_t item_count, instance_count;
	const struct tree_node *all_to_all;
	struct mesh_layout *mesh;
	struct custom_layout *custom;
	struct location where;
};

struct file {
	const struct row *rows;
	uint32_t count;
	struct location where;
};

static const struct schema_field ref_fields[] = {
	SCHEMA_STRING(struct ref, name, "grouping_name"),
	SCHEMA_STRING(struct ref, preset, "preset_type"),
	SCHEMA_STRING(struct ref, custom, "custom_type"),
	SCHEMA_INT(struct ref, count, "count", .fallback = "1", .min = INT32_MIN, .max = INT32_MAX),
};
static const struct schema ref_schema = SCHEMA("grouping_ref", struct ref, ref_fields);

static const struct schema_field spot_fields[] = {
	SCHEMA_NODE(struct spot, location, "asic_location"),
	SCHEMA_NODE(struct spot, tray, "tray_id"),
};
static const struct schema spot_schema =
	SCHEMA("grouping_location", struct spot, spot_fields, SCHEMA_WHERE(struct spot, where));

static const struct schema_field item_fields[] = {
	SCHEMA_INT(struct item, id, "id", .min = INT32_MIN, .max = INT32_MAX),
	SCHEMA_NODE(struct item, location, "asic_location"),
	SCHEMA_MAP_PTR(struct item, spot, "location", &spot_schema),
	SCHEMA_MAP_PTR(struct item, ref, "grouping_ref", &ref_schema),
};
static const struct schema item_schema =
	SCHEMA("grouping_item", struct item, item_fields, SCHEMA_WHERE(struct item, where));
static const struct schema_field item_item = SCHEMA_ITEM_MAP(struct item, &item_schema);

static const struct schema_field dim_item = SCHEMA_ITEM_INT(uint32_t, .min = 1, .max = 65536);
static const struct schema_field mesh_fields[] = {
	SCHEMA_LIST(struct mesh_layout, dims, dim_count, "dims", &dim_item),
	SCHEMA_NODE(struct mesh_layout, types, "dim_types"),
};
static const struct schema mesh_schema = SCHEMA("grouping_mesh", struct mesh_layout, mesh_fields);

static const struct schema_field edge_fields[] = {
	SCHEMA_INT(struct edge, src, "src_instance"),
	SCHEMA_INT(struct edge, dst, "dst_instance"),
};
static const struct schema edge_schema = SCHEMA("grouping_edge", struct edge, edge_fields);
static const struct schema_field edge_item = SCHEMA_ITEM_MAP(struct edge, &edge_schema);
static const struct schema_field custom_fields[] = {
	SCHEMA_LIST(struct custom_layout, edges, count, "connections", &edge_item),
};
static const struct schema custom_schema =
	SCHEMA("grouping_custom", struct custom_layout, custom_fields);

static const struct schema_field row_fields[] = {
	SCHEMA_STRING(struct row, name, "name", .allow_empty = true),
	SCHEMA_STRING(struct row, preset, "preset_type"),
	SCHEMA_STRING(struct row, custom_type, "custom_type"),
	SCHEMA_LIST(struct row, items, item_count, "items", &item_item),
	SCHEMA_LIST(struct row, instances, instance_count, "instances", &item_item),
	SCHEMA_NODE(struct row, all_to_all, "all_to_all"),
	SCHEMA_MAP_PTR(struct row, mesh, "row_major_mesh", &mesh_schema),
	SCHEMA_MAP_PTR(struct row, custom, "custom", &custom_schema),
};
static const struct schema row_schema =
	SCHEMA("grouping", struct row, row_fields, SCHEMA_WHERE(struct row, where));
static const struct schema_field row_item = SCHEMA_ITEM_MAP(struct row, &row_schema);
static const struct schema_field file_fields[] = {
	SCHEMA_LIST(struct file, rows, count, "groupings", &row_item),
};
static const struct schema file_schema =
	SCHEMA("groupings", struct file, file_fields, SCHEMA_WHERE(struct file, where));

struct taker {
	struct groupings *groupings;
	struct diag *diag;
};

/* Reads a number, or a name that consists of `prefix` and a number, for example "ASIC_LOCATION_3".
 * For UNSPECIFIED and ANY, sets *out to `any`. */
static bool read_named(const struct tree_node *node, const char *prefix, uint32_t most,
	uint32_t any, uint32_t *out)
{
	const char *text = node->kind == TREE_SCALAR ? node->text : "";
	uint64_t value;

	if (strncmp(text, prefix, strlen(prefix)) == 0)
		text += strlen(prefix);
	if (strcmp(text, "UNSPECIFIED") == 0 || strcmp(text, "ANY") == 0) {
		*out = any;
		return true;
	}
	if (!read_id_text(text, &value) || value > most)
		return false;
	*out = (uint32_t)value;
	return true;
}

static void take_location(const struct taker *taker, const struct grouping *grouping,
	const struct tree_node *node, struct grouping_item *to)
{
	if (!read_named(node, "ASIC_LOCATION_", GROUPING_ANY_LOCATION, GROUPING_ANY_LOCATION,
		    &to->location))
		diag_error(taker->diag, node->where,
			"'asic_location': expected ASIC_LOCATION_0 and so on (Grouping: %s)",
			grouping->name);
}

static void take_spot(const struct taker *taker, const struct grouping *grouping,
	const struct spot *from, struct grouping_item *to)
{
	if (!from->location && !from->tray)
		diag_error(taker->diag, from->where,
			"a location has an asic_location, a tray_id or both (Grouping: %s)",
			grouping->name);
	to->location = GROUPING_ANY_LOCATION;
	if (from->location)
		take_location(taker, grouping, from->location, to);
	if (from->tray &&
		!read_named(from->tray, "TRAY_", UINT16_MAX, GROUPING_ANY_TRAY, &to->tray))
		diag_error(taker->diag, from->tray->where,
			"'tray_id': expected the number of a tray (Grouping: %s)", grouping->name);
}

static void take_item(const struct taker *taker, const struct grouping *grouping,
	const struct item *from, struct grouping_item *to)
{
	*to = (struct grouping_item){
		.id = from->id, .where = from->where, .count = 1, .tray = GROUPING_ANY_TRAY};
	if (!!from->location + !!from->spot + !!from->ref != 1) {
		diag_error(taker->diag, from->where,
			"an item is an asic_location, a location or a grouping_ref (Grouping: %s)",
			grouping->name);
		return;
	}
	if (from->location)
		take_location(taker, grouping, from->location, to);
	if (from->spot)
		take_spot(taker, grouping, from->spot, to);
	if (!from->ref)
		return;
	to->group = from->ref->name	? from->ref->name
		    : from->ref->preset ? from->ref->preset
					: from->ref->custom;
	if (!to->group)
		diag_error(taker->diag, from->where,
			"a grouping_ref without a name or type (Grouping: %s)", grouping->name);
	if (from->ref->count < 1 || from->ref->count > GROUPING_ITEMS_MAX)
		diag_error(taker->diag, from->where, "count %lld is out of range (Grouping: %s)",
			(long long)from->ref->count, grouping->name);
	else
		to->count = (uint32_t)from->ref->count;
}

static void push_edge(struct grouping_edge *edges, uint32_t *count, uint32_t a, uint32_t b)
{
	if (a != b)
		edges[(*count)++] = (struct grouping_edge){a, b};
}

/* Adds the edges between neighbours of a mesh. Its items are in row-major order. */
static void take_mesh(const struct taker *taker, const struct row *row, struct grouping *grouping)
{
	uint32_t flat = row->mesh->dim_count == 1, columns, rows, count = 0;
	struct grouping_edge *edges;

	if (row->mesh->dim_count == 0 || row->mesh->dim_count > 2) {
		diag_error(taker->diag, row->where, "row_major_mesh has 1 or 2 dims (Grouping: %s)",
			grouping->name);
		return;
	}
	rows = flat ? 1 : row->mesh->dims[0];
	columns = row->mesh->dims[!flat];
	if ((uint64_t)rows * columns != grouping->item_count) {
		diag_error(taker->diag, row->where,
			"row_major_mesh of %ux%u does not match %u instances (Grouping: %s)", rows,
			columns, grouping->item_count, grouping->name);
		return;
	}
	edges = arena_array(&taker->groupings->arena, 2 * (size_t)rows * columns, sizeof(*edges));
	for (uint32_t r = 0; r < rows; r++)
		for (uint32_t c = 0; c < columns; c++) {
			if (c + 1 < columns)
				push_edge(edges, &count, r * columns + c, r * columns + c + 1);
			if (r + 1 < rows)
				push_edge(edges, &count, r * columns + c, (r + 1) * columns + c);
		}
	grouping->edges = edges;
	grouping->edge_count = count;
}

static void take_layout(const struct taker *taker, const struct row *row, struct grouping *grouping)
{
	uint32_t items = grouping->item_count, count = 0;
	struct grouping_edge *edges;

	if (!!row->all_to_all + !!row->mesh + !!row->custom > 1)
		diag_error(taker->diag, row->where,
			"one of all_to_all, row_major_mesh and custom (Grouping: %s)",
			grouping->name);
	else if (row->mesh)
		take_mesh(taker, row, grouping);
	else if (row->custom) {
		edges = arena_array(&taker->groupings->arena, row->custom->count, sizeof(*edges));
		for (uint32_t i = 0; i < row->custom->count; i++) {
			const struct edge *edge = &row->custom->edges[i];

			if (edge->src >= items || edge->dst >= items)
				diag_error(taker->diag, row->where,
					"connection of instance %u and %u is out of bounds of %u "
					"(Grouping: %s)",
					edge->src, edge->dst, items, grouping->name);
			else
				push_edge(edges, &count, edge->src, edge->dst);
		}
		grouping->edges = edges;
		grouping->edge_count = count;
	} else if (row->all_to_all && items <= 1024) {
		edges = arena_array(
			&taker->groupings->arena, (size_t)items * items, sizeof(*edges));
		for (uint32_t a = 0; a < items; a++)
			for (uint32_t b = a + 1; b < items; b++)
				push_edge(edges, &count, a, b);
		grouping->edges = edges;
		grouping->edge_count = count;
	}
}

static void groupings_read_take_row(
	const struct taker *taker, const struct row *row, struct grouping *grouping)
{
	bool old = row->item_count > 0;
	const struct item *from = old ? row->items : row->instances;
	uint32_t count = old ? row->item_count : row->instance_count;
	struct grouping_item *items = arena_array(&taker->groupings->arena, count, sizeof(*items));

	*grouping = (struct grouping){.name = row->name ? row->name : "",
		.items = items,
		.item_count = count,
		.where = row->where};
	grouping->type = row->preset	    ? row->preset
			 : row->custom_type ? row->custom_type
					    : grouping->name;
	if (!*grouping->name && !row->preset && !row->custom_type)
		diag_error(taker->diag, row->where, "Grouping has no name");
	if (count == 0)
		diag_error(taker->diag, row->where,
			"Grouping must have at least one instance (Grouping: %s)", grouping->name);
	if (count > GROUPING_ITEMS_MAX)
		diag_error(taker->diag, row->where, "more than %d items (Grouping: %s)",
			GROUPING_ITEMS_MAX, grouping->name);
	for (uint32_t i = 0; i < count; i++)
		take_item(taker, grouping, &from[i], &items[i]);
	if (!old && count <= GROUPING_ITEMS_MAX)
		take_layout(taker, row, grouping);
}

static void groupings_read_take(const struct taker *taker, const struct file *file)
{
	struct groupings *groupings = taker->groupings;
	struct grouping *out = arena_array(&groupings->arena, file->count, sizeof(*out));

	groupings->where = location_at(file->where.source, 0, 0);
	groupings->kind = GROUPINGS_PATTERNS;
	for (uint32_t i = 0; i < file->count; i++) {
		if (file->rows[i].item_count)
			groupings->kind = GROUPINGS_COUNTS;
		groupings_read_take_row(taker, &file->rows[i], &out[i]);
	}
	groupings->groupings = out;
	groupings->count = file->count;
	if (file->count == 0)
		diag_error(taker->diag, groupings->where, "it has no groupings");
}

static struct groupings *bind(struct tree *tree, bool yaml, bool strict, struct diag *diag)
{
	struct groupings *groupings = allocate(1, sizeof(*groupings));
	struct taker taker = {groupings, diag};
	size_t errors = diag_errors(diag);
	struct file file;

	if (tree && yaml)
		groupings_bind_yaml(tree_root(tree), groupings, strict, diag);
	else if (tree && schema_bind_foreign(&file_schema, tree_root(tree), &file,
				 &groupings->arena, diag, NULL, read_tolerance(strict)))
		groupings_read_take(&taker, &file);
	if (tree && diag_errors(diag) == errors)
		groupings_check(groupings, diag);
	tree_free(tree);
	if (tree && diag_errors(diag) == errors)
		return groupings;
	groupings_free(groupings);
	return NULL;
}

static bool ends_with(const char *path, const char *end)
{
	size_t length = strlen(path), tail = strlen(end);

	return length >= tail && strcmp(path + length - tail, end) == 0;
}

struct groupings *groupings_read_file(const char *path, bool strict, struct diag *diag)
{
	bool yaml = ends_with(path, ".yaml") || ends_with(path, ".yml") || ends_with(path, ".json");

	return bind(yaml ? tree_read_file(path, diag) : tree_read_text_format_file(path, diag),
		yaml, strict, diag);
}

struct groupings *groupings_read_text(const char *name, bool yaml, const char *text, size_t length,
	bool strict, struct diag *diag)
{
	return bind(yaml ? tree_read_text(name, text, length, diag)
			 : tree_read_text_format(name, text, length, diag),
		yaml, strict, diag);
}

void groupings_free(struct groupings *groupings)
{
	if (!groupings)
		return;
	arena_fini(&groupings->arena);
	free(groupings);
}
