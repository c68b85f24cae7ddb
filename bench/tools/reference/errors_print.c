/* Prints the errors of folds and of machines as tables (see errors.h). */
#include "bench/tools/reference/errors.h"

#include <stdio.h>

enum { NAME_WIDTH = 18 };

void errors_print_folds(const struct errors_file *file)
{
	printf("%-*s %4s  %-34s  %-34s\n", NAME_WIDTH, "", "", "kept out of the fit", "fitted to");
	printf("%-*s %4s  %6s  %6s  %6s  %7s   %6s  %6s  %6s  %7s\n", NAME_WIDTH, "family", "rows",
		"median", "p90", "worst", "ranking", "median", "p90", "worst", "ranking");
	printf("%-*s %4s  %6s  %6s  %6s  %7s   %6s  %6s  %6s\n", NAME_WIDTH, "", "", "%", "%", "%",
		"", "%", "%", "%");
	for (uint32_t i = 0; i < file->family_count; i++) {
		const struct family_validity *family = &file->families[i];
		const struct family_errors *out = &family->errors.by[FOLDS_HELD_OUT];
		const struct family_errors *in = &family->errors.by[FOLDS_IN_SAMPLE];

		printf("%-*s %4u  %6.2f  %6.2f  %6.2f  %7.3f   %6.2f  %6.2f  %6.2f  %7.3f\n",
			NAME_WIDTH, family->name, out->rows - out->refused, 100 * out->median,
			100 * out->p90, 100 * out->worst, out->ranking, 100 * in->median,
			100 * in->p90, 100 * in->worst, in->ranking);
	}
}

static void errors_print_machine(
	const char *family, const char *machine, const struct family_errors *errors)
{
	printf("%-*s  %-*s %4u  %6.2f  %6.2f  %6.2f  %7.3f\n", NAME_WIDTH, family, NAME_WIDTH,
		machine, errors->rows - errors->refused, 100 * errors->median, 100 * errors->p90,
		100 * errors->worst, errors->ranking);
}

void errors_print_machines(const struct errors_file *file)
{
	bool any = false;

	for (uint32_t i = 0; i < file->family_count; i++)
		any |= file->families[i].errors.by[FOLDS_OTHER_MACHINES].rows > 0;
	if (!any) {
		printf("errors.yaml has no errors of machines that were predicted from others; "
		       "`meshsim calibrate --fit\n--folds 10 --group system` finds them\n");
		return;
	}
	printf("%-*s  %-*s %4s  %6s  %6s  %6s  %7s\n", NAME_WIDTH, "family", NAME_WIDTH, "machine",
		"rows", "median", "p90", "worst", "ranking");
	printf("%-*s  %-*s %4s  %6s  %6s  %6s\n", NAME_WIDTH, "", NAME_WIDTH, "", "", "%", "%",
		"%");
	for (uint32_t i = 0; i < file->family_count; i++) {
		const struct family_validity *family = &file->families[i];
		const struct family_errors *all = &family->errors.by[FOLDS_OTHER_MACHINES];

		if (all->rows == all->refused)
			continue;
		for (uint32_t m = 0; m < family->machine_count; m++)
			errors_print_machine(family->name, family->machines[m].name,
				&family->machines[m].errors.by[FOLDS_OTHER_MACHINES]);
		errors_print_machine(family->name, "all", all);
	}
}
