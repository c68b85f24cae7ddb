/* The state while a YAML text is read, for the code that reads nodes and the code that checks keys.
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

/* Address of the value of `name`, or NULL if it is unknown. Valid until the next names_add(). */
uint32_t *names_find(const struct names *names, const char *name);

/* Adds `name` with `value` and returns true; false if it exists already. */
bool names_add(struct names *names, const char *name, uint32_t value);

struct anchor {
	const char *name;
	const struct tree_node *node; /* NULL while the node is being read */
};

/* Children of open collections, innermost last. */
struct children {
	struct tree_pair *pairs; /* items of sequences: no key */
	size_t count, capacity;
};

struct reader {
	yaml_parser_t parser;
	const struct source *source;
	const char *text; /* checked by tree_check_text() */
	size_t length;
	uint32_t shift; /* columns before the text on its first line */
	struct arena *arena;
	struct diag *diag;
	struct children children;
	struct names anchor_names;
	struct anchor *anchors;
	size_t anchor_count, anchor_capacity;
	size_t merged;	/* pairs copied by merges so far */
	size_t dropped; /* duplicate keys: reported, and reading goes on */
	bool stopped;	/* after an error that makes going on pointless */
};

/* Location of a mark of libyaml, whose lines and columns count from 0. */
struct location reader_at(const struct reader *reader, yaml_mark_t mark);

/* Reports a problem and stops reading. Only the first problem is reported. */
void reader_stop(struct reader *reader, struct location where, const char *problem);

/* Reads the next event, which the caller deletes. False after a syntax error, which is reported. */
bool reader_next(struct reader *reader, yaml_event_t *event);

/* Grows `array` of `capacity` elements of `size` bytes. */
void *reader_grow(void *array, size_t *capacity, size_t size);

/* Adds a pair to the innermost open collection. */
void reader_push(struct reader *reader, struct tree_pair pair);

/* ---- tree_keys.c ---- */

/* Reports duplicate keys among the pairs from index `first` on, and keeps only the first pair of
 * each key. Adds the remaining keys to `keys`. */
void reader_check_keys(struct reader *reader, size_t first, struct names *keys);

/* Handles a `<<`, which merges one or several maps: adds their pairs to the innermost open
 * collection. If several maps have a key, the first map wins. Keys that are in `keys` are
 * skipped. */
void reader_merge(struct reader *reader, const struct tree_pair *pair, struct names *keys);

#endif
