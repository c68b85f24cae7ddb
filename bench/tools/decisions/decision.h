/* The structs that the files of this folder share: the rows of a file of decisions, groups of rows
 * that are compared, and decisions. */
#ifndef BENCH_TOOLS_DECISION_H
#define BENCH_TOOLS_DECISION_H

#include "bench/tools/decisions/decisions.h"
#include "bench/tools/reference/experiment.h"

enum { NO_RUN = UINT32_MAX, NUMBER_BYTES = 32 };

enum verdict { VERDICT_NONE, VERDICT_BETTER, VERDICT_WORSE, VERDICT_EQUAL };

enum outcome { OUTCOME_NOT_ASKED, OUTCOME_UNDECIDED, OUTCOME_WRONG, OUTCOME_RIGHT };

/* A unit of measured values. */
struct measure {
	const char *base; /* unit after multiplication by `scale`: "s", "B/s", or the unit itself */
	double scale;
	bool more_is_better;
};

/* A kind of question that decisions ask. It belongs to a family of experiments. */
struct subject {
	const char *family;  /* family of the experiment */
	const char *kinds;   /* kinds of rows, separated by '|'; "": any kind */
	const char *needs;   /* phrases of a row, in groups joined by '&' (phrase_find()) */
	const char *metrics; /* phrase that the row's metric must have */
	const char *system;  /* platform of the experiment, if it cannot be the row's platform */
	const char *choices; /* the parameters that distinguish options, separated by '|'; the text
			      * of each option must set at least one of them */
	const char *loads;   /* parameters that describe the work and are no options */
};

struct decision_row {
	const char *id, *system, *scenario, *option, *metric, *unit, *source, *kind;
	const char *base; /* scenario for which "same" stands, or "" */
	struct location where;
	double value; /* above zero, unless the row has a verdict */
	struct measure measure;
	enum verdict verdict;
	/* set by decision_map() */
	const struct subject *subject;
	const char *reason;    /* why the row is not simulated; NULL: it is */
	const char *load;      /* values of the parameters in subject->loads */
	const char *simulated; /* platform of the simulation */
	uint32_t run;	       /* index of the row's experiment, or NO_RUN */
};

/* Rows that differ only in their option. Among the rows with measured values, `slow` has the worst
 * value and `fast` has the best. */
struct comparison {
	uint32_t *rows, count;
	const char *load;
	enum outcome outcome;
	uint32_t slow, fast;	    /* the slowest and the fastest row, by measured values */
	bool has_ratio;		    /* the measured ratio is known */
	double measured, predicted; /* cost of `slow` divided by cost of `fast`; if there is only
				     * one row, its figure */
	uint32_t pairs, agree; /* `pairs`: number of pairs of options that differ; `agree`: number
				* of those pairs that the prediction puts in the measured order */
	const char *rests_on;
};

struct decision {
	uint32_t first_row, row_count;
	struct comparison *comparisons;
	uint32_t comparison_count;
	enum outcome outcome;
	const char *reason; /* why the decision is not simulated */
};

struct decisions {
	struct arena *arena;
	struct decision_row *rows;
	uint32_t row_count;
	struct decision *decisions;
	uint32_t count;
	struct reference runs; /* experiments, without duplicates */
	struct prediction *predictions;
};

/* Returns the experiment of a family, from this folder or from bench/tools/reference. */
const struct experiment *decision_experiment(const char *family);

/* Finds the subject and the experiment of each row, or the reason why the row is not simulated. */
void decision_map(struct decisions *decisions);

/* Fills *measure for a unit: its base unit, its scale, and whether a larger value is better. If the
 * unit does not show whether larger is better, uses the metric. Returns false if the metric does
 * not show this, either. */
bool measure_find(const char *unit, const char *metric, struct measure *measure);

/* Returns the predicted figure of a row, converted to a cost, so that a smaller value is better.
 * Returns 0 if the row's experiment did not run. */
double decision_predicted_cost(const struct decisions *decisions, uint32_t row);

/* Compares the rows of each decision. */
void decision_judge(struct decisions *decisions);

/* Returns the mechanism of the parameter in which two experiments differ, or NULL. */
const char *decision_rests_on(const struct decisions *decisions, uint32_t a, uint32_t b);

/* True if `word` is one of the words in `list`, which are separated by '|'. */
bool decision_one_of(const char *list, const char *word);

/* Phrases to search for in texts that people have written. A phrase consists of alternatives,
 * separated by '|', and matches whole words in upper or lower case. A blank in a phrase matches
 * blanks, '-' and '_'. A '*' matches any characters within a clause. "%n" matches a whole number,
 * and "%b" matches a number of bytes with its unit, such as "64 KiB". */

/* Returns true if `text` contains one of the alternatives in `phrase` ("a|b"). If this alternative
 * contains "%n", writes the matching number to `number`. If it contains "%b", writes the matching
 * number of bytes ("65536" for "64 KiB"). Otherwise, or if nothing matches, writes "". */
bool phrase_find(const char *phrase, const char *text, char number[NUMBER_BYTES]);

/* True if `text` contains a phrase of each group. Groups are joined by '&', as in "a|b&c|d". */
bool phrase_find_all(const char *groups, const char *text);

/* The experiments of experiments.def, and figures that several of them have. */

enum { EXPERIMENTS_WARM = 2 }; /* number of warm-up calls, which figures leave out */

#define X(name, family, systems, metrics, unit)                                                    \
	extern const struct experiment_param decision_##name##_params[];                           \
	void decision_##name##_scenario(const struct reference_row *row, struct text *yaml);       \
	double decision_##name##_figure(                                                           \
		const struct reference_row *row, const struct op_row *ops, uint32_t count);
#define THREADS(name, family, systems, metrics, unit, metric)                                      \
	X(name, family, systems, metrics, unit)                                                    \
	double decision_##name##_threads(const struct reference_row *row,                          \
		const struct thread_row *threads, uint32_t count);
#include "experiments.def"

/* Returns the median of `value` over the operations of a kind after the warm-up, in us. */
double experiments_median_us(const struct op_row *ops, uint32_t count, const char *kind,
	int64_t (*value)(const struct op_row *op));

/* Returns the mean time from the return of one call of the kind `kind` to the return of the next
 * one, in us. Leaves out the warm-up. */
double experiments_period_us(const struct op_row *ops, uint32_t count, const char *kind);

/* These functions return a time of an operation, in ps: experiments_host_time() from the call to
 * its return, experiments_doorbell_skew() from the first doorbell to the last. */
int64_t experiments_host_time(const struct op_row *op);
int64_t experiments_doorbell_skew(const struct op_row *op);

#endif
