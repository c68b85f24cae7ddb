/* The interface between the files of `meshsim check`: writers, and the causes that they print. */
#ifndef ANALYSIS_CHECK_CHECK_PRIVATE_H
#define ANALYSIS_CHECK_CHECK_PRIVATE_H

#include <stdint.h>

#include "changes.h"

/* A result file and its baseline. */
struct check_part {
	const char *file, *path; /* result file, baseline */
	struct measured_runs measured;
	struct changes changes;
};

/* Everything that the writers print from. */
struct check_print {
	const struct check_part *parts;
	uint32_t count;
	struct arena *arena;
	bool exact; /* better and tolerated changes fail as well */
};

/* True if the change makes the gate fail. */
bool check_fails(const struct check_print *print, const struct change *change);

/* How many figures, runs and scenarios a cause explains. */
struct explained {
	uint32_t figures, runs, scenarios;
	const struct measured_run *last_run;
	const struct check_part *last_part;
};

struct cause_stage {
	const struct stage_move *largest;
	struct explained explained;
};

struct cause {
	const struct constant_move *constant; /* NULL: stages that no constant moved */
	struct explained explained;
	struct cause_stage stages[STAGE_COUNT]; /* the one that explains most first; then zeros */
};

struct causes {
	struct cause *at; /* those with a constant first, sorted by figures */
	uint32_t count;
	bool constants_known; /* false: the baseline of some change has no constants */
};

/* Finds the causes of the changes in all files. A cause is a constant, a stage, or both. Figures
 * without a stage that moved are left out. The result is in the arena of `print`. */
struct causes causes_find(const struct check_print *print);

/* Prints the causes, one line for each pair of a constant and a stage. The constant that explains
 * most figures comes first; stages without a constant come last. Each line begins with `bullet`. If
 * `bullet` is "", a heading is printed above the lines. Prints nothing if there are no causes. */
void check_causes(const struct check_print *print, const char *bullet, FILE *out);

void check_text(const struct check_print *print, FILE *out);
void check_markdown(const struct check_print *print, FILE *out);
void check_json(const struct check_print *print, FILE *out);

/* Appends the comparison as JUnit's XML: a suite for each file, and a test case for each run. Runs
 * that only the baseline has also get a test case. */
void check_junit(const struct check_print *print, struct text *out);

/* Returns the name of the figure that changed. If a whole run or a figure is missing or new, says
 * so, as in "run missing". */
const char *check_metric(const struct change *change, struct arena *arena);

/* The result of the Mann-Whitney rank test of two sets of times. The test makes no assumption about
 * how the times are distributed. */
struct rank_test {
	double u;	      /* pairs in which the second is greater; ties count half */
	double greater, less; /* one-sided p of the second: normal approximation with ties */
	double effect;	      /* u / number of pairs; 0.5: no difference */
	double median[2];
};

/* Tests two sets. Both counts must be positive. */
struct rank_test rank_test(
	const double *first, uint32_t first_count, const double *second, uint32_t second_count);

#endif
