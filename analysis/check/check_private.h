/* Declarations that the files of `meshsim check` share: writers, and the causes that they print. */
#ifndef ANALYSIS_CHECK_CHECK_PRIVATE_H
#define ANALYSIS_CHECK_CHECK_PRIVATE_H

#include <stdint.h>

#include "changes.h"

/* A result file and its baseline. */
struct check_part {
	const char *file, *path; /* path of the result file, path of the baseline */
	struct measured_runs measured;
	struct changes changes;
};

/* All data that the writers print. */
struct check_print {
	const struct check_part *parts;
	uint32_t count;
	struct arena *arena;
	bool exact; /* better and tolerated changes fail, too */
	bool rows;  /* the text lists every change */
};

/* True if the change makes the check fail. */
bool check_fails(const struct check_print *print, const struct change *change);

/* The numbers of figures, runs and scenarios that a cause explains. */
struct explained {
	uint32_t figures, runs, scenarios;
	const struct measured_run *last_run;
	const struct check_part *last_part;
};

struct cause_stage {
	const struct stage_move *largest;
	struct explained explained;
};

/* The evidence that a constant changed figures, from the strongest to the weakest. */
enum cause_basis {
	BASIS_CHARGED, /* critical paths of the figures are charged for the constant */
	/* no critical path is charged for it, but it makes others wait, and waiting changed */
	BASIS_WAITS,
	BASIS_ONLY, /* no other changed constant can move the figures */
	BASIS_NONE, /* the constant explains no figure */
};

struct cause {
	const struct constant_move *constant; /* NULL: the cause of stages that no constant moved */
	uint32_t id;
	struct explained explained;
	uint32_t counts[VERDICT_COUNT]; /* [verdict] number of figures that the cause explains */
	double worst; /* largest change for the worse of a time or a rate, as a share */
	enum cause_basis basis;
	/* The share by which the constant makes the critical paths of a run longer, to first order:
	 * the largest such share of all runs. 0: nothing on the critical paths is charged for the
	 * constant */
	double first_order;
	bool charges_known;
	/* sorted: the stage that explains most is the first; unused entries are 0 */
	struct cause_stage stages[STAGE_COUNT];
};

/* A changed figure, and the `id` of its cause. */
struct filed {
	const struct check_part *part;
	const struct change *change;
	uint32_t cause;
};

struct causes {
	struct cause *at; /* causes, the worst first */
	uint32_t count;
	bool constants_known; /* true: all baselines have constants */
	struct filed *filed;  /* figures outside tolerances: the worst first, better ones last */
	uint32_t filed_count;
};

/* Finds the causes of the changes in all files. A cause is a constant, a stage, or both. For a
 * changed figure, the constant is the first of these that exists: a changed constant whose own
 * stage also changed its time; a changed constant that makes waits longer, if the time of a stage
 * in which stages wait changed; the only changed constant that can have changed the figure. The
 * result is in the arena of `print`. */
struct causes causes_find(const struct check_print *print);

/* Prints the causes, one sentence for each, the worst first. In text, the rows with the worst
 * changes follow the sentence of their cause; in Markdown each cause is an item of a list. Then
 * names changed constants that explain no changed figure. Prints nothing if there are neither
 * causes nor such constants. */
void check_causes(const struct check_print *print, bool markdown, FILE *out);

/* A figure that changed. The row shows the point of the sweep where it changed most, and the mean
 * change over the seeds of this point. The row also stands for changes of the same metric at other
 * points, and of its other statistics (such as p99 instead of p50). */
struct check_row {
	const struct filed *filed; /* the change of the seed that changed most */
	enum verdict verdict;	   /* verdict on the mean over the seeds */
	double ratio;		   /* relative change, mean over the seeds */
	double low, high;	   /* 95 % interval of `ratio`, if there are several seeds */
	uint32_t seeds, alike;	   /* alike: other points and statistics for which the row stands */
	double old, new;	   /* means over the seeds, if there are several */
};

/* Finds the rows of a cause, the worst first, in the arena of `print`. Returns their number. */
uint32_t check_rows_find(const struct check_print *print, const struct causes *causes, uint32_t id,
	struct check_row **rows);

/* Returns a row as a text: figure, values, interval, place. If `scenario` is set, the text begins
 * with the name of the scenario. */
const char *check_row_text(const struct check_row *row, bool scenario, struct arena *arena);

/* Prints changes one by one, with the seed if there are several seeds. */
void check_rows_print(
	const struct check_print *print, const struct filed *filed, uint32_t count, FILE *out);

/* Prints a row: its relative change, and `text` to the right of it. */
void check_row_print(
	const struct filed *filed, double ratio, const char *text, struct arena *arena, FILE *out);

void check_text(const struct check_print *print, FILE *out);
void check_markdown(const struct check_print *print, FILE *out);
void check_json(const struct check_print *print, FILE *out);

/* Appends the comparison as XML in the format of JUnit: a test suite for each file, and a test case
 * for each run. A run that is only in the baseline also gets a test case. */
void check_junit(const struct check_print *print, struct text *out);

/* The result of the Mann-Whitney rank test of two sets of times. The test needs no assumption about
 * the distribution of the times. */
struct rank_test {
	double u; /* number of pairs whose second value is greater; ties count half */
	/* one-sided p-values: for "the second set is greater" and for "it is less". Computed with
	 * the normal approximation, corrected for ties */
	double greater, less;
	double effect; /* u / number of pairs; 0.5: no difference */
	double median[2];
};

/* Compares two sets of values, neither of which may be empty. */
struct rank_test rank_test(
	const double *first, uint32_t first_count, const double *second, uint32_t second_count);

#endif
