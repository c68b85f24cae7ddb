/* A tree of items, each with a deadline and a value. The tree finds the earliest deadline among the
 * items whose value is at most a bound, and the item with the least value. Each operation takes
 * logarithmic time, and allocates nothing because the owner provides the nodes. */
#ifndef BASE_TABLE_EARLIEST_H
#define BASE_TABLE_EARLIEST_H

#include <stdint.h>

/* The owner sets `deadline`, `value` and `order`, which must not change while the node is in a
 * tree. `order` must be unique in a tree; it decides between equal deadlines and between equal
 * values. */
struct earliest_node {
	int64_t deadline, value;
	uint64_t order;
	/* private to the tree: */
	uint64_t priority;
	struct earliest_node *left, *right, *least; /* least: node of least value in this subtree */
};

/* Adds a node that is in no tree to the tree of `root` (NULL: empty). */
void earliest_add(struct earliest_node **root, struct earliest_node *node);

/* Removes a node that is in the tree; another node is a bug. */
void earliest_remove(struct earliest_node **root, struct earliest_node *node);

/* The first node by deadline among the nodes with value <= bound; NULL if there is none. */
struct earliest_node *earliest_within(struct earliest_node *root, int64_t bound);

/* The first node by value; NULL if the tree is empty. */
struct earliest_node *earliest_least(struct earliest_node *root);

#endif
