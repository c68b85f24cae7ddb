/* Suggests what to try next, with a command for each suggestion (best.h). For example, suggests to
 * try a choice that was not tried, to measure a guessed constant that affects the margin, to add
 * seeds, or to try other costs. The commands are derived from the command that made the result
 * file, so they work in the same folder. */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare/best.h"
#include "analysis/compare/sweep_iteration.h"
#include "analysis/compare/sweep_runs.h"
#include "analysis/compare/verdict_items.h"
#include "analysis/print/wrap.h"
#include "base/tree.h"

enum { SEEDS_ASKED = 8, WORDS_MAX = 256, FILES_MAX = 1000 };

/* Splits the command line that made the file into words. A quoted word may contain blanks. */
struct words {
	const char *at[WORDS_MAX];
	uint32_t count;
};

static struct words words_of(const char *line, struct arena *arena)
{
	struct words words = {.count = 0};

	for (line += strspn(line, " "); *line && words.count < WORDS_MAX;) {
		const char *end = line;
		char quote = '\0';
		for (; *end && (quote || *end != ' '); end++) {
			if (quote ? *end == quote : *end == '\'' || *end == '"')
				quote = quote ? '\0' : *end;
			else if (*end == '\\' && quote != '\'' && end[1])
				end++;
		}
		words.at[words.count++] = arena_copy(arena, line, (size_t)(end - line));
		line = end + strspn(end, " ");
	}
	return words;
}

/* True for options that the new command sets itself, or must not repeat. */
static bool is_dropped(const struct compare_option *option)
{
	static const char *const names[] = {"output", "resume", "json", "wide", "seed"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (option->name && strcmp(option->name, names[i]) == 0)
			return true;
	return false;
}

/* Returns the option with which a word of a command begins, and sets *rest to the option's value in
 * the word, or to "". Long names of options may be abbreviated. Returns NULL if the word is not an
 * option. */
static const struct compare_option *advice_option_of(
	const struct compare_option *options, const char *word, const char **rest)
{
	const struct compare_option *found = NULL;
	size_t length;

	word += word[0] == '\'' || word[0] == '"';
	if (word[0] != '-' || !word[1])
		return NULL;
	length = strcspn(word, "=");
	*rest = word + length + (word[length] == '=');
	for (const struct compare_option *option = options; option->name || option->letter;
		option++) {
		if (word[1] != '-' && word[1] == option->letter) {
			*rest = word + 2;
			return option;
		}
		if (word[1] != '-' || !option->name ||
			strncmp(option->name, word + 2, length - 2) != 0)
			continue;
		if (strlen(option->name) == length - 2)
			return option;
		found = option;
	}
	return found;
}

/* True if an option sets the key that the new command sets itself. */
static bool sets_key(const struct compare_option *option, const char *value, const char *key)
{
	size_t length = strlen(key);

	value += value[0] == '\'' || value[0] == '"';
	return option->name && strcmp(option->name, "set") == 0 &&
	       strncmp(value, key, length) == 0 && value[length] == '=';
}

/* Returns the command that made a file, without the options that is_dropped() names and without a
 * `--set` of `key`. Returns NULL if the command was not `meshsim run`, was too long, or did not
 * have exactly one scenario. */
static const char *run_command(
	struct comparison *comparison, struct result *result, const char *key)
{
	const struct compare_option *options = comparison->options->run_options;
	struct arena *arena = &comparison->arena;
	struct words words = words_of(result_text(result, "/host", "command_line"), arena);
	const char *command = "meshsim run";
	uint32_t scenarios = 0;

	if (!options || words.count < 3 || words.count == WORDS_MAX ||
		strcmp(words.at[1], "run") != 0)
		return NULL;
	for (uint32_t i = 2; i < words.count; i++) {
		const char *rest = "";
		const struct compare_option *option = advice_option_of(options, words.at[i], &rest);
		uint32_t more = option && option->has_value && !rest[0];
		const char *value = !more ? rest : i + 1 < words.count ? words.at[i + 1] : "";
		scenarios += option == NULL;
		for (uint32_t k = i; k <= i + more && k < words.count; k++)
			if (!option || !(is_dropped(option) || sets_key(option, value, key)))
				command = arena_printf(arena, "%s %s", command, words.at[k]);
		i += more;
	}
	return scenarios == 1 ? command : NULL;
}

/* Returns the name of a scenario, changed so that it needs no quotes in a file name. */
static const char *advice_file(const char *name, struct arena *arena)
{
	char *file = arena_copy(arena, name, strlen(name));

	for (char *c = file; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
			*c = '_';
	return file;
}

/* Returns a name for the new file. No file with this name exists. */
static const char *new_file(struct comparison *comparison, const char *name)
{
	struct arena *arena = &comparison->arena;
	const char *stem = arena_printf(arena, "%s-%s",
		advice_file(result_text(comparison->summary.result, "/", "scenario_name"), arena),
		name);
	const char *file = arena_printf(arena, "%s.h5", stem);

	for (int i = 2; access(file, F_OK) == 0 && i < FILES_MAX; i++)
		file = arena_printf(arena, "%s-%d.h5", stem, i);
	return file;
}

/* Returns the command that sets a key to another value. Its output file is named after this value.
 */
static const char *with_set(
	struct comparison *comparison, const char *key, const char *value, const char *name)
{
	struct arena *arena = &comparison->arena;
	const char *command = run_command(comparison, comparison->summary.result, key);

	if (!command)
		return NULL;
	return arena_printf(arena, "%s --set=%s=%s --output=%s", command, key, value,
		new_file(comparison, name));
}

static void add_advice(struct advice *advice, uint32_t *count, const char *why, const char *command)
{
	if (command && *count < ADVICE_MAX)
		advice[(*count)++] = (struct advice){why, command};
}

static uint32_t seeds_asked(const struct comparison *comparison)
{
	uint32_t seeds = comparison->subjects[0].points.seeds;

	return seeds < SEEDS_ASKED ? SEEDS_ASKED : 2 * seeds;
}

/* Advises more seeds for each of the two files that are compared. */
static void add_seeds_of_pair(
	struct comparison *comparison, const char *since, struct advice *advice, uint32_t *count)
{
	struct arena *arena = &comparison->arena;
	uint32_t seeds = seeds_asked(comparison);

	for (int f = 0; f < 2; f++) {
		const char *command = run_command(
			comparison, comparison->pair->summaries[f].result, "measure.seeds");
		const char *name = f == 0 ? "seeds" : "seeds-second";

		if (!command)
			continue;
		add_advice(advice, count,
			arena_printf(arena, "%u seeds of %s%s%s", seeds, comparison->pair->files[f],
				f == 0 ? ", since " : ", too", f == 0 ? since : ""),
			arena_printf(arena, "%s --set=measure.seeds=%u --output=%s", command, seeds,
				new_file(comparison, name)));
	}
}

static void add_seeds_advice(
	struct comparison *comparison, const char *since, struct advice *advice, uint32_t *count)
{
	if (comparison->pair) {
		add_seeds_of_pair(comparison, since, advice, count);
		return;
	}
	add_advice(advice, count,
		arena_printf(
			&comparison->arena, "%u seeds, since %s", seeds_asked(comparison), since),
		with_set(comparison, "measure.seeds",
			arena_printf(&comparison->arena, "%u", seeds_asked(comparison)), "seeds"));
}

/* True if the sweep sets a key. Values of a sweep override those of --set, so a command could not
 * set the key for all runs. */
static bool advice_is_swept(const struct summary *summary, const char *path)
{
	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (strcmp(swept_key(summary, i), path) == 0)
			return true;
	return false;
}

/* Advises more rounds (iterations of the loop) if no steady state was found in the context
 * question->focus. Does nothing if the sweep sets the number of rounds. */
static void add_rounds_advice(struct comparison *comparison, const struct question *question,
	struct advice *advice, uint32_t *count)
{
	const struct context *focus = &question->contexts[question->focus];
	const struct sweep_point *point = focus->count > 0 ? focus->points[focus->order[0]] : NULL;
	const char *step = strchr(question->points->kind, '/'), *path = NULL, *text;
	uint32_t rounds;

	if (!point || focus->needed == 0 || point->operations == 0)
		return;
	rounds = sweep_repeat_rounds(
		point->summary, point->row, step ? step + 1 : NULL, &path, &comparison->arena);
	if (rounds == 0 || advice_is_swept(&comparison->summary, path))
		return;
	text = arena_printf(&comparison->arena, "%.0f",
		ceil((double)rounds * focus->needed * point->seeds / (double)point->operations));
	add_advice(advice, count,
		arena_printf(&comparison->arena,
			"%s rounds, since %u show no steady state of the operations in flight",
			text, rounds),
		with_set(comparison, path, text, "rounds"));
}

/* If only one round of a loop remains after the warm-up, advises to make MARGIN_SAMPLES_LEAST more
 * rounds. Does nothing if the number of rounds is a key of the sweep. */
static void add_one_left_advice(struct comparison *comparison, const struct question *question,
	struct advice *advice, uint32_t *count)
{
	const struct sweep_run *run = question->points->run;
	const struct context *focus = &question->contexts[question->focus];
	const char *path = NULL, *text;
	uint32_t rounds;

	if (!run || !run->one_left || run->of_loops || focus->count == 0)
		return;
	rounds = sweep_repeat_rounds(focus->points[focus->order[0]]->summary,
		focus->points[focus->order[0]]->row, NULL, &path, &comparison->arena);
	if (rounds == 0 || advice_is_swept(&comparison->summary, path))
		return;
	text = arena_printf(&comparison->arena, "%u", rounds + MARGIN_SAMPLES_LEAST);
	add_advice(advice, count,
		arena_printf(&comparison->arena,
			"%s rounds, since the warm-up leaves one of %u, and a round lasts until "
			"the "
			"next begins",
			text, rounds),
		with_set(comparison, path, text, "rounds"));
}

/* Advises more rounds for the first question whose verdict needs them: no steady state was found,
 * or the verdict is about a single round of a loop. */
static void add_first_rounds_advice(
	struct comparison *comparison, struct advice *advice, uint32_t *count)
{
	uint32_t before = *count;

	for (uint32_t s = 0; s < comparison->subject_count; s++)
		for (uint32_t i = 0; i < comparison->subjects[s].questions.count; i++)
			if (*count == before) {
				const struct question *question =
					&comparison->subjects[s].questions.at[i];
				add_rounds_advice(comparison, question, advice, count);
				add_one_left_advice(comparison, question, advice, count);
			}
}

/* Advises to ask about the whole run if a question has no steady state and nothing else was
 * advised, for example because equal steps were folded into a loop that the file does not have. */
static void add_run_advice(struct comparison *comparison, const struct best *best,
	struct advice *advice, uint32_t *count)
{
	const struct questions *questions = &comparison->subjects[0].questions;

	if (best || *count > 0 || questions->count == 0 || comparison->options->step ||
		!comparison->file || questions->at[0].contexts[questions->at[0].focus].needed == 0)
		return;
	add_advice(advice, count, "the run as a whole, since a part of it shows no steady state",
		arena_printf(&comparison->arena, "meshsim compare %s --step=run",
			advice_word(comparison->file, &comparison->arena)));
}

/* True if more seeds may decide between the best two options in the question's focus (the context
 * in which the verdict is explained). This is not so if the options are nearly equal, or if there
 * are many seeds already. */
static bool is_short_of_seeds(const struct question *question)
{
	const struct context *focus = &question->contexts[question->focus];

	const struct sweep_point *best;

	if (focus->count < 2 || focus->tied < 2 || focus->needed ||
		!margin_may_decide(&focus->margins[focus->order[1]]))
		return false;
	best = focus->points[focus->order[0]];
	return seeds_are_few(best) || (best->native && best->seeds == 1);
}

/* Returns a text that names the first verdict that needs more seeds, and says why: it may change
 * with more seeds, or there are too few seeds to find a winner. Returns NULL if no verdict needs
 * more seeds. */
static const char *question_since(const struct comparison *comparison, struct arena *arena)
{
	for (uint32_t s = 0; s < comparison->subject_count; s++)
		for (uint32_t i = 0; i < comparison->subjects[s].questions.count; i++) {
			const struct question *question = &comparison->subjects[s].questions.at[i];
			if (question->hint)
				return arena_printf(arena,
					"the verdict on %s may flip, and %u do not show it",
					question->label, question->points->seeds);
			if (is_short_of_seeds(question))
				return arena_printf(arena, "%u do not decide %s",
					question->points->seeds, question->label);
		}
	return NULL;
}

/* True if more seeds may show whether the best point is better than the next best. They do not help
 * if results are exact, if the two points are equal, if a point has too few operations for a steady
 * state, or if even the upper end of the margin's interval is too small to decide. They are not
 * needed if several seeds have already decided. */
static bool seeds_may_help(const struct best *best, uint32_t seeds)
{
	const struct margin *margin = &best->margin;

	if (best->first->exact || margin->ratio < COMPARE_EQUAL || !margin_may_decide(margin))
		return false;
	if (best->first->needed > 0 || best->next->needed > 0)
		return false; /* more operations would help, not more seeds */
	return seeds == 1 || (!best->decided && (margin->few || margin->chance > margin->level ||
							margin->ratio < MARGIN_LEAST));
}

/* Says why the best point needs more seeds. Returns NULL if it needs no more seeds. */
static const char *best_since(const struct comparison *comparison, const struct best *best)
{
	uint32_t seeds = comparison->subjects[0].points.seeds;

	if (!seeds_may_help(best, seeds))
		return NULL;
	return seeds == 1 ? "one seed does not show how others differ"
			  : "the best two cannot be told apart yet";
}

static void add_choice_advice(struct comparison *comparison, const struct best *best,
	struct advice *advice, uint32_t *count)
{
	for (uint32_t i = 0; i < best->choices.count; i++) {
		const struct design_choice *choice = &best->choices.at[i];
		if (choice->other_count == 0)
			continue;
		add_advice(advice, count,
			arena_printf(&comparison->arena,
				"%s %s instead of %s: %s of the margin acts through this choice",
				choice->name, choice->others[0], choice->value,
				choice->part > 0.995
					? "all"
					: compare_percent(choice->part, &comparison->arena)),
			with_set(comparison, choice->key, choice->others[0], choice->name));
		return;
	}
}

/* True if the sweep sets the constant at `path`, or sets the platform that contains this constant.
 */
static bool is_constant_swept(const struct summary *summary, const char *path)
{
	static const char extends[] = "platform.extends";
	bool swept = advice_is_swept(summary, path) || advice_is_swept(summary, "platform");

	for (uint32_t i = 0; i < summary->swept_count && !swept; i++)
		swept = strncmp(swept_key(summary, i), extends, strlen(extends)) == 0;
	return swept;
}

static void add_constant_advice(struct comparison *comparison, const struct best *best,
	struct advice *advice, uint32_t *count)
{
	const struct constant *constant = best->rests.at;
	struct compare_change change;

	if (best->rests.count == 0)
		return;
	change = constant_change(constant, 1.3, &comparison->arena);
	if (is_constant_swept(&comparison->summary, change.path))
		return;
	add_advice(advice, count,
		arena_printf(&comparison->arena,
			"30 %% more %s (%g %s, %s, so worth measuring): moves the margin %s",
			constant->path, constant->value, constant->unit, constant->kind,
			verdict_effect_text(constant->effect, &comparison->arena)),
		with_set(comparison, change.path, change.value, "constant"));
}

/* Returns the `compare` command that repeats the question with --robust. */
static const char *robust_command(struct comparison *comparison)
{
	const struct compare_options *options = comparison->options;
	const struct {
		const char *option, *value;
	} asked[] = {{"kind", options->kind}, {"step", options->step},
		{"program", options->program}, {"metric", options->metric}};
	struct arena *arena = &comparison->arena;
	const char *command = arena_printf(
		arena, "meshsim compare %s --robust", advice_word(comparison->file, arena));

	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
		if (asked[i].value)
			command = arena_printf(arena, "%s --%s %s", command, asked[i].option,
				advice_word(asked[i].value, arena));
	return command;
}

uint32_t advice_find(struct comparison *comparison, struct advice advice[ADVICE_MAX])
{
	const struct best *best;
	const char *since, *later = NULL;
	uint32_t count = 0;

	if (comparison->subject_count == 0)
		return 0;
	since = question_since(comparison, &comparison->arena);
	best = best_first(comparison);
	best = best && best->next ? best : NULL;
	if (!since && best && !best->decided)
		since = best_since(comparison, best);
	else if (!since && best)
		later = best_since(comparison, best);
	if (since)
		add_seeds_advice(comparison, since, advice, &count);
	add_first_rounds_advice(comparison, advice, &count);
	add_run_advice(comparison, best, advice, &count);
	if (!best || summary_is_native(&comparison->summary))
		return count;
	add_choice_advice(comparison, best, advice, &count);
	add_constant_advice(comparison, best, advice, &count);
	if (later)
		add_seeds_advice(comparison, later, advice, &count);
	if (!comparison->options->robust && comparison->file && best->decided)
		add_advice(advice, &count, "does it hold with other costs and networks?",
			robust_command(comparison));
	return count;
}

void advice_print(struct comparison *comparison, FILE *out)
{
	struct advice advice[ADVICE_MAX];
	uint32_t count = advice_find(comparison, advice);

	if (count > 0)
		fputs("\nto try next\n", out);
	for (uint32_t i = 0; i < count; i++) {
		wrap_print("-", advice[i].why, 2, 4, comparison->columns, out);
		wrap_hang(advice[i].command, 4, 8, comparison->columns, " \\", out);
	}
}

void advice_json(struct comparison *comparison, struct json *json)
{
	struct advice advice[ADVICE_MAX];
	uint32_t count = advice_find(comparison, advice);

	json_array_of(json, "advice");
	for (uint32_t i = 0; i < count; i++) {
		json_object(json);
		json_text(json, "why", advice[i].why);
		json_text(json, "command", advice[i].command);
		json_object_end(json);
	}
	json_array_end(json);
}
