/* Reads the YAML of physical groupings: groups of ASICs by their ids, and groups of groups. */
#include "read_private.h"

struct id_item {
	uint64_t id;
};

struct row {
	uint32_t id;
	const struct id_item *asics;
	uint32_t asic_count;
	const uint32_t *groups;
	uint32_t group_count;
	const struct tree_node *name;
	struct location where;
};

struct file {
	const struct row *rows[GROUP_LEVELS];
	uint32_t count[GROUP_LEVELS];
	struct location where;
};

static const struct schema_field asic_item = {.name = "asic_ids",
	.kind = SCHEMA_KIND_CUSTOM,
	.size = sizeof(struct id_item),
	.bind = read_id};
static const struct schema_field group_item = SCHEMA_ITEM_INT(uint32_t);

static const struct schema_field row_fields[] = {
	SCHEMA_INT(struct row, id, "id", .required = true),
	SCHEMA_LIST(struct row, asics, asic_count, "asic_ids", &asic_item),
	SCHEMA_LIST(struct row, groups, group_count, "group_ids", &group_item),
	SCHEMA_NODE(struct row, name, "name"),
};
static const struct schema row_schema =
	SCHEMA("grouping_row", struct row, row_fields, SCHEMA_WHERE(struct row, where));
static const struct schema_field row_item = SCHEMA_ITEM_MAP(struct row, &row_schema);

#define LEVEL(level, key)                                                                          \
	SCHEMA_LIST(struct file, rows[level], count[level], key, &row_item, .allow_null = true)

static const struct schema_field file_fields[] = {
	LEVEL(GROUP_ASIC, "asic_groups"),
	LEVEL(GROUP_MESH, "mesh_groups"),
	LEVEL(GROUP_POD, "pod_groups"),
	LEVEL(GROUP_SUPERPOD, "superpod_groups"),
	LEVEL(GROUP_CLUSTER, "cluster_groups"),
};
static const struct schema file_schema =
	SCHEMA("groupings_yaml", struct file, file_fields, SCHEMA_WHERE(struct file, where));

static struct grouping_row groupings_yaml_take_row(
	const struct row *from, enum grouping_level level, struct arena *arena, struct diag *diag)
{
	struct grouping_row row = {.id = from->id,
		.level = level,
		.groups = from->groups,
		.group_count = from->group_count,
		.where = from->where};
	uint64_t *asics = arena_array(arena, from->asic_count, sizeof(*asics));

	for (uint32_t i = 0; i < from->asic_count; i++)
		asics[i] = from->asics[i].id;
	row.asics = asics;
	row.asic_count = from->asic_count;
	if (level == GROUP_ASIC && from->group_count)
		diag_error(diag, from->where,
			"Group %u uses ASICs but also has grouping references: group_ids",
			from->id);
	if (level != GROUP_ASIC && from->asic_count)
		diag_error(diag, from->where,
			"Group %u: only asic_groups have asic_ids, all others group_ids", from->id);
	if (from->asic_count + from->group_count == 0)
		diag_error(diag, from->where, "Group %u must have at least one instance", from->id);
	return row;
}

void groupings_bind_yaml(
	const struct tree_node *root, struct groupings *groupings, bool strict, struct diag *diag)
{
	struct grouping_row *rows;
	struct file file;
	uint32_t count = 0;

	groupings->kind = GROUPINGS_YAML;
	if (!schema_bind_foreign(&file_schema, root, &file, &groupings->arena, diag, NULL,
		    strict ? 0 : SCHEMA_UNKNOWN_WARNS))
		return;
	groupings->where = location_at(file.where.source, 0, 0);
	for (int level = 0; level < GROUP_LEVELS; level++)
		count += file.count[level];
	rows = arena_array(&groupings->arena, count, sizeof(*rows));
	for (int level = 0; level < GROUP_LEVELS; level++)
		for (uint32_t i = 0; i < file.count[level]; i++)
			rows[groupings->row_count++] = groupings_yaml_take_row(&file.rows[level][i],
				(enum grouping_level)level, &groupings->arena, diag);
	groupings->rows = rows;
	if (file.count[GROUP_ASIC] == 0)
		diag_error(diag, groupings->where, "it has no asic_groups");
}
