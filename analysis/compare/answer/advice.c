/* Says what to try next, with the command that does it (best.h): a choice that was not tried, a
 * guess that moves the margin, more seeds, other costs. Commands repeat the one that made the file,
 * so they work where that one did. */
#include <ctype.h>
#include <string.h>

#include "analysis/compare/best.h"
#include "analysis/print/wrap.h"
#include "base/tree.h"

enum { SEEDS_ASKED = 8, WORDS_MAX = 256 };

/* Words of the command line that made the file; one in quotes may hold blanks. */
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

static bool begins(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

/* True if the word is an option whose value is the next word. */
static bool has_value(const char *word)
{
	static const char *const options[] = {
		"-o", "-j", "--output", "--jobs", "--set", "--seed", "--world"};

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (strcmp(word, options[i]) == 0)
			return true;
	return false;
}

/* True if the new command gives this option itself, or must not repeat it. */
static bool is_dropped(const char *word)
{
	static const char *const options[] = {
		"-o", "--output", "--resume", "--json", "--wide", "--seed"};

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (begins(word, options[i]))
			return true;
	return false;
}

/* The command that made the file, without its output. NULL if it was none of `run`, or of several
 * scenarios. */
static const char *run_command(struct comparison *comparison)
{
	struct arena *arena = &comparison->arena;
	struct words words =
		words_of(result_text(comparison->summary.result, "/host", "command_line"), arena);
	const char *command = "meshsim run";
	uint32_t scenarios = 0;

	if (words.count < 3 || words.count == WORDS_MAX || strcmp(words.at[1], "run") != 0)
		return NULL;
	for (uint32_t i = 2; i < words.count; i++) {
		bool dropped = is_dropped(words.at[i]), valued = has_value(words.at[i]);
		scenarios += words.at[i][0] != '-';
		for (uint32_t k = 0; k <= (valued ? 1u : 0u) && i + k < words.count && !dropped;
			k++)
			command = arena_printf(arena, "%s %s", command, words.at[i + k]);
		i += valued;
	}
	return scenarios == 1 ? command : NULL;
}

/* The name of a scenario as a part of a file name that no shell splits. */
static const char *advice_file(const char *name, struct arena *arena)
{
	char *file = arena_copy(arena, name, strlen(name));

	for (char *c = file; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
			*c = '_';
	return file;
}

/* The command with another value of a key, into a file named for it. */
static const char *with_set(
	struct comparison *comparison, const char *key, const char *value, const char *name)
{
	struct arena *arena = &comparison->arena;
	const char *command = run_command(comparison);

	if (!command)
		return NULL;
	return arena_printf(arena, "%s --set=%s=%s --output=%s-%s.h5", command, key, value,
		advice_file(result_text(comparison->summary.result, "/", "scenario_name"), arena),
		name);
}

static void add_advice(struct advice *advice, uint32_t *count, const char *why, const char *command)
{
	if (command && *count < ADVICE_MAX)
		advice[(*count)++] = (struct advice){why, command};
}

/* More seeds, if one more would tell something that is not known. */
static void add_seeds_advice(struct comparison *comparison, const struct best *best,
	struct advice *advice, uint32_t *count)
{
	const struct sweep_points *points = &comparison->subjects[0].points;
	uint32_t asked = points->seeds < SEEDS_ASKED ? SEEDS_ASKED : 2 * points->seeds;

	if (best->first->exact || (best->decided && points->seeds > 1))
		return;
	add_advice(advice, count,
		arena_printf(&comparison->arena, "%u seeds, since %s", asked,
			points->seeds == 1 ? "one seed does not show how others differ"
					   : "the best two cannot be told apart yet"),
		with_set(comparison, "measure.seeds", arena_printf(&comparison->arena, "%u", asked),
			"seeds"));
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
				choice->part > 1
					? "all"
					: compare_percent(choice->part, &comparison->arena)),
			with_set(comparison, choice->key, choice->others[0], choice->name));
		return;
	}
}

static void add_constant_advice(struct comparison *comparison, const struct best *best,
	struct advice *advice, uint32_t *count)
{
	const struct constant *constant = best->rests.at;
	struct compare_change change;

	if (best->rests.count == 0)
		return;
	change = constant_change(constant, 1.3, &comparison->arena);
	add_advice(advice, count,
		arena_printf(&comparison->arena,
			"30 %% more %s (%g %s, %s, so worth measuring): moves the margin by %s "
			"of itself",
			constant->path, constant->value, constant->unit, constant->kind,
			compare_percent(constant->effect, &comparison->arena)),
		with_set(comparison, change.path, change.value, "constant"));
}

uint32_t advice_find(struct comparison *comparison, struct advice advice[ADVICE_MAX])
{
	struct best best;
	uint32_t count = 0;

	if (comparison->subject_count == 0 || summary_is_native(&comparison->summary) ||
		!best_first(comparison, &best) || !best.next)
		return 0;
	if (!best.decided)
		add_seeds_advice(comparison, &best, advice, &count);
	add_choice_advice(comparison, &best, advice, &count);
	add_constant_advice(comparison, &best, advice, &count);
	if (best.decided)
		add_seeds_advice(comparison, &best, advice, &count);
	if (!comparison->options->robust && comparison->file && best.decided)
		add_advice(advice, &count, "does it hold with other costs and networks?",
			arena_printf(&comparison->arena, "meshsim compare %s --robust",
				comparison->file));
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
