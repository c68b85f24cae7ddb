/* A page that draws predicted figures against measured ones, in the style of the report. Runs
 * nothing: the table comes from whoever calls. */
#ifndef ANALYSIS_ERRORS_PAGE_H
#define ANALYSIS_ERRORS_PAGE_H

#include <stdbool.h>

/* True if `path` may be written; otherwise false after a message on standard error. */
bool analysis_errors_page_check(const char *path);

/* Writes `path` (base/output.h; "-": standard output): `table` is the error table as JSON, as the
 * model of a report has it, made by a program of `commit`. False after a message on standard error.
 */
bool analysis_errors_page(const char *table, const char *commit, const char *path);

#endif
