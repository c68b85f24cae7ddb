/* Finds a platform by its name, its file or its map, and merges its layers (`extends`). This is the
 * only file of the model that reads files. */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/file/file.h"
#include "private.h"

enum { LAYERS_MAX = 16 };

/* The files of all layers, beginning with the outermost one. */
struct chain {
	const char *directory;
	struct diag *diag;
	struct arena *arena;
	struct tree *trees[LAYERS_MAX]; /* kept until the merged map has been copied */
	const char *files[LAYERS_MAX];
	bool open[LAYERS_MAX]; /* the `extends` of this file is being read; detects cycles */
	size_t count;
};

static const struct tree_node *expand_node(struct chain *chain, const struct tree_node *node);

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_path(const char *text)
{
	return strchr(text, '/') || ends_with(text, ".yaml") || ends_with(text, ".yml");
}

const char *platform_path(struct arena *arena, const struct tree_node *node)
{
	const char *said_in = node->where.source ? source_name(node->where.source) : "";
	const char *slash = strrchr(said_in, '/');

	if (node->text[0] == '/' || !slash || strncmp(said_in, "--", 2) == 0)
		return node->text;
	return arena_printf(arena, "%.*s/%s", (int)(slash - said_in), said_in, node->text);
}

const char *platform_named_file(
	struct arena *arena, const struct tree_node *node, const char *directory, struct diag *diag)
{
	const char *said_in = node->where.source ? source_name(node->where.source) : "--";
	const char *file = platform_path(arena, node), *slash = strrchr(said_in, '/');
	const char *folder =
		!slash ? "." : arena_printf(arena, "%.*s/", (int)(slash - said_in), said_in);
	bool known = strncmp(said_in, "--", 2) == 0 || access(file, F_OK) != 0 ||
		     file_is_below(file, folder) || file_is_below(file, ".") ||
		     (directory && file_is_below(file, directory));

	if (!known)
		diag_hide(diag, file, node->where);
	return file;
}

static void report_unknown_name(struct chain *chain, const struct tree_node *node)
{
	struct nearest nearest;
	const char *const *names = platform_list(chain->directory, chain->arena);

	nearest_start(&nearest, node->text);
	for (size_t i = 0; names[i]; i++)
		nearest_offer(&nearest, names[i]);
	if (nearest.best)
		diag_error(chain->diag, node->where, "unknown platform '%s', did you mean '%s'?",
			node->text, nearest.best);
	else
		diag_error(chain->diag, node->where, "unknown platform '%s' (see meshsim list)",
			node->text);
}

static const char *find_file(struct chain *chain, const struct tree_node *node)
{
	struct stat status;

	if (is_path(node->text))
		return platform_named_file(chain->arena, node, chain->directory, chain->diag);
	const char *file = arena_printf(chain->arena, "%s/%s.yaml", chain->directory, node->text);
	if (node->text[0] != '\0' && stat(file, &status) == 0)
		return file;
	report_unknown_name(chain, node);
	return NULL;
}

/* Reads a file whose content must be a map. Returns NULL after errors. It is necessary to check
 * that the content is a map, because YAML accepts any text as a scalar: the text of a wrong file
 * would be taken for the name of a platform, and error messages would print it. */
static struct tree *read_map(struct chain *chain, const char *file)
{
	struct tree *tree = tree_read_file(file, chain->diag);
	char text[TREE_DESCRIBE_BYTES];

	if (!tree || tree_root(tree)->kind == TREE_MAP)
		return tree;
	diag_error(chain->diag, tree_root(tree)->where, "the file of a platform is a map, not %s",
		tree_describe(tree_root(tree), text, sizeof(text)));
	tree_free(tree);
	return NULL;
}

/* Returns the full map of the file that a scalar names. */
static const struct tree_node *expand_name(struct chain *chain, const struct tree_node *node)
{
	const char *file = find_file(chain, node);
	const struct tree_node *full;
	size_t at = 0;

	if (!file)
		return NULL;
	while (at < chain->count && strcmp(chain->files[at], file) != 0)
		at++;
	if (at < chain->count && chain->open[at]) {
		diag_error(chain->diag, node->where, "'%s' extends itself", file);
		return NULL;
	}
	if (at == LAYERS_MAX) {
		diag_error(chain->diag, node->where, "more than %d layers", LAYERS_MAX);
		return NULL;
	}
	if (at == chain->count) {
		chain->files[at] = file;
		chain->trees[chain->count++] = read_map(chain, file);
	}
	if (!chain->trees[at])
		return NULL;
	chain->open[at] = true;
	full = expand_node(chain, tree_root(chain->trees[at]));
	chain->open[at] = false;
	return full;
}

/* Returns a copy of the constant `below`, which a lower layer defines, with the value `number`. If
 * the number has a unit ("64KiB"), the copy also gets this unit. */
static const struct tree_node *merge_value(
	struct chain *chain, const struct tree_node *below, const struct tree_node *number)
{
	struct tree_pair *pairs = arena_array(chain->arena, below->count, sizeof(*pairs));
	size_t digits = strspn(number->text, "0123456789.");
	const char *unit = number->text + digits + (number->text[digits] == ' ');
	const struct tree_node *value = number, *other_unit = NULL;

	if (digits && isalpha((unsigned char)*unit) && tree_type(number) == TREE_STRING) {
		value = tree_new_scalar(chain->arena, number->where, number->text, digits, false);
		other_unit =
			tree_new_scalar(chain->arena, number->where, unit, strlen(unit), false);
	}
	memcpy(pairs, below->pairs, below->count * sizeof(*pairs));
	for (uint32_t i = 0; i < below->count; i++)
		if (strcmp(pairs[i].key, "value") == 0)
			pairs[i].value = value;
		else if (other_unit && strcmp(pairs[i].key, "unit") == 0)
			pairs[i].value = other_unit;
	return tree_new_map(chain->arena, below->where, pairs, below->count);
}

/* Merges `above` over `below`. Maps are merged key by key; anything else is replaced as a whole. */
static const struct tree_node *merge(
	struct chain *chain, const struct tree_node *below, const struct tree_node *above)
{
	if (below->kind == TREE_MAP && above->kind == TREE_SCALAR && tree_get(below, "value"))
		return merge_value(chain, below, above);
	if (below->kind != TREE_MAP || above->kind != TREE_MAP)
		return above;

	struct tree_pair *pairs =
		arena_array(chain->arena, (size_t)below->count + above->count, sizeof(*pairs));
	size_t count = below->count;
	memcpy(pairs, below->pairs, count * sizeof(*pairs));
	for (uint32_t i = 0; i < above->count; i++) {
		const struct tree_pair *pair = &above->pairs[i];
		size_t at = 0;
		while (at < count && strcmp(pairs[at].key, pair->key) != 0)
			at++;
		if (at == count)
			pairs[count++] = *pair;
		else
			pairs[at] = (struct tree_pair){.key = pair->key,
				.where = pair->where,
				.value = merge(chain, pairs[at].value, pair->value)};
		if (!pairs[at].value)
			return NULL;
	}
	return tree_new_map(chain->arena, above->where, pairs, count);
}

static const struct tree_node *without_extends(struct chain *chain, const struct tree_node *map)
{
	struct tree_pair *pairs = arena_array(chain->arena, map->count, sizeof(*pairs));
	size_t count = 0;

	for (uint32_t i = 0; i < map->count; i++)
		if (strcmp(map->pairs[i].key, "extends") != 0)
			pairs[count++] = map->pairs[i];
	return tree_new_map(chain->arena, map->where, pairs, count);
}

/* Expands one of the layers that `extends` names. */
static const struct tree_node *expand_below(struct chain *chain, const struct tree_node *name)
{
	char text[TREE_DESCRIBE_BYTES];

	if (name->kind == TREE_SCALAR && !tree_is_null(name))
		return expand_name(chain, name);
	diag_error(chain->diag, name->where, "'extends' must be a name or a path, not %s",
		tree_describe(name, text, sizeof(text)));
	return NULL;
}

/* Merges all layers of `extends`, each over those before it. Reports the errors of all layers. */
static const struct tree_node *expand_list(struct chain *chain, const struct tree_node *extends)
{
	const struct tree_node *below = NULL;
	bool good = true;

	if (extends->kind != TREE_SEQUENCE)
		return expand_below(chain, extends);
	if (extends->count == 0)
		diag_error(chain->diag, extends->where, "'extends' names nothing");
	for (uint32_t i = 0; i < extends->count; i++) {
		const struct tree_node *layer = expand_below(chain, extends->items[i]);

		good = good && layer;
		if (good)
			below = below ? merge(chain, below, layer) : layer;
	}
	return good ? below : NULL;
}

static const struct tree_node *expand_node(struct chain *chain, const struct tree_node *node)
{
	char text[TREE_DESCRIBE_BYTES];

	if (node->kind == TREE_SCALAR && !tree_is_null(node))
		return expand_name(chain, node);
	if (node->kind != TREE_MAP) {
		diag_error(chain->diag, node->where,
			"a platform is a name, a path or a map, not %s",
			tree_describe(node, text, sizeof(text)));
		return NULL;
	}
	const struct tree_node *extends = tree_get(node, "extends");
	if (!extends)
		return node;
	const struct tree_node *below = expand_list(chain, extends);
	return below ? merge(chain, below, without_extends(chain, node)) : NULL;
}

static const struct tree_node *node_at(struct tree *tree, const char *path, struct diag *diag)
{
	const struct tree_node *node = tree_find(tree_root(tree), path);

	if (!node)
		diag_error(diag, tree_root(tree)->where,
			"missing key '%s': which machine to simulate", path);
	return node;
}

bool platform_prepare(struct tree *tree, const char *path, struct diag *diag)
{
	const struct tree_node *node = node_at(tree, path, diag);
	struct tree_pair *pair = arena_alloc(tree_arena(tree), sizeof(*pair));

	if (!node)
		return false;
	if (node->kind != TREE_SCALAR)
		return true;
	*pair = (struct tree_pair){.key = "extends", .where = node->where, .value = node};
	return tree_put(tree, path, node->where,
		tree_new_map(tree_arena(tree), node->where, pair, 1), diag);
}

bool platform_expand(struct tree *tree, const char *path, const char *directory, struct diag *diag)
{
	const struct tree_node *node = node_at(tree, path, diag);
	struct arena arena;
	struct chain chain = {.directory = directory, .diag = diag, .arena = &arena};

	if (!node)
		return false;
	arena_init(&arena);
	size_t errors = diag_errors(diag);
	const struct tree_node *full = expand_node(&chain, node);
	if (!full && diag_errors(diag) == errors)
		diag_error(diag, node->where, "the platform is too large");
	bool good = full && tree_put(tree, path, node->where, full, diag) &&
		    missing_settle(tree, path, diag);
	for (size_t i = 0; i < chain.count; i++)
		tree_free(chain.trees[i]);
	arena_fini(&arena);
	return good;
}

struct platform *platform_open(const char *name, const char *directory,
	const struct constant_table *tables, size_t table_count, struct diag *diag)
{
	return platform_open_by(platform_expand, name, directory, tables, table_count, diag);
}

struct platform *platform_open_by(bool (*expand)(struct tree *tree, const char *path,
					  const char *directory, struct diag *diag),
	const char *name, const char *directory, const struct constant_table *tables,
	size_t table_count, struct diag *diag)
{
	struct tree *tree = tree_new();
	struct location nowhere = {0};
	struct platform *platform = NULL;
	const struct tree_node *scalar =
		tree_new_scalar(tree_arena(tree), nowhere, name, strlen(name), true);

	if (tree_put(tree, "platform", nowhere, scalar, diag) &&
		expand(tree, "platform", directory, diag))
		platform = platform_new(
			tree_get(tree_root(tree), "platform"), tables, table_count, diag);
	if (platform)
		platform->tree = tree;
	else
		tree_free(tree);
	return platform;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *const *platform_list(const char *directory, struct arena *arena)
{
	enum { NAMES_MAX = 1000 };
	const char **names = arena_array(arena, NAMES_MAX + 1, sizeof(*names));
	size_t count = 0;
	DIR *dir = opendir(directory);
	struct dirent *entry;

	while (dir && count < NAMES_MAX && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && entry->d_name[0] != '_' &&
			ends_with(entry->d_name, ".yaml"))
			names[count++] = arena_copy(
				arena, entry->d_name, strlen(entry->d_name) - strlen(".yaml"));
	if (dir)
		closedir(dir);
	qsort(names, count, sizeof(*names), compare_names);
	return names;
}
