/* Reads rank bindings in YAML. For each rank, the file contains a list of the visible devices, as
 * text. Instead of this list, the file may contain the path of another file for a sub-context or
 * rank. Duplicate ranks and malformed lists of devices are errors. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "read_private.h"
#include "topology/bindings.h"

struct row {
	uint32_t rank, mesh;
	int64_t mesh_host_rank;
	const struct tree_node *overrides;
	struct location where;
};

struct file {
	const struct row *rows;
	uint32_t count;
	const char *mesh_graph;
	const struct tree_node *contexts, *clusters, *global;
	struct location where;
};

static const struct schema_field row_fields[] = {
	SCHEMA_INT(struct row, rank, "rank", .required = true, .min = 0, .max = 1 << 20),
	SCHEMA_INT(struct row, mesh, "mesh_id", .required = true),
	SCHEMA_INT(struct row, mesh_host_rank, "mesh_host_rank", .fallback = "-1", .min = -1,
		.max = 1 << 20),
	SCHEMA_NODE(struct row, overrides, "env_overrides"),
};
static const struct schema row_schema =
	SCHEMA("binding", struct row, row_fields, SCHEMA_WHERE(struct row, where));
static const struct schema_field row_item = SCHEMA_ITEM_MAP(struct row, &row_schema);

static const struct schema_field file_fields[] = {
	SCHEMA_LIST(struct file, rows, count, "rank_bindings", &row_item),
	SCHEMA_STRING(struct file, mesh_graph, "mesh_graph_desc_path"),
	SCHEMA_NODE(struct file, contexts, "subcontext_id_to_rank_bindings"),
	SCHEMA_NODE(struct file, clusters, "rank_to_cluster_mock_cluster_desc"),
	SCHEMA_NODE(struct file, global, "global_env"),
};
static const struct schema file_schema =
	SCHEMA("bindings", struct file, file_fields, SCHEMA_WHERE(struct file, where));

/* Reads a list such as "0,1,2", or one number. Each device may occur once. Returns false if the
 * text is malformed. */
static bool read_devices(const char *text, struct binding *binding, struct arena *arena)
{
	uint32_t *devices = arena_array(arena, strlen(text) + 1, sizeof(*devices));
	const char *at = text + strspn(text, " ");

	binding->devices = devices;
	binding->has_devices = true;
	while (*at) {
		const char *end;
		uint64_t device;

		end = number_read_whole_until(at, " ,", UINT16_MAX, &device);
		if (!end)
			return false;
		for (uint32_t i = 0; i < binding->device_count; i++)
			if (devices[i] == device)
				return false;
		devices[binding->device_count++] = (uint32_t)device;
		at = end + strspn(end, " ");
		if (!*at)
			return true;
		if (*at != ',')
			return false;
		at += 1 + strspn(at + 1, " ");
	}
	return binding->device_count == 0;
}

static void take_overrides(
	const struct row *row, struct binding *binding, struct arena *arena, struct diag *diag)
{
	const struct tree_node *node = row->overrides;

	if (!node || tree_is_null(node))
		return;
	if (node->kind != TREE_MAP) {
		diag_error(diag, node->where, "'env_overrides': expected a map of variables");
		return;
	}
	node = tree_get(node, "TT_VISIBLE_DEVICES");
	if (!node)
		return;
	if (node->kind != TREE_SCALAR || !read_devices(node->text, binding, arena))
		diag_error(diag, node->where,
			"'TT_VISIBLE_DEVICES': expected numbers of devices, each once, such as "
			"\"0,1\"");
}

/* Reads a map from numbers to paths of files, for example "0: a.yaml". Messages use `of` as the
 * word for the numbers. */
static struct binding_file *take_files(const struct tree_node *node, const char *of,
	uint32_t *count, struct arena *arena, struct diag *diag)
{
	struct binding_file *files;

	*count = 0;
	if (!node)
		return NULL;
	if (node->kind != TREE_MAP || node->count > BINDING_FILES_MAX) {
		diag_error(diag, node->where,
			"expected a map of the number of a %s to a file, %d at most", of,
			BINDING_FILES_MAX);
		return NULL;
	}
	files = arena_array(arena, (size_t)node->count + 1, sizeof(*files));
	for (uint32_t i = 0; i < node->count; i++) {
		const struct tree_node *value = node->pairs[i].value;
		uint32_t id;

		if (!read_number_text(node->pairs[i].key, &id) || value->kind != TREE_SCALAR ||
			value->text[0] == '\0') {
			diag_error(diag, node->pairs[i].where,
				"expected the number of a %s and a file", of);
			continue;
		}
		files[(*count)++] = (struct binding_file){
			.id = id, .path = arena_string(arena, value->text), .where = value->where};
	}
	return files;
}

static void bindings_read_take(
	const struct file *file, struct bindings *bindings, struct diag *diag)
{
	struct binding *out = arena_array(&bindings->arena, file->count, sizeof(*out));

	bindings->where = location_at(file->where.source, 0, 0);
	bindings->mesh_graph = file->mesh_graph;
	for (uint32_t i = 0; i < file->count; i++) {
		const struct row *row = &file->rows[i];

		out[i] = (struct binding){.rank = row->rank,
			.mesh = row->mesh,
			.mesh_host_rank = row->mesh_host_rank,
			.where = row->where};
		take_overrides(row, &out[i], &bindings->arena, diag);
		for (uint32_t k = 0; k < i; k++)
			if (out[k].rank == row->rank)
				diag_error(diag, row->where,
					"rank %u is bound twice, first in line %u", row->rank,
					out[k].where.line);
	}
	bindings->bindings = out;
	bindings->count = file->count;
	bindings->contexts = take_files(
		file->contexts, "sub-context", &bindings->context_count, &bindings->arena, diag);
	bindings->clusters = take_files(
		file->clusters, "rank", &bindings->cluster_count, &bindings->arena, diag);
	if (file->count + bindings->context_count + bindings->cluster_count == 0)
		diag_error(diag, bindings->where, "it binds no rank: rank_bindings");
}

struct bindings *bindings_read(struct tree *tree, bool strict, struct diag *diag)
{
	struct bindings *bindings = allocate(1, sizeof(*bindings));
	size_t errors = diag_errors(diag);
	struct file file;

	if (tree && schema_bind_foreign(&file_schema, tree_root(tree), &file, &bindings->arena,
			    diag, NULL, strict ? 0 : SCHEMA_UNKNOWN_WARNS))
		bindings_read_take(&file, bindings, diag);
	tree_free(tree);
	if (tree && diag_errors(diag) == errors)
		return bindings;
	bindings_free(bindings);
	return NULL;
}

void bindings_free(struct bindings *bindings)
{
	if (!bindings)
		return;
	for (uint32_t i = 0; i < bindings->context_count; i++)
		bindings_free(bindings->contexts[i].bindings);
	arena_fini(&bindings->arena);
	free(bindings);
}
