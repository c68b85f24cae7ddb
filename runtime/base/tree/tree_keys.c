/* Keys of YAML maps: finds duplicates, and merges maps for `<<`. */
#include "tree_reader.h"

/* Checks the pairs from `first` on for duplicates, and drops the later ones. */
void reader_check_keys(struct reader *reader, size_t first, struct names *keys)
{
	struct tree_pair *pairs = reader->children.pairs;
	size_t kept = first;

	for (size_t i = first; i < reader->children.count; i++) {
		const uint32_t *known = names_find(keys, pairs[i].key);

		if (known) {
			diag_error(reader->diag, pairs[i].where,
				"key '%s' is there twice, first in line %u", pairs[i].key,
				(unsigned)pairs[first + *known].where.line);
			reader->dropped++;
			continue;
		}
		names_add(keys, pairs[i].key, (uint32_t)(kept - first));
		pairs[kept++] = pairs[i];
	}
	reader->children.count = kept;
}

/* Adds the pairs of `map` whose keys are not in `keys`. */
static void merge_map(struct reader *reader, const struct tree_node *map, struct location where,
	struct names *keys)
{
	if (map->kind != TREE_MAP) {
		char found[TREE_DESCRIBE_BYTES];

		diag_error(reader->diag, where, "'<<' takes a map or a list of maps, found %s",
			tree_describe(map, found, sizeof(found)));
		return;
	}
	reader->merged += map->count;
	if (reader->merged > TREE_NODES_MAX) {
		reader_stop(reader, where, "too many values: more than 1000000 with '<<' merged");
		return;
	}
	for (uint32_t i = 0; i < map->count && !reader->stopped; i++) {
		if (names_add(keys, map->pairs[i].key, i))
			reader_push(reader, map->pairs[i]);
	}
}

void reader_merge(struct reader *reader, const struct tree_pair *pair, struct names *keys)
{
	const struct tree_node *from = pair->value;

	if (from->kind != TREE_SEQUENCE) {
		merge_map(reader, from, pair->where, keys);
		return;
	}
	for (uint32_t i = 0; i < from->count && !reader->stopped; i++)
		merge_map(reader, from->items[i], pair->where, keys);
}
