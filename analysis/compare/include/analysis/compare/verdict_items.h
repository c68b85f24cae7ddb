/* The items that are printed below the sentence of a verdict, such as "mechanism". Each item
 * consists of several short texts. On the terminal, items that do not fit are shortened. The JSON
 * and the report have all items in full. */
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
	uint32_t least;	   /* number of parts, from the first, that are always shown */
	const char *brief; /* shorter text that may replace all parts, or NULL */
	uint32_t lines;	   /* number of lines that the printer may use for the item */
};

/* Fills all items of a question. Texts are in the arena of the comparison. */
void verdict_items_find(struct comparison *comparison, const struct question *question,
	struct verdict_item items[ITEM_COUNT]);

/* Returns the name of an item in the answer to this question, such as "rests on". */
const char *verdict_item_name(enum verdict_item_kind kind, const struct question *question);

/* Returns the noun for a part of an item, such as "choice". */
const char *verdict_item_noun(enum verdict_item_kind kind);

/* The text that separates the parts of an item. */
const char *verdict_item_separator(enum verdict_item_kind kind);

/* Writes the member `items`, which has all items except the sentence itself. */
void verdict_items_json(
	struct comparison *comparison, const struct question *question, struct json *json);

/* Describes the constants on which a margin depends. Writes one text for each kind of these
 * constants to `texts`, at most `most` texts, and returns their number. A text has the number of
 * constants of its kind, and the names of the decisive ones. The kind of the constant with the
 * largest effect comes first. If `brief` is set, leaves out values and effects; if there are many
 * constants, names only the one with the largest effect. */
uint32_t verdict_rests_texts(const struct constants *constants, bool brief, const char **texts,
	uint32_t most, struct arena *arena);

/* Describes the assumed constants that only the best design uses, where the second design uses
 * others. For example, the two designs use different transports. Returns NULL if there are fewer
 * than two such constants, or if the question is undecided or about host CPU. The text is in
 * comparison->arena. */
const char *verdict_stead_text(struct comparison *comparison, const struct question *question);

/* Writes texts about options that are equal as they stand: the choices with whose other values they
 * differ, and with how many values they are equal. If no values were tried, lists all choices.
 * Returns the number of texts, at most `most`. Sets *least to the number of texts that must not be
 * left out. The texts are in `arena`. */
uint32_t verdict_equal_texts(const struct choices *choices, const char **texts, uint32_t most,
	uint32_t *least, struct arena *arena);

/* Writes to `texts` a text that says in how many cases of --robust a verdict holds, and then one
 * text for each case that breaks it. Returns the number of texts, which is 0 without --robust. */
uint32_t verdict_robust_texts(
	const struct question *question, const char **texts, uint32_t most, struct arena *arena);

/* If the model's error is larger than the winner's margin, returns a text that says so. Otherwise
 * returns NULL. Also returns NULL if the texts of verdict_robust_texts() already say it. */
const char *verdict_model_text(const struct question *question, struct arena *arena);

/* Returns a text for the effect of a constant, such as "by 32 %" or "by 1.75 times itself". The
 * effect is the relative change of the margin if the constant changes by 30 %. */
const char *verdict_effect_text(double effect, struct arena *arena);

#endif
