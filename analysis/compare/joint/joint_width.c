/* How uncertain a cost is (constant_kind.def). */
#include <math.h>
#include <string.h>

#include "joint_private.h"

/* A constant is one of several that its figure is the sum of, and their errors partly cancel in the
 * figure. So the constant is more uncertain than the figure. */
#define BY_FIGURE 2.0

/* A fitted cost is at least as uncertain as this. */
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
