/* Questions about a sweep: the options that a question compares, its contexts, and the option that
 * wins in each context (analysis/compare.h). */
#ifndef ANALYSIS_COMPARE_QUESTION_H
#define ANALYSIS_COMPARE_QUESTION_H

#include "analysis/compare/choices.h"
#include "analysis/compare/sweep_points.h"

/* A figure that contradicts the metric. If there is a winner, another option costs less in this
 * figure than the winner. If several options tie in the metric, one of them costs less in this
 * figure than another of them. */
struct contradiction {
	uint32_t option, than; /* `option` costs less than `than` */
	enum figure figure;
	struct margin margin; /* share by which `than` costs more than `option` */
	bool sure;	      /* false: may be chance, but would outweigh the metric if it is not */
};

struct context {
	const char *label; /* such as "runtime.completion=table"; "": there is only one context */
	/* [swept column] the values of the keys of one point */
	const char **keys;
	const struct sweep_point **points; /* [option] NULL: the option has no good point */
	/* [option] a point with a failed run. NULL if the option has no such point, or if all runs
	 * of another point of the option ended well */
	const struct sweep_point **failed;
	const char **labels; /* labels of the options, such as "broadcast (initiators=2)" */
	/* ranking */
	uint32_t *order;	/* options that have good points, the best first */
	uint32_t count;		/* number of options in `order` */
	struct margin *margins; /* [option] margin of the best option over this option */
	/* number of options that are not decidedly worse than the best one, which counts, too */
	uint32_t tied;
	struct model_doubt doubt; /* model error that explains the margin of the last tied option */
	struct model_doubt owed;  /* model error that could move the margin of a sole winner */
	uint32_t needed;	  /* operations needed for a steady state; 0: there is one */
	bool unbounded; /* only the runner-up is saturated: the margin grows with the run */
	struct contradiction *contradictions; /* contradict a sole winner; sure ones first */
	uint32_t contradiction_count;
	/* used if several options are tied for the best: figures in which one of these options
	 * certainly costs less than another of them */
	struct contradiction *asides;
	uint32_t aside_count;
};

struct crossover {
	const char *key, *name, *context; /* numeric key, its short name, the fixed keys */
	uint32_t column;
	uint32_t below, above; /* options that win at lower and at higher values */
	double at, low, high;  /* interpolated value of the key, between its values low and high */
	/* name of the option that is saturated at `low` or `high`; NULL if none is. A saturated
	 * option cannot be interpolated, so `at` is then only the middle of the interval */
	const char *saturated;
	const char *ends[2];		   /* texts of low and high as the scenario gave them */
	bool refined;			   /* true: additional runs have narrowed the interval */
	const struct sweep_point *base[2]; /* points of the options `below` and `above`, at `low` */
	double difference[2];		   /* value of above - value of below, at low and high */
};

enum outcome {
	OUTCOME_WINS,	   /* the best on the metric in all contexts; no figure contradicts */
	OUTCOME_DEPENDS,   /* the winner depends on the context */
	OUTCOME_TRADE_OFF, /* best on the metric, but another figure contradicts in most contexts */
	OUTCOME_UNDECIDED,
	OUTCOME_FRAGILE,    /* wins, but not with other costs or networks */
	OUTCOME_CONDITIONAL /* wins, but not with another value of an unswept choice */
};

/* One perturbation of --robust. */
struct robust_case {
	const char *label; /* such as "dispatch +30 %" */
	bool single;	   /* a single constant of a group that was tried; not counted in `tried` */
	bool known;	   /* false: a design could not run */
	double margin;	   /* margin of the winner over `rival`; negative if `rival` is better */
	const char *rival; /* the next best option */
	const char *why;   /* if `known` is false: the design, and why it could not run */
};

struct robustness {
	bool tried_any;
	uint32_t tried, held, runs, failed;
	uint32_t untried; /* cases that would have taken too long */
	const char **breaks; /* perturbations that break the verdict */
	uint32_t break_count;
	const char **failures; /* [failed]: the run that failed, and why */
	struct robust_case *cases;
	uint32_t case_count;
	double *effects; /* [constant] largest relative change of the margin, without sign, in
			  * the runs in which only this constant is changed; -1: unknown */
};

struct joint; /* analysis/compare/joint.h */

struct question {
	const char *label;
	const struct sweep_points *points; /* points of the question's subject */
	/* [swept column] is_option: the column is part of the options; is_free: the question uses
	 * its best value */
	bool *is_option, *is_free;
	bool is_part;	      /* only some points have the keys; the other points are left out */
	const char **options; /* labels of the options */
	const char ***option_keys;
	uint32_t option_count;
	struct context *contexts;
	uint32_t context_count;
	/* the verdict */
	enum outcome outcome;
	uint32_t focus; /* the context in which the verdict is explained */
	/* These count the contexts in which the winner of the focus is the only best option on the
	 * metric. `wins`: no other figure certainly contradicts the metric. `traded`: another
	 * figure does. */
	uint32_t wins, traded;
	uint32_t asked; /* number of contexts in which at least two options can be compared */
	uint32_t ended; /* number of contexts in which runs failed for the winner of the focus */
	bool doubted;	/* true: undecided, because a figure may contradict */
	bool equal;	/* true: undecided, as the best options are too close (choices_find()) */
	struct crossover *crossovers;
	uint32_t crossover_count;
	const char *hint; /* where more seeds may show that the verdict flips; NULL: nowhere */
	struct robustness robust;
	struct choices choices; /* unswept choices that the margin rests on */
	struct joint *joint;	/* NULL: unknown */
};

struct questions {
	struct question *at;
	uint32_t count;
};

/* Finds and answers all questions about a sweep. `by` lists the keys that the user asks about; it
 * may be empty (struct compare_options). Returns false, with a sentence in `why`, if a key does not
 * exist or if nothing is swept. */
bool questions_find(const struct summary *summary, const struct sweep_points *points,
	const char *const *by, uint32_t by_count, struct arena *arena, struct questions *questions,
	struct text *why);

/* Answers a question: fills in its options, contexts, verdict and crossovers. Before the call, the
 * caller must set question->is_option and question->is_free. */
void question_answer(struct question *question, const struct summary *summary,
	const struct sweep_points *points, struct arena *arena);

/* Returns true if a context has a single best option on the metric, but another figure certainly
 * contradicts this option. The option is then ahead only as a trade-off, and does not win the
 * context. */
bool question_is_traded(const struct context *context);

/* Returns true if the first point is certainly better than the second: neither chance nor the
 * model's error explains `margin`. Unless chance explains the margin, sets *doubt to the model
 * error that could change the margin most. */
bool question_beats(const struct sweep_points *points, const struct sweep_point *const pair[2],
	const struct margin *margin, struct model_doubt *doubt);

/* Finds the crossovers of a question along each numeric key that has one value per context. */
void crossovers_find(struct question *question, const struct summary *summary,
	const struct sweep_points *points, struct arena *arena);

#endif
