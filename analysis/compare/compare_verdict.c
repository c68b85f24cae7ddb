/* Prints the verdict on one question in at most twelve lines, including the heading. If the verdict
 * needs more lines, long items are shortened, and the least important items are left out. Some
 * items are never shortened, for example the cases that contradict the verdict. So a verdict may
 * still have more than twelve lines. */
#include <string.h>

#include "analysis/compare/verdict_items.h"
#include "analysis/print/wrap.h"

enum { LINES_MAX = 12 };

/* Items to shorten or drop when space is short, in this order. All other items are always kept. */
static const struct {
	enum verdict_item_kind kind;
	const char *brief; /* shorter text for the item; NULL: the item is left out */
} dispensable[] = {
	{ITEM_RANKING, NULL},
	{ITEM_FRONT, NULL},
	{ITEM_SEEDS, "one: others may differ by more; ask with measure.seeds"},
	{ITEM_SEEDS, NULL},
};

/* Items that get more than one line if lines are left, in this order. Choices come first, so that
 * readers see that another value of a choice may reverse the verdict. */
static const enum verdict_item_kind wanting[] = {ITEM_CHOICES, ITEM_JOINT, ITEM_ROBUST, ITEM_FLIPS,
	ITEM_MECHANISM, ITEM_RANKING, ITEM_FRONT};

static const char *item_text(struct comparison *comparison, const struct verdict_item *items,
	enum verdict_item_kind kind)
{
	return paragraph_fit(items[kind].parts, items[kind].count, verdict_item_separator(kind),
		items[kind].least, verdict_item_noun(kind), items[kind].lines, comparison->columns,
		&comparison->arena);
}

/* Returns the number of lines that the items take. A single part of an item is never left out, so
 * the item may take one line more than items[i].lines. This extra line is not counted, so that the
 * other items lose no line. */
static uint32_t lines_of(struct comparison *comparison, const struct verdict_item *items)
{
	uint32_t lines = 1; /* number of lines; the heading has one */

	for (int i = 0; i < ITEM_COUNT; i++) {
		const char *text = item_text(comparison, items, (enum verdict_item_kind)i);
		uint32_t own = paragraph_lines(text, comparison->columns);
		bool lone = items[i].count > 1 && items[i].count > items[i].least &&
			    own == items[i].lines + 1 && !strstr(text, " more ");
		lines += lone ? own - 1 : own;
	}
	return lines;
}

static void make_room(struct comparison *comparison, struct verdict_item *items)
{
	for (int i = 0; i < ITEM_COUNT; i++)
		items[i].lines =
			i == ITEM_SIDES || i == ITEM_BUT || i == ITEM_RESTS || i == ITEM_EXPLAIN
				? UINT32_MAX / 2
				: 1;
	for (size_t i = 0; i < sizeof(dispensable) / sizeof(*dispensable); i++) {
		struct verdict_item *item = &items[dispensable[i].kind];

		if (item->count == 0 || lines_of(comparison, items) <= LINES_MAX)
			continue;
		item->parts[0] = dispensable[i].brief;
		item->count = dispensable[i].brief != NULL;
	}
	if (items[ITEM_RESTS].brief && lines_of(comparison, items) > LINES_MAX) {
		items[ITEM_RESTS].parts[0] = items[ITEM_RESTS].brief;
		items[ITEM_RESTS].count = 1;
	}
	for (size_t i = 0; i < sizeof(wanting) / sizeof(*wanting); i++) {
		items[wanting[i]].lines++;
		if (lines_of(comparison, items) > LINES_MAX)
			items[wanting[i]].lines--;
	}
}

/* Prints a command. All lines except the last end with a backslash, so that a shell reads them as
 * one command. */
static void print_command(
	struct comparison *comparison, const char *head, const char *command, FILE *out)
{
	wrap_hang(arena_printf(&comparison->arena, "%-*s%s", PARAGRAPH_INDENT - 2, head, command),
		2, PARAGRAPH_INDENT + 2, comparison->columns, " \\", out);
}

void compare_question(struct comparison *comparison, const struct question *question, FILE *out)
{
	struct verdict_item items[ITEM_COUNT];
	bool color = comparison->options->color;
	const char *paint = question->outcome == OUTCOME_WINS ? "\033[32m" : "\033[33m";

	verdict_items_find(comparison, question, items);
	make_room(comparison, items);
	fprintf(out, "\n%sQuestion %s%s\n", color ? "\033[1m" : "", question->label,
		color ? "\033[0m" : "");
	for (int i = 0; i < ITEM_COUNT; i++) {
		const char *head = verdict_item_name((enum verdict_item_kind)i, question);
		if (i == ITEM_EXPLAIN && items[i].count > 0)
			print_command(comparison, head, items[i].parts[0], out);
		else
			paragraph_print(head,
				item_text(comparison, items, (enum verdict_item_kind)i),
				color && i == ITEM_VERDICT ? paint : "",
				color && i == ITEM_VERDICT ? "\033[0m" : "", comparison->columns,
				out);
	}
}
