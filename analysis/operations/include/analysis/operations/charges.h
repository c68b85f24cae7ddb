/* What the constants of a platform were charged for on the ways of the operations that are
 * compared, and what a margin owes to each, to first order: a cost that grows by a part makes every
 * way longer by that part of its charge, a bandwidth by what it loses. */
#ifndef ANALYSIS_OPERATIONS_CHARGES_H
#define ANALYSIS_OPERATIONS_CHARGES_H

#include "analysis/read/summary.h"

struct charge {
	const char *path; /* of the constant, below the platform */
	double time;	  /* sum over operations, ps */
};

struct charges {
	struct charge *at; /* by path */
	uint32_t count;
	double whole; /* of their ways, ps */
	bool known; /* false: some run did not say */
};

/* Adds those of one run, for a kind of operations ("KIND", or "KIND/NAME" of a step; NULL: all) and
 * a metric (NULL: all). False with a sentence in `why`. */
bool charges_add(struct charges *charges, struct summary *summary, const char *group,
	const char *kind, const char *metric, struct arena *arena, struct text *why);

/* Time charged for that constant, ps; 0 if it was never charged. */
double charges_of(const struct charges *charges, const char *path);

/* By how much the time charged for a constant of this unit grows, as a part of it, if its value is
 * multiplied by `factor`. */
double charge_growth(const char *unit, double factor);

#endif
