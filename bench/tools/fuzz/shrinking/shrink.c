/* Shrinks a scenario (see trial.h). First removes ranges of steps: halves of the workload, then
 * quarters, and so on. Then tries single edits. Repeats both until no smaller scenario fails.
 * Several smaller scenarios, the candidates, are tried at the same time; the first candidate that
 * still fails is kept. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/run/runner.h"
#include "drawing.h"

enum { TRIALS_MAX = 2000 };

struct shrinking {
	struct trial_options options;
	const char *const *machines;
	char signature[TRIAL_SIGNATURE_BYTES];
	struct text best;
	uint32_t trials;
	/* the batch that is being tried */
	struct text *texts; /* [options.jobs] */
	bool *fails;
};

static struct tree *shrink_parse(const struct text *text, struct diag *diag)
{
	struct tree *tree = tree_read_text("scenario", text_string(text), text->length, diag);

	ensure(tree && diag_errors(diag) == 0, "a scenario of ours cannot be read:\n%s",
		text_string(text));
	return tree;
}

static void shrink_give_text(void *context, uint32_t number, struct text *out)
{
	const struct shrinking *shrinking = context;

	text_append(out, text_string(&shrinking->texts[number]));
}

static bool shrink_hear(void *context, uint32_t number, const struct trial_end *end)
{
	struct shrinking *shrinking = context;
	char signature[TRIAL_SIGNATURE_BYTES];

	trial_signature(end, signature, sizeof signature);
	shrinking->fails[number] =
		end->kind == TRIAL_FAILED && strcmp(signature, shrinking->signature) == 0;
	return true;
}

/* The candidates of a pass over the scenario, numbered from 0. */
struct pass {
	uint32_t (*count)(const struct shrinking *shrinking, const struct tree_node *root);
	const struct tree_node *(*candidate)(const struct shrinking *shrinking,
		const struct tree_node *root, uint32_t number, struct arena *arena);
};

/* Fills the batch with the texts of candidates, beginning with number `from`: one for each job, or
 * fewer if fewer are left. There are `count` candidates in all. Returns the number of candidates in
 * the batch. */
static uint32_t fill_batch(struct shrinking *shrinking, const struct pass *pass,
	const struct tree_node *root, uint32_t from, uint32_t count)
{
	uint32_t batch = 0;

	for (; batch < shrinking->options.jobs && from + batch < count; batch++) {
		struct arena arena;

		arena_init(&arena);
		text_clear(&shrinking->texts[batch]);
		compact_write(pass->candidate(shrinking, root, from + batch, &arena),
			&shrinking->texts[batch]);
		shrinking->fails[batch] = false;
		arena_fini(&arena);
	}
	return batch;
}

/* Tries the candidates from number `at` on, one candidate for each job. Sets *tried to the number
 * of candidates that were tried. If none of them fails, returns false. Otherwise the first that
 * fails becomes the best scenario: sets *which to its index in the batch, and returns true. */
static bool try_batch(struct shrinking *shrinking, const struct pass *pass, uint32_t at,
	uint32_t *tried, uint32_t *which)
{
	struct diag *diag = diag_new();
	struct tree *tree = shrink_parse(&shrinking->best, diag);
	uint32_t count = pass->count(shrinking, tree_root(tree));

	*tried = fill_batch(shrinking, pass, tree_root(tree), at, count);
	tree_free(tree);
	diag_free(diag);
	shrinking->trials += *tried;
	if (*tried > 0 &&
		!trials_run(&shrinking->options, *tried, shrink_give_text, shrink_hear, shrinking))
		*tried = 0;
	for (*which = 0; *which < *tried; ++*which) {
		if (!shrinking->fails[*which])
			continue;
		text_clear(&shrinking->best);
		text_append(&shrinking->best, text_string(&shrinking->texts[*which]));
		return true;
	}
	return false;
}

/* Tries the candidates of a pass, one batch after another, until none is left or TRIALS_MAX were
 * tried. Returns true if the scenario became smaller. */
static bool run_pass(struct shrinking *shrinking, const struct pass *pass)
{
	uint32_t at = 0, tried = 1, which;
	bool found = false;

	while (tried > 0 && shrinking->trials < TRIALS_MAX) {
		bool good = try_batch(shrinking, pass, at, &tried, &which);

		at += good ? which : tried;
		found |= good;
	}
	return found;
}

/* ---- ranges of steps: n/2 of n steps from each multiple of n/2 on, then n/4, and so on ---- */

static uint32_t shrink_steps_of(const struct tree_node *root)
{
	const struct tree_node *steps = tree_get(root, "workload");

	return steps && steps->kind == TREE_SEQUENCE ? steps->count : 0;
}

static uint32_t count_cuts(const struct shrinking *shrinking, const struct tree_node *root)
{
	uint32_t count = 0, steps = shrink_steps_of(root);

	(void)shrinking;
	for (uint32_t length = steps / 2; length > 1; length /= 2)
		count += steps / length;
	return count;
}

static const struct tree_node *shrink_cut(const struct shrinking *shrinking,
	const struct tree_node *root, uint32_t number, struct arena *arena)
{
	uint32_t steps = shrink_steps_of(root), length = steps / 2;

	(void)shrinking;
	for (; number >= steps / length; length /= 2)
		number -= steps / length;
	return edit_cut(root, number * length, length, arena);
}

/* ---- single edits ---- */

static uint32_t count_edits(const struct shrinking *shrinking, const struct tree_node *root)
{
	return edit_count(root, shrinking->machines);
}

static const struct tree_node *edit(const struct shrinking *shrinking, const struct tree_node *root,
	uint32_t number, struct arena *arena)
{
	return edit_apply(root, shrinking->machines, number, arena);
}

static const struct pass cuts = {count_cuts, shrink_cut}, edits = {count_edits, edit};

uint32_t shrink(const struct trial_options *options, const struct trial_end *end,
	const char *const *machines, struct text *text)
{
	struct shrinking shrinking = {.options = *options, .machines = machines};

	shrinking.options.once = end->code != EXIT_REFUSED;
	shrinking.texts = allocate(options->jobs, sizeof *shrinking.texts);
	shrinking.fails = allocate(options->jobs, sizeof *shrinking.fails);
	trial_signature(end, shrinking.signature, sizeof shrinking.signature);
	text_append(&shrinking.best, text_string(text));
	while (run_pass(&shrinking, &cuts) || run_pass(&shrinking, &edits))
		continue;
	text_clear(text);
	text_append(text, text_string(&shrinking.best));
	for (uint32_t i = 0; i < options->jobs; i++)
		text_fini(&shrinking.texts[i]);
	text_fini(&shrinking.best);
	free(shrinking.texts);
	free(shrinking.fails);
	return shrinking.trials;
}
