/* A page that draws predicted figures against measured ones, in the style of the report. The caller
 * supplies the table; nothing is run. */
#ifndef ANALYSIS_ERRORS_PAGE_H
#define ANALYSIS_ERRORS_PAGE_H

#include <stdbool.h>

/* True if `path` may be written (base/output.h); false after a message on standard error. */
bool analysis_errors_page_check(const char *path);

/* Writes the page to `path` (base/output.h; "-": standard output). `table` is the error table as
 * JSON, in the form that a report's model holds it; `commit` names the program that made it. False
 * after a message on standard error. */
bool analysis_errors_page(const char *table, const char *commit, const char *path);

#endif
