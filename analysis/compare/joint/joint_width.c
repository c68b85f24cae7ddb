/* Computes the factor by which a cost may differ from its value (constant_kind.def). */
#include <math.h>
#include <string.h>

#include "joint_private.h"

/* A measured error is the error of a figure. A figure is a sum of several constants, whose errors
 * partly cancel. So the error of a single constant is larger than the error of the figure, by about
 * this factor. */
#define BY_FIGURE 2.0

/* The factor of a fitted cost is at least this. */
#define FITTED_LEAST 1.1

/* A normal distribution has half of its values within this many standard deviations. */
#define DEVIATIONS_OF_HALF 0.6744897501960817

double joint_width(
	const struct constant *constant, const struct model_errors *errors, const char *machine)
{
	double factor = constant_factor(constant->kind), spread;

	if (strcmp(constant->kind, constant_kind_words(CONSTANT_FITTED)) == 0) {
		double error = model_error_of(errors, constant->path, machine);
		if (error > 0)
			factor = fmax(FITTED_LEAST, 1 + BY_FIGURE * error);
	}
	if (constant->spread <= 0)
		return factor;
	spread = JOINT_DEVIATIONS / DEVIATIONS_OF_HALF * constant->spread;
	return exp(sqrt(log(factor) * log(factor) + spread * spread));
}
