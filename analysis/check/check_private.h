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

/* Finds the causes of the changes in all files: the constants and stages that moved. Figures whose
 * stages did not move are not counted. Allocates in the arena of `print`. */
struct causes causes_find(const struct check_print *print);

/* Prints the causes; the one that explains most comes first. Each constant and stage has a line
 * that begins with `bullet`. If `bullet` is "", the lines follow a heading instead. Prints nothing
 * if there are no causes. */
void check_causes(const struct check_print *print, const char *bullet, FILE *out);

void check_text(const struct check_print *print, FILE *out);
void check_markdown(const struct check_print *print, FILE *out);
void check_json(const struct check_print *print, FILE *out);

/* Appends JUnit's XML. It has a suite per file and a test case per run. Runs that only the baseline
 * has are test cases, too. */
void check_junit(const struct check_print *print, struct text *out);

/* Returns the name of the figure that changed, or what happened to a run or figure, such as "run
 * missing". */
const char *check_metric(const struct change *change, struct arena *arena);

/* The Mann-Whitney rank test of two sets of times. It makes no assumption about their
 * distribution. */
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
