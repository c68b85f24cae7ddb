/* The structs that the files of this room share: rows of a file of decisions, comparisons of rows,
 * and decisions. */
#ifndef BENCH_TOOLS_DECISION_H
#define BENCH_TOOLS_DECISION_H

#include "bench/tools/decisions/decisions.h"

enum { NO_RUN = UINT32_MAX, NUMBER_BYTES = 32 };

enum verdict { VERDICT_NONE, VERDICT_BETTER, VERDICT_WORSE, VERDICT_EQUAL };

enum outcome { OUTCOME_NOT_ASKED, OUTCOME_UNDECIDED, OUTCOME_WRONG, OUTCOME_RIGHT };

/* A unit of measured values. */
struct measure {
	const char *base; /* unit that `scale` converts to: "s", "B/s", or the unit itself */
	double scale;
	bool more_is_better;
};

/* A kind of question that decisions ask: a family of experiments. */
struct subject {
	const char *family; /* of the experiment */
	const char *kinds;  /* "a|b": kinds of rows; "": any */
	const char *needs;  /* phrases that a row must have, groups joined by '&' (phrase_find()) */
	const char *metrics; /* a phrase that the row's metric must have */
	const char *system;  /* the platform, if the experiment has not the row's own */
	const char *choices; /* "a|b": parameters that are options. The words of an option must set
			      * one of them; else the option is not understood */
	const char *loads;   /* "a|b": parameters that say what is asked for, and are no options */
};

struct decision_row {
	const char *id, *system, *scenario, *option, *metric, *unit, *source, *kind;
	const char *base; /* the scenario that "same" stands for, or "" */
	struct location where;
	double value; /* above zero, unless it is a verdict */
	struct measure measure;
	enum verdict verdict;
	/* Found by decision_map(). */
	const struct subject *subject;
	const char *reason;    /* why it is not asked; NULL: it is asked */
	const char *load;      /* the values of its loads */
	const char *simulated; /* the platform */
	uint32_t run;	       /* index of its experiment, or NO_RUN */
};

/* Rows that differ only in the option. `slow` and `fast` are the worst and the best of the rows
 * that have measured values. */
struct comparison {
	uint32_t *rows, count;
	const char *load;
	enum outcome outcome;
	uint32_t slow, fast;	    /* rows, as measured */
	bool has_ratio;		    /* the measured one is known */
	double measured, predicted; /* cost of `slow` / cost of `fast`; a lone row: of the figure */
	uint32_t pairs, agree;	    /* pairs of options that differ; those in the measured order */
	const char *rests_on;
};

struct decision {
	uint32_t first_row, row_count;
	struct comparison *comparisons;
	uint32_t comparison_count;
	enum outcome outcome;
	const char *reason; /* why it is not asked */
};

struct decisions {
	struct arena *arena;
	struct decision_row *rows;
	uint32_t row_count;
	struct decision *decisions;
	uint32_t count;
	struct reference runs; /* experiments, each once */
	struct prediction *predictions;
};

/* The experiment of a family, of this room or of bench/tools/reference. */
const struct experiment *decision_experiment(const char *family);

/* Finds subject and experiment of each row, or the reason why it is not asked. */
void decision_map(struct decisions *decisions);

/* Finds a unit, and whether a larger value is better. If this does not follow from the unit, it
 * follows from the metric. Returns false if it follows from neither. */
bool measure_find(const char *unit, const char *metric, struct measure *measure);

/* The predicted figure of a row as a cost: smaller is better; 0: it did not run. */
double decision_predicted_cost(const struct decisions *decisions, uint32_t row);

/* Compares the rows of each decision. */
void decision_judge(struct decisions *decisions);

/* The mechanism of the parameter in which two experiments differ, or NULL. */
const char *decision_rests_on(const struct decisions *decisions, uint32_t a, uint32_t b);

/* True if `word` is one of "a|b|c". */
bool decision_one_of(const char *list, const char *word);

/* Phrases, which are searched for in texts that people have written. A phrase has alternatives,
 * separated by '|'. It matches whole words, in upper or lower case. A blank matches blanks, '-' and
 * '_'. A '*' matches any characters within a clause. "%n" matches a whole number, and "%b" a number
 * of bytes with its unit, such as "64 KiB". */

/* Returns true if `text` contains `phrase`. `number` gets the number in the phrase, or an empty
 * string if the phrase has none. */
bool phrase_find(const char *phrase, const char *text, char number[NUMBER_BYTES]);

/* True if each group of "a|b&c|d" is in `text`. */
bool phrase_find_all(const char *groups, const char *text);

#endif
