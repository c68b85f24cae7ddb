/* Prints the verdict on one question. It takes ten lines including the heading, so the least
 * important items are shortened or dropped if necessary. Only if much contradicts the verdict, it
 * takes more: these cases are never left out. Nor are the kinds of constants that it rests on. */
#include "analysis/compare/verdict_items.h"
#include "analysis/print/wrap.h"

enum { LINES_MAX = 10 };

/* Items to shorten or drop when space is short, in this order; the others are always kept. */
static const struct {
	enum verdict_item_kind kind;
	const char *brief; /* shorter text; NULL: the item is dropped */
} dispensable[] = {
	{ITEM_RANKING, NULL},
	{ITEM_FRONT, NULL},
	{ITEM_SEEDS, "one: others may differ by more; ask with measure.seeds"},
	{ITEM_SEEDS, NULL},
};

/* The order in which items may use lines that are left over. */
static const enum verdict_item_kind wanting[] = {ITEM_JOINT, ITEM_ROBUST, ITEM_FLIPS,
	ITEM_MECHANISM, ITEM_RANKING, ITEM_CHOICES, ITEM_FRONT};

static const char *item_text(
	const struct verdict_item *items, enum verdict_item_kind kind, struct arena *arena)
{
	return paragraph_fit(items[kind].parts, items[kind].count, verdict_item_separator(kind),
		items[kind].lines, arena);
}

static uint32_t lines_of(const struct verdict_item *items, struct arena *arena)
{
	uint32_t lines = 1; /* the heading */

	for (int i = 0; i < ITEM_COUNT; i++)
		lines += paragraph_lines(item_text(items, (enum verdict_item_kind)i, arena));
	return lines;
}

static void make_room(struct verdict_item *items, struct arena *arena)
{
	for (int i = 0; i < ITEM_COUNT; i++)
		items[i].lines =
			i == ITEM_SIDES || i == ITEM_BUT || i == ITEM_RESTS ? UINT32_MAX / 2 : 1;
	for (size_t i = 0; i < sizeof(dispensable) / sizeof(*dispensable); i++) {
		struct verdict_item *item = &items[dispensable[i].kind];

		if (item->count == 0 || lines_of(items, arena) <= LINES_MAX)
			continue;
		item->parts[0] = dispensable[i].brief;
		item->count = dispensable[i].brief != NULL;
	}
	if (items[ITEM_RESTS].brief && lines_of(items, arena) > LINES_MAX) {
		items[ITEM_RESTS].parts[0] = items[ITEM_RESTS].brief;
		items[ITEM_RESTS].count = 1;
	}
	for (size_t i = 0; i < sizeof(wanting) / sizeof(*wanting); i++) {
		items[wanting[i]].lines++;
		if (lines_of(items, arena) > LINES_MAX)
			items[wanting[i]].lines--;
	}
}

void compare_question(struct comparison *comparison, const struct question *question, FILE *out)
{
	struct verdict_item items[ITEM_COUNT];
	bool color = comparison->options->color;
	const char *paint = question->outcome == OUTCOME_WINS ? "\033[32m" : "\033[33m";

	verdict_items_find(comparison, question, items);
	make_room(items, &comparison->arena);
	fprintf(out, "\n%sQuestion %s%s\n", color ? "\033[1m" : "", question->label,
		color ? "\033[0m" : "");
	for (int i = 0; i < ITEM_COUNT; i++)
		paragraph_print(verdict_item_name((enum verdict_item_kind)i, question),
			item_text(items, (enum verdict_item_kind)i, &comparison->arena),
			color && i == ITEM_VERDICT ? paint : "",
			color && i == ITEM_VERDICT ? "\033[0m" : "", comparison->columns, out);
}
