/* Files that are written whole or not at all. */
#ifndef ANALYSIS_PRINT_SAVE_H
#define ANALYSIS_PRINT_SAVE_H

#include <stdbool.h>

#include "base/text.h"

/* Writes `text` beside `path`, flushes, renames. False after a message on standard error; `path` is
 * then as it was. */
bool save_text(const char *path, const struct text *text);

#endif
