/* Checks that each value of a case has the type that its key needs: numbers, a list, a map or a
 * word. Only cases that pass this check are run. */
#include <string.h>

#include "place.h"

enum kind { KIND_NUMBERS, KIND_WORD_OR_NUMBERS, KIND_MAP, KIND_LIST, KIND_WORD };

static const struct {
	const char *key;
	enum kind kind;
} kinds[] = {
	{"nodes", KIND_NUMBERS},
	{"ids", KIND_NUMBERS},
	{"edges", KIND_LIST},
	{"rank", KIND_NUMBERS},
	{"shape", KIND_NUMBERS},
	{"channels", KIND_NUMBERS},
	{"count", KIND_NUMBERS},
	{"node", KIND_NUMBERS},
	{"mesh", KIND_NUMBERS},
	{"pos", KIND_NUMBERS},
	{"inter", KIND_WORD_OR_NUMBERS},
	{"positions", KIND_MAP},
	{"must", KIND_MAP},
	{"required", KIND_MAP},
	{"forbidden", KIND_MAP},
	{"preferred", KIND_MAP},
	{"traits", KIND_MAP},
	{"target", KIND_MAP},
	{"host", KIND_MAP},
	{"logical", KIND_MAP},
	{"physical", KIND_MAP},
	{"counts", KIND_MAP},
	{"pins", KIND_LIST},
	{"calls", KIND_LIST},
	{"kind", KIND_WORD},
	{"expect", KIND_WORD},
	{"policy", KIND_WORD},
	{"error", KIND_WORD},
};

/* True for a number that is not negative, or for nested lists of such numbers. */
static bool are_numbers(const struct tree_node *node)
{
	int64_t value;

	if (node->kind == TREE_SCALAR)
		return tree_integer(node, &value) == STATUS_OK && value >= 0;
	for (uint32_t i = 0; node->kind == TREE_SEQUENCE && i < node->count; i++)
		if (!are_numbers(node->items[i]))
			return false;
	return node->kind == TREE_SEQUENCE;
}

static bool cases_check_is_of(const struct tree_node *node, enum kind kind)
{
	switch (kind) {
	case KIND_NUMBERS:
		return are_numbers(node);
	case KIND_WORD_OR_NUMBERS:
		return node->kind == TREE_SCALAR || are_numbers(node);
	case KIND_MAP:
		return node->kind == TREE_MAP;
	case KIND_LIST:
		return node->kind == TREE_SEQUENCE &&
		       (node->count == 0 || node->items[0]->kind != TREE_SEQUENCE ||
			       are_numbers(node));
	case KIND_WORD:
		return node->kind == TREE_SCALAR;
	}
	return true;
}

bool case_is_sound(const struct tree_node *node, const struct case_words *words)
{
	static const char *const nouns[] = {[KIND_NUMBERS] = "numbers",
		[KIND_WORD_OR_NUMBERS] = "a word or numbers",
		[KIND_MAP] = "a map",
		[KIND_LIST] = "a list, of numbers if of lists",
		[KIND_WORD] = "a word"};
	char found[TREE_DESCRIBE_BYTES];

	for (uint32_t i = 0; node->kind == TREE_SEQUENCE && i < node->count; i++)
		if (!case_is_sound(node->items[i], words))
			return false;
	for (uint32_t i = 0; node->kind == TREE_MAP && i < node->count; i++) {
		const struct tree_pair *pair = &node->pairs[i];

		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			if (strcmp(kinds[k].key, pair->key) != 0 ||
				cases_check_is_of(pair->value, kinds[k].kind))
				continue;
			text_printf(words->why, "'%s': expected %s, found %s", pair->key,
				nouns[kinds[k].kind],
				tree_describe(pair->value, found, sizeof(found)));
			return false;
		}
		if (!case_is_sound(pair->value, words))
			return false;
	}
	return true;
}
