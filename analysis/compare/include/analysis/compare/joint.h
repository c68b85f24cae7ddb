/* Joint uncertainty of a verdict: all costs of the platform are drawn together, each from a
 * distribution that depends on how its value was found (constant_kind.def). The result is the
 * probability that each option is the best, and the costs that explain how the margin varies.
 *
 * Draws are evaluated to first order, from the time that each design was charged for each cost.
 * With --robust, some draws are also rerun. They show how far the first order is off. If it is off
 * by more than a quarter of the margin, or the probability of the winner by more than 2 %, more
 * draws are rerun, and they correct the probabilities. If nothing was charged, only reruns count.
 */
#ifndef ANALYSIS_COMPARE_JOINT_H
#define ANALYSIS_COMPARE_JOINT_H

#include "analysis/compare/comparison.h"

enum {
	JOINT_DRAWS = 2048,
	JOINT_OPTIONS_MAX = 64,
	JOINT_NAMED = 3,	/* costs that are named in a verdict */
	JOINT_TOGETHER_MAX = 6, /* groups of costs that are named as reversing it together */
	JOINT_CHECKED = 20,	/* draws that are rerun to check the first order */
	JOINT_RERUNS_MAX = 180	/* draws that are rerun if it is off */
};

enum joint_basis {
	JOINT_FIRST_ORDER, /* of the charged times */
	JOINT_CONFIRMED,   /* the same; reruns showed that it is near enough */
	JOINT_CORRECTED,   /* the same, corrected by reruns */
	JOINT_RERUN	   /* of reruns alone */
};

struct joint_option {
	uint32_t option;
	const char *label;
	double chance; /* probability that it is the best */
};

/* A cost that explains a part of the variance of the margin's logarithm: `first` by itself, `total`
 * with all its interactions. */
struct joint_cost_share {
	const char *path, *kind;
	double factor; /* nine of ten draws are within this factor */
	double first, total;
};

/* The smallest set of groups of costs that reverses the verdict, to first order, if each group
 * changes by 30 % in the direction that is against the verdict. */
struct joint_together {
	const char *groups[JOINT_TOGETHER_MAX]; /* "copies -30 %" */
	uint32_t count; /* 0: no set does; may exceed JOINT_TOGETHER_MAX, the rest has no name */
	double margin;	/* margin that is left to the winner, to first order */
	const char *rival;
	bool rerun; /* `measured` is the margin of a rerun with these costs */
	double measured;
};

struct joint {
	enum joint_basis basis;
	uint32_t draws;		       /* 0: none to first order */
	uint32_t reruns, runs, failed; /* draws that count, runs, draws that could not run */
	const char *failure;	       /* the first run that failed, and why */
	bool few;     /* more reruns would have been made, but they take too long */
	double error; /* root mean square of what the first order is off a margin in the reruns */
	const char *error_rival;      /* whose margin it is: the one with the largest share */
	double precision;	      /* half of the 95 % interval of the winner's chance */
	double low, middle, high;     /* 5 %, 50 % and 95 % of the draws' margins are below */
	struct joint_option *options; /* in the order of the ranking */
	uint32_t option_count;
	struct joint_cost_share shares[JOINT_NAMED]; /* the largest first */
	uint32_t share_count;
	struct joint_together together;
};

/* Below this probability, a verdict does not hold. */
#define JOINT_HOLDS 0.9

/* Fills in question->joint, to first order; leaves it NULL if the charges are unknown or there is
 * nothing to compare. */
void compare_joint(struct comparison *comparison, struct question *question);

/* Reruns draws of a question that has a winner, and corrects question->joint. If the winner is not
 * the best in JOINT_HOLDS of the draws, the outcome becomes fragile. */
void compare_joint_rerun(struct comparison *comparison, struct question *question);

/* The probabilities, the margin, and the costs as sentences; returns their number, at most `most`.
 */
uint32_t compare_joint_texts(
	const struct question *question, const char **texts, uint32_t most, struct arena *arena);

/* Writes the member "joint" of a question. */
void compare_joint_json(struct json *json, const struct question *question);

/* Returns the factor within which nine of ten draws of a constant are, on a machine. */
double joint_width(
	const struct constant *constant, const struct model_errors *errors, const char *machine);

#endif
