/* Finds how many runtime arguments the programs of a report have. Only for files of this folder. */
#ifndef OP_GAPS_FIT_H
#define OP_GAPS_FIT_H

#include "bench/tools/op_gaps/op_gaps.h"

enum { OP_GAPS_ARGUMENTS = 12 }; /* the guess */

/* Simulates the report several times, with simulate(context). Between the runs, changes the numbers
 * of arguments in gaps->program_args, of programs that are host-bound at least four times in the
 * first half of the report. Their operations should start as long after their calls as measured
 * there. Keeps the numbers with which the gaps of the first half are closest to the measured ones,
 * and ends with a run of these. Returns false if a run fails. */
bool op_gaps_fit(struct op_gaps *gaps, bool (*simulate)(void *context), void *context);

/* The measured gap of an operation in ns, or NAN. */
double op_gaps_measured(const struct op_gap *gap);

/* True if the gap is long, and true if it follows from the design: the program was not compiled,
 * and the application did not pause. */
bool op_gaps_is_long(double gap_ns);
bool op_gaps_is_steady(const struct op_gap *gap);

/* Returns a new array with the measured start of each operation, on a clock of its device. The
 * caller frees it. */
double *op_gaps_measured_starts(const struct op_gaps *gaps);

/* Returns a quantile of numbers, which it sorts; NAN if there are none. */
double op_gaps_quantile(double *values, uint32_t count, double share);

#endif
