/* Finds the best points of a sweep over all its design choices: one for each context. A context is
 * a combination of conditions, such as a workload and a platform. This header also declares the
 * functions which say how far the answer can be trusted, and what to try next. */
#ifndef ANALYSIS_COMPARE_BEST_H
#define ANALYSIS_COMPARE_BEST_H

#include <stdio.h>

#include "analysis/compare/comparison.h"

/* Another point of the context, which certainly costs less than the best point in some figure other
 * than the metric, for example in host CPU. If there are several such points, this is the one whose
 * metric is nearest to that of the best point. */
struct best_traded {
	const struct sweep_point *than; /* the other point; NULL: there is none */
	enum figure figure;		/* the figure with the largest difference */
	double ratio; /* share by which the best point costs more in this figure */
	bool decided; /* true: the best point is decidedly better on the metric */
};

struct best {
	const struct sweep_point *like;		/* the first point of the context */
	const struct sweep_point *first, *next; /* the best and the second best point, or NULL */
	uint32_t needed; /* operations needed for a steady state; 0: all points have one */
	/* the members below are set */
	bool known;
	struct margin margin; /* share by which `next` costs more than `first` */
	bool decided;
	struct best_traded traded;
	struct model_doubt doubt; /* the error of the model that could move the margin most */
	struct constants rests;	  /* guesses that move the margin, the largest effect first */
	struct choices choices;	  /* unswept choices that the margin rests on */
};

/* The best points of a subject in all contexts that have one, in the order of the sweep. */
struct bests {
	struct best *at;
	uint32_t count;
	double level; /* largest chance at which a margin is decided */
	/* A context has no best point if all its points failed or are saturated, or if one of its
	 * points has no steady state. `none` is a point of the first such context, and `none_count`
	 * the number of such contexts. `needed` is the number of operations that these contexts
	 * need for a steady state. */
	const struct sweep_point *none;
	uint32_t none_count, needed;
};

/* Returns the number of the main subject, to which the answer of the scenario refers. It is the
 * loop that the scenario calls "iteration", or else the loop that takes most of the run's time. If
 * there is no loop, it is the step that takes most of the run's time. */
uint32_t best_main(const struct comparison *comparison);

/* True if a subject has best points: it is the main subject, or both are loops. */
bool best_is_asked(const struct comparison *comparison, uint32_t subject, uint32_t main);

/* Returns the best point of the main subject in the first context that has a best point. Points
 * that failed or are saturated are never the best. Returns NULL if no context has a best point, or
 * if two files are compared. */
const struct best *best_first(struct comparison *comparison);

/* The run of a point, as tables print it. */
long long best_run(const struct sweep_point *point);

/* Prints the best point of each context for the main subject. If the main subject is one of several
 * loops, prints the best points of each loop, the main loop first. With up to three contexts, also
 * prints what the best points depend on. Prints nothing if two files are compared, or if there is
 * no best point. */
void best_print(struct comparison *comparison, FILE *out);

/* Writes the member `best`: a list of all loops and contexts. */
void best_json(struct comparison *comparison, struct json *json);

/* True if points with different values of the swept key number `key` are not compared with each
 * other. */
bool best_is_context(const struct summary *summary, uint32_t key);

/* Finds a point of the context that costs less than `best` in some figure, and returns this point
 * and the figure. `level` must be set in the margin of `best`. */
struct best_traded best_traded(
	const struct summary *summary, const struct sweep_points *points, const struct best *best);

/* Returns a text in `arena`, for example "trade-off: 35 % more host CPU than run 0". The text
 * begins with "but with" instead if the best point is not decidedly better on the metric. Returns
 * "" if there is no trade-off. */
const char *best_traded_text(
	const struct sweep_points *points, const struct best *best, struct arena *arena);

enum { BEST_PARTS = 4 };

/* The parts of the answer in words. `best` is the best point. `parts` are four texts, the most
 * important first: the figure in which the best point costs more than another point; the guessed
 * constants that its margin depends on; the choices that were not tried; and the doubt because of
 * the model's error. A text is "" if there is nothing to say. `brief` has short forms of the same
 * texts. */
struct best_words {
	const char *best, *parts[BEST_PARTS], *brief[BEST_PARTS];
};

/* Prints `head`, and then as many parts of `words` as fit. Head and parts together take at most
 * three lines of `columns` columns; if `head` alone needs three or more, no parts are printed. A
 * part is printed in its short form if its full form does not fit. */
void best_lines_print(const char *head, const struct best_words *words, uint32_t columns,
	struct arena *arena, FILE *out);

/* Joins all parts into one sentence, in `arena`. */
const char *best_lines_sentence(const struct best_words *words, struct arena *arena);

struct best_words best_words(
	struct comparison *comparison, const struct sweep_points *points, const struct best *best);

/* By default, questions are asked about only one kind of operation. Both functions tell the reader
 * about other kinds that also do work: also_print() prints a line with these kinds, and also_json()
 * writes them as the member `also_measured`. */
void also_print(struct comparison *comparison, FILE *out);
void also_json(struct comparison *comparison, struct json *json);

/* ---- trust ---- */

/* Prints, for each platform, how many of its constants were measured, and whether figures were
 * measured on the same machine. Also prints the error that validation found in the figures on which
 * the best point depends. Prints nothing about native runs. */
void trust_print(struct comparison *comparison, FILE *out);

/* Writes the member `trust`. */
void trust_json(struct comparison *comparison, struct json *json);

/* Returns a text: "13 % in program_dispatch (121 figures of other machines, none of tgg)". */
const char *trust_error_text(const struct model_doubt *doubt, struct arena *arena);

/* ---- advice ---- */

enum { ADVICE_MAX = 3 };

/* A suggestion of what to try next: the reason, and a command. */
struct advice {
	const char *why, *command;
};

/* Finds at most ADVICE_MAX suggestions; returns their number. */
uint32_t advice_find(struct comparison *comparison, struct advice advice[ADVICE_MAX]);

/* A word of a command, quoted if a shell would split or expand it. */
const char *advice_word(const char *word, struct arena *arena);

/* Returns the command that explains the difference between two points in the figure of the verdict;
 * NULL if this figure has no stages. */
const char *explain_command(struct comparison *comparison, const struct sweep_points *points,
	const struct sweep_point *const two[2]);

void advice_print(struct comparison *comparison, FILE *out);

/* Writes the member `advice`. */
void advice_json(struct comparison *comparison, struct json *json);

#endif
