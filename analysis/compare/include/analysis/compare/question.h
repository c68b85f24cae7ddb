/* Questions about a sweep: options, contexts, and which option wins where. See
 * analysis/compare.h. */
#ifndef ANALYSIS_COMPARE_QUESTION_H
#define ANALYSIS_COMPARE_QUESTION_H

#include "analysis/compare/sweep_points.h"

/* Where an option costs decidedly less than the one that wins on the metric, or than one that ties.
 */
struct contradiction {
	uint32_t option, than; /* who costs less, than whom */
	enum figure figure;
	struct margin margin; /* by how much more the winner costs */
	bool sure;	      /* or it may be chance, but would weigh more than the metric */
};

struct context {
	const char *label;		   /* "runtime.completion=table"; "" if there is one */
	const char **keys;		   /* of all swept columns; those of options NULL */
	const struct sweep_point **points; /* by option; NULL: none, or none that is good */
	const char **labels;		   /* of options: "broadcast (initiators=2)" */
	/* who wins here */
	uint32_t *order;	/* options that have points, the best first */
	uint32_t count;		/* of them */
	struct margin *margins; /* by option: how much worse than the best */
	uint32_t tied; /* how many are not decidedly worse than the best, itself included */
	struct model_doubt doubt; /* of the last one that is tied, if its margin is within it */
	uint32_t needed; /* operations that a run lacks for a steady state; 0: none */
	bool unbounded;	 /* the next is saturated, the best is not: the margin grows with the run */
	struct contradiction *contradictions; /* of who wins alone; the sure ones first */
	uint32_t contradiction_count;
	/* of who ties: an option that costs decidedly less in a figure than the best */
	struct contradiction *asides;
	uint32_t aside_count;
};

struct crossover {
	const char *key, *name, *context; /* the numeric key, in short, and what else is fixed */
	uint32_t column;
	uint32_t below, above; /* options that win on either side */
	double at, low, high;  /* interpolated, between values of the key */
	const char *saturated; /* option that falls behind at an end: `at` is only the middle; or
				  NULL */
	const char *ends[2];   /* those values as they were given */
	bool refined;
	const struct sweep_point *base[2]; /* of below and above, at `low` */
	double difference[2];		   /* of their values at low and high */
};

enum outcome {
	OUTCOME_WINS,	   /* on the metric, everywhere, and nothing contradicts */
	OUTCOME_DEPENDS,   /* on the context */
	OUTCOME_TRADE_OFF, /* on the metric, and something else contradicts */
	OUTCOME_UNDECIDED,
	OUTCOME_FRAGILE
};

struct robustness {
	bool tried_any;
	uint32_t tried, held, runs, failed;
	const char **breaks; /* what breaks it */
	uint32_t break_count;
	const char **failures; /* [failed]: what could not run, and why */
	double *effects; /* by constant: by what part of itself it moves the margin; 0: not tried */
};

struct question {
	const char *label;
	const struct sweep_points *points; /* of its subject */
	bool *is_option, *is_free; /* by swept column; free: the best is taken */
	bool is_part;		   /* about keys that not all points have: others are left out */
	const char **options;	   /* labels */
	const char ***option_keys;
	uint32_t option_count;
	struct context *contexts;
	uint32_t context_count;
	/* the verdict */
	enum outcome outcome;
	uint32_t focus; /* context that the verdict is explained in */
	uint32_t wins;	/* contexts in which the winner of the focus wins alone */
	uint32_t asked; /* contexts in which there is something to compare */
	bool doubted;	/* undecided since something may contradict */
	struct crossover *crossovers;
	uint32_t crossover_count;
	struct robustness robust;
};

struct questions {
	struct question *at;
	uint32_t count;
};

/* Makes and answers all questions; `by` as in struct compare_options. False with a sentence in
 * `why`: no such key, or nothing is swept. */
bool questions_find(const struct summary *summary, const struct sweep_points *points,
	const char *const *by, uint32_t by_count, struct arena *arena, struct questions *questions,
	struct text *why);

/* Fills options, contexts and the verdict of a question whose columns are set. */
void question_answer(struct question *question, const struct summary *summary,
	const struct sweep_points *points, struct arena *arena);

/* Crossovers of a question along every numeric key that is not its own. */
void crossovers_find(struct question *question, const struct summary *summary,
	const struct sweep_points *points, struct arena *arena);

#endif
