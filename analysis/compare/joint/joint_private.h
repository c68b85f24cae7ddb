/* The model of a question's options to first order, and its draws (analysis/compare/joint.h). */
#ifndef ANALYSIS_COMPARE_JOINT_PRIVATE_H
#define ANALYSIS_COMPARE_JOINT_PRIVATE_H

#include "analysis/compare/joint.h"

/* Nine of ten values of a normal distribution are within this many standard deviations. */
#define JOINT_DEVIATIONS 1.6448536269514722

/* A cost that is drawn. */
struct joint_cost {
	const struct constant *constant;
	double sigma;  /* standard deviation of the logarithm of the cost's factor */
	double *parts; /* [option] time charged for the cost, ps; NULL: no option has such time */
};

/* The time of an option in a draw is `fixed`, plus each part times the growth of its cost. */
struct joint_model {
	uint32_t options; /* number of options of the focus, at most JOINT_OPTIONS_MAX */
	const struct sweep_point *points[JOINT_OPTIONS_MAX];
	const char *labels[JOINT_OPTIONS_MAX];
	uint32_t numbers[JOINT_OPTIONS_MAX]; /* index of each option in the question */
	double values[JOINT_OPTIONS_MAX];    /* times of the options with unchanged costs, ps */
	double fixed[JOINT_OPTIONS_MAX];
	/* for each option: the standard error of log(its value / the best value), computed from the
	 * seeds, or from the operations of one run; 0 for the best option, and if the margin has
	 * too few samples or no interval */
	double scatter[JOINT_OPTIONS_MAX];
	struct joint_cost *costs;
	uint32_t count;
	bool charged; /* true: the parts of all options are known */
};

/* Arrays for draws, allocated once. */
struct joint_space {
	uint32_t draws;
	uint32_t *order;
	double *growths, *others; /* [draws] */
	double *times;		  /* [options][draws] */
};

/* Fills in the model of a question's focus. Returns false if there is nothing to compare. */
bool joint_model_make(struct comparison *comparison, const struct question *question,
	struct joint_model *model, struct arena *arena);

struct joint_space joint_space_make(
	const struct joint_model *model, uint32_t draws, struct arena *arena);

/* Sets growths[i], for each draw i, to a random factor by which the time charged for the cost is
 * multiplied (2: twice the time). The draws of one `set` are a Latin hypercube: the values of a
 * cost are divided into as many equally probable intervals as there are draws, and each interval
 * contains one draw. Costs are independent of each other. */
void joint_draw(const char *set, const struct joint_cost *cost, uint32_t draws, uint32_t *order,
	double *growths);

/* Sets space->times to the times of all options in the draws of a set. */
void joint_times(const struct joint_model *model, const char *set, struct joint_space *space);

/* Multiplies the value of option `o` in each draw, values[draw * stride], by a random factor. The
 * factor varies as much as the time of the option is uncertain (model->scatter, its standard
 * error). So if two options may differ only by chance, each of them is the best in some draws. */
void joint_scatter(
	const struct joint_model *model, uint32_t o, uint32_t draws, size_t stride, double *values);

/* Adds to chances[option], for each option, the share of draws in which its time, times[option *
 * draws + draw], is the shortest. If several options have the shortest time in a draw, each gets an
 * equal part of the draw. */
void joint_count(const double *times, uint32_t options, uint32_t draws, double *chances);

/* Sets joint->low, joint->middle and joint->high to three quantiles of the margin of the second
 * option over the first, over all draws. */
void joint_quantiles(const double *times, uint32_t draws, double *scratch, struct joint *joint);

/* Computes which share of the variance of log(second option's time / first option's time) each cost
 * explains. Before the call, space->times must have the times of the draws in the set "first". */
void joint_variance(const struct joint_model *model, struct joint_space *space, struct joint *joint,
	struct arena *arena);

/* Looks for a small number of groups of costs that reverse the verdict if they all change together.
 * Sets factors[group] to the factor by which each of these groups changes, and to 1 for all other
 * groups. */
void joint_together(const struct joint_model *model, struct joint *joint,
	double factors[CONSTANT_GROUPS], struct arena *arena);

/* Limit on the number of designs that are rerun. */
enum { JOINT_DESIGNS_MAX = 4 };

/* The values of the designs in the draws that were rerun: values[draw * designs + design]. A value
 * of 0 means that the run failed. of[design] is the index of the design's option in the model. */
struct joint_reruns {
	uint32_t designs, of[JOINT_DESIGNS_MAX];
	double nominal[JOINT_DESIGNS_MAX]; /* values with unchanged costs and with the same seed */
	double *values;
	uint32_t draws;
	const char *why; /* why the first failed run failed; NULL: no run failed */
};

/* Reruns the draws of a set, and appends their values. Returns the number of runs made. */
uint32_t joint_rerun_set(struct comparison *comparison, const struct question *question,
	const struct joint_model *model, const char *set, uint32_t draws,
	struct joint_reruns *reruns);

/* The probability that each design is the best, computed from all draws of `space` and from the
 * reruns. `foreseen` has the first-order values of the draws that were rerun. With n reruns, the
 * variance of the first design's probability is `variance` / n. */
struct joint_corrected {
	double chances[JOINT_DESIGNS_MAX], variance;
};
struct joint_corrected joint_correct(const struct joint_model *model,
	const struct joint_reruns *reruns, const double *foreseen, const struct joint_space *space);

/* Reruns the designs once with these factors of groups, and appends their values. */
uint32_t joint_rerun_groups(struct comparison *comparison, const struct question *question,
	const struct joint_model *model, const double factors[CONSTANT_GROUPS],
	struct joint_reruns *reruns);

#endif
