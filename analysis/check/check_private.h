/* The writers of `meshsim check` and what they share. */
#ifndef ANALYSIS_CHECK_CHECK_PRIVATE_H
#define ANALYSIS_CHECK_CHECK_PRIVATE_H

#include "changes.h"

/* A result file and its baseline. */
struct check_part {
	const char *file, *path; /* of the result, of the baseline */
	struct measured_runs measured;
	struct changes changes;
};

/* Changes are printed with these. */
struct check_print {
	const struct check_part *parts;
	uint32_t count;
	struct arena *arena;
	bool exact; /* what is better or tolerated fails as well */
};

/* True if the change makes the gate fail. */
bool check_fails(const struct check_print *print, const struct change *change);

/* How much something explains. */
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
	struct cause_stage stages[STAGE_COUNT]; /* what explains most first; then zeros */
};

struct causes {
	struct cause *at; /* constants first, then those that explain most */
	uint32_t count;
	bool constants_known; /* false: a baseline of a change has none */
};

/* What the changes come from, over all files: constants and stages that moved. Figures whose stages
 * did not move are not counted. In the arena of `print`. */
struct causes causes_find(const struct check_print *print);

/* Prints the causes: constants and stages that moved, and what they explain, the one that explains
 * most first; a line each behind `bullet`, or below a heading. Nothing if none did. */
void check_causes(const struct check_print *print, const char *bullet, FILE *out);

void check_text(const struct check_print *print, FILE *out);
void check_markdown(const struct check_print *print, FILE *out);
void check_json(const struct check_print *print, FILE *out);

/* JUnit's XML: a suite per file, a test case per run; runs of the baseline that are missing, too.
 */
void check_junit(const struct check_print *print, struct text *out);

/* "figure", or what happened to a whole run or figure: "missing run" and the like. */
const char *check_metric(const struct change *change, struct arena *arena);

#endif
