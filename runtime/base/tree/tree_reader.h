/* The state of reading a YAML text. The code that reads nodes and the code that checks keys use it.
 * Private to base. */
#ifndef BASE_TREE_TREE_READER_H
#define BASE_TREE_TREE_READER_H

#include <yaml.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tree/tree_node.h"

/* A hash map from strings to indices, for large maps and for anchors. Only pointers to the strings
 * are stored, so the strings must outlive the map. Entries cannot be removed. Private to base. */

struct names {
	struct names_slot *slots;
	size_t capacity, count;
};

void names_init(struct names *names);
void names_fini(struct names *names);

/* Returns the address of the value of `name`, or NULL if the name is unknown. The address is valid
 * until the next names_add(). */
uint32_t *names_find(const struct names *names, const char *name);

/* Adds `name` with `value` and returns true. Returns false if the name exists already. */
bool names_add(struct names *names, const char *name, uint32_t value);

struct anchor {
	const char *name;
	const struct tree_node *node; /* NULL while the node is being read */
};

/* The children of open collections. The innermost collection is last. */
struct children {
	struct tree_pair *pairs; /* for the items of a sequence, pairs have no key */
	size_t count, capacity;
};

struct reader {
	yaml_parser_t parser;
	const struct source *source;
	const char *text; /* already checked by tree_check_text() */
	size_t length;
	uint32_t shift; /* number of columns before the text on its first line */
	struct arena *arena;
	struct diag *diag;
	struct children children;
	struct names anchor_names;
	struct anchor *anchors;
	size_t anchor_count, anchor_capacity;
	size_t merged;	/* number of pairs that merges have copied so far */
	size_t dropped; /* number of pairs that were dropped because of duplicate keys; these are
			 * reported, and reading continues */
	bool stopped;	/* true after an error that makes further reading pointless */
};

/* Returns the location of a mark of libyaml. The lines and columns of a mark count from 0. */
struct location reader_at(const struct reader *reader, yaml_mark_t mark);

/* Reports a problem and stops reading. Only the first problem is reported. */
void reader_stop(struct reader *reader, struct location where, const char *problem);

/* Reads the next event, which the caller deletes. After a syntax error, reports it and returns
 * false. */
bool reader_next(struct reader *reader, yaml_event_t *event);

/* Enlarges `array`, which has *capacity elements of `size` bytes, and returns its new address. */
void *reader_grow(void *array, size_t *capacity, size_t size);

/* Adds a pair to the innermost open collection. */
void reader_push(struct reader *reader, struct tree_pair pair);

/* ---- tree_keys.c ---- */

/* Reports duplicate keys among the pairs from index `first` on, and keeps only the first pair of
 * each key. Adds the remaining keys to `keys`. */
void reader_check_keys(struct reader *reader, size_t first, struct names *keys);

/* Handles the key `<<`: adds the pairs of one or several maps to the innermost open map. Skips a
 * pair if its key is already in `keys`; otherwise, adds the key to `keys`. So if several of these
 * maps have the same key, the pair of the first map is used. */
void reader_merge(struct reader *reader, const struct tree_pair *pair, struct names *keys);

#endif
