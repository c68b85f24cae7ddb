/* Lists the options of a command for help, manual pages and completion (option_list.h). */
#include "bench/tools/options/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "option_list.h"

static void add(struct option_list *list, const struct option_row *option)
{
	ensure(list->count < OPTIONS_MAX, "%u options", list->count);
	list->options[list->count++] = *option;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(
		((const struct option_row *)left)->name, ((const struct option_row *)right)->name);
}

void option_list(const struct command *command, struct option_list *list)
{
	static const struct option_row help = {
		"help", '?', NULL, "print the options", OPTION_FLAG, .offset = 0};

	list->count = 0;
	for (const struct option_row *option = command->work->options; option && option->kind;
		option++)
		if (option->name)
			add(list, option);
	qsort(list->options, list->count, sizeof *list->options, by_name);
	add(list, &help);
}

/* The usage line's text for an argument or a required option; "" for an optional one. */
static const char *spelling(const struct option_row *option, char *text, size_t size)
{
	const char *value = option->value ? option->value : "";

	text[0] = '\0';
	if (option->name && option->missing && option->letter)
		snprintf(text, size, "-%c%s%s", option->letter, *value ? " " : "", value);
	else if (option->name && option->missing)
		snprintf(text, size, "--%s%s%s", option->name, *value ? "=" : "", value);
	else if (!option->name && *value)
		snprintf(text, size, option->missing ? "%s%s" : "[%s%s]", value,
			option->kind == OPTION_TEXTS ? "..." : "");
	return text;
}

void option_synopsis(const struct command *command, char *synopsis, size_t size)
{
	size_t length = 0;
	char word[128];

	synopsis[0] = '\0';
	for (int named = 0; named < 2; named++) {
		const struct option_row *option = command->work->options;

		for (; option && option->kind; option++) {
			if ((option->name != NULL) != named ||
				!*spelling(option, word, sizeof word))
				continue;
			length += (size_t)snprintf(
				synopsis + length, size - length, "%s%s", length ? " " : "", word);
			ensure(length < size, "a synopsis of %zu bytes", length);
		}
	}
}

const char *option_values(const char *value, char *words, size_t size)
{
	words[0] = '\0';
	if (value && strchr(value, '|')) {
		snprintf(words, size, "%s", value);
		for (char *c = words; *c; c++)
			if (*c == '|')
				*c = ' ';
	}
	return words;
}
