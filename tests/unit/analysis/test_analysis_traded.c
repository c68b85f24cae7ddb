/* label: full
 * Tests the verdicts of `compare` over several contexts. In some contexts another figure
 * contradicts the metric; in others, there are too few seeds to find a winner. The test chooses the
 * results of the runs. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare.h"
#include "base/tree.h"
#include "json_tree.h"
#include "planted_load.h"
#include "shell.h"

enum { PLACES_MAX = 3, SEEDS_MAX = 10 };

/* What designs a and b need at one place: the time of a copy in us, and the host CPU per operation.
 */
struct traded_place {
	int64_t copy[2], busy[2];
};

struct traded_case {
	const char *what;
	struct traded_place places[PLACES_MAX];
	uint64_t seeds;
	double own_noise;
	const char *outcome;
	const char *verdict; /* part of the sentence */
	const char *text;    /* part of the text output; NULL: any */
	const char *hint;    /* part of the hint; NULL: there is none */
	uint32_t crossovers;
};

static const struct traded_case cases[] = {
	{"one winner of two is contradicted", {{{10, 15}, {40, 20}}, {{35, 25}, {20, 20}}}, 1, 0,
		"depends", "depends: a wins in none of 2 contexts, is a trade-off in 1; b takes",
		"b wins by ", NULL, 1},
	{"the other one is contradicted", {{{10, 15}, {20, 20}}, {{35, 25}, {20, 40}}}, 1, 0,
		"depends", "depends: a wins in 1 of 2 contexts; b takes",
		"as a trade-off at bytes=200", NULL, 1},
	{"both winners are contradicted", {{{10, 15}, {40, 20}}, {{35, 25}, {20, 40}}}, 1, 0,
		"trade-off", "trade-off: a is sooner", "as a trade-off at bytes=200", NULL, 1},
	{"the winner is contradicted in one context of three",
		{{{10, 15}, {20, 20}}, {{20, 25}, {40, 20}}, {{30, 40}, {20, 20}}}, 1, 0, "wins",
		"a wins in 2 of 3 contexts by 30.7 to 39.7 %, is a trade-off in 1",
		"as a trade-off at bytes=200", NULL, 0},
	{"another one wins in one of three, and the winner is a trade-off in one",
		{{{10, 15}, {20, 20}}, {{20, 25}, {40, 20}}, {{40, 30}, {20, 20}}}, 1, 0, "depends",
		"depends: a wins in 1 of 3 contexts, is a trade-off in 1",
		"as a trade-off at bytes=200", NULL, 1},
	{"the winner is contradicted in two of three",
		{{{10, 15}, {20, 20}}, {{20, 25}, {40, 20}}, {{30, 40}, {40, 20}}}, 1, 0,
		"trade-off", "trade-off: a is sooner", NULL, NULL, 0},
	{"two seeds do not show that the winner changes",
		{{{10, 13}, {20, 20}}, {{33, 25}, {20, 20}}}, 2, 0.05, "undecided",
		"more seeds may decide it: measure.seeds",
		"flips      perhaps from a to b between bytes = 100 and 200, but 2 seeds",
		"perhaps from a to b between bytes = 100 and 200, but 2 seeds do not show it", 0},
	{"ten seeds do", {{{10, 13}, {20, 20}}, {{33, 25}, {20, 20}}}, 10, 0.05, "depends",
		"depends: a wins in 1 of 2 contexts", NULL, NULL, 1},
	{"two seeds of designs of which one is the better at both places",
		{{{10, 13}, {20, 20}}, {{25, 33}, {20, 20}}}, 2, 0.05, "undecided",
		"more seeds may decide it: measure.seeds", NULL, NULL, 0},
};

enum { CASES = sizeof cases / sizeof *cases };

static void write_case(const char *path, const struct traded_case *planted)
{
	static struct planted_load loads[2 * PLACES_MAX * SEEDS_MAX];
	uint32_t count = 0;

	for (int p = 0; p < PLACES_MAX && planted->places[p].copy[0]; p++)
		for (int d = 0; d < 2; d++)
			for (uint64_t seed = 1; seed <= planted->seeds; seed++)
				loads[count++] = (struct planted_load){.design = d ? "b" : "a",
					.at = 100 * (p + 1),
					.seed = seed,
					.operations = 60,
					.copy = 1000000 * planted->places[p].copy[d],
					.dispatch = 1000000,
					.worker = 1000000,
					.own_noise = planted->own_noise,
					.busy = 1000000 * planted->places[p].busy[d],
					.scenario = planted->own_noise > 0
							    ? NULL
							    : "model:\n  noise: off\n"};
	planted_load_write(path, shell_folder, "workload.bytes", loads, count);
}

static char *compared(const char *path, bool json)
{
	struct compare_options options = {.json = json};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(analysis_compare(path, &options, NULL, out), 0);
	fclose(out);
	return text;
}

static uint32_t wrong;

static void expect(const struct traded_case *planted, const char *what, const char *seen,
	const char *expected, bool part)
{
	if (part ? strstr(seen, expected) != NULL : strcmp(seen, expected) == 0)
		return;
	print_error("%s: %s is '%s', not '%s'\n", planted->what, what, seen, expected);
	wrong++;
}

static const char *text_at(const struct tree_node *root, const char *at)
{
	const struct tree_node *node = tree_find(root, at);

	return node && node->kind == TREE_SCALAR && !tree_is_null(node) ? node->text : "none";
}

static void judge(const struct traded_case *planted)
{
	char path[400], *text;
	struct tree *tree;
	const struct tree_node *root, *crossovers;

	snprintf(path, sizeof path, "%s/planted.h5", shell_folder);
	write_case(path, planted);
	text = compared(path, false);
	tree = json_tree(compared(path, true));
	root = tree_root(tree);
	expect(planted, "the outcome", text_at(root, "questions.0.outcome"), planted->outcome,
		false);
	expect(planted, "the verdict", text_at(root, "questions.0.verdict"), planted->verdict,
		true);
	expect(planted, "the hint", text_at(root, "questions.0.hint"),
		planted->hint ? planted->hint : "none", planted->hint != NULL);
	if (planted->text)
		expect(planted, "the text", text, planted->text, true);
	crossovers = tree_find(root, "questions.0.crossovers");
	if (!crossovers || crossovers->count != planted->crossovers) {
		print_error("%s: %u crossovers, not %u\n", planted->what,
			crossovers ? crossovers->count : 0, planted->crossovers);
		wrong++;
	}
	tree_free(tree);
	free(text);
	unlink(path);
}

TEST(contexts_with_contradictions_or_few_seeds_are_no_wins)
{
	for (int i = 0; i < CASES; i++)
		judge(&cases[i]);
	assert_int_equal(wrong, 0);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
