/* Compares the tree of base/table/order.h, which finds items by deadline and value, with a scan
 * of all items. Also tests the depth of the tree, because the time of each operation is
 * proportional to the depth. */
#include "test.h"

#include <stdbool.h>

#include "base/stream.h"
#include "base/table/order.h"
#include "check.h"

enum { NODES = 4096, SMALL = 24, ROUNDS = 4000 };

static struct earliest_node nodes[NODES];

static bool is_first(const struct earliest_node *a, const struct earliest_node *b, bool by_value)
{
	int64_t left = by_value ? a->value : a->deadline, right = by_value ? b->value : b->deadline;

	return left != right ? left < right : a->order < b->order;
}

static struct earliest_node *walk(const bool *in, int64_t bound, bool by_value)
{
	struct earliest_node *first = NULL;

	for (int i = 0; i < SMALL; i++)
		if (in[i] && nodes[i].value <= bound &&
			(!first || is_first(&nodes[i], first, by_value)))
			first = &nodes[i];
	return first;
}

/* Uses few deadlines and values, so that many are equal. */
TEST(the_tree_tells_what_a_walk_over_all_items_tells)
{
	struct earliest_node *root = NULL;
	bool in[SMALL] = {false};
	struct stream stream;
	uint64_t order = 0;

	stream_init(&stream, 1, "earliest");
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t i = stream_below(&stream, SMALL);
		int64_t bound = (int64_t)stream_below(&stream, 14) - 2;

		if (in[i]) {
			earliest_remove(&root, &nodes[i]);
		} else {
			nodes[i].deadline = (int64_t)stream_below(&stream, 12);
			nodes[i].value = (int64_t)stream_below(&stream, 12);
			nodes[i].order = order++;
			earliest_add(&root, &nodes[i]);
		}
		in[i] = !in[i];
		check(earliest_within(root, bound) == walk(in, bound, false),
			"round %d: not the earliest within %lld", round, (long long)bound);
		check(earliest_least(root) == walk(in, INT64_MAX, true), "round %d: not the least",
			round);
	}
}

static uint32_t depth_of(const struct earliest_node *root)
{
	uint32_t left, right;

	if (!root)
		return 0;
	left = depth_of(root->left);
	right = depth_of(root->right);
	return 1 + (left > right ? left : right);
}

/* Models the threads of a core: the earliest leaves, and returns with a later deadline. */
TEST(a_tree_of_twice_as_many_items_is_a_few_nodes_deeper)
{
	for (uint32_t count = 64, bound = 18; count <= NODES; count *= 2, bound += 3) {
		struct earliest_node *root = NULL;
		uint64_t order = 0;
		uint32_t deepest = 0;

		for (; order < count; order++) {
			nodes[order] = (struct earliest_node){.deadline = (int64_t)order,
				.value = (int64_t)order,
				.order = order};
			earliest_add(&root, &nodes[order]);
		}
		for (int round = 0; round < 3 * NODES; round++) {
			struct earliest_node *node = earliest_within(root, INT64_MAX);

			earliest_remove(&root, node);
			node->deadline += count;
			node->value += count;
			node->order = order++;
			earliest_add(&root, node);
			if (round % 64 == 0 && depth_of(root) > deepest)
				deepest = depth_of(root);
		}
		check(deepest <= bound, "%u items: %u deep, at most %u", count, deepest, bound);
	}
}

TEST_MAIN(NULL, NULL)
