/* The joint uncertainty of a verdict. In each draw, all costs of the platform get random values.
 * The distribution of a cost depends on how its value was found (constant_kind.def). The result
 * has the probability that each option is the best, and the costs that explain how the margin
 * varies.
 *
 * The times of a draw are estimated without a run: each design was charged some time for each
 * cost, and this time is multiplied by the change of the cost (the first-order estimate). With
 * --robust, some draws are also run, which shows the error of this estimate. More draws are run in
 * two cases: the error is more than a quarter of the margin, or the runs change the probability of
 * the winner by more than 2 %. These runs then correct the probabilities. If the charges are
 * unknown, the probabilities are computed from runs only. */
#ifndef ANALYSIS_COMPARE_JOINT_H
#define ANALYSIS_COMPARE_JOINT_H

#include "analysis/compare/comparison.h"

enum {
	JOINT_DRAWS = 2048,
	JOINT_OPTIONS_MAX = 64,
	JOINT_NAMED = 3,	/* largest number of costs that a verdict names */
	JOINT_TOGETHER_MAX = 6, /* most groups of costs that struct joint_together names */
	JOINT_CHECKED = 20,	/* number of draws that are rerun to check the first order */
	JOINT_RERUNS_MAX = 180	/* most draws that are rerun if the first order is inaccurate */
};

enum joint_basis {
	JOINT_FIRST_ORDER, /* computed from the charged times */
	JOINT_CONFIRMED,   /* first order, and reruns showed that it is accurate enough */
	JOINT_CORRECTED,   /* first order, corrected by reruns */
	JOINT_RERUN	   /* counted in reruns alone */
};

struct joint_option {
	uint32_t option;
	const char *label;
	double chance; /* probability that the option is the best */
};

/* A cost that explains a part of the variance of the margin's logarithm. `first` is the part that
 * the cost explains alone. `total` is this part plus the part that the cost explains together with
 * other costs. */
struct joint_cost_share {
	const char *path, *kind;
	double factor; /* nine of ten draws are within this factor */
	double first, total;
};

/* The smallest set of cost groups that together reverse the verdict, to first order. All costs of a
 * group change by 30 %, in the direction that makes the margin smaller. */
struct joint_together {
	const char *groups[JOINT_TOGETHER_MAX]; /* such as "copies -30 %" */
	uint32_t count; /* number of groups; only the first are named; 0: no groups reverse it */
	double margin;	/* margin of the winner that remains, to first order */
	const char *rival;
	bool rerun; /* true: `measured` is the margin of a rerun with these costs */
	double measured;
};

struct joint {
	enum joint_basis basis;
	uint32_t draws; /* number of draws to first order; 0: none */
	/* reruns: number of draws that were simulated and had no failed run. runs: number of
	 * simulated runs. failed: number of draws with a failed run */
	uint32_t reruns, runs, failed;
	const char *failure; /* the first failed run, and why it failed */
	bool few;	     /* true: more reruns were needed, but would take too long */
	double error;	     /* root mean square of the first order's errors, see error_rival */
	/* name of an option; `error` is the error of the winner's margin over this option */
	const char *error_rival;
	double precision;	      /* half of the 95 % interval of the winner's chance */
	double low, middle, high;     /* 5 %, 50 % and 95 % quantiles of the draws' margins */
	struct joint_option *options; /* in the order of the ranking */
	uint32_t option_count;
	struct joint_cost_share shares[JOINT_NAMED]; /* the largest share first */
	uint32_t share_count;
	struct joint_together together;
};

/* A verdict holds only if its winner has at least this probability. */
#define JOINT_HOLDS 0.9

/* Computes question->joint to first order, without reruns. question->joint stays NULL if the
 * charges are unknown, if the question is about host CPU, or if there is nothing to compare. */
void compare_joint(struct comparison *comparison, struct question *question);

/* For a question that has a winner: simulates some of the draws, and uses the results to correct
 * the estimates in question->joint. If the winner is then the best in a smaller share of the draws
 * than JOINT_HOLDS, sets the outcome to OUTCOME_FRAGILE. */
void compare_joint_rerun(struct comparison *comparison, struct question *question);

/* Writes sentences to `texts`, at most `most`, about the probabilities, the margin and the costs.
 * Returns the number of sentences. */
uint32_t compare_joint_texts(
	const struct question *question, const char **texts, uint32_t most, struct arena *arena);

/* Writes the member "joint" of a question. */
void compare_joint_json(struct json *json, const struct question *question);

/* Returns how uncertain a constant of a machine is, as a factor. In nine of ten draws, the constant
 * is divided or multiplied by at most this factor. */
double joint_width(
	const struct constant *constant, const struct model_errors *errors, const char *machine);

#endif
