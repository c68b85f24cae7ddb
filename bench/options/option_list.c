/* See option_list.h. Groups, hidden options and aliases of argp are not used here, and not known.
 */
#include "option_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

static void add(struct option_list *list, const struct argp_option *option)
{
	ensure(list->count < sizeof list->options / sizeof *list->options, "%u options",
		list->count);
	list->options[list->count++] = *option;
}

static void collect(struct option_list *list, const struct argp *parser)
{
	for (const struct argp_option *option = parser->options; option && option->name; option++)
		add(list, option);
	for (const struct argp_child *child = parser->children; child && child->argp; child++)
		collect(list, child->argp);
}

static int by_name(const void *left, const void *right)
{
	return strcmp(((const struct argp_option *)left)->name,
		((const struct argp_option *)right)->name);
}

void option_list(const struct argp *parser, struct option_list *list)
{
	static const struct argp_option help = {"help", '?', NULL, 0, "print the options", 0};

	list->count = 0;
	collect(list, parser);
	qsort(list->options, list->count, sizeof *list->options, by_name);
	add(list, &help);
}

char option_letter(const struct argp_option *option)
{
	return option->key > 0 && option->key < 128 && isgraph(option->key) ? (char)option->key : 0;
}
