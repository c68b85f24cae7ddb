/* The design choices that a sweep does not vary, but on which its verdict depends. For example, a
 * margin that consists of wake-ups exists only if threads park: threads that spin need no wake-ups.
 * lists/choice.def has the choices and the stages on which they have an effect. */
#ifndef ANALYSIS_COMPARE_CHOICES_H
#define ANALYSIS_COMPARE_CHOICES_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include "base/arena.h"
#include "base/tree.h"

struct comparison;
struct question;
struct sweep_point;
struct arena;
struct json;

enum { CHOICE_VALUES_MAX = 4 };

/* A rerun of the designs with another value of a choice. */
struct choice_trial {
	const char *value;
	const char *why; /* why a design could not run with this value; NULL: all ran */
	/* Margin of the winner over the closest other design. If the designs are equal as they
	 * stand, there is no winner: `rival` is the best design of the trial, and the margin is how
	 * much less it takes than the next, a negative share. If several are the best, `behind` is
	 * the design that takes longer than `rival`, and the margin is that between these two. */
	double margin, least; /* least: from this margin on, equal designs differ */
	const char *rival, *behind;
	bool equal; /* the designs cannot be told apart as they stand */
	bool same;  /* all designs take the same time with this value, to the picosecond */
	/* True if the swept keys have no effect in the scenario when the choice has this value.
	 * Then the trial does not break the verdict. */
	bool idle;
};

struct design_choice {
	const char *key;   /* such as "runtime.host.worker_wait" */
	const char *name;  /* short name, such as "worker_wait"; unique among the keys */
	const char *value; /* the present value, such as "park" */
	/* Fraction of the margin that comes from the stages on which the value has an effect. If
	 * other stages make the margin smaller, the fraction is larger than 1. If the designs are
	 * equal, it is a fraction of the time of one design. */
	double part;
	double reach;	 /* time in the stages of all its values, as a share as `part` is */
	uint32_t stages; /* number of stages that the value acts through */
	const char *others[CHOICE_VALUES_MAX];
	uint32_t other_count;
	/* results of --robust, in the order of `others` */
	struct choice_trial trials[CHOICE_VALUES_MAX];
	uint32_t trial_count;
};

struct choices {
	struct design_choice *at;
	uint32_t count;
};

/* Sets question->choices to the choices on which the margin between winner and runner-up depends,
 * to first order: those whose stages make up a quarter of the margin or more. The choice with the
 * largest part comes first. Leaves out swept keys, and choices without effect in the scenario. The
 * list is empty if the question is about host CPU, or if its runs have no stages.
 *
 * If the best options cannot be told apart, sets question->equal. The choices are then those with
 * which the options might differ if they had another value: for --robust, which tries these values,
 * all that act; otherwise, if the options are equal, those through whose stages they differ,
 * although their sums are equal. The list is empty if the question is undecided for another reason.
 */
void choices_find(struct comparison *comparison, struct question *question);

/* Returns the choices on which the margin between two points depends, by the rules of
 * choices_find(). */
struct choices choices_between(
	struct comparison *comparison, const struct sweep_point *const pair[2]);

/* Runs the best designs of a question, at most three, again with other values of its choices.
 * Stores the results in the trials of the choices. If choice_trial_breaks() is true for a trial,
 * sets the outcome to OUTCOME_CONDITIONAL, unless it is OUTCOME_FRAGILE already. Equal designs stay
 * undecided. */
void choices_try(struct comparison *comparison, struct question *question);

/* True if the verdict does not hold with another value of a choice: a winner does not win, or
 * designs that are equal as they stand differ. */
bool choice_trial_breaks(const struct choice_trial *trial);

/* True if the verdict does not hold with at least one value of the choice that was tried. */
bool choice_breaks(const struct design_choice *choice);

/* Returns a text with the name and the value of a choice, such as "worker_wait: park". After
 * trials, the text also has the results with other values: "worker_wait: park (spin: 1.0 %,
 * undecided)". If `all` is false, only trials that break the verdict are listed. */
const char *choice_text(const struct design_choice *choice, bool all, struct arena *arena);

/* Returns a list of the choices for which a rerun with another value broke the verdict, separated
 * by commas: "worker_wait: park (spin: 16 wins by 2.3 %)". */
const char *choices_breaking(const struct choices *choices, struct arena *arena);

/* Writes the member `choices` of a question. */
void choices_json(const struct choices *choices, struct json *json);

/* The design choices of lists/choice.def as a table, and the conditions under which each of them
 * has an effect in a scenario. */
struct choice_row {
	const char *key, *when; /* key: path of the key; NULL: the entry is a value */
	const char *value;
	uint64_t stages;
};

/* The entries of choice.def in their order: each choice is followed by its values. */
extern const struct choice_row choice_rows[];
extern const uint32_t choice_row_count;

/* Returns the value of a key of an effective scenario, or "". */
const char *choice_value_in(const struct tree_node *scenario, const char *key);

/* True if `value` is one of the items of `list`. The list consists of the first `length` characters
 * of the text, and its items are separated by '|'. */
bool choice_lists(const char *list, size_t length, const char *value);

/* Returns true if a choice has an effect in a scenario, that is, if all conditions in row->when
 * hold. The scenario must be effective: it must contain all defaults. `has_hosts` says whether the
 * platform has several hosts. */
bool choice_row_acts(const struct choice_row *row, const struct tree_node *scenario, bool has_hosts,
	struct arena *arena);

#endif
