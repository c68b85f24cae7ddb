/* A located tree: scalars, sequences and maps, each with file, line and column. Trees are read from
 * YAML, or built with the tree_new_*() functions.
 *
 * Nodes are immutable. Reading resolves anchors, aliases and `<<` merges. An alias shares the node
 * of its anchor. A change copies all nodes on the path from the root, so other places that share
 * these nodes keep the old value.
 *
 * Scalars have only the types of enum tree_type; base/schema.h checks which values are allowed.
 * Reading reports these errors, each with its location:
 *
 * - duplicate keys, and keys that are not plain text;
 * - alias cycles and foreign tags;
 * - an empty file, and a file with several documents;
 * - control characters and invalid UTF-8;
 * - anything beyond the bounds below. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/status.h"
#include "base/text.h"

enum {
	TREE_BYTES_MAX = 4 << 20,	       /* maximum number of bytes of a YAML file */
	TREE_TEXT_FORMAT_BYTES_MAX = 32 << 20, /* maximum number of bytes of a file in
						* protobuf's text format */
	TREE_DEPTH_MAX = 64,		       /* levels of nesting, with aliases expanded */
	TREE_NODES_MAX = 1000000,	       /* maximum number of nodes, with aliases expanded */
	TREE_EXPANDED_BYTES_MAX = 64 << 20,    /* maximum number of bytes of scalars, with aliases
						* expanded */
	TREE_KEY_BYTES_MAX = 128, /* written with escapes, libyaml reads at most 1024 */
	TREE_PATH_BYTES_MAX = 1024
};

enum tree_kind { TREE_SCALAR, TREE_SEQUENCE, TREE_MAP };

struct tree_node {
	enum tree_kind kind;
	bool quoted;	/* for a scalar: it is quoted or a block, so it is always a string */
	uint16_t depth; /* depth of the node's subtree: 1 for a scalar or an empty collection,
			 * otherwise one more than the greatest depth of a child */
	uint32_t count; /* number of items (sequence), of pairs (map) or of bytes (scalar) */
	uint32_t nodes; /* number of nodes including this one, with aliases expanded */
	uint32_t bytes; /* number of bytes of scalars and keys, with aliases expanded */
	struct location where;
	union {
		const char *text;		      /* text of a scalar: UTF-8, ends with a NUL */
		const struct tree_node *const *items; /* the items of a sequence */
		const struct tree_pair *pairs;	      /* the pairs of a map, in the order of the
						       * file */
	};
};

struct tree_pair {
	const char *key;
	struct location where; /* location of the key */
	const struct tree_node *value;
};

/* The type of a scalar in the core schema of YAML 1.2. `null`, `~` and an empty scalar are
 * TREE_NULL; `true` and `false` are TREE_BOOL; 12, -3 and 0x1f are TREE_INTEGER; 1.5 and 1e3 are
 * TREE_REAL. Everything else is TREE_STRING: for example yes, no, on, off, 010, and anything in
 * quotes. */
enum tree_type { TREE_NULL, TREE_BOOL, TREE_INTEGER, TREE_REAL, TREE_STRING };

/* A tree owns its nodes, and keeps their sources. */
struct tree;

/* Creates a tree whose root is an empty map. */
struct tree *tree_new(void);

/* Reads one YAML document from a file. The path "-" stands for a file with this name, not for
 * standard input. Reports errors to `diag`, also if the file cannot be opened or read ("FILE:
 * error: cannot read: ..."). Returns the tree, or NULL after errors. If the only errors are
 * duplicate keys, returns a tree with the first of the duplicates, so that later checks can find
 * more errors. So callers must also check diag_errors(). */
struct tree *tree_read_file(const char *path, struct diag *diag);

/* Reads one YAML document from `length` bytes; messages use `name` as the file name. Returns the
 * tree, or NULL after errors, which are reported to `diag`. */
struct tree *tree_read_text(const char *name, const char *text, size_t length, struct diag *diag);

/* Like the two functions above, for protobuf's text format. A message becomes a map. A field that
 * is given several times, or as a list [a, b], becomes a sequence. A field that is given once does
 * not become a sequence, so use SCHEMA_ONE_IS_LIST when binding. `name { }`, `name: { }` and
 * `name < >` mean the same. The schema must check which fields a message has. */
struct tree *tree_read_text_format_file(const char *path, struct diag *diag);
struct tree *tree_read_text_format(
	const char *name, const char *text, size_t length, struct diag *diag);

/* Returns a deep copy, which has its own memory and the same locations. */
struct tree *tree_copy(const struct tree *tree);

/* Frees the tree and all its nodes. NULL is allowed. */
void tree_free(struct tree *tree);

/* Returns the root, never NULL. The root is valid until the tree changes; the nodes below it stay
 * valid. */
const struct tree_node *tree_root(const struct tree *tree);

/* Returns an arena that is freed with the tree. Use it for nodes that you add to the tree, and for
 * objects that refer to the tree. */
struct arena *tree_arena(struct tree *tree);

/* Returns the value of `key`, or NULL if `node` is not a map or has no such key. */
const struct tree_node *tree_get(const struct tree_node *node, const char *key);

/* Returns the pair of `key`, which has the location of the key itself, or NULL. */
const struct tree_pair *tree_get_pair(const struct tree_node *node, const char *key);

/* Returns the node at a dotted path such as "runtime.mesh.shape.0", or NULL. The path "" leads to
 * `node` itself. */
const struct tree_node *tree_find(const struct tree_node *node, const char *path);

/* Returns the location of the node at `path`, or {NULL, 0, 0} if the node is not in any source. */
struct location tree_where(const struct tree_node *node, const char *path);

/* Parses `text` as YAML, and stores the result at the dotted `path`. This is for options such as
 * --set PATH=TEXT. Missing maps on the path are created; items of sequences must exist. Empty text
 * is null. `origin` is the name of the option. Errors are located at "ORIGIN PATH:1:COLUMN"; COLUMN
 * counts in the line "PATH=TEXT". Returns false after errors. */
bool tree_set(struct tree *tree, const char *path, const char *text, const char *origin,
	struct diag *diag);

/* Stores a copy of `value`, which may be a node of any tree, at the dotted `path`, like tree_set().
 * `where` is the location at which `path` was written. Returns false after errors. */
bool tree_put(struct tree *tree, const char *path, struct location where,
	const struct tree_node *value, struct diag *diag);

/* Removes the map entry at the dotted `path`. Returns false if there is none. */
bool tree_remove(struct tree *tree, const char *path);

enum tree_type tree_type(const struct tree_node *scalar);

/* Returns true for a scalar of type TREE_NULL. */
bool tree_is_null(const struct tree_node *node);

/* Sets *out to the value of a TREE_INTEGER. Returns OK. Returns INVALID if the node has another
 * type, and OUT_OF_RANGE if int64_t cannot hold the value. */
enum status tree_integer(const struct tree_node *node, int64_t *out);

/* Sets *out to the value of a TREE_INTEGER or TREE_REAL. Returns OK. Returns INVALID if the node
 * has another type, and OUT_OF_RANGE if the value is not finite. */
enum status tree_real(const struct tree_node *node, double *out);

/* Appends the node as canonical YAML; equal nodes give equal text. Maps are written as blocks, and
 * sequences of scalars on one line. Aliases are expanded. A string is quoted if YAML 1.1 or 1.2
 * could read it as another type. Reading the text gives an equal tree. */
void tree_write(const struct tree_node *node, struct text *out);

/* Appends the node as JSON. Numbers keep their digits. */
void tree_write_json(const struct tree_node *node, struct text *out);

/* Writes a few words about the node to `out`, for messages: "a map", "a list", "the string 'x'",
 * "the integer 3", "null". Returns `out`. */
const char *tree_describe(const struct tree_node *node, char *out, size_t size);

enum { TREE_DESCRIBE_BYTES = 96 }; /* enough bytes for the text of tree_describe() */

/* Build nodes in `arena`. Text is copied. Keys, and the arrays of items and pairs, are not copied,
 * so they must be in the same arena. Keys must be unique. The functions return NULL if a sequence
 * or map would exceed the bounds above; the caller must report this error. */
const struct tree_node *tree_new_scalar(
	struct arena *arena, struct location where, const char *text, size_t length, bool quoted);
const struct tree_node *tree_new_sequence(struct arena *arena, struct location where,
	const struct tree_node *const *items, size_t count);
const struct tree_node *tree_new_map(
	struct arena *arena, struct location where, const struct tree_pair *pairs, size_t count);

#endif
