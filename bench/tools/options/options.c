/* Fills a command's struct of options from its table (see bench/tools/options/option.h). argp
 * splits the command line and prints usage and help. Options that are not in the table are
 * errors. */
#include <argp.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/nearest.h"
#include "bench/tools/options/option.h"
#include "option_list.h"

enum { KEY_FIRST = 256 }; /* argp keys of options without a letter */

struct parsing {
	const struct command *command;
	char *options; /* the struct of the command */
	bool given[OPTIONS_MAX];
};

/* The data that argp needs for a command. */
struct argp_table {
	struct argp argp;
	struct argp_option options[OPTIONS_MAX + 1];
	char synopsis[256];
};

struct compare_options question_compare(const struct question_options *options)
{
	struct compare_options compare = options->compare;

	compare.by = (const char *const *)options->by.at;
	compare.by_count = options->by.count;
	return compare;
}

uint32_t options_usable_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof cores, &cores) != 0)
		return 1;
	return (uint32_t)CPU_COUNT(&cores);
}

/* True if the text is a whole number from `least` to `most`. */
static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *number >= least &&
	       *number <= most;
}

/* The prefix of messages about an option: "--world: "; "" for an argument. */
static const char *prefix(const struct option_row *option, char *text, size_t size)
{
	snprintf(text, size, option->name ? "--%s: " : "", option->name);
	return text;
}

static uint64_t number_of(
	const struct option_row *option, const char *text, struct argp_state *state)
{
	uint64_t number = 0;
	char name[64];

	if (!read_number(text, option->least, option->most, &number))
		argp_error(state, "%s'%s' is no number from %llu to %llu",
			prefix(option, name, sizeof name), text, (unsigned long long)option->least,
			(unsigned long long)option->most);
	return number;
}

static uint32_t run_of(const char *text, struct argp_state *state)
{
	uint64_t number = 0;

	if (!read_number(text, 0, UINT32_MAX, &number))
		argp_error(state, "'%s' is no number of a run", text);
	return (uint32_t)number;
}

static uint32_t choice_of(
	const struct option_row *option, const char *text, struct argp_state *state)
{
	size_t length = strlen(text);
	const char *at = option->value;
	char name[64];

	for (uint32_t choice = 0; *at; choice++) {
		size_t word = strcspn(at, "|");

		if (word == length && memcmp(at, text, length) == 0)
			return choice;
		at += word + (at[word] == '|');
	}
	argp_error(state, "%sexpected %s, not '%s'", prefix(option, name, sizeof name),
		option->value, text);
	return 0;
}

static void store(
	const struct option_row *option, char *text, void *member, struct argp_state *state)
{
	struct option_texts *texts = member;

	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)member = true;
		break;
	case OPTION_TEXT:
		*(const char **)member = text;
		break;
	case OPTION_TEXTS:
		texts->at[texts->count++] = text;
		break;
	case OPTION_NUMBER:
		*(struct option_number *)member =
			(struct option_number){true, number_of(option, text, state)};
		break;
	case OPTION_COUNT:
		*(uint32_t *)member = (uint32_t)number_of(option, text, state);
		break;
	case OPTION_RUN:
		*(uint32_t *)member = run_of(text, state);
		break;
	case OPTION_CHOICE:
		*(uint32_t *)member = choice_of(option, text, state);
		break;
	case OPTION_END:
	case OPTION_COMMAND_LINE:
		break;
	}
}

/* Returns the row for a key of argp, or the row of the next argument. NULL if there is none. */
static const struct option_row *options_find(const struct parsing *parsing, int key)
{
	const struct option_row *options = parsing->command->work->options;

	for (int i = 0; options && options[i].kind; i++) {
		bool is_argument = !options[i].name && options[i].value;

		if (key == ARGP_KEY_ARG && is_argument &&
			(!parsing->given[i] || options[i].kind == OPTION_TEXTS))
			return &options[i];
		if (options[i].name &&
			key == (options[i].letter ? options[i].letter : KEY_FIRST + i))
			return &options[i];
	}
	return NULL;
}

static void refuse_argument(
	const struct command *command, const char *text, struct argp_state *state)
{
	const char *extra = NULL;

	for (const struct option_row *option = command->work->options; option && option->kind;
		option++)
		extra = option->extra ? option->extra : extra;
	if (extra)
		argp_error(state, "%s", extra);
	argp_error(state, "unexpected argument '%s'", text);
}

/* Checks at the end that required options were given, and that all options fit together. */
static void options_check(const struct parsing *parsing, struct argp_state *state)
{
	const struct option_row *options = parsing->command->work->options;
	struct text why;

	for (int i = 0; options && options[i].kind; i++)
		if (options[i].missing && !parsing->given[i])
			argp_error(state, "%s", options[i].missing);
	text_init(&why);
	if (parsing->command->work->check && !parsing->command->work->check(parsing->options, &why))
		argp_error(state, "%s", text_string(&why));
	text_fini(&why);
}

static error_t options_parse(int key, char *text, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	const struct option_row *option;

	/* argp_help() passes no input */
	if (!parsing)
		return ARGP_ERR_UNKNOWN;
	if (key == ARGP_KEY_END) {
		options_check(parsing, state);
		return 0;
	}
	option = options_find(parsing, key);
	if (!option && key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (!option) {
		refuse_argument(parsing->command, text, state);
		return 0;
	}
	parsing->given[option - parsing->command->work->options] = true;
	store(option, text, parsing->options + option->offset, state);
	return 0;
}

static void options_make_table(const struct command *command, struct argp_table *table)
{
	const struct option_row *option = command->work->options;
	uint32_t count = 0;

	*table = (struct argp_table){.argp = {.options = table->options, .parser = options_parse}};
	for (int i = 0; option && option[i].kind; i++) {
		ensure(i < OPTIONS_MAX, "'%s' has %d options", command->name, i);
		if (option[i].name)
			table->options[count++] = (struct argp_option){option[i].name,
				option[i].letter ? option[i].letter : KEY_FIRST + i,
				option[i].value, 0, option[i].help, 0};
	}
	option_synopsis(command, table->synopsis, sizeof table->synopsis);
	table->argp.args_doc = table->synopsis[0] ? table->synopsis : NULL;
	table->argp.doc = command->doc;
}

/* True if a shell reads the word unchanged without quotes. */
static bool is_plain(const char *word)
{
	return word[0] && word[strcspn(word, " \t\n'\"\\$`!*?[]{}()<>|&;#~")] == '\0';
}

/* Appends a word, in quotes if a shell would otherwise change it. */
static void options_quote(struct text *text, const char *word)
{
	if (is_plain(word)) {
		text_append(text, word);
		return;
	}
	text_append(text, "'");
	for (; *word; word++)
		if (*word == '\'')
			text_append(text, "'\\''");
		else
			text_printf(text, "%c", *word);
	text_append(text, "'");
}

/* Joins the words of a command line with blanks. Quotes words where needed, so that a shell splits
 * the text into the same words again. The first word is "meshsim NAME". */
static char *options_join(int argc, char **argv)
{
	struct text text;

	text_init(&text);
	for (int i = 0; i < argc; i++) {
		text_append(&text, i ? " " : "");
		if (i == 0)
			text_append(&text, argv[i]);
		else
			options_quote(&text, argv[i]);
	}
	return text.bytes;
}

/* Sets defaults. Allocates each list of texts with room for all words of the command line. */
static void options_start(const struct command *command, char *options, int argc, char **argv)
{
	for (const struct option_row *option = command->work->options; option && option->kind;
		option++) {
		void *member = options + option->offset;

		if (option->kind == OPTION_TEXTS) {
			((struct option_texts *)member)->at =
				allocate((size_t)argc, sizeof(char *));
		}
		if (option->kind == OPTION_COUNT)
			*(uint32_t *)member = option->fallback == OPTION_USABLE_CORES
						      ? options_usable_cores()
						      : option->fallback;
		if (option->kind == OPTION_COMMAND_LINE)
			*(char **)member = options_join(argc, argv);
	}
}

static void options_end(const struct command *command, char *options)
{
	for (const struct option_row *option = command->work->options; option && option->kind;
		option++) {
		void *member = options + option->offset;

		if (option->kind == OPTION_TEXTS)
			free(((struct option_texts *)member)->at);
		if (option->kind == OPTION_COMMAND_LINE)
			free(*(char **)member);
	}
	free(options);
}

/* Returns true if `word` is an option whose value is the next word of the command line. `word` is,
 * for example, "--output" or "-o". */
static bool wants_value(const struct option_list *list, const char *word)
{
	for (uint32_t i = 0; i < list->count; i++) {
		const struct option_row *row = &list->options[i];

		if (!row->value)
			continue;
		if (word[0] == '-' && word[1] == row->letter && word[1] && !word[2])
			return true;
		if (strncmp(word, "--", 2) == 0 && word[2] && !strchr(word, '=') &&
			strncmp(row->name, word + 2, strlen(word + 2)) == 0)
			return true;
	}
	return false;
}

/* Returns the name of the option that is most similar to the unknown option `word`. Returns NULL if
 * no name is similar, or if a name begins with `word`. */
static const char *nearest_option(const struct option_list *list, const char *word, size_t length)
{
	static const char *const others[] = {"usage", "version"};
	static char name[64];
	struct nearest nearest;

	if (length == 0 || length >= sizeof name)
		return NULL;
	memset(name, 0, sizeof name);
	memcpy(name, word, length);
	nearest_start(&nearest, name);
	for (uint32_t i = 0; i < list->count + 2; i++) {
		const char *known =
			i < list->count ? list->options[i].name : others[i - list->count];

		if (strncmp(known, name, length) == 0)
			return NULL;
		nearest_offer(&nearest, known);
	}
	return nearest.best;
}

/* Looks for the first unknown option whose name is similar to that of an option of the command. If
 * there is one, prints an error that suggests the similar name, and returns true. argp reports all
 * other unknown options. */
static bool suggest(const struct command *command, const struct argp *argp, int argc, char **argv)
{
	struct option_list list;

	option_list(command, &list);
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		size_t length = strcspn(argv[i], "=");
		const char *nearest = NULL;

		if (strncmp(argv[i], "--", 2) == 0)
			nearest = nearest_option(&list, argv[i] + 2, length - 2);
		if (nearest) {
			fprintf(stderr, "%s: unrecognized option '%.*s', did you mean '--%s'?\n",
				argv[0], (int)length, argv[i], nearest);
			argp_help(argp, stderr, ARGP_HELP_STD_ERR & ~ARGP_HELP_EXIT_ERR, argv[0]);
			return true;
		}
		i += wants_value(&list, argv[i]);
	}
	return false;
}

int command_start(const struct command *command, int argc, char **argv)
{
	struct parsing parsing = {.command = command};
	struct argp_table table;
	int code;

	parsing.options = allocate(1, command->work->options_size + 1);
	options_make_table(command, &table);
	options_start(command, parsing.options, argc, argv);
	if (suggest(command, &table.argp, argc, argv)) {
		code = argp_err_exit_status;
	} else {
		argp_parse(&table.argp, argc, argv, 0, NULL, &parsing);
		code = command->work->run(parsing.options);
	}
	options_end(command, parsing.options);
	return code;
}

void command_print_help(const struct command *command, FILE *out)
{
	struct argp_table table;
	char name[64];

	options_make_table(command, &table);
	snprintf(name, sizeof name, "meshsim %s", command->name);
	argp_help(&table.argp, out, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK, name);
}
