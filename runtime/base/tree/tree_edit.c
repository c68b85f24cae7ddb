/* Operations on whole trees: reading files, copying, and setting values at dotted paths. A change
 * copies the nodes on the path from the root. A path may lead only through maps and existing items
 * of sequences. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/allocate.h"
#include "base/file/file.h"
#include "base/tree/tree_node.h"

struct tree *tree_new(void)
{
	struct tree *tree = allocate(1, sizeof(*tree));

	tree->root = tree_new_map(&tree->arena, (struct location){0}, NULL, 0);
	return tree;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	arena_fini(&tree->arena);
	free(tree);
}

const struct tree_node *tree_root(const struct tree *tree)
{
	return tree->root;
}

struct arena *tree_arena(struct tree *tree)
{
	return &tree->arena;
}

/* A file format that trees are read from. */
struct form {
	size_t bytes_max;
	struct tree *(*read)(const char *name, const char *text, size_t length, struct diag *diag);
};

static struct tree *read_file(const struct form *form, const char *path, struct diag *diag)
{
	struct tree *tree = NULL;
	struct text text = {0};

	if (file_read_or_say(path, form->bytes_max, &text, diag))
		tree = form->read(path, text_string(&text), text.length, diag);
	text_fini(&text);
	return tree;
}

/* Registers a text without its byte order mark, and checks its length. Returns NULL after an
 * error. */
static const struct source *start_text(
	const char *name, const char **text, size_t *length, size_t most, struct diag *diag)
{
	static const char mark[] = "\xef\xbb\xbf";
	const struct source *source;

	if (*length > most) {
		source = diag_source(diag, name, NULL, 0);
		diag_error(diag, location_at(source, 0, 0), "larger than %zu bytes", most);
		return NULL;
	}
	if (*length >= 3 && memcmp(*text, mark, 3) == 0) {
		*text += 3;
		*length -= 3;
	}
	return diag_source(diag, name, *text, *length);
}

/* Sets the root of the tree to `root`, and returns the tree. If `root` is NULL, frees the tree and
 * returns NULL. */
static struct tree *rooted(struct tree *tree, const struct tree_node *root)
{
	tree->root = root;
	if (root)
		return tree;
	tree_free(tree);
	return NULL;
}

struct tree *tree_read_text(const char *name, const char *text, size_t length, struct diag *diag)
{
	const struct source *source = start_text(name, &text, &length, TREE_BYTES_MAX, diag);
	struct tree *tree = source ? tree_new() : NULL;

	return tree ? rooted(tree, tree_read_yaml(source, text, length, 0, &tree->arena, diag))
		    : NULL;
}

struct tree *tree_read_text_format(
	const char *name, const char *text, size_t length, struct diag *diag)
{
	const struct source *source =
		start_text(name, &text, &length, TREE_TEXT_FORMAT_BYTES_MAX, diag);
	struct tree *tree = source ? tree_new() : NULL;

	return tree ? rooted(tree, tree_read_fields(source, text, length, &tree->arena, diag))
		    : NULL;
}

struct tree *tree_read_file(const char *path, struct diag *diag)
{
	return read_file(&(struct form){TREE_BYTES_MAX, tree_read_text}, path, diag);
}

struct tree *tree_read_text_format_file(const char *path, struct diag *diag)
{
	return read_file(
		&(struct form){TREE_TEXT_FORMAT_BYTES_MAX, tree_read_text_format}, path, diag);
}

static const struct tree_node *copy_node(struct arena *arena, const struct tree_node *from)
{
	struct tree_node *node = arena_alloc(arena, sizeof(*node));
	const struct tree_node **items;
	struct tree_pair *pairs;

	*node = *from;
	location_keep(arena, node->where);
	switch (from->kind) {
	case TREE_SCALAR:
		node->text = arena_copy(arena, from->text, from->count);
		break;
	case TREE_SEQUENCE:
		items = arena_array(arena, from->count, sizeof(*items));
		for (uint32_t i = 0; i < from->count; i++)
			items[i] = copy_node(arena, from->items[i]);
		node->items = items;
		break;
	case TREE_MAP:
		pairs = arena_array(arena, from->count, sizeof(*pairs));
		for (uint32_t i = 0; i < from->count; i++) {
			pairs[i] = (struct tree_pair){arena_string(arena, from->pairs[i].key),
				from->pairs[i].where, copy_node(arena, from->pairs[i].value)};
			location_keep(arena, pairs[i].where);
		}
		node->pairs = pairs;
		break;
	}
	return node;
}

struct tree *tree_copy(const struct tree *tree)
{
	struct tree *copy = tree_new();

	copy->root = copy_node(&copy->arena, tree->root);
	return copy;
}

/* A dotted path, divided into keys. */
struct path {
	const char *keys[TREE_DEPTH_MAX];
	struct location where[TREE_DEPTH_MAX];
	unsigned count;
	const char *whole;
};

static uint32_t count_points(const char *text, size_t length)
{
	uint32_t points = 0, point;

	while (length) {
		unsigned size = utf8_decode(text, length, &point);

		size = size ? size : 1;
		text += size;
		length -= size;
		points++;
	}
	return points;
}

/* Divides the dotted path `whole` into keys. `where` is the location of the path. If `counting` is
 * set, the source contains the path at this location, and each key gets the column at which it
 * begins; otherwise all keys get the location `where`. Returns false after an error. */
static bool cut_path(struct path *path, struct arena *arena, const char *whole,
	struct location where, bool counting, struct diag *diag)
{
	const char *at = whole;

	*path = (struct path){.whole = whole};
	for (;;) {
		size_t length = strcspn(at, ".");

		if (length == 0 || length > TREE_KEY_BYTES_MAX || path->count == TREE_DEPTH_MAX) {
			diag_error(diag, where, "'%s' is no path of keys such as 'runtime.forward'",
				whole);
			return false;
		}
		path->keys[path->count] = arena_copy(arena, at, length);
		path->where[path->count++] = where;
		if (counting)
			where.column += count_points(at, length) + 1;
		if (!at[length])
			return true;
		at += length + 1;
	}
}

/* State of the change of one path. */
struct edit {
	const struct path *path;
	const struct tree_node *value; /* NULL: remove the entry */
	struct arena *arena;
	struct diag *diag; /* NULL: do not report errors */
};

static const struct tree_node *edit_node(
	const struct edit *edit, const struct tree_node *node, unsigned level);

/* Returns the keys before `level` as a dotted path, for messages. */
static const char *path_before(const struct edit *edit, unsigned level)
{
	const struct path *path = edit->path;
	struct text text;
	char *copy;

	text_init(&text);
	for (unsigned i = 0; i < level; i++)
		text_printf(&text, "%s%s", i ? "." : "", path->keys[i]);
	copy = arena_string(edit->arena, text_string(&text));
	text_fini(&text);
	return copy;
}

static const struct tree_node *edit_sequence(
	const struct edit *edit, const struct tree_node *node, unsigned level)
{
	const struct tree_node **items = arena_array(edit->arena, node->count, sizeof(*items));
	uint32_t index = 0;

	if (!tree_index(edit->path->keys[level], node->count, &index)) {
		if (edit->diag)
			diag_error(edit->diag, edit->path->where[level],
				"'%s' is a list of %u: it has no item '%s'",
				path_before(edit, level), (unsigned)node->count,
				edit->path->keys[level]);
		return NULL;
	}
	memcpy(items, node->items, node->count * sizeof(*items));
	items[index] = edit_node(edit, node->items[index], level + 1);
	if (!items[index])
		return NULL;
	return tree_new_sequence(edit->arena, node->where, items, node->count);
}

static const struct tree_node *edit_map(
	const struct edit *edit, const struct tree_node *node, unsigned level)
{
	const struct tree_pair *old = tree_get_pair(node, edit->path->keys[level]);
	uint32_t count = node ? node->count : 0, at = old ? (uint32_t)(old - node->pairs) : count;
	struct tree_pair *pairs = arena_array(edit->arena, count + 1, sizeof(*pairs));
	struct location where = node ? node->where : edit->path->where[level];

	if (count)
		memcpy(pairs, node->pairs, count * sizeof(*pairs));
	if (!edit->value && level + 1 == edit->path->count) {
		if (!old)
			return NULL;
		memmove(pairs + at, pairs + at + 1, (count - at - 1) * sizeof(*pairs));
		return tree_new_map(edit->arena, where, pairs, count - 1);
	}
	if (!old)
		pairs[count++] = (struct tree_pair){
			.key = edit->path->keys[level], .where = edit->path->where[level]};
	pairs[at].value = edit_node(edit, old ? old->value : NULL, level + 1);
	return pairs[at].value ? tree_new_map(edit->arena, where, pairs, count) : NULL;
}

/* Returns a copy of `node` in which the new value is stored at the rest of the path. The rest
 * begins with key number `level` of the path. `node` is NULL if the path leads to a missing node.
 * Returns NULL if the value cannot be stored at this path. */
static const struct tree_node *edit_node(
	const struct edit *edit, const struct tree_node *node, unsigned level)
{
	char found[TREE_DESCRIBE_BYTES];

	if (level == edit->path->count)
		return edit->value;
	if (node && node->kind == TREE_SEQUENCE)
		return edit_sequence(edit, node, level);
	if (!node || node->kind == TREE_MAP)
		return edit_map(edit, node, level);
	if (tree_is_null(node))
		return edit_map(edit, NULL, level);
	if (edit->diag)
		diag_error(edit->diag, edit->path->where[level],
			"'%s' is %s, so it has no key '%s'", path_before(edit, level),
			tree_describe(node, found, sizeof(found)), edit->path->keys[level]);
	return NULL;
}

/* Stores `value`, which is in the tree's arena, at `path`. */
static bool tree_edit_put(struct tree *tree, const struct path *path, const struct tree_node *value,
	struct diag *diag)
{
	struct edit edit = {path, value, &tree->arena, diag};
	size_t errors = diag_errors(diag);
	const struct tree_node *root = edit_node(&edit, tree->root, 0);

	if (root)
		tree->root = root;
	else if (diag_errors(diag) == errors)
		diag_error(diag, path->where[0], "'%s' makes the tree too big or too deep",
			path->whole);
	return root != NULL;
}

bool tree_set(struct tree *tree, const char *path, const char *text, const char *origin,
	struct diag *diag)
{
	const char *line = arena_printf(&tree->arena, "%s=%s", path, text);
	size_t before = strlen(path) + 1, length = strlen(text);
	uint32_t shift = count_points(line, before);
	const struct tree_node *value;
	const struct source *source;
	struct path cut;

	source = diag_source(
		diag, arena_printf(&tree->arena, "%s %s", origin, path), line, before + length);
	if (!tree_check_text(source, path, before - 1, 0, diag) ||
		!cut_path(&cut, &tree->arena, path, location_at(source, 1, 1), true, diag))
		return false;
	if (length > TREE_BYTES_MAX) {
		diag_error(diag, location_at(source, 1, 1), "larger than %d bytes", TREE_BYTES_MAX);
		return false;
	}
	if (text[strspn(text, " \t\r\n")] == '\0')
		value = tree_new_scalar(
			&tree->arena, location_at(source, 1, 1 + shift), "", 0, false);
	else
		value = tree_read_yaml(source, text, length, shift, &tree->arena, diag);
	return value && tree_edit_put(tree, &cut, value, diag);
}

bool tree_put(struct tree *tree, const char *path, struct location where,
	const struct tree_node *value, struct diag *diag)
{
	struct path cut;

	return cut_path(&cut, &tree->arena, path, where, false, diag) &&
	       tree_edit_put(tree, &cut, copy_node(&tree->arena, value), diag);
}

bool tree_remove(struct tree *tree, const char *path)
{
	struct diag *unheard = diag_new();
	struct edit edit = {.arena = &tree->arena};
	const struct tree_node *root = NULL;
	struct path cut;

	edit.path = &cut;
	if (tree_find(tree->root, path) &&
		cut_path(&cut, &tree->arena, path, (struct location){0}, false, unheard))
		root = edit_node(&edit, tree->root, 0);
	if (root)
		tree->root = root;
	diag_free(unheard);
	return root != NULL;
}
