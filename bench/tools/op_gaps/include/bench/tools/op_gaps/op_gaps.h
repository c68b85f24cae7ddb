/* Predicts the gaps between the operations in a profiler's report, and compares them with the
 * measured gaps. The prediction uses neither these gaps nor the measured start times of operations
 * on the device.
 *
 * A simple formula serves as a baseline. The formula adds a fixed time (the floor) to the end of
 * the previous operation, and a fixed time (the lag) to the call of the operation. The operation
 * starts at the later of these two times. Floor and lag are medians over the first half of the
 * report. Prediction and formula are scored on the second half.
 *
 * A report does not say how many runtime arguments a program has, although its dispatch takes as
 * long as they are many. So the prediction starts with a guess. It then changes the number of each
 * program that is often host-bound in the first half of the report, until its operations start
 * there as long after their calls as measured. */
#ifndef BENCH_TOOLS_OP_GAPS_H
#define BENCH_TOOLS_OP_GAPS_H

#include "base/diag.h"
#include "bench/tools/import/op_report.h"

/* An operation with its times in ns. */
struct op_gap {
	const struct op_entry *entry;
	uint32_t call;		  /* number of the launch */
	double gap, skew, kernel; /* predicted values; NAN: the run did not reach the operation */
	double start;		  /* predicted, from the start of the run */
	double formula;		  /* gap by the formula */
	bool first_use;		  /* true in the first call of its program, when the runtime
				   * compiles the program */
};

struct op_gaps {
	const struct op_report *report;
	const char *machine;
	struct op_gap *at;
	uint32_t count;
	uint32_t call_count;
	uint32_t from;		  /* first call that is scored */
	uint32_t *program_args;	  /* [program] number of runtime arguments of each core and kernel
				   */
	uint32_t fitted_programs; /* number of programs whose number of arguments was fitted */
	double floor_ns, *lag_ns; /* floor of the formula (see above), and its lag on each device.
				   * A lag includes the offset between the clocks of host and
				   * device */
};

struct op_gaps_request {
	const char *path, *platform; /* NULL: the machine of the report, its profiler on */
	const char *folder;	     /* folder to which the scenario is written; NULL: it is not
				      * kept */
	const char *const *sets;     /* KEY=VALUE: changes of the scenario */
	uint32_t set_count;
	bool fits; /* find the numbers of arguments; false: guess them */
};

/* Reads the report, simulates it, and fills *gaps; memory comes from `arena`. Returns false with
 * errors in `diag`, or after a message on standard error. */
bool op_gaps_run(const struct op_gaps_request *request, struct arena *arena, struct diag *diag,
	struct op_gaps *gaps);

/* Computes the gaps by the formula. `arena` has memory for the lags. */
void op_gaps_formula(struct op_gaps *gaps, struct arena *arena);

/* Classes of operations. OP_HOST_BOUND: the gap is long, but no pause of the application.
 * OP_DEVICE_BOUND: the gap is short. */
enum op_class { OP_DEVICE_BOUND, OP_HOST_BOUND, OP_CLASSES };

struct op_score {
	uint32_t rows;
	double median_ns, p90_ns, ranking; /* of the gaps */
	double near;			   /* fraction of gaps with errors up to 30 % */
	double skew_median_ns, skew_p90_ns;
};

/* Scores a class, by the prediction or, if `formula` is set, by the formula. */
struct op_score op_gaps_score(const struct op_gaps *gaps, enum op_class which, bool formula);

/* Sets *whole to the relative error of the total time of all scored operations. Sets *told to the
 * fraction of the scored operations whose class (enum op_class) is predicted correctly. */
void op_gaps_whole(const struct op_gaps *gaps, double *whole, double *told);

/* Print tables, or JSON. */
void op_gaps_print(const struct op_gaps *gaps);
void op_gaps_print_json(const struct op_gaps *gaps);

#endif
