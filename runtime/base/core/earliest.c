/* A treap is a search tree with random priorities, so it is balanced on average. This treap
 * (base/table/order.h) is sorted by deadline. Each node also stores which node of its subtree has
 * the least value. The priorities depend only on the members `order` of the nodes, so the treap has
 * the same shape in every run with the same nodes. */
#include "base/table/order.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/ensure.h"

/* Returns a pseudo-random priority for a node of the tree (a treap), computed from `order` with
 * splitmix64. Random priorities keep the tree flat. */
static uint64_t mixed(uint64_t order)
{
	order += UINT64_C(0x9e3779b97f4a7c15);
	order = (order ^ order >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	order = (order ^ order >> 27) * UINT64_C(0x94d049bb133111eb);
	return order ^ order >> 31;
}

static bool is_before(const struct earliest_node *a, const struct earliest_node *b)
{
	return a->deadline != b->deadline ? a->deadline < b->deadline : a->order < b->order;
}

static struct earliest_node *lesser(struct earliest_node *a, struct earliest_node *b)
{
	if (!a || !b)
		return a ? a : b;
	if (a->value != b->value)
		return a->value < b->value ? a : b;
	return a->order < b->order ? a : b;
}

static void look(struct earliest_node *node)
{
	node->least = lesser(node, lesser(earliest_least(node->left), earliest_least(node->right)));
}

/* Splits a tree into the nodes before `at` and the others. */
static void earliest_split(struct earliest_node *root, const struct earliest_node *at,
	struct earliest_node **before, struct earliest_node **after)
{
	if (!root) {
		*before = *after = NULL;
	} else if (is_before(root, at)) {
		*before = root;
		earliest_split(root->right, at, &root->right, after);
		look(root);
	} else {
		*after = root;
		earliest_split(root->left, at, before, &root->left);
		look(root);
	}
}

/* Joins two trees. All nodes of the first tree must come before the nodes of the second tree. */
static struct earliest_node *merge(struct earliest_node *a, struct earliest_node *b)
{
	if (!a || !b)
		return a ? a : b;
	if (a->priority > b->priority) {
		a->right = merge(a->right, b);
		look(a);
		return a;
	}
	b->left = merge(a, b->left);
	look(b);
	return b;
}

static void add(struct earliest_node **root, struct earliest_node *node)
{
	if (*root && (*root)->priority > node->priority) {
		add(is_before(node, *root) ? &(*root)->left : &(*root)->right, node);
	} else {
		earliest_split(*root, node, &node->left, &node->right);
		*root = node;
	}
	look(*root);
}

void earliest_add(struct earliest_node **root, struct earliest_node *node)
{
	node->priority = mixed(node->order);
	add(root, node);
}

void earliest_remove(struct earliest_node **root, struct earliest_node *node)
{
	ensure(*root, "a node of order %llu is not in the tree", (unsigned long long)node->order);
	if (*root == node) {
		*root = merge(node->left, node->right);
		return;
	}
	earliest_remove(is_before(node, *root) ? &(*root)->left : &(*root)->right, node);
	look(*root);
}

struct earliest_node *earliest_within(struct earliest_node *root, int64_t bound)
{
	while (root && root->least->value <= bound) {
		if (root->left && root->left->least->value <= bound)
			root = root->left;
		else if (root->value <= bound)
			return root;
		else
			root = root->right;
	}
	return NULL;
}

struct earliest_node *earliest_least(struct earliest_node *root)
{
	return root ? root->least : NULL;
}
