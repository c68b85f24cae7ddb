/* Rank bindings for `meshsim place --check`. Reads the file of bindings and the files to which it
 * refers, and checks all of them against the mesh graph descriptor. Each sub-context is a separate
 * job with its own descriptor, and its file must bind all ranks of that descriptor. */
#include <string.h>
#include <unistd.h>

#include "place.h"
#include "platform/platform.h"

/* Returns the path of the file that `row` names. A relative path begins at the folder of the file
 * that contains `row`. If the file does not exist, returns NULL and reports this: as an error if
 * the bindings are checked against a descriptor, otherwise as a warning. */
static const char *find_file(struct place_files *files, const struct binding_file *row,
	const char *of, const struct place_command *command)
{
	const struct tree_node node = {.kind = TREE_SCALAR, .text = row->path, .where = row->where};
	const char *path = platform_named_file(&files->arena, &node, NULL, files->diag);

	if (access(path, F_OK) == 0)
		return path;
	if (command->mesh_graph)
		diag_error(
			files->diag, row->where, "%s %u: there is no file '%s'", of, row->id, path);
	else
		diag_warning(files->diag, row->where,
			"%s %u: there is no file '%s', so it is not checked", of, row->id, path);
	return NULL;
}

static void read_context(
	struct place_files *files, struct binding_file *row, const struct place_command *command)
{
	const char *path = find_file(files, row, "sub-context", command);
	struct bindings *bindings;

	if (!path)
		return;
	bindings = bindings_read(tree_read_file(path, files->diag), command->strict, files->diag);
	if (bindings && bindings->count == 0)
		diag_error(files->diag, bindings->where,
			"a file of a sub-context binds ranks: rank_bindings");
	for (uint32_t i = 0; bindings && i < bindings->context_count; i++)
		diag_error(files->diag, bindings->contexts[i].where,
			"a file of a sub-context names no sub-contexts");
	row->bindings = bindings;
}

static void read_cluster(struct place_files *files, const struct binding_file *row,
	const struct place_command *command)
{
	const char *path = find_file(files, row, "rank", command);

	if (path)
		machine_free(machine_read_clusters(&path, 1, command->strict, files->diag));
}

void place_bindings_read(struct place_files *files, const struct place_command *command)
{
	struct bindings *bindings;

	if (!command->check)
		return;
	bindings = bindings_read(
		tree_read_file(command->check, files->diag), command->strict, files->diag);
	files->bindings = bindings;
	for (uint32_t i = 0; bindings && i < bindings->context_count; i++)
		read_context(files, &bindings->contexts[i], command);
	for (uint32_t i = 0; bindings && i < bindings->cluster_count; i++)
		read_cluster(files, &bindings->clusters[i], command);
}

/* Sets *ranks to an array that has, for each rank, the chips that the rank may use according to
 * `bindings`. Sets *ranks to NULL if there is no machine. Returns false after errors. */
static bool match(
	struct place_files *files, const struct bindings *bindings, struct solve_domain **ranks)
{
	const struct logical *logical = files->logical;
	uint32_t *of_rank = arena_array(&files->arena, logical->rank_count, sizeof(*of_rank));

	*ranks = NULL;
	if (!bindings_match(bindings, logical, of_rank, files->diag))
		return false;
	if (!files->machine)
		return true;
	*ranks = arena_array(&files->arena, logical->rank_count, sizeof(**ranks));
	return bindings_domains(bindings, files->rankfile, of_rank, logical, files->machine, *ranks,
		&files->arena, files->diag);
}

/* Returns true if two paths end with the same file name, or if one of them is NULL. Ignores the
 * folders, because bindings contain the path of a descriptor in the source tree of another program.
 */
static bool is_same_name(const char *left, const char *right)
{
	const char *slash;

	if (!left || !right)
		return true;
	slash = strrchr(left, '/');
	left = slash ? slash + 1 : left;
	slash = strrchr(right, '/');
	right = slash ? slash + 1 : right;
	return strcmp(left, right) == 0;
}

/* True if all sub-contexts name the same descriptor. */
static bool are_of_one(const struct bindings *bindings)
{
	for (uint32_t i = 1; i < bindings->context_count; i++)
		if (!is_same_name(bindings->contexts[i].bindings->mesh_graph,
			    bindings->contexts[0].bindings->mesh_graph))
			return false;
	return true;
}

/* Checks the bindings of each sub-context that names the command's descriptor, and skips the others
 * with a warning. But if all sub-contexts name the same descriptor, checks all of them. The
 * placement uses the bindings of the first sub-context without errors. Returns false after errors.
 */
static bool take_contexts(struct place_files *files, const struct place_command *command)
{
	const struct bindings *bindings = files->bindings;
	const struct binding_file *placed = NULL;
	size_t errors = diag_errors(files->diag);
	bool all = are_of_one(bindings);

	for (uint32_t i = 0; i < bindings->context_count; i++) {
		const struct binding_file *row = &bindings->contexts[i];
		struct solve_domain *ranks;

		if (!all && !is_same_name(row->bindings->mesh_graph, command->mesh_graph)) {
			diag_warning(files->diag, row->where,
				"sub-context %u is not checked: it is of the descriptor '%s'",
				row->id, row->bindings->mesh_graph);
			continue;
		}
		if (!match(files, row->bindings, &ranks))
			continue;
		if (!placed)
			files->options.ranks = ranks;
		else if (files->machine)
			diag_warning(files->diag, row->where,
				"sub-context %u fits the descriptor; the placement is that of "
				"sub-context %u",
				row->id, placed->id);
		placed = placed ? placed : row;
	}
	if (!placed && diag_errors(files->diag) == errors)
		diag_error(files->diag, bindings->where, "no sub-context is of the descriptor '%s'",
			command->mesh_graph);
	return diag_errors(files->diag) == errors;
}

bool place_bindings_take(struct place_files *files, const struct place_command *command)
{
	struct solve_domain *ranks;

	if (files->bindings->context_count && !take_contexts(files, command))
		return false;
	if (files->bindings->count == 0)
		return true;
	if (!match(files, files->bindings, &ranks))
		return false;
	files->options.ranks = ranks;
	return true;
}
