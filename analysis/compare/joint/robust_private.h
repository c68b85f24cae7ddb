/* Declarations shared by the files of `compare --robust` (robust.c): designs, and the changes that
 * are made to their runs. */
#ifndef ANALYSIS_COMPARE_ROBUST_PRIVATE_H
#define ANALYSIS_COMPARE_ROBUST_PRIVATE_H

#include "analysis/compare/comparison.h"

enum { PERTURBATIONS_MAX = 128, BREAKS_MAX = 64, DESIGNS_MAX = 4 };

extern const double robust_factors[2];

struct scaled {
	const struct constant *constant; /* constant of the winner's platform */
	double factor;
};

/* A change that is made to the runs of all designs. A constant may have different values in the
 * designs, so the change multiplies constants by a factor, and does not set them to a value. */
struct perturbation {
	const char *label;
	int group; /* group of the constant; CONSTANT_GROUPS: several groups */
	double factor;
	struct scaled *scaled;
	uint32_t count;
	const char *network; /* name of another network; NULL: the network is unchanged */
	uint32_t designs;    /* number of designs to run, the winner first */
};

/* The lead of the winner: the closest other option, and the winner's margin over this option. */
struct lead {
	bool known;
	double margin;
	const char *rival;
	const char *why; /* if `known` is false: the design that could not run, and why */
};

/* Effect of a group of constants on the margin. */
struct stirred {
	/* `moved`: the margin changes by a tenth or more; `broke`: the margin no longer decides */
	bool moved, broke;
};

struct trial {
	struct comparison *comparison;
	struct question *question;
	/* [design] the designs, the winner first */
	const struct sweep_point *points[DESIGNS_MAX];
	const char *names[DESIGNS_MAX], *scenarios[DESIGNS_MAX], *platforms[DESIGNS_MAX];
	uint32_t designs;
	/* own: [design] constants of the design; constants: those of the winner */
	struct constants own[DESIGNS_MAX], constants;
	struct perturbation *list;
	uint32_t count;
	uint32_t others; /* index of the perturbation of all other groups, + 1; 0: none */
	double nominal;	 /* the margin without perturbation */
	struct stirred stirred[CONSTANT_GROUPS][2]; /* [group][factor] */
	struct lead *singles;			    /* by constant, then by factor */
};

/* Adds a perturbation without changes to the list. Its label has the factor, if this is not 0. */
struct perturbation *robust_add(struct trial *trial, const char *name, double factor, int group);

/* Adds a constant to a perturbation. */
void robust_scale(struct perturbation *perturbation, const struct constant *constant);

/* Returns, to first order, the margin of the winner over a rival if all constants of a group are
 * multiplied by `factor` or, if `only` is not NULL, only this constant. */
double robust_foreseen(const struct trial *trial, uint32_t rival, int group,
	const struct constant *only, double factor);

/* Adds the perturbations that change groups of costs. A group that matters at one of the factors
 * gets a perturbation for each factor. All other groups share one perturbation. If `all` is set,
 * adds only perturbations of the other groups, and each of these gets one for each factor. */
void robust_add_groups(struct trial *trial, bool all);

/* Adds the other networks. With a slow network, only the winner and the runner-up are run. Leaves
 * out networks that would take too long. */
void robust_add_networks(struct trial *trial);

/* Leaves out perturbations from `first` on if all of them would take too long. Keeps those that
 * move the margin most, to first order. */
void robust_keep(struct trial *trial, uint32_t first);

#endif
