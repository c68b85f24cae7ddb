/* Builds the nodes of rewritten workloads. All nodes live in the arena of a base (advise.h). */
#ifndef BENCH_TOOLS_ADVISE_NODES_H
#define BENCH_TOOLS_ADVISE_NODES_H

#include "base/tree.h"

/* A list of steps that grows. */
struct node_list {
	struct arena *arena;
	const struct tree_node **at;
	uint32_t count, room;
};

void node_list_add(struct node_list *list, const struct tree_node *node);

/* Returns the list as a sequence, or NULL if it exceeds the bounds of trees. */
const struct tree_node *node_list_end(const struct node_list *list);

const struct tree_node *node_text(struct arena *arena, const char *text);

/* Returns a copy of the map in which `key` has the value `value`. A key that is new comes last. */
const struct tree_node *node_with(struct arena *arena, const struct tree_node *map, const char *key,
	const struct tree_node *value);

/* Returns a copy of the map without the key. */
const struct tree_node *node_without(
	struct arena *arena, const struct tree_node *map, const char *key);

/* Reads a node from YAML, such as "{finish: {}}", which must be valid. */
const struct tree_node *node_read(struct arena *arena, const char *yaml);

/* Functions for steps. node_is() returns true if a step is of the kind `kind`, such as "finish": a
 * map with this key, or only this word. node_body() returns the steps under the `do` of a `repeat`,
 * or NULL. node_keys() returns the map under the key `kind` of a step, or NULL. */
bool node_is(const struct tree_node *step, const char *kind);
const struct tree_node *node_body(const struct tree_node *step);
const struct tree_node *node_keys(const struct tree_node *step, const char *kind);

/* Returns the text of a key, or `otherwise` if the map has no such scalar. */
const char *node_get(const struct tree_node *map, const char *key, const char *otherwise);

/* Returns the number in a scalar, or `otherwise`. */
uint64_t node_number(const struct tree_node *node, uint64_t otherwise);

#endif
