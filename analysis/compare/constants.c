/* Finds the cost constants in the text of a platform, see comparison.h. */
#include "analysis/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"

static const struct {
	const char *name, *patterns;
} groups[CONSTANT_GROUPS] = {
#define X(NAME, name, patterns) {name, patterns},
#include "analysis/compare/constant.def"
#undef X
};

enum { CONSTANTS_MAX = 4096 };

static const struct {
	const char *words;
	bool given, guess;
	double factor;
} kinds[CONSTANT_KINDS] = {
#define X(NAME, words, given, guess, factor, reason) {words, given, guess, factor},
#include "analysis/compare/constant_kind.def"
#undef X
};

const char *constant_group_name(enum constant_group group)
{
	return groups[group].name;
}

const char *constant_kind_words(enum constant_kind kind)
{
	return kinds[kind].words;
}

bool constant_kind_is_given(enum constant_kind kind)
{
	return kinds[kind].given;
}

/* Returns the kind that has these words, or CONSTANT_KINDS if no kind has them. */
static enum constant_kind constants_kind(const char *words)
{
	int kind = 0;

	while (kind < CONSTANT_KINDS && strcmp(kinds[kind].words, words) != 0)
		kind++;
	return (enum constant_kind)kind;
}

bool constant_is_guess(const struct constant *constant)
{
	enum constant_kind kind = constants_kind(constant->kind);

	return kind < CONSTANT_KINDS && kinds[kind].guess;
}

double constant_factor(const char *words)
{
	enum constant_kind found = constants_kind(words);
	double widest = 1;

	for (int kind = 0; kind < CONSTANT_KINDS; kind++)
		widest = fmax(widest, kinds[kind].factor);
	return found < CONSTANT_KINDS ? kinds[found].factor : widest;
}

const struct constant *constant_at(const struct constants *constants, const char *path)
{
	for (uint32_t i = 0; i < constants->count; i++)
		if (strcmp(constants->at[i].path, path) == 0)
			return &constants->at[i];
	return NULL;
}

/* Rounds a constant to a value that platforms accept. A time becomes a whole number of picoseconds,
 * and at most one second; a rate becomes a whole number of bytes per second. Constants with other
 * units are not rounded. */
static double constants_round(double value, const char *unit)
{
	static const struct {
		const char *unit;
		double parts;
	} units[] = {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}, {"B/s", 1},
		{"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(units[i].unit, unit) == 0)
			return round(fmin(value * units[i].parts,
				       strchr(unit, '/') ? INFINITY : 1e12)) /
			       units[i].parts;
	return value;
}

struct compare_change constant_change(
	const struct constant *constant, double factor, struct arena *arena)
{
	double value = constants_round(constant->value * factor, constant->unit);

	return (struct compare_change){arena_printf(arena, "platform.%s.value", constant->path),
		arena_printf(arena, "%.15g", value)};
}

/* Moves *list to its next word and returns the word's length; 0 at the end. */
static size_t next_word(const char **list)
{
	*list += strspn(*list, " ");
	return strcspn(*list, " ");
}

static bool constants_fits(const char *path, const char *pattern, size_t length)
{
	if (pattern[length - 1] != '=')
		return strncmp(path, pattern, length) == 0;
	length--;
	return strncmp(path, pattern, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

/* Returns the group of a path, or CONSTANT_GROUPS if the path belongs to no group. */
static enum constant_group constants_group_of(const char *path)
{
	for (int group = 0; group < CONSTANT_GROUPS; group++) {
		const char *patterns = groups[group].patterns;
		for (size_t length; (length = next_word(&patterns)) > 0; patterns += length)
			if (constants_fits(path, patterns, length))
				return (enum constant_group)group;
	}
	return CONSTANT_GROUPS;
}

static bool is_cost(const char *unit)
{
	static const char *const units[] = {"ps", "ns", "us", "ms", "s", "cycles", "B/cycle", "B/s",
		"KB/s", "MB/s", "GB/s", "TB/s"};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i], unit) == 0)
			return true;
	return false;
}

static const char *scalar(const struct tree_node *map, const char *key)
{
	const struct tree_node *node = tree_get(map, key);

	return node && node->kind == TREE_SCALAR ? node->text : "";
}

/* Returns the kind of a constant. This is its kind in the platform, with two exceptions. Costs of
 * libraries that were measured on the loopback of one machine have a kind of their own, and so have
 * costs of codecs that were measured on one machine. For other machines, these values are only
 * guesses. */
static const char *constants_kind_of(
	const struct tree_node *node, const char *path, struct arena *arena)
{
	const char *kind = scalar(node, "kind");

	if (constants_kind(kind) != CONSTANT_MEASURED)
		return arena_string(arena, kind);
	if (strstr(scalar(node, "source"), kinds[CONSTANT_LOOPBACK].words))
		return kinds[CONSTANT_LOOPBACK].words;
	if (strncmp(path, "codecs.", strlen("codecs.")) == 0)
		return kinds[CONSTANT_ONE_MACHINE].words;
	return arena_string(arena, kind);
}

/* Returns the spread that the text of a source contains, as in "11 repetitions, spread 4.5 %, ...";
 * 0 if the text contains none. */
static double constants_spread_of(const char *source)
{
	static const char word[] = "spread ";
	const char *found = strstr(source, word);
	char *end;
	double percent = found ? strtod(found + sizeof(word) - 1, &end) : 0;

	return found && strncmp(end, " %", 2) == 0 && percent > 0 ? percent / 100 : 0;
}

/* Collects the costs below a node. Costs of 0 are left out, unless `zeros` is set. */
static void constants_collect(struct constants *constants, const struct tree_node *node,
	const char *path, bool zeros, struct arena *arena)
{
	const struct tree_node *value = tree_get(node, "value");
	struct constant constant = {.path = path};

	if (node->kind != TREE_MAP)
		return;
	if (value && value->kind == TREE_SCALAR) {
		constant.unit = arena_string(arena, scalar(node, "unit"));
		constant.kind = constants_kind_of(node, path, arena);
		constant.group = constants_group_of(path);
		constant.spread = constants_spread_of(scalar(node, "source"));
		/* tails and variations of host work are noise, not costs */
		if (strncmp(path, "host.work.", 10) == 0 && !strstr(path, ".cost"))
			return;
		if (constant.group != CONSTANT_GROUPS && is_cost(constant.unit) &&
			tree_real(value, &constant.value) == STATUS_OK &&
			(zeros || constant.value != 0) && constants->count < CONSTANTS_MAX)
			constants->at[constants->count++] = constant;
		return;
	}
	for (uint32_t i = 0; i < node->count; i++)
		constants_collect(constants, node->pairs[i].value,
			arena_printf(arena, "%s%s%s", path, path[0] ? "." : "", node->pairs[i].key),
			zeros, arena);
}

static struct constants constants_of(const char *platform, bool zeros, struct arena *arena)
{
	struct constants constants = {
		arena_array(arena, CONSTANTS_MAX, sizeof(struct constant)), 0};
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("platform", platform, strlen(platform), diag);

	if (tree)
		constants_collect(&constants, tree_root(tree), "", zeros, arena);
	tree_free(tree);
	diag_free(diag);
	return constants;
}

struct constants constants_read(const char *platform, struct arena *arena)
{
	return constants_of(platform, false, arena);
}

struct constants constants_read_all(const char *platform, struct arena *arena)
{
	return constants_of(platform, true, arena);
}
