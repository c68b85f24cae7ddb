/* The writers of `meshsim check` and what they share. */
#ifndef ANALYSIS_CHECK_CHECK_PRIVATE_H
#define ANALYSIS_CHECK_CHECK_PRIVATE_H

#include "changes.h"

/* A change is printed with these. */
struct check_print {
	const struct changes *changes;
	const struct measured_runs *result;
	const char *file, *baseline;
	struct arena *arena;
	bool exact; /* what is better or tolerated fails as well */
};

/* True if the change makes the gate fail. */
bool check_fails(const struct check_print *print, const struct change *change);

/* Stages that moved, and what they explain, the one that explains most first; a line each behind
 * `bullet`, or below a heading. Nothing if none did. */
void check_causes(const struct check_print *print, const char *bullet, FILE *out);

void check_text(const struct check_print *print, FILE *out);
void check_markdown(const struct check_print *print, FILE *out);
void check_json(const struct check_print *print, FILE *out);

/* JUnit's XML: a test case per run; runs of the baseline that are missing, too. */
void check_junit(const struct check_print *print, struct text *out);

/* "figure", or what happened to a whole run or figure: "missing run" and the like. */
const char *check_metric(const struct change *change, struct arena *arena);

#endif
