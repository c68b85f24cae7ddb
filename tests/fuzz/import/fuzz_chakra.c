/* Fuzzes the function that reads the Chakra trace of one rank. Any input must give errors or nodes.
 * Nodes must depend only on nodes that exist. In the order of the list, each node comes after all
 * nodes on which it depends. Nodes that are written and read again are the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/tools/import/chakra.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_order(const struct chakra_rank *rank)
{
	uint32_t *order = allocate(rank->count, sizeof *order);
	bool *done = allocate(rank->count, sizeof *done);
	uint32_t count = chakra_order(rank, order);

	ensure(count == rank->count, "%u of %u nodes are ordered", count, rank->count);
	for (uint32_t i = 0; i < count; i++) {
		const struct chakra_node *node = &rank->nodes[order[i]];

		for (uint32_t k = 0; k < node->need_count; k++)
			ensure(node->needs[k] < rank->count && done[node->needs[k]],
				"node %u before node %u", order[i], node->needs[k]);
		done[order[i]] = true;
	}
	free(order);
	free(done);
}

static void check_same(const struct chakra_node *a, const struct chakra_node *b)
{
	ensure(a->id == b->id && a->type == b->type && a->on_cpu == b->on_cpu &&
			a->duration_ns == b->duration_ns && a->bytes == b->bytes &&
			a->operations == b->operations && a->tensor_bytes == b->tensor_bytes &&
			a->place == b->place,
		"node %llu reads differently", (unsigned long long)a->id);
	ensure(strcmp(a->name, b->name) == 0 && strcmp(a->group, b->group) == 0 &&
			strcmp(a->keys, b->keys) == 0,
		"names of node %llu read differently", (unsigned long long)a->id);
	ensure(a->need_count == b->need_count &&
			(a->need_count == 0 ||
				memcmp(a->needs, b->needs, a->need_count * sizeof *a->needs) == 0),
		"dependencies of node %llu read differently", (unsigned long long)a->id);
	if (a->type == CHAKRA_SEND || a->type == CHAKRA_RECEIVE)
		ensure(a->peer == b->peer && a->tag == b->tag, "%u tag %u and %u tag %u", a->peer,
			a->tag, b->peer, b->tag);
	if (a->type == CHAKRA_COLLECTIVE)
		ensure(a->comm == b->comm && (a->root == b->root || a->comm != CHAKRA_BROADCAST),
			"%u from %u and %u from %u", a->comm, a->root, b->comm, b->root);
}

static void check_again(const struct chakra_rank *rank)
{
	struct diag *diag = diag_new();
	struct text bytes = {0};
	struct chakra_rank again;
	struct arena arena;

	arena_init(&arena);
	chakra_write_rank(rank, &bytes);
	ensure(chakra_read_rank("again", bytes.bytes, bytes.length, &arena, diag, &again),
		"what was written is refused");
	ensure(again.count == rank->count, "%u nodes, then %u", rank->count, again.count);
	for (uint32_t i = 0; i < rank->count; i++)
		check_same(&rank->nodes[i], &again.nodes[i]);
	text_fini(&bytes);
	arena_fini(&arena);
	diag_free(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag *diag = diag_new();
	struct chakra_rank rank;
	struct arena arena;
	bool good;

	arena_init(&arena);
	good = chakra_read_rank("fuzz", data, size, &arena, diag, &rank);
	ensure(good == (diag_errors(diag) == 0), "%zu errors and %s", diag_errors(diag),
		good ? "nodes" : "no nodes");
	if (good) {
		ensure(rank.count > 0, "a rank without nodes");
		check_order(&rank);
		check_again(&rank);
	}
	arena_fini(&arena);
	diag_free(diag);
	return 0;
}
