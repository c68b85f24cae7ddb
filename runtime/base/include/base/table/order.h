/* Sorting, percentiles and medians. A percentile is always one of the values: the smallest value
 * for which at least the given share of all values is equal or smaller (nearest rank). */
#ifndef BASE_TABLE_ORDER_H
#define BASE_TABLE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* These functions sort in ascending order. */
void sort_integers(int64_t *values, size_t count);
void sort_reals(double *values, size_t count);

/* Returns the index of a percentile among `count` sorted values. For 500 per mille, this is the
 * lower median. */
uint32_t rank_at(uint32_t count, uint32_t per_mille);

/* Returns the median of `count` > 0 sorted values. If `count` is even, this is the mean of the two
 * values in the middle. */
double median_of(const double *sorted, uint32_t count);

/* A tree of items, each with a deadline and a value. The tree finds the earliest deadline among the
 * items whose value is at most a bound, and the item with the least value. Each operation takes
 * logarithmic time, and allocates nothing because the owner provides the nodes. */

/* The owner sets `deadline`, `value` and `order`. These members must not change while the node is
 * in a tree. `order` must be unique in a tree: it decides between nodes with equal deadlines or
 * equal values. */
struct earliest_node {
	int64_t deadline, value;
	uint64_t order;
	/* these members are private to the tree: */
	uint64_t priority;
	/* least: the node with the least value in this subtree */
	struct earliest_node *left, *right, *least;
};

/* Adds a node, which is in no tree, to the tree of `root`. *root is NULL if the tree is empty. */
void earliest_add(struct earliest_node **root, struct earliest_node *node);

/* Removes a node, which must be in the tree. */
void earliest_remove(struct earliest_node **root, struct earliest_node *node);

/* Returns the node with the earliest deadline among the nodes with value <= bound, or NULL if there
 * is none. */
struct earliest_node *earliest_within(struct earliest_node *root, int64_t bound);

/* Returns the node with the least value, or NULL if the tree is empty. */
struct earliest_node *earliest_least(struct earliest_node *root);

#endif
