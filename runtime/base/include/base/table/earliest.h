/* Items with a deadline and a value, in a tree: the earliest deadline among the items whose value
 * is at most a bound, and the item of the least value. Each operation takes a number of steps that
 * grows with the logarithm of the number of items, and allocates nothing: the nodes are their
 * owner's. */
#ifndef BASE_TABLE_EARLIEST_H
#define BASE_TABLE_EARLIEST_H

#include <stdint.h>

/* Owner's: deadline, value, order. They stay as they are while the node is in a tree. Of equal
 * deadlines, and of equal values, the lower order is first; no two nodes of a tree have the same.
 */
struct earliest_node {
	int64_t deadline, value;
	uint64_t order;
	/* the tree's: */
	uint64_t priority;
	struct earliest_node *left, *right, *least; /* of the nodes from here on down */
};

/* Adds a node that is in no tree to the tree of `root` (NULL: empty). */
void earliest_add(struct earliest_node **root, struct earliest_node *node);

/* Takes a node out that is in the tree (else: a bug). */
void earliest_remove(struct earliest_node **root, struct earliest_node *node);

/* The first by deadline among the nodes with value <= bound; NULL: there is none. */
struct earliest_node *earliest_within(struct earliest_node *root, int64_t bound);

/* The first by value; NULL: the tree is empty. */
struct earliest_node *earliest_least(struct earliest_node *root);

#endif
