/* label: full
 * Tests the verdicts of `compare` about designs whose runs fail in some contexts. The test writes
 * the result files itself (planted.h); nothing is simulated. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare.h"
#include "base/tree.h"
#include "json_tree.h"
#include "planted.h"
#include "shell.h"

enum { CASE_RUNS_MAX = 8 };

struct end {
	const char *option, *context, *status;
};

struct survival_case {
	const char *what;
	struct planted_run runs[CASE_RUNS_MAX];
	const char *outcome, *winner; /* winner: NULL: none */
	const char *says[3];	      /* parts of the sentence or of the text output */
	struct end ends[3];
};

#define RUN(letter, place, us)                                                                     \
	{                                                                                          \
		.design = letter, .size = place, .copy = (us)*1000000, .dispatch = 1000000         \
	}
#define DEAD(letter, place, end)                                                                   \
	{                                                                                          \
		.design = letter, .size = place, .copy = 1000000, .dispatch = 1, .status = end     \
	}

static const struct survival_case cases[] = {
	{"the winner fails in some context",
		{RUN("a", 1, 5), RUN("b", 1, 9), DEAD("a", 2, "hazard"), RUN("b", 2, 9)}, "depends",
		NULL,
		{"a wins where it survives (1 of 2 contexts), and ends with hazard at size=2; b "
		 "takes",
			NULL},
		{{"a", "size=2", "hazard"}}},
	{"the winner of all contexts but one, in which it fails",
		{RUN("a", 1, 5), RUN("b", 1, 9), RUN("a", 2, 6), RUN("b", 2, 9),
			DEAD("a", 3, "stalled"), RUN("b", 3, 9)},
		"depends", NULL, {"a wins where it survives (2 of 3 contexts)"},
		{{"a", "size=3", "stalled"}}},
	{"the runner-up fails in some context",
		{RUN("a", 1, 5), RUN("b", 1, 9), RUN("a", 2, 5), DEAD("b", 2, "hazard")}, "wins",
		"a", {"a wins; b takes", "b ends with hazard at size=2: no margin there"},
		{{"b", "size=2", "hazard"}}},
	{"all fail in one context",
		{RUN("a", 1, 5), RUN("b", 1, 9), DEAD("a", 2, "limit"), DEAD("b", 2, "hazard")},
		"depends", NULL,
		{"a wins where it survives (1 of 2 contexts), and ends with limit at size=2",
			"b ends with hazard at size=2"},
		{{"a", "size=2", "limit"}, {"b", "size=2", "hazard"}}},
	{"the only rival fails everywhere",
		{RUN("a", 1, 5), DEAD("b", 1, "hazard"), RUN("a", 2, 5), DEAD("b", 2, "hazard")},
		"undecided", NULL,
		{"b ends with hazard at size=1 and at size=2; those that survive "
		 "have no rival, which is no win by a margin"},
		{{"b", "size=1", "hazard"}, {"b", "size=2", "hazard"}}},
	{"each survives where the other fails",
		{RUN("a", 1, 5), DEAD("b", 1, "hazard"), DEAD("a", 2, "hazard"), RUN("b", 2, 9)},
		"undecided", NULL,
		{"a ends with hazard at size=2, b ends with hazard at size=1; those that survive"},
		{{"b", "size=1", "hazard"}, {"a", "size=2", "hazard"}}},
	{"a third design fails", {RUN("a", 1, 5), RUN("b", 1, 9), DEAD("c", 1, "stalled")}, "wins",
		"a", {"a wins; b takes", "c ends with stalled at size=1: no margin there"},
		{{"c", "size=1", "stalled"}}},
	{"one of equal designs fails in a context",
		{RUN("a", 1, 5), RUN("b", 1, 5), RUN("a", 2, 5), DEAD("b", 2, "hazard")},
		"undecided", NULL, {"a and b are equal", "b ends with hazard at size=2"},
		{{"b", "size=2", "hazard"}}},
	{"a design that does not fit the machine of one context",
		{RUN("a", 1, 5), RUN("b", 1, 9), DEAD("a", 2, "refused"), RUN("b", 2, 9)},
		"depends", NULL, {"and is refused at size=2"}, {{"a", "size=2", "refused"}}},
	{"a run that was killed from outside says nothing",
		{RUN("a", 1, 5), RUN("b", 1, 9), DEAD("a", 2, "lost"), RUN("b", 2, 9)}, "wins", "a",
		{"a wins; b takes"}, {{NULL, NULL, NULL}}},
	{"one of several seeds fails",
		{RUN("a", 1, 5), RUN("b", 1, 9), RUN("a", 2, 5),
			{.design = "a", .size = 2, .seed = 1, .status = "hazard"}, RUN("b", 2, 9)},
		"depends", NULL, {"a wins where it survives (1 of 2 contexts)"},
		{{"a", "size=2", "hazard"}}},
};

enum { CASES = sizeof cases / sizeof *cases };

static char *compared(const char *path, bool json)
{
	struct compare_options options = {.json = json, .metric = "latency"};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(analysis_compare(path, &options, NULL, out), 0);
	fclose(out);
	return text;
}

/* Replaces line ends and the spaces after them by one space, as a sentence is wrapped. */
static void unwrap(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ' ' && *from != '\n')
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

static uint32_t wrong;

static void expect(const struct survival_case *planted, const char *what, const char *seen,
	const char *expected)
{
	if (strcmp(seen, expected) == 0)
		return;
	print_error("%s: %s is '%s', not '%s'\n", planted->what, what, seen, expected);
	wrong++;
}

static const char *text_at(const struct tree_node *root, const char *at)
{
	const struct tree_node *node = tree_find(root, at);

	return node && node->kind == TREE_SCALAR ? node->text : "";
}

static void expect_ends(const struct survival_case *planted, const struct tree_node *root)
{
	const struct tree_node *ends = tree_find(root, "questions.0.ends");
	uint32_t count = 0;

	for (; count < 3 && planted->ends[count].option; count++) {
		const struct end *end = &planted->ends[count];
		const struct tree_node *item =
			ends && count < ends->count ? ends->items[count] : root;

		expect(planted, "an option that fails", text_at(item, "option"), end->option);
		expect(planted, "its context", text_at(item, "context"), end->context);
		expect(planted, "its end", text_at(item, "status"), end->status);
	}
	if (!ends || ends->count != count) {
		print_error("%s: %u ends, not %u\n", planted->what, ends ? ends->count : 0, count);
		wrong++;
	}
}

static void judge(const struct survival_case *planted)
{
	char path[400], *json, *text;
	uint32_t count = 0;
	struct tree *tree;
	const struct tree_node *root;
	const char *winner;

	while (count < CASE_RUNS_MAX && planted->runs[count].design)
		count++;
	snprintf(path, sizeof path, "%s/planted.h5", shell_folder);
	planted_write(path, shell_folder, planted->runs, count);
	text = compared(path, false);
	json = compared(path, true);
	tree = json_tree(json);
	root = tree_root(tree);
	unwrap(text);
	expect(planted, "the outcome", text_at(root, "questions.0.outcome"), planted->outcome);
	winner = tree_is_null(tree_find(root, "questions.0.winner"))
			 ? "none"
			 : text_at(root, "questions.0.winner");
	expect(planted, "the winner", winner, planted->winner ? planted->winner : "none");
	for (int i = 0; i < 3 && planted->says[i]; i++)
		if (!strstr(text, planted->says[i])) {
			print_error(
				"%s: '%s' is not in '%s'\n", planted->what, planted->says[i], text);
			wrong++;
		}
	expect_ends(planted, root);
	tree_free(tree);
	free(text);
	unlink(path);
}

TEST(a_failed_run_is_part_of_the_verdict_and_no_margin)
{
	for (int i = 0; i < CASES; i++)
		judge(&cases[i]);
	assert_int_equal(wrong, 0);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
