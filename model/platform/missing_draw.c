/* Chooses the missing parts of a mesh at random, if the platform gives only the share of parts that
 * are missing. The random numbers depend on the seed in the platform. The chosen parts replace the
 * shares in the platform, as lists. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/stream.h"
#include "private.h"

static const struct tree_node *number_node(
	struct arena *arena, struct location where, unsigned number)
{
	const char *text = arena_printf(arena, "%u", number);

	return tree_new_scalar(arena, where, text, strlen(text), false);
}

static const struct tree_node *place_node(
	struct arena *arena, struct location where, struct place place)
{
	const struct tree_node **items = arena_array(arena, 2, sizeof(*items));

	items[0] = number_node(arena, where, place.at[0]);
	items[1] = number_node(arena, where, place.at[1]);
	return tree_new_sequence(arena, where, items, 2);
}

static const struct tree_node *pairs_node(
	struct arena *arena, struct location where, const struct place_pair *pairs, uint32_t count)
{
	const struct tree_node **items = arena_array(arena, count, sizeof(*items));

	for (uint32_t i = 0; i < count; i++) {
		const struct tree_node **ends = arena_array(arena, 2, sizeof(*ends));

		ends[0] = place_node(arena, where, pairs[i].ends[0]);
		ends[1] = place_node(arena, where, pairs[i].ends[1]);
		items[i] = tree_new_sequence(arena, where, ends, 2);
	}
	return tree_new_sequence(arena, where, items, count);
}

/* Writes to `candidates` the connections between existing chips, except those in `gone`. Each
 * connection is in the list `each` times in a row. Returns the length of the list. */
static uint32_t list_candidates(const struct topology_shape *topology, unsigned each,
	const struct place_pairs *gone, struct place_pair *candidates)
{
	struct place_pair *pairs =
		allocate(2 * (size_t)topology->mesh[0] * topology->mesh[1], sizeof(*pairs));
	uint32_t all = wiring_pairs(topology, pairs), count = 0;

	for (uint32_t i = 0; i < all; i++) {
		const struct place *ends = pairs[i].ends;

		if (missing_chip(topology, ends[0].at[0], ends[0].at[1]) ||
			missing_chip(topology, ends[1].at[0], ends[1].at[1]) ||
			missing_count(gone, pairs[i]) > 0)
			continue;
		for (unsigned k = 0; k < each; k++)
			candidates[count++] = pairs[i];
	}
	free(pairs);
	return count;
}

/* Chooses some of the candidates at random, without replacement. The number of chosen candidates is
 * the share pairs->share of all candidates, rounded, but at least 1 if the share is above 0. */
static void draw(const struct missing_shape *missing, struct place_pairs *pairs, const char *role,
	struct place_pair *candidates, uint32_t count)
{
	struct stream stream;

	pairs->count = (uint32_t)lround(pairs->share * count);
	if (pairs->count == 0 && pairs->share > 0 && count > 0)
		pairs->count = 1;
	pairs->items = candidates;
	stream_init(&stream, missing->seed, role);
	for (uint32_t i = 0; i < pairs->count; i++) {
		uint32_t from = i + (uint32_t)stream_below(&stream, count - i);
		struct place_pair drawn = candidates[from];

		candidates[from] = candidates[i];
		candidates[i] = drawn;
	}
}

static bool settle(struct tree *tree, const char *path, const char *key,
	struct topology_shape *topology, struct place_pairs *pairs, unsigned each,
	struct diag *diag)
{
	static const struct place_pairs none = {0};
	struct arena *arena = tree_arena(tree);
	const struct place_pairs *gone =
		pairs == &topology->missing.links ? &topology->missing.connections : &none;
	struct place_pair *candidates;
	char full[TREE_PATH_BYTES_MAX];
	struct location where;
	bool good;

	if (!pairs->drawn)
		return true;
	candidates = allocate(
		2 * (size_t)each * topology->mesh[0] * topology->mesh[1], sizeof(*candidates));
	draw(&topology->missing, pairs, key, candidates,
		list_candidates(topology, each, gone, candidates));
	snprintf(full, sizeof(full), "%s.topology.missing.%s", path, key);
	where = tree_find(tree_root(tree), full)->where;
	good = tree_put(
		tree, full, where, pairs_node(arena, where, pairs->items, pairs->count), diag);
	pairs->items = arena_array(arena, pairs->count, sizeof(*pairs->items));
	memcpy(pairs->items, candidates, pairs->count * sizeof(*pairs->items));
	free(candidates);
	return good;
}

bool missing_settle(struct tree *tree, const char *path, struct diag *diag)
{
	char full[TREE_PATH_BYTES_MAX];
	const struct tree_node *node;
	struct topology_shape topology;
	struct diag *unheard;
	bool good = true;

	snprintf(full, sizeof(full), "%s.topology", path);
	node = tree_find(tree_root(tree), full);
	if (!node || node->kind != TREE_MAP || !tree_get(node, "missing"))
		return true;
	/* errors are dropped here, since reading the platform reports them again */
	unheard = diag_new();
	if (shape_bind_topology(node, &topology, tree_arena(tree), unheard))
		good = settle(tree, path, "connections", &topology, &topology.missing.connections,
			       1, diag) &&
		       settle(tree, path, "links", &topology, &topology.missing.links,
			       topology.links, diag);
	diag_free(unheard);
	return good;
}
