/* The items of a verdict beside its sentence, such as "mechanism", each with its parts in words.
 * The terminal shortens items for which it has no room. The JSON has all of them, and so has the
 * report. */
#ifndef ANALYSIS_COMPARE_VERDICT_ITEMS_H
#define ANALYSIS_COMPARE_VERDICT_ITEMS_H

#include "analysis/compare/comparison.h"

enum verdict_item_kind {
	ITEM_VERDICT,
	ITEM_SIDES,
	ITEM_ENDS,
	ITEM_SEEDS,
	ITEM_BUT,
	ITEM_RANKING,
	ITEM_MECHANISM,
	ITEM_EXPLAIN,
	ITEM_FLIPS,
	ITEM_FRONT,
	ITEM_ROBUST,
	ITEM_JOINT,
	ITEM_CHOICES,
	ITEM_MODEL,
	ITEM_RESTS,
	ITEM_COUNT
};

enum { VERDICT_PARTS_MAX = 64 };

struct verdict_item {
	const char *parts[VERDICT_PARTS_MAX];
	uint32_t count;
	uint32_t least;	   /* the first parts, that are shown whatever room there is */
	const char *brief; /* a shorter text for all parts, or NULL */
	uint32_t lines;	   /* for the printer: room that it may take */
};

/* Fills all items of a question. Texts are in the arena of the comparison. */
void verdict_items_find(struct comparison *comparison, const struct question *question,
	struct verdict_item items[ITEM_COUNT]);

/* How the item is called in an answer to this question: "rests on". */
const char *verdict_item_name(enum verdict_item_kind kind, const struct question *question);

/* A part of the item, as a noun: "choice". */
const char *verdict_item_noun(enum verdict_item_kind kind);

/* The text that separates the parts of an item. */
const char *verdict_item_separator(enum verdict_item_kind kind);

/* Writes the member `items`: all but the sentence itself. */
void verdict_items_json(
	struct comparison *comparison, const struct question *question, struct json *json);

/* Writes one part for each kind of the constants that a margin rests on, the heaviest kind first:
 * their number, and the decisive ones by name. Returns the number of parts. `brief` leaves out
 * values and effects, and all but the heaviest of many constants. */
uint32_t verdict_rests_texts(const struct constants *constants, bool brief, const char **texts,
	uint32_t most, struct arena *arena);

/* Writes in how many cases of --robust a verdict holds, and each that breaks it; returns the number
 * of texts. 0: --robust was not asked for. */
uint32_t verdict_robust_texts(
	const struct question *question, const char **texts, uint32_t most, struct arena *arena);

/* Says that the model's error is larger than the margin of a winner. NULL if it is not, or if
 * verdict_robust_texts() says so. */
const char *verdict_model_text(const struct question *question, struct arena *arena);

/* By how much 30 % of a constant moves a margin: "by 32 %", "by 1.75 times itself". */
const char *verdict_effect_text(double effect, struct arena *arena);

#endif
