/* A YAML text on its way to a tree: what reading nodes and checking keys share. Private to base. */
#ifndef BASE_TREE_TREE_READER_H
#define BASE_TREE_TREE_READER_H

#include <yaml.h>

#include "base/tree/tree_node.h"
#include "names.h"

struct anchor {
	const char *name;
	const struct tree_node *node; /* NULL while it is being read */
};

/* Children of the collections that are open, innermost last. */
struct children {
	struct tree_pair *pairs; /* items of sequences: no key */
	size_t count, capacity;
};

struct reader {
	yaml_parser_t parser;
	const struct source *source;
	const char *text; /* has passed tree_check_text() */
	size_t length;
	uint32_t shift; /* columns before the text on its first line */
	struct arena *arena;
	struct diag *diag;
	struct children children;
	struct names anchor_names;
	struct anchor *anchors;
	size_t anchor_count, anchor_capacity;
	size_t merged;	/* pairs copied by merges so far */
	size_t dropped; /* keys that were there twice: reported, and reading goes on */
	bool stopped;	/* at an error after which nothing makes sense */
};

/* Place of a mark of libyaml, whose lines and columns count from 0. */
struct location reader_at(const struct reader *reader, yaml_mark_t mark);

/* Reports a problem after which reading ends; only the first one. */
void reader_stop(struct reader *reader, struct location where, const char *problem);

/* Next event, which the caller deletes; false after a syntax error, which is reported. */
bool reader_next(struct reader *reader, yaml_event_t *event);

/* `array` of `capacity` elements of `size` bytes with room for more. */
void *reader_grow(void *array, size_t *capacity, size_t size);

/* Adds a pair to the innermost open collection. */
void reader_push(struct reader *reader, struct tree_pair pair);

/* ---- tree_keys.c ---- */

/* Reports keys that are there twice among the pairs from `first` on, and drops the later ones.
 * Fills `keys`. */
void reader_check_keys(struct reader *reader, size_t first, struct names *keys);

/* Pushes the pairs that a `<<` brings: of a map or of several, the first one wins; those in `keys`
 * are left out. */
void reader_merge(struct reader *reader, const struct tree_pair *pair, struct names *keys);

#endif
