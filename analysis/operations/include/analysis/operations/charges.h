/* The time that each constant of a platform was charged for on the critical paths of operations.
 * From it follows, to first order, how a changed constant moves a margin: if a cost grows by some
 * part, each path grows by that part of the cost's charge; for bandwidths the reciprocal counts. */
#ifndef ANALYSIS_OPERATIONS_CHARGES_H
#define ANALYSIS_OPERATIONS_CHARGES_H

#include "analysis/read/summary.h"

struct charge {
	const char *path; /* of the constant, below the platform */
	double time;	  /* sum over operations, ps */
};

struct charges {
	struct charge *at; /* sorted by path */
	uint32_t count;
	double whole; /* time of all critical paths, ps */
	bool known;   /* false: some run recorded no charges */
};

/* Adds the charges of one run for a kind of operations (of "KIND/NAME" only KIND counts; NULL: all)
 * and a metric (NULL: all). False with a sentence in `why` if they cannot be read. */
bool charges_add(struct charges *charges, struct summary *summary, const char *group,
	const char *kind, const char *metric, struct arena *arena, struct text *why);

/* Time charged for a constant, ps; 0 if it was never charged. */
double charges_of(const struct charges *charges, const char *path);

/* Relative growth of the time charged for a constant of this unit if its value is multiplied by
 * `factor`. */
double charge_growth(const char *unit, double factor);

#endif
